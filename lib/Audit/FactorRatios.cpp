// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/FactorRatios.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Expr;
using sym::Node;
using sym::Op;

static const Format &f32 = num::kF32;
/// Half the distance of neighbours above 1.
static constexpr double unit = 0x1p-24;
static constexpr double minNormal = 0x1p-126, overflow = 0x1p127;
/// More than what the f64 operations here are wrong by.
static constexpr double margin = 0x1p-44;
static constexpr size_t mostFactors = 32;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

double FactorRatios::Product::mostOf(uint32_t some) const {
  double result = 1;
  for (size_t k = 0; k < factors.size(); ++k)
    if (some >> k & 1)
      result *= most[k];
  return result;
}

uint32_t FactorRatios::Product::all() const {
  return factors.size() == mostFactors ? ~0u : (1u << factors.size()) - 1;
}

/// More than what all roundings together, twice, can make of a product.
double FactorRatios::Product::slack() const {
  return std::pow(1 + 2 * unit, 2.0 * double(roundings.size() + 1));
}

/// Whether every rounded product is a normal number, if the whole is not less
/// than `least`.
bool FactorRatios::Product::isNormal(double least) const {
  return std::all_of(roundings.begin(), roundings.end(), [&](uint32_t inside) {
    const double high = mostOf(inside) * slack();
    return high >= minNormal && high <= overflow &&
           least / (mostOf(all() & ~inside) * slack()) >= minNormal;
  });
}

/// The node if it is a product of f32 to nearest, else null.
const Expr *FactorRatios::product(Node n) const {
  const Expr &e = graph[n];
  return e.op == Op::Mul && e.format == sym::FormatId::F32 &&
                 e.rounding == num::Rounding::NearestEven &&
                 !(e.flags & (sym::Approximate | sym::Contractible))
             ? &e
             : nullptr;
}

/// Counts each product within a product once.
void FactorRatios::collect(Node root,
                           std::unordered_map<Node, unsigned> &products) {
  std::vector<Node> stack{root};
  std::unordered_map<Node, bool> seen;
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    while (graph[n].op == Op::Neg)
      n = graph[n].operands[0];
    const Expr *e = product(n);
    if (!e || !seen.emplace(n, true).second)
      continue;
    ++products[n];
    stack.push_back(e->operands[0]);
    stack.push_back(e->operands[1]);
  }
}

uint32_t FactorRatios::expand(Node n,
                              const std::unordered_map<Node, unsigned> &shared,
                              Product &result) {
  for (; graph[n].op == Op::Neg; n = graph[n].operands[0])
    result.negative = !result.negative;
  const Expr *e = product(n);
  if (e && shared.at(n) < 2) {
    const Node a = e->operands[0], b = e->operands[1];
    uint32_t inside = expand(a, shared, result);
    if (!result.isTooLarge)
      inside |= expand(b, shared, result);
    result.roundings.push_back(inside);
    return inside;
  }
  if (result.factors.size() == mostFactors) {
    result.isTooLarge = true;
    return 0;
  }
  result.factors.push_back(n);
  return 1u << (result.factors.size() - 1);
}

//===----------------------------------------------------------------------===//
// Bounds of factors
//===----------------------------------------------------------------------===//

static void add(std::string &key, uint64_t value) {
  key.append(reinterpret_cast<const char *>(&value), sizeof value);
}

uint32_t FactorRatios::setOf(const std::vector<LeafFact> &facts,
                             size_t inputs) {
  std::string key;
  add(key, inputs);
  for (const LeafFact &fact : facts) {
    add(key, fact.table | uint64_t(fact.kind) << 32 |
                 uint64_t(fact.orNaN) << 40 |
                 uint64_t(fact.format ? sym::idOf(*fact.format)
                                      : sym::FormatId::None)
                     << 48);
    add(key, num::bitCast<uint64_t>(fact.limit));
  }
  auto [it, isNew] = setNumbers.try_emplace(key, uint32_t(sets.size()));
  if (isNew) {
    std::vector<uint8_t> &set = sets.emplace_back(inputs, 1);
    for (const LeafFact &fact : facts) {
      const Lanes &lanes = tables[fact.table];
      for (size_t i = 0; i < inputs; ++i)
        set[i] &= fact.mayHold(lanes, i);
    }
  }
  return it->second;
}

namespace {
/// The magnitudes that a table may have at an input, if it is a number.
struct Magnitudes {
  double low = 0, high = 0;
  bool negative = false, maybeNaN = false;
  bool any = true; ///< it may be a number
  bool bothSigns = false;
};
} // namespace

