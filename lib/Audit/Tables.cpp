// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Tables.h"

#include "prec/Symbolic/Interval.h"

#include <algorithm>
#include <memory>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Node;
using sym::Op;

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

Range Range::ofFormat(const Format &f) {
  Range r;
  r.lowest = f.minExp() - int(f.fracBits);
  r.highest = 1 << (f.expBits - 1);
  if (!f.hasInf)
    ++r.highest;
  r.precision = f.precision();
  r.infinite = r.nan = true;
  return r;
}

void Range::include(const Format &f, uint64_t bits) {
  nan |= num::isNaN(f, bits);
  infinite |= num::isInf(f, bits);
  uint64_t abs = bits & f.absMask();
  if (abs == 0 || num::isNaN(f, bits) || num::isInf(f, bits))
    return;
  uint64_t exponent = abs >> f.fracBits, significand = abs & f.fracMask();
  if (exponent)
    significand |= f.minNormal();
  else
    exponent = 1;
  int scale = int(exponent) - f.bias - int(f.fracBits);
  int zeros = __builtin_ctzll(significand);
  int top = 64 - __builtin_clzll(significand);
  Range one;
  one.lowest = scale + zeros;
  one.highest = scale + top;
  one.precision = unsigned(top - zeros);
  include(one);
}

void Range::include(const Range &o) {
  if (o.precision) {
    lowest = precision ? std::min(lowest, o.lowest) : o.lowest;
    highest = precision ? std::max(highest, o.highest) : o.highest;
    precision = std::max(precision, o.precision);
  }
  infinite |= o.infinite;
  nan |= o.nan;
}

