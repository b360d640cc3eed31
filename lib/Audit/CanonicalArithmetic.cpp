// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function an operation: its canonical form from canonical operands.
#include "CanonicalParts.h"

#include "prec/Numerics/Arithmetic.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using num::Format;
using num::Rounding;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

static bool isSymmetric(Rounding mode) {
  return mode != Rounding::Upward && mode != Rounding::Downward;
}

/// The k of a constant 2^k that is normal, with its sign.
static bool isPowerOfTwo(const Format &f, uint64_t bits, int &k) {
  uint64_t abs = bits & f.absMask();
  uint64_t exponent = abs >> f.fracBits;
  if ((abs & f.fracMask()) || exponent == 0 || abs >= f.infOrNaN())
    return false;
  k = int(exponent) - f.bias;
  return true;
}

Node Canonical::native16(Expr e) {
  note(Identity::Native16);
  auto wide = [&](Node n) {
    Expr w;
    w.op = Op::Convert;
    w.format = e.format;
    w.to = FormatId::F32;
    w.width = 32;
    w.operands = {n, 0, 0};
    return build(w);
  };
  Expr f32 = e;
  f32.format = FormatId::F32;
  f32.width = 32;
  f32.operands = {wide(e.operands[0]), wide(e.operands[1]), 0};
  Expr narrow;
  narrow.op = Op::Convert;
  narrow.format = FormatId::F32;
  narrow.to = e.format;
  narrow.width = 16;
  narrow.operands = {build(f32), 0, 0};
  return build(narrow);
}

Node Canonical::add(Expr e) {
  const Format &f = *sym::formatOf(e.format);
  auto &[a, b, c] = e.operands;
  if (e.op == Op::Sub) {
    note(Identity::SubIsAddNeg);
    e.op = Op::Add;
    b = negate(b);
    return build(e);
  }
  if (isNearest(e.rounding)) {
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (graph.isConstant(y) && graph[y].bits == f.signMask()) {
        note(Identity::PlusMinusZero);
        return x;
      }
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (graph.isConstant(y) && graph[y].bits == 0 && !mayBeMinusZero(x, f)) {
        note(Identity::PlusZero);
        return x;
      }
    // (+0 + x) + y = +0 + (x + y): a zero that a sum starts with stands last.
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      Node rest = zeroPlus(x, f);
      if (!rest)
        continue;
      note(Identity::PlusZeroLast);
      Node other = zeroPlus(y, f);
      Expr inner = e;
      inner.operands = {rest, other ? other : y, 0};
      if (graph.isConstant(y) && graph[y].bits == 0) {
        inner.operands = {rest, y, 0};
        return rebuild(graph, ordered(inner));
      }
      Expr outer = e;
      outer.operands = {graph.constant(0, f.width()), build(inner), 0};
      return build(outer);
    }
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      Node difference = negatedSum(y, e);
      if (!difference || mayBeMinusZero(x, f))
        continue;
      note(Identity::PlusNegOfSum);
      e.operands = {x, difference, 0};
      return build(e);
    }
    if (a == b) {
      note(Identity::Double);
      e.op = Op::Mul;
      b = graph.constant(uint64_t(f.bias + 1) << f.fracBits, f.width());
      return build(e);
    }
  }
  return rebuild(graph, ordered(e));
}

/// (-x) + (-y) if n is -(x + y), rounded as `e` is, else 0.
Node Canonical::negatedSum(Node n, const Expr &e) {
  if (graph[n].op != Op::Neg)
    return 0;
  Expr sum = graph[graph[n].operands[0]];
  if (sum.op != Op::Add || sum.format != e.format ||
      sum.rounding != e.rounding || sum.flags != e.flags)
    return 0;
  for (Node *operand : {&sum.operands[0], &sum.operands[1]})
    *operand = negate(*operand);
  return build(sum);
}

/// Puts two operands that commute in order.
Expr Canonical::ordered(Expr e) {
  if (e.operands[1] < e.operands[0]) {
    note(Identity::Commute);
    std::swap(e.operands[0], e.operands[1]);
  }
  return e;
}

