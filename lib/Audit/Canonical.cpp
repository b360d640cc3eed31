// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function an operation: its canonical form from canonical operands.
#include "prec/Audit/Canonical.h"

#include "Rebuild.h"
#include "prec/Numerics/Arithmetic.h"
#include "prec/Symbolic/Ops.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using num::Format;
using num::Ordering;
using num::Rounding;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

static bool isSymmetric(Rounding mode) {
  return mode != Rounding::Upward && mode != Rounding::Downward;
}
static bool isNearest(Rounding mode) {
  return mode == Rounding::NearestEven || mode == Rounding::NearestAway;
}
static bool is16(FormatId format) {
  return format == FormatId::BF16 || format == FormatId::F16;
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

//===----------------------------------------------------------------------===//
// Traversal
//===----------------------------------------------------------------------===//

Node Canonical::operator()(Node root) {
  if (auto it = known.find(root); it != known.end())
    return it->second;
  // Operands first, without recursion: sums are long chains.
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    Node n = stack.back();
    if (known.count(n)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (Node operand : graph[n].operands)
      if (operand && !known.count(operand)) {
        stack.push_back(operand);
        ready = false;
      }
    if (!ready)
      continue;
    stack.pop_back();
    Node result = rewrite(n);
    known[n] = result;
    known.emplace(result, result);
  }
  return known.at(root);
}

Node Canonical::rewrite(Node n) {
  Expr e = graph[n];
  if (sym::isLeafLike(e.op))
    return n;
  if (fuse != Fuse::None) {
    Node result;
    if (fuseInto(e, result))
      return result;
  }
  for (Node &operand : e.operands)
    if (operand)
      operand = known.at(operand);
  e.flags &= uint8_t(~sym::Contractible);
  return build(e);
}

/// An add or subtract that ptxas may fuse with a product.
bool Canonical::fuseInto(const Expr &e, Node &result) {
  if ((e.op != Op::Add && e.op != Op::Sub) || !(e.flags & sym::Contractible))
    return false;
  auto isProduct = [&](Node n) {
    const Expr &x = graph[n];
    return x.op == Op::Mul && (x.flags & sym::Contractible) &&
           x.format == e.format;
  };
  bool left = isProduct(e.operands[0]), right = isProduct(e.operands[1]);
  if (!left && !right)
    return false;
  ++fusions;
  unsigned side = left && (fuse == Fuse::Left || !right) ? 0 : 1;
  const Expr product = graph[e.operands[side]];
  Expr f = e;
  f.op = Op::Fma;
  f.flags = sym::NoFlags;
  f.operands = {known.at(product.operands[0]), known.at(product.operands[1]),
                known.at(e.operands[1 - side])};
  if (e.op == Op::Sub)
    f.operands[side == 0 ? 2 : 0] = negate(f.operands[side == 0 ? 2 : 0]);
  result = build(f);
  return true;
}

Node Canonical::result(Node n, const Format *format) {
  n = (*this)(n);
  return format ? used(n, *format) : n;
}

Node Canonical::replace(Node root, std::unordered_map<Node, Node> &done) {
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    Node n = stack.back();
    if (done.count(n)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (Node operand : graph[n].operands)
      if (operand && !done.count(operand)) {
        stack.push_back(operand);
        ready = false;
      }
    if (!ready)
      continue;
    stack.pop_back();
    Expr e = graph[n];
    bool changed = false;
    for (Node &operand : e.operands)
      if (operand) {
        changed |= done.at(operand) != operand;
        operand = done.at(operand);
      }
    done[n] = changed ? build(e) : n;
  }
  return done.at(root);
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

/// A value that is used as a number: all its NaNs are one.
Node Canonical::used(Node n, const Format &format) {
  if (graph.width(n) != format.width())
    return n;
  const Expr e = graph[n];
  if (e.op == Op::Choice) {
    Node a = used(e.operands[1], format), b = used(e.operands[2], format);
    return a == e.operands[1] && b == e.operands[2]
               ? n
               : graph.choice(e.operands[0], a, b);
  }
  Tables::Unary u = tables.unary(n);
  if (!u || !u.leaf)
    return n;
  return tables.node(tables.canonicalNaN(u.table, format), u.leaf);
}

/// The table of an operation on functions of one narrow leaf, or 0.
Node Canonical::evaluated(const Expr &e) {
  Tables::Unary in[3];
  const Tables::Unary *given[3] = {nullptr, nullptr, nullptr};
  Node leaf = 0;
  for (unsigned k = 0; k < 3; ++k) {
    if (!e.operands[k])
      continue;
    in[k] = tables.unary(e.operands[k]);
    if (!in[k] || (leaf && in[k].leaf && in[k].leaf != leaf))
      return 0;
    if (in[k].leaf)
      leaf = in[k].leaf;
    given[k] = &in[k];
  }
  if (!leaf)
    return 0;
  Tables::Id id =
      tables.apply(e, given[0], given[1], given[2], graph.width(leaf));
  note(Identity::Evaluated);
  return tables.node(id, leaf);
}

Node Canonical::build(Expr e) {
  if (sym::isLeafLike(e.op))
    return rebuild(graph, e);
  if (sym::readsNumbers(e))
    for (Node &operand : e.operands)
      if (operand)
        operand = used(operand, *sym::formatOf(e.format));
  if (Node table = evaluated(e)) {
    // What a sum started from stays visible to the sum.
    if (e.op == Op::Add && isNearest(e.rounding) && !is16(e.format))
      for (unsigned k : {0u, 1u})
        if (graph.isConstant(e.operands[k]) && !graph[e.operands[k]].bits &&
            table != e.operands[1 - k])
          plusZero[table] = e.operands[1 - k];
    return table;
  }
  switch (e.op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
    if (is16(e.format) && e.rounding == Rounding::NearestEven &&
        !(e.flags & sym::Approximate))
      return native16(e);
    if (e.flags & sym::Approximate)
      return rebuild(graph, e);
    return e.op == Op::Mul ? mul(e) : e.op == Op::Div ? div(e) : add(e);
  case Op::Fma:
    return fma(e);
  case Op::Minimum:
  case Op::Maximum:
  case Op::MinNum:
  case Op::MaxNum:
    return minMax(e);
  case Op::Neg:
    return negate(e.operands[0]);
  case Op::Flush: {
    Node a = e.operands[0];
    if (stripNeg(a)) {
      e.operands[0] = a;
      return negate(build(e));
    }
    const Format &f = *sym::formatOf(e.format);
    Range r = range(a, f);
    if (r.precision == 0 || r.lowest >= f.minExp()) {
      note(Identity::FlushOfNormal);
      return a;
    }
    return rebuild(graph, e);
  }
  case Op::Convert:
    return convert(e);
  case Op::Compare:
    return compare(e);
  case Op::Not: {
    Expr x = graph[e.operands[0]];
    if (x.op == Op::Compare) {
      note(Identity::CompareForms);
      x.index = ~x.index & 15;
      return rebuild(graph, x);
    }
    return rebuild(graph, e);
  }
  case Op::Choice:
    return choice(e);
  case Op::Concat:
  case Op::Extract:
  case Op::And:
  case Op::Or:
  case Op::Xor: {
    Node n = rebuild(graph, e);
    const Expr &made = graph[n];
    if (made.op == e.op && made.operands == e.operands)
      return n;
    return (*this)(n); // the graph knew a simpler form
  }
  default:
    return rebuild(graph, e);
  }
}

/// Takes a sign off; a negative constant has one.
bool Canonical::stripNeg(Node &n) {
  const Expr e = graph[n];
  if (e.op == Op::Neg) {
    n = e.operands[0];
    return true;
  }
  return false;
}

Node Canonical::negate(Node n) {
  Expr e;
  e.op = Op::Neg;
  e.width = graph[n].width;
  e.operands = {n, 0, 0};
  if (Node table = evaluated(e))
    return table;
  const Expr x = graph[n];
  if (x.op == Op::Choice) {
    note(Identity::SelectForms);
    Expr c = x;
    c.operands = {x.operands[0], negate(x.operands[1]), negate(x.operands[2])};
    return build(c);
  }
  return graph.neg(n);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

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
    if (a == b) {
      note(Identity::Double);
      e.op = Op::Mul;
      b = graph.constant(uint64_t(f.bias + 1) << f.fracBits, f.width());
      return build(e);
    }
  }
  return rebuild(graph, ordered(e));
}

/// Puts two operands that commute in order.
Expr Canonical::ordered(Expr e) {
  if (e.operands[1] < e.operands[0]) {
    note(Identity::Commute);
    std::swap(e.operands[0], e.operands[1]);
  }
  return e;
}

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
      negative ^= stripNeg(*n);
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
    bool negative = stripNeg(a);
    negative ^= stripNeg(b);
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
  bool negative = stripNeg(a);
  negative ^= stripNeg(b);
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
  if ((e.op == Op::MinNum || e.op == Op::MaxNum) && !range(a, f).nan &&
      !range(b, f).nan) {
    note(Identity::MinMaxWithoutNaN);
    e.op = e.op == Op::MinNum ? Op::Minimum : Op::Maximum;
  }
  if (b < a) {
    note(Identity::Commute);
    std::swap(a, b);
  }
  return rebuild(graph, e);
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

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static unsigned bit(Ordering ordering) { return 1u << unsigned(ordering); }

Node Canonical::compare(Expr e) {
  auto &[a, b, c] = e.operands;
  if (is16(e.format)) {
    note(Identity::CompareForms);
    for (Node *n : {&a, &b}) {
      Expr w;
      w.op = Op::Convert;
      w.format = e.format;
      w.to = FormatId::F32;
      w.width = 32;
      w.operands = {*n, 0, 0};
      *n = build(w);
    }
    e.format = FormatId::F32;
    return build(e);
  }
  if (b < a) {
    note(Identity::CompareForms);
    std::swap(a, b);
    unsigned less = e.index & bit(Ordering::Less),
             greater = e.index & bit(Ordering::Greater);
    e.index &= ~(bit(Ordering::Less) | bit(Ordering::Greater));
    e.index |= (less ? bit(Ordering::Greater) : 0) |
               (greater ? bit(Ordering::Less) : 0);
  }
  return rebuild(graph, e);
}

Node Canonical::choice(Expr e) {
  auto &[condition, a, b] = e.operands;
  if (a == b) {
    note(Identity::SelectForms);
    return a;
  }
  const Expr x = graph[condition];
  // Conditions that hold for NaN are turned around.
  if (x.op == Op::Compare && (x.index & bit(Ordering::Unordered))) {
    note(Identity::SelectForms);
    Expr turned = x;
    turned.index = ~x.index & 15;
    condition = rebuild(graph, turned);
    std::swap(a, b);
  }
  // (p or q) ? a : b is a where p may decide alone: if p ? a : b is a, both
  // sides agree wherever p does not hold. The same of (p and q) for b.
  if (x.op == Op::Or || x.op == Op::And) {
    for (Node part : {x.operands[0], x.operands[1]}) {
      Expr inner = e;
      inner.operands = {part, a, b};
      Node chosen = evaluated(inner);
      Node kept = x.op == Op::Or ? a : b;
      if (chosen && chosen == kept) {
        note(Identity::SelectForms);
        return kept;
      }
    }
  }
  return rebuild(graph, e);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

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
    if (!x.precision || !y.precision)
      break;
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