static Magnitudes magnitudes(const Lanes &lanes, size_t i) {
  Magnitudes m;
  const bool isDecided = lanes.decided(i);
  if (!isDecided && lanes.open[i] == Lanes::Anything) {
    m.maybeNaN = m.bothSigns = true;
    m.high = std::numeric_limits<double>::infinity();
    return m;
  }
  const uint64_t low = lanes.exact() ? lanes.value[i] : lanes.low[i],
                 high = lanes.exact() ? lanes.value[i] : lanes.high[i];
  m.maybeNaN = !isDecided && lanes.open[i] == Lanes::BoundedOrNaN;
  if (num::isNaN(f32, low) || num::isNaN(f32, high)) {
    m.maybeNaN = true;
    m.any = false;
    return m;
  }
  m.negative = num::isNegative(f32, low);
  m.bothSigns = m.negative != num::isNegative(f32, high);
  m.low = std::fabs(asDouble(f32, low));
  m.high = std::fabs(asDouble(f32, high));
  if (m.low > m.high)
    std::swap(m.low, m.high);
  return m;
}

std::optional<double>
FactorRatios::mostOfTable(Tables::Id table, bool isNumber,
                          const std::vector<LeafFact> &facts) {
  const Lanes &lanes = tables[table];
  const uint32_t set = setOf(facts, lanes.size());
  std::string key;
  add(key, table | uint64_t(set) << 32);
  add(key, isNumber);
  auto [it, isNew] = tableMosts.try_emplace(key);
  if (!isNew)
    return it->second;
  double most = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (!sets[set][i])
      continue;
    const Magnitudes m = magnitudes(lanes, i);
    if (m.maybeNaN && !isNumber)
      return it->second;
    most = std::max(most, m.high);
  }
  return it->second = most;
}

/// A bound of a number's magnitude. `isNumber`: it is known not to be NaN.
std::optional<double> FactorRatios::most(Node n, bool isNumber,
                                         const Facts &facts, unsigned depth) {
  constexpr unsigned deepest = 16;
  if (graph.width(n) == f32.width())
    if (Tables::Unary u = tables.unary(n)) {
      if (u.leaf)
        return mostOfTable(u.table, isNumber, facts.ofLeaf(u.leaf));
      if (num::isNaN(f32, graph[n].bits))
        return std::nullopt;
      return std::fabs(asDouble(f32, graph[n].bits));
    }
  n = magnitudeOf(graph, n);
  if (const Facts::Limit *limit = facts.atMost(n);
      limit && (isNumber || !limit->orNaN))
    return limit->value;
  const Expr e = graph[n];
  if (depth == deepest || !product(n))
    return std::nullopt;
  auto a = most(e.operands[0], isNumber, facts, depth + 1);
  auto b = a ? most(e.operands[1], isNumber, facts, depth + 1) : std::nullopt;
  if (!b || !(*a * *b <= overflow))
    return std::nullopt;
  return std::max(*a * *b, minNormal) * (1 + 2 * unit);
}

bool FactorRatios::setMost(Product &product, bool isNumber,
                           const Facts &facts) {
  for (Node factor : product.factors) {
    std::optional<double> bound = most(factor, isNumber, facts);
    if (!bound || !(*bound > 0) || !(*bound <= overflow))
      return false;
    product.most.push_back(*bound);
  }
  return !product.isTooLarge;
}

//===----------------------------------------------------------------------===//
// Ratios
//===----------------------------------------------------------------------===//

std::optional<FactorRatios::Ratio>
FactorRatios::compareTables(const Group &group, bool isNumber,
                            const std::vector<uint8_t> &inputs) {
  Ratio result;
  bool any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i])
      continue;
    double low = 1, high = 1;
    bool negative = false, excluded = false;
    for (size_t k = 0; k < group.given.size() && !excluded; ++k) {
      const Magnitudes m = magnitudes(tables[group.given[k]], i);
      if (m.maybeNaN && !isNumber)
        return std::nullopt;
      // It is a number, and not less than it must be.
      excluded = !m.any || m.high < group.least[k];
      if (excluded)
        break;
      if (m.bothSigns)
        return std::nullopt;
      negative ^= m.negative;
      low *= std::max(m.low, group.least[k]);
      high *= m.high;
    }
    if (excluded)
      continue;
    for (Tables::Id id : group.wanted) {
      const Magnitudes m = magnitudes(tables[id], i);
      if (m.bothSigns || m.maybeNaN || m.low == 0 || std::isinf(m.high))
        return std::nullopt;
      negative ^= m.negative;
      low /= m.high;
      high /= m.low;
    }
    if (any && negative != result.negative)
      return std::nullopt;
    result.negative = negative;
    result.low = any ? std::min(result.low, low) : low;
    result.high = any ? std::max(result.high, high) : high;
    any = true;
  }
  if (!any)
    return std::nullopt;
  return result;
}

