// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of values where conditions hold or do not hold.
#ifndef PREC_AUDIT_FACTS_H
#define PREC_AUDIT_FACTS_H

#include "prec/Audit/Tables.h"

namespace prec::audit {

/// The node without signs and exact widenings around it: of the same magnitude.
sym::Node magnitudeOf(const sym::Graph &graph, sym::Node n);

/// A statement about a function of one narrow value.
struct LeafFact {
  enum Kind : uint8_t { IsTrue, IsFalse, AtMost, AtLeast };
  Tables::Id table = 0;
  Kind kind = IsTrue;
  bool orNaN = false; ///< or the function is NaN
  const num::Format *format = nullptr;
  double limit = 0;

  /// Whether it may hold at an input.
  bool mayHold(const Lanes &lanes, size_t input) const;
};

/// The consequences of some conditions. None that is here is wrong; there may
/// be others.
class Facts {
public:
  Facts(sym::Graph &graph, Tables &tables) : graph(graph), tables(tables) {}

  /// The condition has this truth.
  void assume(sym::Node condition, bool truth);
  /// Whether the conditions exclude each other.
  bool impossible() const { return contradiction; }

  struct Limit {
    double value = 0;
    bool orNaN = false; ///< or the number is NaN
  };
  /// Limits of a number's magnitude, which `magnitudeOf` made, or null.
  const Limit *atMost(sym::Node n) const { return find(most, n); }
  const Limit *atLeast(sym::Node n) const { return find(least, n); }
  /// The nodes that have the same bits.
  const std::vector<sym::Node> &equals(sym::Node n) const;
  /// What is known of a narrow leaf.
  const std::vector<LeafFact> &ofLeaf(sym::Node leaf) const;

private:
  using Limits = std::unordered_map<sym::Node, Limit>;
  const Limit *find(const Limits &limits, sym::Node n) const {
    auto it = limits.find(n);
    return it == limits.end() ? nullptr : &it->second;
  }
  void assumeCompare(const sym::Expr &e);
  void assumeEqual(sym::Node a, sym::Node b);
  void assumeZero(sym::Node n);
  void assumeNotZero(sym::Node n);
  /// n <= limit or n >= limit, or n is NaN if `orNaN`.
  void assumeLimit(sym::Node n, const num::Format &format, bool isUpper,
                   double limit, bool orNaN);

  sym::Graph &graph;
  Tables &tables;
  bool contradiction = false;
  std::unordered_map<sym::Node, bool> truths;
  Limits most, least;
  std::unordered_map<sym::Node, std::vector<sym::Node>> same;
  std::unordered_map<sym::Node, std::vector<LeafFact>> leaves;
};

/// The number as f64, in which f32 and the narrower formats are exact.
double asDouble(const num::Format &format, uint64_t bits);

} // namespace prec::audit

#endif // PREC_AUDIT_FACTS_H
