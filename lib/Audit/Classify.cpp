// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By experiment: the expected expression is changed in the ways in which
// compilers go wrong, and what agrees with the actual one where the two differ
// is what happened. Only a reassociation is found by form.
#include "Classify.h"

#include "Rebuild.h"
#include "prec/Symbolic/Ops.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace prec;
using namespace prec::audit;
using num::Format;
using num::Rounding;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

namespace {

/// A way to go wrong.
struct Change {
  Kind kind = Kind::Other;
  std::set<size_t> removed; ///< groups of roundings
  std::optional<size_t> group;
  Rounding mode = Rounding::NearestEven;
  bool contract = false, flush = false;
};

/// The narrowing roundings of an expression, those of one operation together.
class Roundings {
public:
  Roundings(const sym::Graph &graph, Node root, const Program *program);

  size_t groups() const { return firsts.size(); }
  Node first(size_t group) const { return firsts[group]; }
  std::optional<size_t> group(Node n) const {
    auto it = groupOf.find(n);
    if (it == groupOf.end())
      return std::nullopt;
    return it->second;
  }
  const std::vector<Node> &nodes() const { return order; }
  /// The group of the last rounding, that of the result.
  std::optional<size_t> last() const { return group(root); }

private:
  Node root;
  std::vector<Node> order, firsts;
  std::unordered_map<Node, size_t> groupOf;
};

} // namespace

static bool narrows(const Expr &e) {
  return e.op == Op::Convert &&
         sym::formatOf(e.to)->fracBits < sym::formatOf(e.format)->fracBits;
}

Roundings::Roundings(const sym::Graph &graph, Node root, const Program *program)
    : root(root), order(sym::reachable(graph, {root})) {
  std::map<std::string, size_t> byPlace;
  // Without locations, roundings with the same operations above are one.
  std::unordered_map<Node, uint64_t> shape;
  for (Node n : order) {
    const Expr &e = graph[n];
    uint64_t h = uint64_t(e.op) * 31 + uint64_t(e.format) * 7 + uint64_t(e.to);
    for (Node operand : e.operands)
      h = (h ^ (operand ? shape[operand] : 1)) * 0x9e3779b97f4a7c15;
    shape[n] = h;
    if (!narrows(e))
      continue;
    std::string place = program ? program->location(n) : "";
    if (place.empty())
      place = "#" + std::to_string(h);
    // The result's own rounding stands alone.
    if (n == root)
      place = "result";
    auto [it, isNew] = byPlace.try_emplace(place, firsts.size());
    if (isNew)
      firsts.push_back(n);
    groupOf[n] = it->second;
  }
}

/// The expression with a change.
static Node changed(sym::Graph &graph, Node root, const Roundings &roundings,
                    const Change &change) {
  // What a removed rounding rounded, and as what.
  std::unordered_map<Node, std::pair<Node, FormatId>> unrounded;
  std::unordered_map<Node, Node> done;
  for (Node n : roundings.nodes()) {
    Expr e = graph[n];
    if (sym::isLeafLike(e.op)) {
      done[n] = n;
      continue;
    }
    const std::array<Node, 3> before = e.operands;
    for (Node &operand : e.operands)
      if (operand)
        operand = done.at(operand);
    std::optional<size_t> group = roundings.group(n);
    if (group && change.group == *group)
      e.rounding = change.mode;
    if (group && change.removed.count(*group))
      unrounded[n] = {e.operands[0], e.format};
    if (e.op == Op::Convert)
      if (auto it = unrounded.find(before[0]); it != unrounded.end()) {
        const auto [value, format] = it->second;
        if (format == e.to) {
          done[n] = value;
          continue;
        }
        e.operands[0] = value;
        e.format = format;
        if (!narrows(graph[n]))
          unrounded[n] = it->second;
      }
    if (change.contract && (e.op == Op::Add || e.op == Op::Sub) &&
        e.format != FormatId::None)
      for (unsigned side : {0u, 1u}) {
        Expr product = graph[e.operands[side]];
        bool negative = product.op == Op::Neg;
        if (negative)
          product = graph[product.operands[0]];
        if (product.op != Op::Mul || product.format != e.format)
          continue;
        Node a = product.operands[0], b = product.operands[1];
        Node c = e.operands[1 - side];
        if (e.op == Op::Sub && side == 0)
          c = graph.neg(c);
        if ((e.op == Op::Sub && side == 1) != negative)
          a = graph.neg(a);
        e.op = Op::Fma;
        e.operands = {a, b, c};
        break;
      }
    const bool flushes =
        change.flush && e.format == FormatId::F32 &&
        (e.op == Op::Add || e.op == Op::Sub || e.op == Op::Mul ||
         e.op == Op::Fma || e.op == Op::Div || e.op == Op::Function);
    if (flushes)
      for (Node &operand : e.operands)
        if (operand)
          operand = graph.modify(Op::Flush, FormatId::F32, operand);
    Node r = rebuild(graph, e);
    done[n] = flushes ? graph.modify(Op::Flush, FormatId::F32, r) : r;
  }
  return done.at(root);
}

