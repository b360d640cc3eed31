// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of two narrow values, decided on every pair of them.
#ifndef PREC_LIB_AUDIT_PAIRS_H
#define PREC_LIB_AUDIT_PAIRS_H

#include "prec/Audit/Tables.h"

namespace prec::audit {

class Pairs {
public:
  Pairs(sym::Graph &graph, Tables &tables) : graph(graph), tables(tables) {}

  /// Whether two expressions are equal for all values of their leaves, which
  /// must be two of at most 16 bits, without bounds of approximations;
  /// `format`: of the results, NaN being equal to NaN, or null.
  bool equal(sym::Node x, sym::Node y, const num::Format *format);

  /// Pairs of subexpressions of `actual` and of `expected` that are equal so,
  /// as outer ones as there are: what to put for which.
  std::unordered_map<sym::Node, sym::Node>
  match(sym::Node expected, sym::Node actual, const num::Format *format);

private:
  /// The two narrow leaves of each node that has no others.
  std::unordered_map<sym::Node, std::array<sym::Node, 2>>
  ofTwoLeaves(sym::Node root) const;

  sym::Graph &graph;
  Tables &tables;
};

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_PAIRS_H
