// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an expression with approximate operations can evaluate to, on every
/// machine that keeps the bounds of the PTX ISA.
#ifndef PREC_SYMBOLIC_INTERVAL_H
#define PREC_SYMBOLIC_INTERVAL_H

#include "prec/Symbolic/Graph.h"

namespace prec::sym {

/// How far the result of an approximate operation may be from the exact one:
/// the largest of three distances. These are claims of the ISA, not proofs.
struct ApproximationBound {
  /// Units in the last place, from the exact or from the correctly rounded
  /// result: what the ISA measures from is not always said.
  double ulps = 0;
  double relative = 0; ///< times the exact result
  double absolute = 0;
};

/// The bound of an operation that has the flag Approximate, for operands (the
/// divisor, for a division) of magnitudes `least` to `most`; none where the
/// ISA gives none.
const ApproximationBound *approximationBound(const Expr &expr, double least,
                                             double most);
/// The instruction and its bound, for reports: "ex2.approx.f32: ...".
std::string approximationText(const Expr &expr);

/// A number's place in the order of its format, by which neighbours differ by 1
/// and -0 is below +0; and back.
int64_t ordinal(const num::Format &format, uint64_t bits);
uint64_t fromOrdinal(const num::Format &format, int64_t ordinal);

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

/// One number of `format` from `lo` to `hi`, or NaN if `maybeNaN`.
Outcomes outcomesBetween(FormatId format, uint64_t lo, uint64_t hi,
                         bool maybeNaN);

/// Everything that an operation can give from everything that its operands
/// (null where it has none) can be; not for leaves. Approximate operations give
/// all results within their bounds. Operands are taken to be independent of
/// each other, so there may be values among the outcomes that no machine gives;
/// none is missing. NaN results are the NaN that a GPU makes.
Outcomes outcomesOf(const Graph &graph, const Expr &expr,
                    const std::array<const Outcomes *, 3> &operands);

} // namespace prec::sym

#endif // PREC_SYMBOLIC_INTERVAL_H