/// The expression with the rounding of every 16-bit +, -, *, / written out
/// (Identity::Native16).
static Node spellOut(sym::Graph &graph, Node root) {
  std::unordered_map<Node, Node> done;
  for (Node n : sym::reachable(graph, {root})) {
    Expr e = graph[n];
    if (sym::isLeafLike(e.op)) {
      done[n] = n;
      continue;
    }
    for (Node &operand : e.operands)
      if (operand)
        operand = done.at(operand);
    const bool native =
        (e.format == FormatId::BF16 || e.format == FormatId::F16) &&
        (e.op == Op::Add || e.op == Op::Sub || e.op == Op::Mul ||
         e.op == Op::Div) &&
        e.rounding == Rounding::NearestEven;
    if (!native) {
      done[n] = rebuild(graph, e);
      continue;
    }
    auto wide = [&](Node x) {
      return graph.convert(e.format, FormatId::F32, x);
    };
    Node r = graph.arithmetic(e.op, FormatId::F32, wide(e.operands[0]),
                              wide(e.operands[1]), 0, e.rounding, e.flags);
    done[n] = graph.convert(FormatId::F32, e.format, r);
  }
  return done.at(root);
}

/// The expression with every fma as a product that is rounded and a sum.
static Node split(sym::Graph &graph, Node root) {
  std::unordered_map<Node, Node> done;
  for (Node n : sym::reachable(graph, {root})) {
    Expr e = graph[n];
    for (Node &operand : e.operands)
      if (operand)
        operand = done.at(operand);
    done[n] = n;
    if (e.op == Op::Fma)
      done[n] =
          graph.arithmetic(Op::Add, e.format,
                           graph.arithmetic(Op::Mul, e.format, e.operands[0],
                                            e.operands[1], 0, e.rounding),
                           e.operands[2], 0, e.rounding);
    else if (e.op != Op::Leaf && e.op != Op::Constant && e.op != Op::Undefined)
      done[n] = rebuild(graph, e);
  }
  return done.at(root);
}

