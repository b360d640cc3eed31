// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and choices.
#include "CanonicalParts.h"

#include "prec/Numerics/Arithmetic.h"

using namespace prec;
using namespace prec::audit;
using num::Ordering;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

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
  const unsigned different = bit(Ordering::Less) | bit(Ordering::Greater);
  if (a == b && (e.index & different)) {
    note(Identity::CompareForms);
    e.index &= ~different;
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
