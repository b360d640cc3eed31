// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// CUDA's own functions of f32 (#prec.math<libdevice>), as expressions: the
/// same sequence of instructions in a kernel is the same expression.
#ifndef PREC_AUDIT_LIBDEVICE_H
#define PREC_AUDIT_LIBDEVICE_H

#include "prec/Symbolic/Graph.h"

namespace prec::audit {

/// The instructions of one function, from x in %f0 to the result in %f1, over
/// a few registers of each kind. The last sequence has no body.
struct LibdeviceSequence {
  sym::FunctionId function;
  const char *body;
};
extern const LibdeviceSequence libdeviceSequences[];

class Libdevice {
public:
  explicit Libdevice(sym::Graph &graph) : graph(graph) {}

  /// The function of x, or 0 where no sequence is known. Approximate
  /// instructions among it stay approximate.
  sym::Node operator()(sym::FunctionId function, sym::Node x);

private:
  /// The function of a leaf of its own.
  struct Recipe {
    sym::Node leaf = 0, root = 0;
  };
  const Recipe &recipe(sym::FunctionId function);

  sym::Graph &graph;
  std::unordered_map<unsigned, Recipe> recipes;
};

} // namespace prec::audit

#endif // PREC_AUDIT_LIBDEVICE_H