bool Range::fits(const Format &f) const {
  return precision == 0 || (precision <= f.precision() &&
                            lowest >= f.minExp() - int(f.fracBits) &&
                            highest <= (1 << (f.expBits - 1)));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// No table, in place of an operand.
static constexpr Tables::Id none = ~0u;

static uint64_t hashOf(const Lanes &lanes) {
  uint64_t h = lanes.width + 977 * lanes.size();
  auto mix = [&](const std::vector<uint64_t> &v) {
    for (uint64_t x : v) {
      h = (h ^ x) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
  };
  mix(lanes.value);
  mix(lanes.low);
  mix(lanes.high);
  return h;
}

static bool equal(const Lanes &a, const Lanes &b) {
  return a.width == b.width && a.value == b.value && a.low == b.low &&
         a.high == b.high && a.open == b.open;
}

Tables::Id Tables::intern(Lanes lanes) {
  lanes.tighten();
  uint64_t hash = hashOf(lanes);
  // Functions of equal bounds are not equal: which of the values within them
  // the machine gives is not known.
  if (lanes.exact()) {
    auto [first, last] = byHash.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (equal(entries[it->second].lanes, lanes))
        return it->second;
  }
  Id id = Id(entries.size());
  entries.push_back({});
  entries.back().lanes = std::move(lanes);
  entries.back().hash = hash;
  byHash.emplace(hash, id);
  return id;
}

Tables::Id Tables::identity(unsigned width) {
  std::string key = "identity " + std::to_string(width);
  if (auto it = byKey.find(key); it != byKey.end())
    return it->second;
  Lanes lanes;
  lanes.width = width;
  for (uint64_t x = 0; x < uint64_t(1) << width; ++x)
    lanes.value.push_back(x);
  return byKey[key] = intern(std::move(lanes));
}

Tables::Id Tables::constant(uint64_t bits, unsigned width, unsigned leafWidth) {
  std::string key = "constant " + std::to_string(bits) + " " +
                    std::to_string(width) + " " + std::to_string(leafWidth);
  if (auto it = byKey.find(key); it != byKey.end())
    return it->second;
  Lanes lanes;
  lanes.width = width;
  lanes.value.assign(size_t(1) << leafWidth, bits);
  return byKey[key] = intern(std::move(lanes));
}

Tables::Unary Tables::unary(Node n) {
  Unary u;
  const sym::Expr &e = graph[n];
  if (e.op == Op::Constant) {
    u.valid = true;
  } else if (e.op == Op::Leaf && e.width <= maxWidth) {
    u = {n, identity(e.width), true};
  } else if (e.op == Op::Opaque) {
    if (auto it = byOpaque.find(e.index); it != byOpaque.end())
      u = {e.operands[0], it->second, true};
  }
  return u;
}

Node Tables::node(Id table, Node leaf) {
  const unsigned leafWidth = graph.width(leaf);
  Entry &entry = entries[table];
  if (table == identity(leafWidth))
    return leaf;
  if (!entry.constant)
    entry.constant =
        entry.lanes.exact() &&
        std::all_of(entry.lanes.value.begin(), entry.lanes.value.end(),
                    [&](uint64_t x) { return x == entry.lanes.value[0]; });
  if (*entry.constant)
    return graph.constant(entry.lanes.value[0], entry.lanes.width);
  const std::vector<uint64_t> *values = &entry.lanes.value;
  Node n = graph.opaque(
      "table." + std::to_string(table), entry.lanes.width,
      [values](uint64_t x, uint64_t, uint64_t) { return (*values)[x]; }, leaf);
  if (entry.opaque == ~0u) {
    entry.opaque = graph[n].index;
    byOpaque[entry.opaque] = table;
  }
  return n;
}

Tables::Id Tables::apply(const sym::Expr &e, const Unary *a, const Unary *b,
                         const Unary *c, unsigned leafWidth) {
  const Unary *in[3] = {a, b, c};
  Id ids[3] = {0, 0, 0};
  // Opaque operations go by their index: their names stand for one function.
  std::string key;
  auto add = [&](uint64_t value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  add(uint64_t(e.op) | uint64_t(e.format) << 8 | uint64_t(e.to) << 16 |
      uint64_t(e.rounding) << 24 |
      uint64_t(e.flags & ~unsigned(sym::Contractible)) << 32 |
      uint64_t(e.width) << 40 | uint64_t(leafWidth) << 48);
  add(e.index);
  add(e.bits);
  for (unsigned k = 0; k < 3; ++k) {
    if (in[k])
      ids[k] = in[k]->leaf || !e.operands[k]
                   ? in[k]->table
                   : constant(graph[e.operands[k]].bits,
                              graph[e.operands[k]].width, leafWidth);
    add(in[k] ? ids[k] + 1 : 0);
  }
  if (auto it = byKey.find(key); it != byKey.end())
    return it->second;
  std::array<Id, 3> operands{};
  for (unsigned k = 0; k < 3; ++k)
    operands[k] = in[k] ? ids[k] : none;
  Entry made;
  if (applyToOutcomes(e, operands, made)) {
    Id id = intern(std::move(made.lanes));
    if (!entries[id].lanes.exact()) {
      entries[id].outcomes = std::move(made.outcomes);
      entries[id].source = made.source;
    }
    return byKey[key] = id;
  }
  Id id = intern(audit::apply(graph, e, a ? &entries[ids[0]].lanes : nullptr,
                              b ? &entries[ids[1]].lanes : nullptr,
                              c ? &entries[ids[2]].lanes : nullptr));
  if (e.flags & sym::Approximate)
    listOutcomes(id);
  return byKey[key] = id;
}

//===----------------------------------------------------------------------===//
// Outcomes
//===----------------------------------------------------------------------===//

/// Results of an approximate operation, at most: the reciprocal has five.
static constexpr int64_t maxOutcomes = 8;

/// Lists the results of an approximate operation, where there are few for every
/// operand.
void Tables::listOutcomes(Id table) {
  Entry &entry = entries[table];
  const Lanes &lanes = entry.lanes;
  const Format *f = lanes.format;
  if (lanes.exact() || !f)
    return;
  int64_t most = 1;
  for (size_t i = 0; i < lanes.size() && most <= maxOutcomes; ++i)
    if (lanes.open[i] != Lanes::Bounded)
      return;
    else if (lanes.low[i] != lanes.high[i])
      most = std::max(most, sym::ordinal(*f, lanes.high[i]) -
                                sym::ordinal(*f, lanes.low[i]) + 1);
  if (most > maxOutcomes)
    return;
  entry.source = table;
  for (int64_t k = 0; k < most; ++k) {
    std::vector<uint64_t> values = lanes.low;
    for (size_t i = 0; i < lanes.size(); ++i)
      if (lanes.low[i] != lanes.high[i])
        values[i] =
            sym::fromOrdinal(*f, std::min(sym::ordinal(*f, lanes.low[i]) + k,
                                          sym::ordinal(*f, lanes.high[i])));
    entry.outcomes.push_back(std::move(values));
  }
}

/// Applies `e` for each result of the one approximate operation that operands
/// depend on; false where there is none, or another.
bool Tables::applyToOutcomes(const sym::Expr &e,
                             const std::array<Id, 3> &operands, Entry &result) {
  if (e.flags & sym::Approximate)
    return false;
  size_t count = 0;
  for (Id id : operands) {
    if (id == none || entries[id].lanes.exact())
      continue;
    const Entry &operand = entries[id];
    if (operand.outcomes.empty() || (count && operand.source != result.source))
      return false;
    count = operand.outcomes.size();
    result.source = operand.source;
  }
  for (size_t k = 0; k < count; ++k) {
    Lanes chosen[3];
    const Lanes *in[3] = {nullptr, nullptr, nullptr};
    for (unsigned o = 0; o < 3; ++o) {
      if (operands[o] == none)
        continue;
      const Entry &operand = entries[operands[o]];
      in[o] = &operand.lanes;
      if (operand.lanes.exact())
        continue;
      chosen[o].width = operand.lanes.width;
      chosen[o].format = operand.lanes.format;
      chosen[o].value = operand.outcomes[k];
      in[o] = &chosen[o];
    }
    Lanes lanes = audit::apply(graph, e, in[0], in[1], in[2]);
    result.outcomes.push_back(lanes.value);
    if (k == 0)
      result.lanes = std::move(lanes);
    else
      result.lanes.include(result.outcomes.back());
  }
  return count != 0;
}

Tables::Id Tables::canonicalNaN(Id table, const Format &format) {
  std::string key =
      "nan " + std::to_string(table) + " " + std::string(format.name);
  if (auto it = byKey.find(key); it != byKey.end())
    return it->second;
  Lanes lanes = entries[table].lanes;
  lanes.canonicalizeNaN(format);
  if (!lanes.exact() && equal(lanes, entries[table].lanes))
    return byKey[key] = table;
  Id id = intern(std::move(lanes));
  if (!entries[id].lanes.exact()) {
    entries[id].outcomes = entries[table].outcomes;
    entries[id].source = entries[table].source;
    for (std::vector<uint64_t> &values : entries[id].outcomes)
      for (uint64_t &bits : values)
        bits = num::isNaN(format, bits) ? format.absMask() : bits;
  }
  // The identity but for its NaNs is the identity: a number is used.
  if (entries[table].lanes.size() == size_t(1) << entries[table].lanes.width) {
    Lanes whole = entries[identity(entries[table].lanes.width)].lanes;
    whole.canonicalizeNaN(format);
    if (equal(whole, entries[id].lanes))
      id = identity(entries[table].lanes.width);
  }
  return byKey[key] = id;
}

const Range &Tables::range(Id table, const Format &format) {
  Entry &entry = entries[table];
  auto [it, isNew] = entry.ranges.try_emplace(format.name);
  if (isNew) {
    if (!entry.lanes.exact())
      it->second = Range::ofFormat(format);
    else
      for (uint64_t bits : entry.lanes.value)
        it->second.include(format, bits);
  }
  return it->second;
}

bool Tables::mayBe(Id table, uint64_t bits) {
  Entry &entry = entries[table];
  auto [it, isNew] = entry.holds.try_emplace(bits);
  if (isNew) {
    const std::vector<uint64_t> &values = entry.lanes.value;
    it->second = !entry.lanes.exact() ||
                 std::find(values.begin(), values.end(), bits) != values.end();
  }
  return it->second;
}
