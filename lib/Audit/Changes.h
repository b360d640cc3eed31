// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ways in which compilers go wrong, done to an expression.
#ifndef PREC_LIB_AUDIT_CHANGES_H
#define PREC_LIB_AUDIT_CHANGES_H

#include "prec/Audit/Audit.h"

#include <set>
#include <unordered_map>

namespace prec::audit {

/// A way to go wrong.
struct Change {
  Kind kind = Kind::Other;
  std::set<size_t> removed; ///< groups of roundings
  std::optional<size_t> group;
  num::Rounding mode = num::Rounding::NearestEven;
  bool contract = false, flush = false;
};

/// The narrowing roundings of an expression, those of one operation together.
class Roundings {
public:
  Roundings(const sym::Graph &graph, sym::Node root, const Program *program);

  size_t groups() const { return firsts.size(); }
  sym::Node first(size_t group) const { return firsts[group]; }
  std::optional<size_t> group(sym::Node n) const {
    auto it = groupOf.find(n);
    if (it == groupOf.end())
      return std::nullopt;
    return it->second;
  }
  const std::vector<sym::Node> &nodes() const { return order; }
  /// Sets of groups without the last rounding: each alone, the pairs of the
  /// first eight, and all.
  std::vector<std::set<size_t>> subsets() const;
  /// The group of the last rounding, that of the result.
  std::optional<size_t> last() const { return group(root); }

private:
  sym::Node root;
  std::vector<sym::Node> order, firsts;
  std::unordered_map<sym::Node, size_t> groupOf;
};

/// Whether an expression rounds to fewer bits.
bool narrows(const sym::Expr &e);

/// What a compiler may have done to an expression, simplest first.
std::vector<Change> changesOf(const Roundings &roundings);
/// A change in words.
std::string describe(const Change &change);

/// The expression with a change.
sym::Node changed(sym::Graph &graph, sym::Node root, const Roundings &roundings,
                  const Change &change);
/// The expression with the rounding of every 16-bit +, -, *, / written out
/// (Identity::Native16).
sym::Node spellOut(sym::Graph &graph, sym::Node root);
/// The expression with every fma as a product that is rounded and a sum.
sym::Node split(sym::Graph &graph, sym::Node root);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_CHANGES_H
