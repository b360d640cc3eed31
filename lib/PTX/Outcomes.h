// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Other results of approximate instructions, within the bounds of the ISA.
#ifndef PREC_LIB_PTX_OUTCOMES_H
#define PREC_LIB_PTX_OUTCOMES_H

#include "DomainSymbolic.h"

#include "prec/Symbolic/Interval.h"

namespace prec::ptx {

class OutcomeChooser {
public:
  /// `outcome` as in RunOptions, not 0.
  explicit OutcomeChooser(uint64_t outcome)
      : outcome(outcome), state(outcome), domain(graph) {}

  /// A result of the instruction for these operands.
  uint64_t choose(const Code &code, const Inst &i,
                  const std::array<uint64_t, 3> &operands);

private:
  uint64_t pick(const sym::Outcomes &outcomes, uint64_t rounded);
  uint64_t next();

  const uint64_t outcome;
  uint64_t state;
  sym::Graph graph;
  SymbolicDomain domain;
  /// An instruction as an expression: operands before their users.
  std::unordered_map<const Inst *, std::vector<sym::Node>> forms;
};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_OUTCOMES_H