/// Which functions an expression evaluates.
static std::set<uint32_t> functions(const sym::Graph &graph, Node root) {
  std::set<uint32_t> found;
  for (Node n : sym::reachable(graph, {root}))
    if (graph[n].op == Op::Function)
      found.insert(graph[n].index);
  return found;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static void summands(const sym::Graph &graph, Node n, FormatId format,
                     std::vector<Node> &out) {
  std::vector<Node> stack{n};
  while (!stack.empty()) {
    Node x = stack.back();
    stack.pop_back();
    const Expr &e = graph[x];
    if (e.op == Op::Add && e.format == format) {
      stack.push_back(e.operands[0]);
      stack.push_back(e.operands[1]);
    } else {
      out.push_back(x);
    }
  }
  std::sort(out.begin(), out.end());
}

/// A sum as its tree: ((a + b) + c).
static std::string tree(const sym::Graph &graph, Node n, FormatId format,
                        unsigned &budget) {
  const Expr &e = graph[n];
  if (e.op != Op::Add || e.format != format)
    return graph.text(n, 1);
  if (budget == 0)
    return "...";
  --budget;
  std::string a = tree(graph, e.operands[0], format, budget);
  return "(" + a + " + " + tree(graph, e.operands[1], format, budget) + ")";
}

/// Where two expressions of the same form begin to differ: their sums have the
/// same summands in another order.
static bool findReassociation(const sym::Graph &graph, Node a, Node b,
                              Classification &out) {
  for (unsigned depth = 0; depth < 64 && a != b; ++depth) {
    const Expr x = graph[a], y = graph[b];
    if (x.op == Op::Add && y.op == Op::Add && x.format == y.format) {
      std::vector<Node> p, q;
      summands(graph, a, x.format, p);
      summands(graph, b, x.format, q);
      if (p != q || p.size() < 3)
        return false;
      out.kind = Kind::Reassociation;
      out.where = 0;
      unsigned budget = 16;
      out.expectedTree = tree(graph, a, x.format, budget);
      budget = 16;
      out.actualTree = tree(graph, b, x.format, budget);
      out.explanation = "the same " + std::to_string(p.size()) +
                        " summands are added in another order";
      return true;
    }
    if (x.op != y.op || x.format != y.format || x.to != y.to ||
        x.index != y.index)
      return false;
    // The one pair of operands that differs, whichever way they are paired.
    std::vector<Node> p, q;
    for (Node n : x.operands)
      if (n)
        p.push_back(n);
    for (Node n : y.operands)
      if (n)
        q.push_back(n);
    for (Node n : std::vector<Node>(p))
      if (auto it = std::find(q.begin(), q.end(), n); it != q.end()) {
        q.erase(it);
        p.erase(std::find(p.begin(), p.end(), n));
      }
    if (p.empty() || p.size() != q.size())
      return false;
    // Several that differ come from one cause, or it is not this one.
    a = p.front();
    b = q.front();
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Experiments
//===----------------------------------------------------------------------===//

namespace {
/// The two expressions on many inputs.
class Experiment {
public:
  Experiment(sym::Graph &graph, Inputs &inputs, const Inputs::Hints &hints,
             Node expected, Node actual, const Format &format, size_t n);

  bool any() const { return !differing.empty(); }
  /// Whether every difference is between values of which `f` holds.
  template <typename F> bool all(F f) const {
    for (size_t i : differing)
      if (!f(expectedLanes.value[i], actualLanes.value[i]))
        return false;
    return any();
  }
  /// How well an expression agrees with the actual one: on all inputs, and on
  /// those where the expected one does not.
  struct Score {
    double overall = 0, onDifferences = 0;
  };
  Score score(Node n) const;
  /// ... how well it agrees with the expected one, in place of the actual one.
  Score scoreActual(Node n) const;

private:
  Lanes evaluate(Node n) const;

  sym::Graph &graph;
  const Format &format;
  std::vector<Node> leaves;
  std::vector<std::vector<uint64_t>> values;
  Lanes expectedLanes, actualLanes;
  std::vector<size_t> differing;
};
} // namespace

Experiment::Experiment(sym::Graph &graph, Inputs &inputs,
                       const Inputs::Hints &hints, Node expected, Node actual,
                       const Format &format, size_t n)
    : graph(graph), format(format) {
  Batch batch(graph, {expected, actual});
  leaves = batch.leaves();
  values = inputs.make(leaves, n, hints);
  batch.run(values);
  expectedLanes = batch[expected];
  actualLanes = batch[actual];
  actualLanes.format = &format;
  for (size_t i = 0; i < actualLanes.size(); ++i)
    if (!actualLanes.mayBe(i, expectedLanes.value[i]))
      differing.push_back(i);
}

Lanes Experiment::evaluate(Node n) const {
  Batch batch(graph, {n});
  std::vector<std::vector<uint64_t>> chosen;
  for (Node leaf : batch.leaves())
    chosen.push_back(values[size_t(
        std::find(leaves.begin(), leaves.end(), leaf) - leaves.begin())]);
  if (chosen.empty())
    return {};
  batch.run(chosen);
  return batch[n];
}

Experiment::Score Experiment::score(Node n) const {
  Lanes lanes = evaluate(n);
  if (lanes.size() != actualLanes.size())
    return {};
  size_t same = 0, sameThere = 0;
  for (size_t i = 0; i < lanes.size(); ++i)
    same += actualLanes.mayBe(i, lanes.value[i]);
  for (size_t i : differing)
    sameThere += actualLanes.mayBe(i, lanes.value[i]);
  return {double(same) / double(lanes.size()),
          double(sameThere) / double(std::max<size_t>(differing.size(), 1))};
}

Experiment::Score Experiment::scoreActual(Node n) const {
  Lanes lanes = evaluate(n);
  if (lanes.size() != expectedLanes.size())
    return {};
  lanes.format = &format;
  size_t same = 0, sameThere = 0;
  for (size_t i = 0; i < lanes.size(); ++i)
    same += lanes.mayBe(i, expectedLanes.value[i]);
  for (size_t i : differing)
    sameThere += lanes.mayBe(i, expectedLanes.value[i]);
  return {double(same) / double(lanes.size()),
          double(sameThere) / double(std::max<size_t>(differing.size(), 1))};
}

static const char *modeName(Rounding mode) {
  static const char *names[] = {"to nearest even", "toward zero", "upward",
                                "downward", "to nearest, ties away"};
  return names[unsigned(mode)];
}

/// What a compiler may have done to the expected expression, simplest first.
static std::vector<Change> changesOf(const Roundings &roundings) {
  std::vector<Change> changes;
  const size_t groups = roundings.groups();
  auto remove = [&](std::set<size_t> which, bool contract) {
    if (roundings.last() && which.count(*roundings.last()))
      return;
    Change c;
    c.kind = which.empty() ? Kind::Contraction : Kind::RoundingLost;
    c.removed = std::move(which);
    c.contract = contract;
    changes.push_back(std::move(c));
  };
  remove({}, true);
  for (size_t g = 0; g < groups; ++g)
    remove({g}, false);
  for (size_t g = 0; g < groups; ++g)
    for (Rounding mode : {Rounding::TowardZero, Rounding::Upward,
                          Rounding::Downward, Rounding::NearestAway}) {
      Change c;
      c.kind = Kind::WrongRoundingMode;
      c.group = g;
      c.mode = mode;
      changes.push_back(c);
    }
  Change flush;
  flush.kind = Kind::SubnormalFlush;
  flush.flush = true;
  changes.push_back(flush);
  for (size_t g = 0; g < groups; ++g)
    remove({g}, true);
  const size_t paired = std::min<size_t>(groups, 8);
  for (bool contract : {false, true})
    for (size_t g = 0; g < paired; ++g)
      for (size_t h = g + 1; h < paired; ++h)
        remove({g, h}, contract);
  std::set<size_t> all;
  for (size_t g = 0; g < groups; ++g)
    if (roundings.last() != g)
      all.insert(g);
  if (all.size() > 2)
    for (bool contract : {false, true})
      remove(all, contract);
  return changes;
}

static std::string describe(const Change &change) {
  switch (change.kind) {
  case Kind::Contraction:
    return "a product that must be rounded went into an add unrounded";
  case Kind::RoundingLost: {
    std::string text =
        change.removed.size() == 1
            ? std::string("a rounding is missing")
            : std::to_string(change.removed.size()) + " roundings are missing";
    return text + (change.contract
                       ? ", and a product went into an add unrounded"
                       : "");
  }
  case Kind::WrongRoundingMode:
    return std::string("rounds ") + modeName(change.mode);
  default:
    return "subnormal numbers are flushed to zero";
  }
}

/// Roundings that the actual expression has and the expected one has not.
static bool findAdded(sym::Graph &graph, const Experiment &experiment,
                      const Program &program, Node expected, Node actual,
                      Classification &out) {
  Roundings own(graph, actual, nullptr);
  double best = 0.9;
  for (size_t g = 0; g < own.groups(); ++g) {
    if (own.last() == g)
      continue;
    Change change;
    change.removed = {g};
    Node without = changed(graph, actual, own, change);
    auto score = experiment.scoreActual(without);
    if (score.onDifferences > best && score.overall > 0.95) {
      best = score.onDifferences;
      // A rounding of a value that is rounded again right away.
      bool twice = false;
      for (Node n : own.nodes()) {
        Node from = graph[n].operands[0];
        while (from && graph[from].op == Op::Convert && !narrows(graph[from]))
          from = graph[from].operands[0];
        twice |= narrows(graph[n]) && from == own.first(g);
      }
      out.kind = twice ? Kind::DoubleRounding : Kind::RoundingAdded;
      out.explanation = twice ? "a value is rounded twice"
                              : "a rounding is there that must not be";
    }
  }
  if (best > 0.9)
    return true;
  // One is missing here and one is there too many.
  Roundings theirs(graph, expected, &program);
  for (size_t g = 0; g < own.groups(); ++g)
    for (size_t h = 0; h < theirs.groups(); ++h) {
      if (own.last() == g || theirs.last() == h)
        continue;
      Change less, lost;
      less.removed = {g};
      lost.removed = {h};
      Node a = changed(graph, actual, own, less);
      Node e = changed(graph, expected, theirs, lost);
      if (a == e) {
        out.kind = Kind::RoundingMoved;
        out.where = theirs.first(h);
        out.explanation = "a rounding stands at another place";
        return true;
      }
    }
  return false;
}

Classification prec::audit::classify(sym::Graph &graph, Inputs &inputs,
                                     const Inputs::Hints &hints,
                                     const Program &program, Node expected,
                                     Node actual, Node expectedForm,
                                     Node actualForm, const Format &format) {
  Classification out;
  if (findReassociation(graph, expectedForm, actualForm, out))
    return out;
  expected = spellOut(graph, expected);
  actual = spellOut(graph, actual);
  const size_t size = Batch(graph, {expected, actual}).size();
  const size_t lanes =
      std::max<size_t>(64, std::min<size_t>(2048, 2000000 / size));
  Experiment experiment(graph, inputs, hints, expected, actual, format, lanes);
  if (!experiment.any()) {
    // Too rare for an experiment: only functions are known to differ.
    if (!hints.empty() ||
        functions(graph, expected) != functions(graph, actual)) {
      out.kind = Kind::WrongFunction;
      out.explanation = "another function of the same values";
    }
    return out;
  }
  Roundings roundings(graph, expected, &program);
  double best = 0.6;
  for (const Change &change : changesOf(roundings)) {
    Node variant = changed(graph, expected, roundings, change);
    if (variant == expected)
      continue;
    auto score = experiment.score(variant);
    // A later, less simple one must explain clearly more.
    if (score.overall < 0.9 || score.onDifferences < best + 0.02)
      continue;
    best = score.onDifferences;
    out.kind = change.kind;
    out.explanation = describe(change);
    out.where = 0;
    if (!change.removed.empty())
      out.where = roundings.first(*change.removed.begin());
    else if (change.group)
      out.where = roundings.first(*change.group);
    if (change.kind == Kind::Contraction)
      for (Node n : roundings.nodes())
        if (!out.where && (graph[n].op == Op::Add || graph[n].op == Op::Sub) &&
            (graph[graph[n].operands[0]].op == Op::Mul ||
             graph[graph[n].operands[1]].op == Op::Mul))
          out.where = n;
    if (best > 0.999)
      return out;
  }
  if (out.kind != Kind::Other && best > 0.9)
    return out;
  if (experiment.all([&](uint64_t a, uint64_t b) {
        return num::isZero(format, a) && num::isZero(format, b);
      })) {
    out.kind = Kind::SignedZero;
    out.explanation = "zeros of the wrong sign";
    return out;
  }
  if (experiment.all([&](uint64_t a, uint64_t b) {
        return num::isNaN(format, a) != num::isNaN(format, b);
      })) {
    out.kind = Kind::NaN;
    out.explanation = "NaN is treated differently";
    return out;
  }
  Classification added;
  if (findAdded(graph, experiment, program, expected, actual, added))
    return added;
  if (out.kind != Kind::Other)
    return out;
  // Sums of products, any of which may have gone into its sum.
  const Node apart = split(graph, actual);
  if (apart != actual && experiment.scoreActual(apart).onDifferences > 0.9) {
    out.kind = Kind::Contraction;
    out.explanation = "products that must be rounded went into adds unrounded";
    return out;
  }
  // Functions of single inputs differ, or all there is is a function of few,
  // or functions of sums are others.
  if (!hints.empty() || Batch(graph, {expected}).leaves().size() <= 2 ||
      functions(graph, expected) != functions(graph, actual)) {
    out.kind = Kind::WrongFunction;
    out.explanation = "another function of the same values";
  }
  return out;
}
