// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values of one expression for many inputs at a time, with bounds where an
/// approximate instruction leaves the bits open.
#ifndef PREC_AUDIT_LANES_H
#define PREC_AUDIT_LANES_H

#include "prec/Symbolic/Graph.h"

namespace prec::audit {

/// n values. `value` takes every approximation as correctly rounded. What the
/// machine may give instead lies between `low` and `high`, numbers of `format`
/// or, where there is none, integers; `open` says whether it may be NaN as well
/// or anything. The three are empty where `value` is all there is.
struct Lanes {
  enum Open : uint8_t { Bounded, BoundedOrNaN, Anything };
  unsigned width = 0;
  const num::Format *format = nullptr; ///< where an operation gave a float
  std::vector<uint64_t> value;
  std::vector<uint64_t> low, high;
  std::vector<uint8_t> open;

  size_t size() const { return value.size(); }
  bool exact() const { return low.empty(); }
  /// Whether lane i can only be `value[i]`.
  bool decided(size_t i) const {
    return exact() || (open[i] == Bounded && low[i] == high[i]);
  }
  /// Whether lane i may be `bits`, NaN standing for any NaN.
  bool mayBe(size_t i, uint64_t bits) const;
  /// Drops the bounds where they bound nothing: every lane is decided.
  void tighten();
  /// Widens the bounds of each lane to hold another value.
  void include(const std::vector<uint64_t> &values);
  /// Makes NaNs of `format` one NaN.
  void canonicalizeNaN(const num::Format &format);
};

/// The value of `e` from those of its operands (null where it has none); not
/// for leaves. NaN results of arithmetic are the canonical NaN of PTX, all ones
/// but the sign: what bit operations then make of them is what the GPU makes.
Lanes apply(const sym::Graph &graph, const sym::Expr &e, const Lanes *a,
            const Lanes *b, const Lanes *c);

/// Whether two float results are the same as far as a user can tell: bit for
/// bit, NaN equal to NaN where `format` says what a NaN is.
inline bool same(const num::Format *format, uint64_t a, uint64_t b) {
  return format ? num::sameValue(*format, a, b) : a == b;
}

class Tables;

/// Nodes evaluated together on n lanes.
class Batch {
public:
  /// `tables`: of the tables among the nodes, whose bounds are kept.
  Batch(const sym::Graph &graph, const std::vector<sym::Node> &roots,
        Tables *tables = nullptr);

  const std::vector<sym::Node> &leaves() const { return leafNodes; }
  /// All nodes, operands before their users.
  const std::vector<sym::Node> &nodes() const { return order; }
  /// Nodes that one evaluation visits.
  size_t size() const { return order.size(); }
  /// About how long a lane takes, in exact operations.
  uint64_t cost() const;
  /// `leafValues[k]`: the lanes of leaves()[k].
  void run(const std::vector<std::vector<uint64_t>> &leafValues);
  const Lanes &operator[](sym::Node n) const { return values[place.at(n)]; }

private:
  const sym::Graph &graph;
  Tables *tables;
  std::vector<sym::Node> order, leafNodes;
  std::unordered_map<sym::Node, uint32_t> place;
  std::vector<Lanes> values;
};

} // namespace prec::audit

#endif // PREC_AUDIT_LANES_H
