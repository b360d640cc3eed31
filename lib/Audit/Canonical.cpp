// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traversal, and which operation has which canonical form.
#include "CanonicalParts.h"
#include "SweptFunctions.h"

#include "prec/Symbolic/Ops.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using num::Format;
using num::Rounding;
using sym::Expr;
using sym::Node;
using sym::Op;

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
  case Op::Function:
    if (e.format == sym::FormatId::F32 && !(e.flags & sym::Approximate))
      if (Node swept = sweptFunction(graph, sym::FunctionId(e.index),
                                     e.operands[0], expansion)) {
        note(Identity::SweptFunction);
        return (*this)(swept);
      }
    return rebuild(graph, e);
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

/// The same for a factor, whose sign a table may have within: of a table and
/// its negation, the one that was there first is without.
bool Canonical::stripSign(Node &n, const Format &format) {
  if (stripNeg(n))
    return true;
  if (!tables.unary(n) || !tables.unary(n).leaf)
    return false;
  Node other = used(negate(n), format);
  if (other >= n)
    return false;
  n = other;
  return true;
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
