// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs PTX over expressions: every output element becomes what the machine
/// code computes from the elements of the inputs.
#ifndef PREC_PTX_SYMBOLIC_H
#define PREC_PTX_SYMBOLIC_H

#include "prec/PTX/Machine.h"
#include "prec/Symbolic/Graph.h"

namespace prec::ptx {

struct SymbolicResult {
  /// The nodes of each output's elements.
  std::map<std::string, std::vector<sym::Node>> outputs;
  /// By node, the line of the instruction that first built it; 0, or beyond the
  /// end, for leaves and for nodes that the graph had before.
  std::vector<unsigned> lines;
  RunReport report;
};

/// As `run`, but the elements of inputs of a float type are the leaves of
/// `graph` (their data is not read; integers keep their values). Control that
/// depends on floats is followed both ways, within bounds; addresses that do,
/// and sums whose order is open, are errors: such kernels can only be tested.
/// The outputs' memory is scratch: its contents afterwards mean nothing.
std::optional<SymbolicResult>
runSymbolic(const Module &module, const launch::Description &description,
            const std::map<std::string, TensorRef> &inputs,
            const std::map<std::string, TensorRef> &outputs,
            const launch::Scalars &scalars, const RunOptions &options,
            sym::Graph &graph, Diagnostic &error);

} // namespace prec::ptx

#endif // PREC_PTX_SYMBOLIC_H