/// The x of +0 + x, or 0.
Node Canonical::zeroPlus(Node n, const Format &f) const {
  if (auto it = plusZero.find(n); it != plusZero.end())
    return it->second;
  const Expr &e = graph[n];
  if (e.op != Op::Add || e.format != sym::idOf(f) ||
      (e.flags & sym::Approximate))
    return 0;
  for (unsigned k : {0u, 1u})
    if (graph.isConstant(e.operands[k]) && graph[e.operands[k]].bits == 0)
      return e.operands[1 - k];
  return 0;
}

Node Canonical::mul(Expr e) {
  const Format &f = *sym::formatOf(e.format);
  auto &[a, b, c] = e.operands;
  if (isSymmetric(e.rounding)) {
    bool negative = false;
    for (Node *n : {&a, &b}) {
      negative ^= stripSign(*n, f);
      const Expr &x = graph[*n];
      if (x.op == Op::Constant && !num::isNaN(f, x.bits) &&
          (x.bits & f.signMask())) {
        negative = !negative;
        *n = graph.constant(x.bits & f.absMask(), f.width());
      }
    }
    if (negative) {
      note(Identity::NegOfProduct);
      return negate(build(e));
    }
  }
  if (graph.isConstant(a))
    std::swap(a, b);
  int k = 0;
  if (graph.isConstant(b) && isPowerOfTwo(f, graph[b].bits, k)) {
    if (k == 0) {
      note(Identity::TimesOne);
      return a;
    }
    const Expr x = graph[a];
    const unsigned factor = graph.isConstant(x.operands[0]) ? 0 : 1;
    int j = 0;
    if (x.op == Op::Mul && x.format == e.format && x.rounding == e.rounding &&
        graph.isConstant(x.operands[factor]) &&
        isPowerOfTwo(f, graph[x.operands[factor]].bits, j)) {
      Range r = range(x.operands[1 - factor], f);
      int sum = j + k;
      if (r.lowest + j >= f.minExp() - int(f.fracBits) &&
          r.highest + j <= (1 << (f.expBits - 1)) && sum >= f.minExp() &&
          sum < (1 << (f.expBits - 1))) {
        note(Identity::ScaleTwice);
        a = x.operands[1 - factor];
        b = graph.constant(uint64_t(sum + f.bias) << f.fracBits, f.width());
        return build(e);
      }
    }
    return rebuild(graph, e);
  }
  if (!graph.isConstant(b) && b < a) {
    note(Identity::Commute);
    std::swap(a, b);
  }
  return rebuild(graph, e);
}

Node Canonical::div(Expr e) {
  const Format &f = *sym::formatOf(e.format);
  auto &[a, b, c] = e.operands;
  if (isSymmetric(e.rounding)) {
    bool negative = stripSign(a, f);
    negative ^= stripSign(b, f);
    if (negative) {
      note(Identity::NegOfProduct);
      return negate(build(e));
    }
  }
  int k = 0;
  if (graph.isConstant(b) && isPowerOfTwo(f, graph[b].bits, k) &&
      -k >= f.minExp() && -k < (1 << (f.expBits - 1))) {
    note(Identity::DivByPowerOfTwo);
    uint64_t sign = graph[b].bits & f.signMask();
    e.op = Op::Mul;
    b = graph.constant(sign | uint64_t(f.bias - k) << f.fracBits, f.width());
    return build(e);
  }
  return rebuild(graph, e);
}

