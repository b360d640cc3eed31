// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on one of the two values is a table. The other operations run
// over all values of the right one for every value of the left one; left values
// on which all tables agree count as one.
#include "Pairs.h"

#include "prec/Numerics/Functions.h"
#include "prec/Symbolic/Ops.h"

#include <algorithm>
#include <map>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

/// Lanes that are evaluated together: they stay in the cache.
static constexpr size_t blockSize = 2048;

namespace {

/// A node that depends on both leaves, or is a root.
struct Step {
  Expr expr;
  /// Where the operands' lanes lie: steps by their number, then the tables.
  std::array<size_t, 3> from{};
  unsigned operands = 0;
};

class Sweep {
public:
  Sweep(sym::Graph &graph, Tables &tables, Node x, Node y);

  bool possible() const { return ok; }
  bool equal(const Format *format);

private:
  using Values = std::vector<uint32_t>;
  void run(const Step &step, uint32_t *out, size_t n) const;
  const uint32_t *operand(const Step &step, unsigned k) const {
    return lanes[step.from[k]];
  }

  sym::Graph &graph;
  bool ok = false;
  std::array<Node, 2> leaves{};
  std::vector<Step> steps;
  std::array<size_t, 2> roots{};
  /// Of nodes of one leaf or none: which one, and the values.
  struct Table {
    size_t place;
    unsigned side;
    Values values;
  };
  std::vector<Table> sides;
  std::vector<const uint32_t *> lanes;
};

} // namespace

static float asFloat(uint32_t bits) { return num::bitCast<float>(bits); }
static uint32_t asBits(float value) { return num::bitCast<uint32_t>(value); }

Sweep::Sweep(sym::Graph &graph, Tables &tables, Node x, Node y) : graph(graph) {
  const std::vector<Node> order = sym::reachable(graph, {x, y});
  std::vector<Node> found;
  for (Node n : order) {
    const Expr &e = graph[n];
    if (e.op == Op::Leaf)
      found.push_back(n);
    if (e.op == Op::Undefined || e.width > 32 || (e.flags & sym::Approximate))
      return;
    if (Tables::Unary u = tables.unary(n); u && u.leaf)
      if (!tables[u.table].exact())
        return;
  }
  if (found.size() != 2 || graph.width(found[0]) > 16 ||
      graph.width(found[1]) > 16)
    return;
  // A node's leaves as a set of bits.
  std::unordered_map<Node, unsigned> sideOf;
  std::array<std::vector<Node>, 2> single;
  for (Node n : order) {
    unsigned set = n == found[0] ? 1 : n == found[1] ? 2 : 0;
    for (Node operand : graph[n].operands)
      if (operand)
        set |= sideOf.at(operand);
    sideOf[n] = set;
  }
  // Which nodes' values the steps read.
  std::unordered_map<Node, size_t> place;
  std::vector<Node> read;
  auto use = [&](Node n) {
    if (sideOf.at(n) != 3 && place.emplace(n, 0).second)
      read.push_back(n);
  };
  for (Node n : order) {
    if (sideOf.at(n) != 3)
      continue;
    place.emplace(n, steps.size());
    Step step;
    step.expr = graph[n];
    for (Node operand : graph[n].operands)
      if (operand)
        use(operand);
    steps.push_back(step);
  }
  use(x);
  use(y);
  for (Node n : read) {
    place[n] = steps.size() + sides.size();
    const unsigned side = sideOf.at(n) == 2 ? 1 : 0;
    Table table{place[n], side, {}};
    Batch batch(graph, {n}, &tables);
    std::vector<std::vector<uint64_t>> values(batch.leaves().size());
    const size_t size = size_t(1) << graph.width(found[side]);
    for (std::vector<uint64_t> &v : values)
      for (uint64_t bits = 0; bits < size; ++bits)
        v.push_back(bits);
    batch.run(values);
    const std::vector<uint64_t> &got = batch[n].value;
    table.values.assign(got.begin(), got.end());
    table.values.resize(size, table.values[0]);
    sides.push_back(std::move(table));
  }
  size_t k = 0;
  for (Node n : order) {
    if (sideOf.at(n) != 3)
      continue;
    Step &step = steps[k++];
    for (Node operand : graph[n].operands)
      if (operand)
        step.from[step.operands++] = place.at(operand);
  }
  roots = {place.at(x), place.at(y)};
  leaves = {found[0], found[1]};
  ok = true;
}

