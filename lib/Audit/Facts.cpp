// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Facts.h"

#include "prec/Numerics/Arithmetic.h"

#include <cmath>

using namespace prec;
using namespace prec::audit;
using num::Format;
using num::Ordering;
using sym::Expr;
using sym::Node;
using sym::Op;

double prec::audit::asDouble(const Format &format, uint64_t bits) {
  return num::bitCast<double>(num::round(format, bits, num::kF64));
}

static bool isWidening(const Expr &e) {
  if (e.op != Op::Convert)
    return false;
  const Format &from = *sym::formatOf(e.format), &to = *sym::formatOf(e.to);
  return to.expBits >= from.expBits && to.fracBits >= from.fracBits;
}

Node prec::audit::magnitudeOf(const sym::Graph &graph, Node n) {
  for (;;) {
    const Expr &e = graph[n];
    if (e.op != Op::Neg && e.op != Op::Abs && !isWidening(e))
      return n;
    n = e.operands[0];
  }
}

bool LeafFact::mayHold(const Lanes &lanes, size_t i) const {
  if (kind == IsTrue || kind == IsFalse)
    return !lanes.decided(i) || (lanes.value[i] & 1) == (kind == IsTrue);
  if (!lanes.decided(i) && lanes.open[i] != Lanes::Bounded)
    return true;
  const uint64_t low = lanes.exact() ? lanes.value[i] : lanes.low[i],
                 high = lanes.exact() ? lanes.value[i] : lanes.high[i];
  if (num::isNaN(*format, low))
    return orNaN;
  return kind == AtMost ? asDouble(*format, low) <= limit
                        : asDouble(*format, high) >= limit;
}

const std::vector<Node> &Facts::equals(Node n) const {
  static const std::vector<Node> none;
  auto it = same.find(n);
  return it == same.end() ? none : it->second;
}

const std::vector<LeafFact> &Facts::ofLeaf(Node leaf) const {
  static const std::vector<LeafFact> none;
  auto it = leaves.find(leaf);
  return it == leaves.end() ? none : it->second;
}

void Facts::assume(Node condition, bool truth) {
  const Expr e = graph[condition];
  if (e.op == Op::Constant) {
    contradiction |= (e.bits & 1) != truth;
    return;
  }
  if (e.op == Op::Not)
    return assume(e.operands[0], !truth);
  auto [it, isNew] = truths.try_emplace(condition, truth);
  if (!isNew) {
    contradiction |= it->second != truth;
    return;
  }
  switch (e.op) {
  case Op::And:
  case Op::Or:
    if (truth == (e.op == Op::And))
      for (unsigned k : {0u, 1u})
        assume(e.operands[k], truth);
    return;
  case Op::Choice: {
    // A side that is a constant other than this truth is not taken.
    for (unsigned k : {1u, 2u}) {
      const Expr side = graph[e.operands[k]];
      if (side.op != Op::Constant || (side.bits & 1) == truth)
        continue;
      assume(e.operands[0], k == 2);
      assume(e.operands[3 - k], truth);
    }
    return;
  }
  case Op::Compare: {
    Expr compare = e;
    compare.index = truth ? e.index : ~e.index & 15;
    return assumeCompare(compare);
  }
  case Op::Equal:
    for (unsigned k : {0u, 1u}) {
      const Expr other = graph[e.operands[k]];
      if (other.op == Op::Constant && other.bits == 0)
        return truth ? assumeZero(e.operands[1 - k])
                     : assumeNotZero(e.operands[1 - k]);
    }
    if (truth)
      assumeEqual(e.operands[0], e.operands[1]);
    return;
  default:
    if (Tables::Unary u = tables.unary(condition); u && u.leaf)
      leaves[u.leaf].push_back(
          {u.table, truth ? LeafFact::IsTrue : LeafFact::IsFalse});
    return;
  }
}

