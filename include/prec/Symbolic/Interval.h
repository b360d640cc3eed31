// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an expression with approximate operations can evaluate to, on every
/// machine that keeps the bounds of the PTX ISA.
#ifndef PREC_SYMBOLIC_INTERVAL_H
#define PREC_SYMBOLIC_INTERVAL_H

#include "prec/Symbolic/Graph.h"

namespace prec::sym {

/// How far the result of an approximate operation may be from the exact one:
/// the largest of three distances.
struct ApproximationBound {
  double ulps = 0;     ///< units in the last place of the exact result
  double relative = 0; ///< times the exact result
  double absolute = 0;
};

/// The bound of an operation that has the flag Approximate, for operands (the
/// divisor, for a division) of magnitudes `least` to `most`; none where the
/// ISA gives none.
const ApproximationBound *approximationBound(const Expr &expr, double least,
                                             double most);

/// The values that a node can have: all of them, and maybe others.
struct Outcomes {
  enum class Kind : uint8_t {
    Values, ///< one of `values`
    Range,  ///< a number of `format` from `lo` to `hi` (-0 below +0), or NaN
            ///< if `maybeNaN`
    Any
  };
  Kind kind = Kind::Any;
  /// In ascending order of their bits; few.
  std::vector<uint64_t> values;
  FormatId format = FormatId::None;
  uint64_t lo = 0, hi = 0;
  bool maybeNaN = false;

  bool isSingle() const { return kind == Kind::Values && values.size() == 1; }
  /// Whether every value is `bits` of `format`, NaN being equal to NaN.
  bool isAlways(const num::Format &format, uint64_t bits) const;
  /// Whether one may be.
  bool contains(const num::Format &format, uint64_t bits) const;
};

/// Evaluates some nodes of a graph to everything that they can be: as
/// Evaluator, but approximate operations give all results within their bounds.
/// Operands are taken to be independent of each other, so there may be values
/// among the outcomes that no machine gives; none is missing.
class IntervalEvaluator {
public:
  IntervalEvaluator(const Graph &graph, const std::vector<Node> &roots);

  /// The leaves that the roots depend on, each once.
  const std::vector<Node> &leaves() const { return leafNodes; }
  /// Outcomes of the roots, given the values of the leaves in the order of
  /// `leaves`.
  std::vector<Outcomes> operator()(const std::vector<uint64_t> &leafValues);

private:
  const Graph &graph;
  std::vector<Node> roots, order, leafNodes;
  std::unordered_map<Node, uint32_t> place;
  std::vector<Outcomes> outcomes;
};

} // namespace prec::sym

#endif // PREC_SYMBOLIC_INTERVAL_H
