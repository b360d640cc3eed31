// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By experiment: the expected expression is changed in the ways in which
// compilers go wrong, and what agrees with the actual one where the two differ
// is what happened. Only a reassociation is found by form.
#include "Classify.h"

#include "Changes.h"
#include "Experiment.h"

#include <algorithm>
#include <set>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Node;
using sym::Op;

/// Which functions an expression evaluates.
static std::set<uint32_t> functions(const sym::Graph &graph, Node root) {
  std::set<uint32_t> found;
  for (Node n : sym::reachable(graph, {root}))
    if (graph[n].op == Op::Function)
      found.insert(graph[n].index);
  return found;
}

/// Roundings that the actual expression has and the expected one has not.
static bool findAdded(sym::Graph &graph, const Experiment &experiment,
                      const Program &program, Node expected, Node actual,
                      Classification &out) {
  Roundings own(graph, actual, nullptr);
  double best = 0.9;
  for (const std::set<size_t> &groups : own.subsets()) {
    Change change;
    change.removed = groups;
    Node without = changed(graph, actual, own, change);
    auto score = experiment.scoreActual(without);
    // Several must explain clearly more than one.
    const double least = best + (groups.size() == 1 ? 0 : 0.02);
    if (score.onDifferences <= least || score.overall <= 0.95)
      continue;
    best = score.onDifferences;
    // A rounding of a value that is rounded again right away.
    bool twice = false;
    for (Node n : own.nodes()) {
      Node from = graph[n].operands[0];
      while (from && graph[from].op == Op::Convert && !narrows(graph[from]))
        from = graph[from].operands[0];
      twice |= narrows(graph[n]) && groups.size() == 1 &&
               from == own.first(*groups.begin());
    }
    out.kind = twice ? Kind::DoubleRounding : Kind::RoundingAdded;
    out.explanation = twice ? "a value is rounded twice"
                      : groups.size() == 1
                          ? "a rounding is there that must not be"
                          : std::to_string(groups.size()) +
                                " roundings are there that must not be";
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
