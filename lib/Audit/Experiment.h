// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two expressions that differ, on many inputs: what else agrees with which?
#ifndef PREC_LIB_AUDIT_EXPERIMENT_H
#define PREC_LIB_AUDIT_EXPERIMENT_H

#include "Inputs.h"
#include "prec/Audit/Lanes.h"

namespace prec::audit {

class Experiment {
public:
  Experiment(sym::Graph &graph, Inputs &inputs, const Inputs::Hints &hints,
             sym::Node expected, sym::Node actual, const num::Format &format,
             size_t n);

  bool any() const { return !differing.empty(); }
  /// Whether every difference is between values of which `f` holds.
  template <typename F> bool all(F f) const {
    for (size_t i : differing)
      if (!f(expectedLanes.value[i], actualLanes.value[i]))
        return false;
    return any();
  }
  /// How well an expression agrees with the actual one: on all inputs, and on
  /// those where the expected one does not.
  struct Score {
    double overall = 0, onDifferences = 0;
  };
  Score score(sym::Node n) const;
  /// ... how well it agrees with the expected one, in place of the actual one.
  Score scoreActual(sym::Node n) const;

private:
  Lanes evaluate(sym::Node n) const;
  /// How often a value is among the outcomes.
  Score agreement(const Lanes &outcomes, const Lanes &values) const;

  sym::Graph &graph;
  const num::Format &format;
  std::vector<sym::Node> leaves;
  std::vector<std::vector<uint64_t>> values;
  Lanes expectedLanes, actualLanes;
  std::vector<size_t> differing;
};

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_EXPERIMENT_H