Node Canonical::fma(Expr e) {
  const Format &f = *sym::formatOf(e.format);
  Node &a = e.operands[0], &b = e.operands[1], &c = e.operands[2];
  auto product = [&] {
    Expr m = e;
    m.op = Op::Mul;
    m.operands = {e.operands[0], e.operands[1], 0};
    return build(m);
  };
  if (isNearest(e.rounding) && graph.isConstant(c) &&
      graph[c].bits == f.signMask()) {
    note(Identity::FmaMinusZero);
    return product();
  }
  Range x = range(a, f), y = range(b, f);
  // A power of two adds no bits, and 2^(highest - 1) is the largest.
  bool isScaled = x.precision == 1 || y.precision == 1;
  if (x.precision + y.precision <= f.precision() + isScaled &&
      x.lowest + y.lowest >= f.minExp() - int(f.fracBits) &&
      x.highest + y.highest <= (1 << (f.expBits - 1)) + isScaled) {
    note(Identity::FmaOfExactProduct);
    Expr sum = e;
    sum.op = Op::Add;
    sum.operands = {product(), c, 0};
    return build(sum);
  }
  bool negative = stripSign(a, f);
  negative ^= stripSign(b, f);
  if (b < a) {
    note(Identity::Commute);
    std::swap(a, b);
  }
  if (negative)
    a = negate(a);
  return rebuild(graph, e);
}

Node Canonical::minMax(Expr e) {
  const Format &f = *sym::formatOf(e.format);
  auto &[a, b, c] = e.operands;
  if (a == b) {
    note(Identity::MinMaxOfSame);
    return a;
  }
  if (is16(e.format))
    return native16(e);
  if ((e.op == Op::MinNum || e.op == Op::MaxNum) && !range(a, f).nan &&
      !range(b, f).nan) {
    note(Identity::MinMaxWithoutNaN);
    e.op = e.op == Op::MinNum ? Op::Minimum : Op::Maximum;
  }
  // What is compared, each once and in the order of the nodes.
  std::vector<Node> values, stack{a, b};
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    const Expr &x = graph[n];
    if (x.op != e.op || x.format != e.format) {
      values.push_back(n);
      continue;
    }
    stack.push_back(x.operands[0]);
    stack.push_back(x.operands[1]);
  }
  note(values.size() > 2 ? Identity::MinMaxOrder : Identity::Commute);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  auto isNeutral = [&](Node n) {
    return graph.isConstant(n) && f.hasInf &&
           graph[n].bits ==
               (f.infOrNaN() | (e.op == Op::Maximum ? f.signMask() : 0));
  };
  if ((e.op == Op::Minimum || e.op == Op::Maximum) && values.size() > 1) {
    auto it = std::find_if(values.begin(), values.end(), isNeutral);
    if (it != values.end()) {
      note(Identity::MinMaxOfInfinity);
      values.erase(it);
    }
  }
  Node result = values.front();
  for (size_t k = 1; k < values.size(); ++k) {
    a = std::min(result, values[k]);
    b = std::max(result, values[k]);
    result = rebuild(graph, e);
  }
  return result;
}

Node Canonical::convert(Expr e) {
  const Format &from = *sym::formatOf(e.format), &to = *sym::formatOf(e.to);
  const bool widens =
      to.expBits >= from.expBits && to.fracBits >= from.fracBits;
  Node a = e.operands[0];
  if (isSymmetric(e.rounding) && stripNeg(a)) {
    note(Identity::RoundOfNeg);
    e.operands[0] = a;
    return negate(build(e));
  }
  const Expr x = graph[a];
  if (x.op == Op::Choice) {
    note(Identity::SelectForms);
    Expr c = x;
    c.width = e.width;
    for (unsigned k : {1u, 2u}) {
      Expr side = e;
      side.operands[0] = x.operands[k];
      c.operands[k] = build(side);
    }
    return build(c);
  }
  if (x.op == Op::Convert) {
    const Format &first = *sym::formatOf(x.format);
    const bool xWidens =
        from.expBits >= first.expBits && from.fracBits >= first.fracBits;
    if (xWidens && x.format == e.to) {
      note(Identity::RoundOfRepresentable);
      return x.operands[0];
    }
    if (xWidens) {
      note(Identity::WidenTwice);
      e.format = x.format;
      e.operands[0] = x.operands[0];
      return build(e);
    }
    if (widens && x.format == e.to && range(x.operands[0], first).fits(from)) {
      note(Identity::RoundOfRepresentable);
      return x.operands[0];
    }
  }
  return rebuild(graph, e);
}
