// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which numbers a node may be.
#include "CanonicalParts.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Expr;
using sym::Node;
using sym::Op;

/// Whether a number may be -0; squares, and sums to nearest with something that
/// cannot, are not.
bool Canonical::mayBeMinusZero(Node n, const Format &f, unsigned depth) {
  constexpr unsigned deepest = 20000;
  if (graph.width(n) != f.width() || depth > deepest)
    return true;
  if (Tables::Unary u = tables.unary(n); u && u.leaf)
    return tables.mayBe(u.table, f.signMask());
  if (auto it = minusZeros.find(n); it != minusZeros.end())
    return it->second;
  const Expr e = graph[n];
  bool may = true;
  if (e.op == Op::Constant)
    may = e.bits == f.signMask();
  else if (e.op == Op::Mul && e.format == sym::idOf(f))
    may = e.operands[0] != e.operands[1];
  else if (e.op == Op::Add && e.format == sym::idOf(f) &&
           isNearest(e.rounding) && !(e.flags & sym::Approximate))
    may = mayBeMinusZero(e.operands[0], f, depth + 1) &&
          mayBeMinusZero(e.operands[1], f, depth + 1);
  return minusZeros[n] = may;
}

/// What is left of a range after one rounding to the format.
static Range rounded(Range r, const Format &f) {
  const Range all = Range::ofFormat(f);
  if (r.precision == 0)
    return r;
  if (r.precision > f.precision() || r.lowest < all.lowest)
    ++r.highest;
  r.precision = std::min(r.precision, f.precision());
  r.lowest = std::max(r.lowest, all.lowest);
  if (r.highest > all.highest) {
    r.highest = all.highest;
    r.infinite = true;
  }
  return r;
}

Range Canonical::range(Node n, const Format &f) {
  if (graph.width(n) != f.width())
    return Range::ofFormat(f);
  Tables::Unary u = tables.unary(n);
  if (u && u.leaf)
    return tables.range(u.table, f);
  const Expr e = graph[n];
  if (e.op == Op::Constant) {
    Range r;
    r.include(f, e.bits);
    return r;
  }
  if (auto it = ranges.find(n); it != ranges.end())
    return it->second;
  Range r = Range::ofFormat(f);
  // Anything deep is of the format and no more: ranges matter near the leaves.
  ranges[n] = r;
  switch (e.op) {
  case Op::Neg:
  case Op::Abs:
    r = range(e.operands[0], f);
    break;
  case Op::Choice:
    r = range(e.operands[1], f);
    r.include(range(e.operands[2], f));
    break;
  case Op::Minimum:
  case Op::Maximum:
  case Op::MinNum:
  case Op::MaxNum:
    r = range(e.operands[0], f);
    r.include(range(e.operands[1], f));
    break;
  case Op::Convert:
    if (e.index == 0)
      r = rounded(range(e.operands[0], *sym::formatOf(e.format)), f);
    break;
  case Op::Mul: {
    Range x = range(e.operands[0], f), y = range(e.operands[1], f);
    if (!x.precision || !y.precision)
      break;
    Range p;
    p.lowest = x.lowest + y.lowest;
    p.highest = x.highest + y.highest;
    p.precision = x.precision + y.precision;
    p.infinite = x.infinite || y.infinite;
    p.nan = x.nan || y.nan || p.infinite;
    r = rounded(p, f);
    break;
  }
  case Op::Add: {
    Range x = range(e.operands[0], f), y = range(e.operands[1], f);
    // A sum with zeros is the other operand, or zero.
    if (!x.precision || !y.precision) {
      r = x.precision ? x : y;
      r.infinite = x.infinite || y.infinite;
      r.nan = x.nan || y.nan || r.infinite;
      break;
    }
    Range p;
    p.lowest = std::min(x.lowest, y.lowest);
    p.highest = std::max(x.highest, y.highest) + 1;
    p.precision = unsigned(std::max(p.highest - p.lowest, 1));
    p.infinite = x.infinite || y.infinite;
    p.nan = x.nan || y.nan || p.infinite;
    r = rounded(p, f);
    break;
  }
  default:
    break;
  }
  return ranges[n] = r;
}