std::optional<FactorRatios::Ratio>
FactorRatios::ratio(const Group &group, bool isNumber,
                    const std::vector<LeafFact> &facts) {
  const Tables::Id first =
      group.given.empty() ? group.wanted[0] : group.given[0];
  const uint32_t set = setOf(facts, tables[first].size());
  // Leaves with the same functions and facts are compared once.
  std::string key;
  add(key, set | uint64_t(isNumber) << 32 | uint64_t(group.given.size()) << 40);
  for (size_t k = 0; k < group.given.size(); ++k) {
    add(key, group.given[k]);
    add(key, num::bitCast<uint64_t>(group.least[k]));
  }
  for (Tables::Id id : group.wanted)
    add(key, id);
  auto [it, isNew] = tableRatios.try_emplace(key);
  if (isNew)
    it->second = compareTables(group, isNumber, sets[set]);
  return it->second;
}

std::optional<FactorRatios::Interval>
FactorRatios::operator()(const Given &given, Node wanted, const Facts &facts) {
  // A product within both is a factor of both.
  std::unordered_map<Node, unsigned> shared;
  collect(given.root, shared);
  collect(wanted, shared);
  Product a, w;
  expand(given.root, shared, a);
  expand(wanted, shared, w);
  // No factor of a number is NaN; a product of bounded numbers is one.
  if (!setMost(a, given.isNumber, facts) || !setMost(w, given.isNumber, facts))
    return std::nullopt;
  if (!a.isNormal(given.least))
    return std::nullopt;

  Ratio total;
  total.negative = a.negative ^ w.negative ^ given.negated;
  std::vector<bool> isCommon(w.factors.size());
  std::map<Node, Group> groups;
  auto constant = [&](Node n, bool isGiven) {
    const double value = asDouble(f32, graph[n].bits);
    total.negative ^= std::signbit(value);
    for (double *end : {&total.low, &total.high})
      *end = isGiven ? *end * std::fabs(value) : *end / std::fabs(value);
  };
  for (size_t k = 0; k < a.factors.size(); ++k) {
    const Node n = a.factors[k];
    bool found = false;
    for (size_t j = 0; j < w.factors.size() && !found; ++j)
      if (w.factors[j] == n && !isCommon[j])
        found = isCommon[j] = true;
    if (found)
      continue;
    const Tables::Unary u = tables.unary(n);
    if (!u)
      return std::nullopt;
    if (!u.leaf) {
      constant(n, true);
      continue;
    }
    Group &group = groups[u.leaf];
    group.given.push_back(u.table);
    // A power of 2: few are different.
    const double least =
        given.least / (a.mostOf(a.all() & ~(1u << k)) * a.slack());
    group.least.push_back(std::ldexp(1, std::ilogb(least)));
  }
  for (size_t j = 0; j < w.factors.size(); ++j) {
    if (isCommon[j])
      continue;
    const Tables::Unary u = tables.unary(w.factors[j]);
    if (!u)
      return std::nullopt;
    if (u.leaf)
      groups[u.leaf].wanted.push_back(u.table);
    else
      constant(w.factors[j], false);
  }
  for (const auto &[leaf, group] : groups) {
    const std::optional<Ratio> r =
        ratio(group, given.isNumber, facts.ofLeaf(leaf));
    if (!r)
      return std::nullopt;
    total.negative ^= r->negative;
    total.low *= r->low;
    total.high *= r->high;
  }
  if (total.negative || !(total.low > 0) || !std::isfinite(total.high))
    return std::nullopt;
  if (!w.isNormal(given.least / (a.slack() * total.high * (1 + margin))))
    return std::nullopt;
  const double x = double(a.roundings.size()), y = double(w.roundings.size());
  Interval result;
  result.low =
      total.low * std::pow(1 - unit, x) / std::pow(1 + unit, y) * (1 - margin);
  result.high =
      total.high * std::pow(1 + unit, x) / std::pow(1 - unit, y) * (1 + margin);
  return result;
}
