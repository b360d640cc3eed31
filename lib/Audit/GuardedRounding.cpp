// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/GuardedRounding.h"

#include <cmath>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Expr;
using sym::Node;
using sym::Op;

bool GuardedRounding::prove(Node expected, Node actual,
                            const Test &isExpected) {
  sides = 0;
  Path path;
  return proveSide(expected, actual, path, isExpected);
}

bool GuardedRounding::proveSide(Node expected, Node side, Path &path,
                                const Test &isExpected) {
  constexpr unsigned most = 64;
  if (side == expected)
    return true;
  const Expr e = graph[side];
  if (++sides > most)
    return false;
  if (e.op == Op::Choice) {
    for (bool truth : {true, false}) {
      path.emplace_back(e.operands[0], truth);
      const bool proven =
          proveSide(expected, e.operands[truth ? 1 : 2], path, isExpected);
      path.pop_back();
      if (!proven)
        return false;
    }
    return true;
  }
  const Facts &facts = factsOf(path);
  if (facts.impossible())
    return true;
  if (roundsAlike(expected, side, facts)) {
    ++count;
    return true;
  }
  return isExpected(side);
}

const Facts &GuardedRounding::factsOf(const Path &path) {
  constexpr size_t most = 256;
  if (known.size() > most)
    known.clear();
  auto [it, isNew] = known.try_emplace(path, graph, tables);
  if (isNew)
    for (auto [condition, truth] : path)
      it->second.assume(condition, truth);
  return it->second;
}

/// Takes signs off, and says whether there is one left.
static bool stripSigns(const sym::Graph &graph, Node &n) {
  bool negative = false;
  for (; graph[n].op == Op::Neg; n = graph[n].operands[0])
    negative = !negative;
  return negative;
}

bool GuardedRounding::roundsAlike(Node expected, Node side,
                                  const Facts &facts) {
  Node wanted = expected, given = side;
  const bool wantedMinus = stripSigns(graph, wanted),
             givenMinus = stripSigns(graph, given);
  const Expr e = graph[wanted];
  auto isSameRounding = [&](const Expr &x) {
    return x.op == Op::Convert && x.format == e.format && x.to == e.to &&
           x.rounding == e.rounding && x.index == 0;
  };
  // To nearest, a rounding is the same for both signs.
  if (e.format != sym::FormatId::F32 || !isSameRounding(e) ||
      !isSameRounding(graph[given]) ||
      (e.rounding != num::Rounding::NearestEven &&
       e.rounding != num::Rounding::NearestAway))
    return false;
  const Format &to = *sym::formatOf(e.to);
  for (Node other : facts.equals(side)) {
    const bool otherMinus = stripSigns(graph, other);
    if (!isSameRounding(graph[other]))
      continue;
    const Facts::Limit *least = facts.atLeast(given);
    least = least ? least : facts.atLeast(other);
    if (!least || !(least->value > 0) || std::isinf(least->value))
      continue;
    // If |x| < 2^(k-1), a number of the narrow format, |R(x)| is not more: it
    // is not 2^k.
    const int k = std::ilogb(least->value);
    if (k - 1 < to.minExp())
      continue;
    FactorRatios::Given l, h;
    l.least = h.least = std::ldexp(1, k - 1);
    l.isNumber = h.isNumber = !least->orNaN;
    l.negated = wantedMinus ^ givenMinus;
    h.negated = wantedMinus ^ otherMinus;
    l.root = graph[given].operands[0];
    h.root = graph[other].operands[0];
    auto x = ratios(l, e.operands[0], facts);
    auto y = x ? ratios(h, e.operands[0], facts) : std::nullopt;
    if (y && ((x->high <= 1 && y->low >= 1) || (y->high <= 1 && x->low >= 1)))
      return true;
  }
  return false;
}