void Sweep::run(const Step &step, uint32_t *out, size_t n) const {
  const Expr &e = step.expr;
  const uint32_t *a = operand(step, 0),
                 *b = step.operands > 1 ? operand(step, 1) : a,
                 *c = step.operands > 2 ? operand(step, 2) : a;
  const bool nearest = e.rounding == num::Rounding::NearestEven;
  bool done = true;
  auto each = [&](auto f) {
    for (size_t i = 0; i < n; ++i)
      out[i] = f(i);
  };
  if (e.format == FormatId::F32 && nearest && e.op == Op::Add)
    each([&](size_t i) { return asBits(asFloat(a[i]) + asFloat(b[i])); });
  else if (e.format == FormatId::F32 && nearest && e.op == Op::Sub)
    each([&](size_t i) { return asBits(asFloat(a[i]) - asFloat(b[i])); });
  else if (e.format == FormatId::F32 && nearest && e.op == Op::Mul)
    each([&](size_t i) { return asBits(asFloat(a[i]) * asFloat(b[i])); });
  else if (e.format == FormatId::F32 && nearest && e.op == Op::Div)
    each([&](size_t i) { return asBits(asFloat(a[i]) / asFloat(b[i])); });
  else if (e.format == FormatId::F32 && nearest && e.op == Op::Fma)
    each([&](size_t i) {
      return asBits(num::cr::fma(asFloat(a[i]), asFloat(b[i]), asFloat(c[i])));
    });
  else if (e.op == Op::Convert && e.index == 0 && nearest &&
           e.format == FormatId::F32 && e.to == FormatId::BF16)
    each([&](size_t i) { return num::roundToBF16(asFloat(a[i])); });
  else if (e.op == Op::Convert && e.index == 0 && nearest &&
           e.format == FormatId::F32 && e.to == FormatId::F16)
    each([&](size_t i) { return num::roundToF16(asFloat(a[i])); });
  else if (e.op == Op::Convert && e.format == FormatId::BF16 &&
           e.to == FormatId::F32)
    each([&](size_t i) { return a[i] << 16; });
  else if (e.op == Op::Convert && e.format == FormatId::F16 &&
           e.to == FormatId::F32)
    each([&](size_t i) { return asBits(num::widenF16(uint16_t(a[i]))); });
  else if (e.op == Op::Choice)
    each([&](size_t i) { return a[i] & 1 ? b[i] : c[i]; });
  else
    done = false;
  if (!done)
    each([&](size_t i) { return uint32_t(graph.apply(e, a[i], b[i], c[i])); });
  if (!sym::makesNaN(e))
    return;
  const Format &f = *sym::formatOf(sym::resultFormat(e));
  const uint32_t mask = uint32_t(f.absMask()), top = uint32_t(f.infOrNaN()),
                 nan = uint32_t(sym::canonicalNaN(f));
  if (f.hasInf)
    each([&](size_t i) { return (out[i] & mask) > top ? nan : out[i]; });
  else
    each([&](size_t i) { return num::isNaN(f, out[i]) ? nan : out[i]; });
}

