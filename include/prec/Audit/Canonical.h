// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Canonical forms: expressions that the identities make equal are one node.
#ifndef PREC_AUDIT_CANONICAL_H
#define PREC_AUDIT_CANONICAL_H

#include "prec/Audit/Identities.h"
#include "prec/Audit/Tables.h"

namespace prec::audit {

/// How multiplies and adds without a rounding of their own are read.
enum class Fuse {
  None,  ///< each rounds
  Left,  ///< an add takes its left product in, where it has one, else the right
  Right, ///< an add takes its right product in, where it has one, else the left
};

/// What correctly rounded functions of f32 numbers become.
enum class Expansion {
  None,  ///< nothing else
  F64,   ///< what our kernels compute them with
  Pairs, ///< what they are computed with where f64 is slow
};

class Canonical {
public:
  Canonical(sym::Graph &graph, Tables &tables, Fuse fuse = Fuse::None,
            Expansion expansion = Expansion::None)
      : graph(graph), tables(tables), fuse(fuse), expansion(expansion) {}

  /// Before the first expression.
  void expandTo(Expansion other) { expansion = other; }

  /// The canonical form of an expression.
  sym::Node operator()(sym::Node n);
  /// The canonical form of a result that is a number of `format` (null: bits):
  /// which NaN it is does not matter.
  sym::Node result(sym::Node n, const num::Format *format);
  /// The canonical form with some nodes of a canonical form replaced by
  /// canonical nodes. What other nodes become is added to `by`.
  sym::Node replace(sym::Node n, std::unordered_map<sym::Node, sym::Node> &by);

  /// Whether a fusion changed an expression.
  bool fused() const { return fusions != 0; }
  /// How often each identity was used.
  const std::array<uint64_t, identities> &uses() const { return counts; }

private:
  using Node = sym::Node;
  using Op = sym::Op;

  Node rewrite(Node n);
  /// The canonical form of `e`, whose operands are canonical.
  Node build(sym::Expr e);
  Node evaluated(const sym::Expr &e);
  Node used(Node n, const num::Format &format);
  Node add(sym::Expr e);
  Node mul(sym::Expr e);
  Node div(sym::Expr e);
  Node fma(sym::Expr e);
  Node minMax(sym::Expr e);
  Node convert(sym::Expr e);
  Node compare(sym::Expr e);
  Node choice(sym::Expr e);
  Node native16(sym::Expr e);
  Node negate(Node n);
  Node negatedSum(Node n, const sym::Expr &e);
  bool stripNeg(Node &n);
  bool stripSign(Node &n, const num::Format &format);
  sym::Expr ordered(sym::Expr e);
  bool mayBeMinusZero(Node n, const num::Format &format, unsigned depth = 0);
  Node zeroPlus(Node n, const num::Format &format) const;
  bool fuseInto(const sym::Expr &add, Node &result);
  Range range(Node n, const num::Format &format);
  void note(Identity identity) { ++counts[size_t(identity)]; }

  sym::Graph &graph;
  Tables &tables;
  Fuse fuse;
  Expansion expansion;
  std::unordered_map<Node, Node> known;
  std::unordered_map<Node, Range> ranges;
  std::unordered_map<Node, bool> minusZeros;
  /// Tables that are +0 + x where x may be -0: the x.
  std::unordered_map<Node, Node> plusZero;
  std::array<uint64_t, identities> counts{};
  uint64_t fusions = 0;
};

} // namespace prec::audit

#endif // PREC_AUDIT_CANONICAL_H