void Facts::assumeZero(Node n) {
  const Expr e = graph[n];
  switch (e.op) {
  case Op::Constant:
    contradiction |= e.bits != 0;
    return;
  case Op::Or:
  case Op::Concat:
    for (unsigned k : {0u, 1u})
      assumeZero(e.operands[k]);
    return;
  case Op::Xor:
    return assumeEqual(e.operands[0], e.operands[1]);
  case Op::Convert:
    if (e.format == sym::FormatId::BF16 && e.to == sym::FormatId::F32)
      assumeZero(e.operands[0]);
    return;
  case Op::Choice:
    for (unsigned k : {1u, 2u}) {
      const Expr side = graph[e.operands[k]];
      if (side.op != Op::Constant || side.bits == 0)
        continue;
      assume(e.operands[0], k == 2);
      assumeZero(e.operands[3 - k]);
    }
    return;
  default:
    if (e.width == 1)
      assume(n, false);
    return;
  }
}

void Facts::assumeNotZero(Node n) {
  const Expr e = graph[n];
  if (e.width == 1)
    return assume(n, true);
  if (e.op == Op::Concat) {
    // Zeros around a value.
    for (unsigned k : {0u, 1u})
      if (graph.isConstant(e.operands[k]) && graph[e.operands[k]].bits == 0)
        return assumeNotZero(e.operands[1 - k]);
    return;
  }
  if (e.op != Op::Choice)
    return;
  for (unsigned k : {1u, 2u}) {
    const Expr side = graph[e.operands[k]];
    if (side.op != Op::Constant || side.bits != 0)
      continue;
    assume(e.operands[0], k == 2);
    assumeNotZero(e.operands[3 - k]);
  }
}

void Facts::assumeEqual(Node a, Node b) {
  const Expr x = graph[a], y = graph[b];
  if (x.op == Op::Concat && y.op == Op::Concat &&
      graph.width(x.operands[1]) == graph.width(y.operands[1])) {
    assumeEqual(x.operands[0], y.operands[0]);
    assumeEqual(x.operands[1], y.operands[1]);
    return;
  }
  same[a].push_back(b);
  same[b].push_back(a);
}

static constexpr unsigned bit(Ordering o) { return 1u << unsigned(o); }

void Facts::assumeCompare(const Expr &e) {
  const Format &f = *sym::formatOf(e.format);
  for (unsigned k : {0u, 1u}) {
    const Expr limit = graph[e.operands[k]];
    if (limit.op != Op::Constant || num::isNaN(f, limit.bits))
      continue;
    unsigned less = e.index & bit(Ordering::Less),
             greater = e.index & bit(Ordering::Greater);
    if (k == 0)
      std::swap(less, greater);
    const bool orNaN = e.index & bit(Ordering::Unordered);
    for (bool isUpper : {true, false})
      if (!(isUpper ? greater : less))
        assumeLimit(e.operands[1 - k], f, isUpper, asDouble(f, limit.bits),
                    orNaN);
  }
}

void Facts::assumeLimit(Node n, const Format &f, bool isUpper, double limit,
                        bool orNaN) {
  const Expr e = graph[n];
  if (Tables::Unary u = tables.unary(n)) {
    if (u.leaf)
      leaves[u.leaf].push_back({u.table,
                                isUpper ? LeafFact::AtMost : LeafFact::AtLeast,
                                orNaN, &f, limit});
    return;
  }
  if (isWidening(e))
    return assumeLimit(e.operands[0], *sym::formatOf(e.format), isUpper, limit,
                       orNaN);
  const bool isNumber = e.op == Op::MaxNum || e.op == Op::MinNum;
  const bool isExtreme = isUpper ? e.op == Op::Maximum || e.op == Op::MaxNum
                                 : e.op == Op::Minimum || e.op == Op::MinNum;
  if (isExtreme) {
    // Of the operations that any NaN makes NaN, a NaN says nothing of the
    // other operand; the others say nothing of an operand that is NaN.
    if (isNumber || !orNaN)
      for (unsigned k : {0u, 1u})
        assumeLimit(e.operands[k], f, isUpper, limit, isNumber || orNaN);
    return;
  }
  if (e.op != Op::Abs)
    return;
  Limits &limits = isUpper ? most : least;
  auto [it, isNew] =
      limits.try_emplace(magnitudeOf(graph, n), Limit{limit, orNaN});
  // A statement without NaN is worth more than a tighter one with it.
  Limit &old = it->second;
  if (!isNew && old.orNaN && !orNaN)
    old = {limit, false};
  else if (!isNew && old.orNaN == orNaN)
    old.value =
        isUpper ? std::min(old.value, limit) : std::max(old.value, limit);
}
