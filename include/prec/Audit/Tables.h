// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of one narrow value, by their values on every input.
#ifndef PREC_AUDIT_TABLES_H
#define PREC_AUDIT_TABLES_H

#include "prec/Audit/Lanes.h"

#include <array>
#include <deque>
#include <optional>

namespace prec::audit {

/// How many numbers a set of float values reaches: all are multiples of
/// 2^lowest, below 2^highest in magnitude, of at most `precision` significant
/// bits, or infinite or NaN where said so.
struct Range {
  int lowest = 0, highest = 0;
  unsigned precision = 0;
  bool infinite = false, nan = false;

  static Range ofFormat(const num::Format &format);
  void include(const num::Format &format, uint64_t bits);
  void include(const Range &other);
  /// Whether every value is a number of `format`.
  bool fits(const num::Format &format) const;
};

/// Tables over all 2^w values of an operand of w <= 16 bits. Equal functions
/// are one table, whatever sequence of operations computes them. Where one
/// approximate operation (of operands that are known) has few results within its
/// bounds, what follows is computed for each of them: bits that are the same
/// for all are known, however much bounds would lose in between.
class Tables {
public:
  explicit Tables(sym::Graph &graph) : graph(graph) {}

  static constexpr unsigned maxWidth = 16;
  using Id = uint32_t;

  /// What a node is as a function of one narrow leaf.
  struct Unary {
    sym::Node leaf = 0; ///< 0: a constant
    Id table = 0;
    explicit operator bool() const { return valid; }
    bool valid = false;
  };
  Unary unary(sym::Node n);

  /// The node for a table of a leaf: a constant or the leaf itself where the
  /// table says so.
  sym::Node node(Id table, sym::Node leaf);

  /// The operation `e` on functions of one leaf.
  Id apply(const sym::Expr &e, const Unary *a, const Unary *b, const Unary *c,
           unsigned leafWidth);
  /// The same function with one NaN.
  Id canonicalNaN(Id table, const num::Format &format);
  /// A function by its values; a new one where bounds leave them open.
  Id intern(Lanes lanes);

  const Lanes &operator[](Id table) const { return entries[table].lanes; }
  size_t size() const { return entries.size(); }
  const Range &range(Id table, const num::Format &format);
  /// Whether a value may be these bits.
  bool mayBe(Id table, uint64_t bits);

private:
  struct Entry {
    Lanes lanes;
    /// Where one approximate operation leaves the lanes open, by its result:
    /// the values for each of the few results that it may have, and the table
    /// of that operation.
    std::vector<std::vector<uint64_t>> outcomes;
    Id source = 0;
    uint64_t hash = 0;
    std::optional<bool> constant; ///< one value for all; when first asked
    uint32_t opaque = ~0u;        ///< of the graph
    std::unordered_map<std::string, Range> ranges; ///< by format
    std::unordered_map<uint64_t, bool> holds;      ///< by bits
  };
  void listOutcomes(Id table);
  bool applyToOutcomes(const sym::Expr &e, const std::array<Id, 3> &operands,
                       Entry &result);
  Id identity(unsigned width);
  Id constant(uint64_t bits, unsigned width, unsigned leafWidth);

  sym::Graph &graph;
  std::deque<Entry> entries;
  std::unordered_multimap<uint64_t, Id> byHash;
  std::unordered_map<std::string, Id> byKey;
  std::unordered_map<uint32_t, Id> byOpaque;
};

} // namespace prec::audit

#endif // PREC_AUDIT_TABLES_H