bool Sweep::equal(const Format *format) {
  // Left values that all tables of their side take for the same.
  std::array<std::vector<uint32_t>, 2> distinct;
  for (unsigned side : {0u, 1u}) {
    std::map<std::vector<uint32_t>, uint32_t> seen;
    for (uint32_t x = 0; x < 1u << graph.width(leaves[side]); ++x) {
      std::vector<uint32_t> key;
      for (const Table &table : sides)
        if (table.side == side)
          key.push_back(table.values[x]);
      if (seen.emplace(std::move(key), x).second)
        distinct[side].push_back(x);
    }
  }
  const unsigned left = distinct[0].size() <= distinct[1].size() ? 0 : 1;
  const std::vector<uint32_t> &inner = distinct[1 - left];
  std::vector<Values> memory(steps.size(), Values(blockSize)),
      constants(sides.size());
  lanes.assign(steps.size() + sides.size(), nullptr);
  for (size_t k = 0; k < steps.size(); ++k)
    lanes[k] = memory[k].data();
  // The right side's tables, in the order of its distinct values.
  for (size_t k = 0; k < sides.size(); ++k) {
    if (sides[k].side == left) {
      constants[k].resize(blockSize);
      lanes[sides[k].place] = constants[k].data();
      continue;
    }
    for (uint32_t x : inner)
      constants[k].push_back(sides[k].values[x]);
  }
  for (uint32_t x : distinct[left]) {
    for (size_t k = 0; k < sides.size(); ++k)
      if (sides[k].side == left)
        std::fill(constants[k].begin(), constants[k].end(), sides[k].values[x]);
    for (size_t begin = 0; begin < inner.size(); begin += blockSize) {
      const size_t n = std::min(blockSize, inner.size() - begin);
      for (size_t k = 0; k < sides.size(); ++k)
        if (sides[k].side != left)
          lanes[sides[k].place] = constants[k].data() + begin;
      for (size_t k = 0; k < steps.size(); ++k)
        run(steps[k], memory[k].data(), n);
      const uint32_t *e = lanes[roots[0]], *a = lanes[roots[1]];
      if (std::equal(e, e + n, a))
        continue;
      for (size_t i = 0; i < n; ++i)
        if (!same(format, e[i], a[i]))
          return false;
    }
  }
  return true;
}

bool Pairs::equal(Node x, Node y, const Format *format) {
  Sweep sweep(graph, tables, x, y);
  return sweep.possible() && sweep.equal(format);
}

std::unordered_map<Node, std::array<Node, 2>>
Pairs::ofTwoLeaves(Node root) const {
  std::unordered_map<Node, std::array<Node, 2>> out;
  std::unordered_map<Node, std::vector<Node>> leaves;
  for (Node n : sym::reachable(graph, {root})) {
    std::vector<Node> &own = leaves[n];
    if (graph[n].op == Op::Leaf)
      own.push_back(n);
    for (Node operand : graph[n].operands) {
      if (!operand)
        continue;
      const std::vector<Node> &theirs = leaves[operand];
      own.insert(own.end(), theirs.begin(), theirs.end());
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    own.resize(std::min<size_t>(own.size(), 3));
    if (own.size() == 2 && graph.width(own[0]) <= 16 &&
        graph.width(own[1]) <= 16)
      out[n] = {own[0], own[1]};
  }
  return out;
}

std::unordered_map<Node, Node> Pairs::match(Node expected, Node actual,
                                            const Format *format) {
  const auto wanted = ofTwoLeaves(expected), given = ofTwoLeaves(actual);
  std::unordered_map<Node, Node> found;
  std::vector<Node> candidates;
  for (const auto &[n, leaves] : wanted)
    candidates.push_back(n);
  std::sort(candidates.rbegin(), candidates.rend());
  std::vector<Node> stack{actual};
  std::unordered_map<Node, bool> seen;
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    if (!n || !seen.emplace(n, true).second)
      continue;
    auto it = given.find(n);
    bool matched = it != given.end() && wanted.count(n);
    for (Node w : candidates) {
      if (it == given.end() || matched)
        break;
      if (graph.width(w) != graph.width(n) || wanted.at(w) != it->second)
        continue;
      // Only the whole is known to be used as a number.
      const bool isWhole = n == actual && w == expected;
      if (equal(w, n, isWhole ? format : nullptr)) {
        found[n] = w;
        matched = true;
      }
    }
    if (!matched)
      for (Node operand : graph[n].operands)
        stack.push_back(operand);
  }
  return found;
}
