// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values that a kernel rounds from an approximation where both ends of its
/// error round alike, and computes another way elsewhere.
#ifndef PREC_AUDIT_GUARDEDROUNDING_H
#define PREC_AUDIT_GUARDEDROUNDING_H

#include "prec/Audit/FactorRatios.h"

#include <functional>

namespace prec::audit {

/// A choice is what is wanted if each of its sides is, wherever it is taken.
/// A side may be R(l) where R(l) = R(h) is known: if l = p * x and h = p * y
/// with 0 < x <= 1 <= y, or 0 < y <= 1 <= x, then p lies between l and h, and
/// R, which never falls, gives R(p) = R(l). x and y are bounded by the factors
/// of the products.
class GuardedRounding {
public:
  GuardedRounding(sym::Graph &graph, Tables &tables)
      : graph(graph), tables(tables), ratios(graph, tables) {}

  using Test = std::function<bool(sym::Node)>;
  /// Whether `actual` is `expected` for every input; both are canonical, and
  /// `actual` is a choice. `isExpected` decides sides without their conditions.
  bool prove(sym::Node expected, sym::Node actual, const Test &isExpected);
  /// How many sides were proven by their roundings.
  uint64_t uses() const { return count; }

private:
  using Path = std::vector<std::pair<sym::Node, bool>>;

  bool proveSide(sym::Node expected, sym::Node side, Path &path,
                 const Test &isExpected);
  const Facts &factsOf(const Path &path);
  bool roundsAlike(sym::Node expected, sym::Node side, const Facts &facts);

  sym::Graph &graph;
  Tables &tables;
  FactorRatios ratios;
  uint64_t count = 0;
  unsigned sides = 0;
  /// The elements that a thread computes have one condition.
  std::map<Path, Facts> known;
};

} // namespace prec::audit

#endif // PREC_AUDIT_GUARDEDROUNDING_H
