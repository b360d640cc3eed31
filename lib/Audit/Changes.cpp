// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Changes.h"

#include "Rebuild.h"
#include "prec/Symbolic/Ops.h"

#include <algorithm>
#include <map>

using namespace prec;
using namespace prec::audit;
using num::Rounding;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

bool prec::audit::narrows(const Expr &e) {
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

Node prec::audit::changed(sym::Graph &graph, Node root,
                          const Roundings &roundings, const Change &change) {
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

Node prec::audit::spellOut(sym::Graph &graph, Node root) {
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

Node prec::audit::split(sym::Graph &graph, Node root) {
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

static const char *modeName(Rounding mode) {
  static const char *names[] = {"to nearest even", "toward zero", "upward",
                                "downward", "to nearest, ties away"};
  return names[unsigned(mode)];
}

std::vector<std::set<size_t>> Roundings::subsets() const {
  std::vector<size_t> inner;
  for (size_t g = 0; g < groups(); ++g)
    if (last() != g)
      inner.push_back(g);
  std::vector<std::set<size_t>> sets;
  for (size_t g : inner)
    sets.push_back({g});
  const size_t paired = std::min<size_t>(inner.size(), 8);
  for (size_t g = 0; g < paired; ++g)
    for (size_t h = g + 1; h < paired; ++h)
      sets.push_back({inner[g], inner[h]});
  if (inner.size() > 2)
    sets.emplace_back(inner.begin(), inner.end());
  return sets;
}

std::vector<Change> prec::audit::changesOf(const Roundings &roundings) {
  std::vector<Change> changes;
  auto remove = [&](const std::set<size_t> &which, bool contract) {
    Change c;
    c.kind = which.empty() ? Kind::Contraction : Kind::RoundingLost;
    c.removed = which;
    c.contract = contract;
    changes.push_back(std::move(c));
  };
  const std::vector<std::set<size_t>> subsets = roundings.subsets();
  remove({}, true);
  for (const std::set<size_t> &set : subsets)
    if (set.size() == 1)
      remove(set, false);
  for (size_t g = 0; g < roundings.groups(); ++g)
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
  for (const std::set<size_t> &set : subsets)
    if (set.size() == 1)
      remove(set, true);
  for (bool contract : {false, true})
    for (const std::set<size_t> &set : subsets)
      if (set.size() > 1)
        remove(set, contract);
  return changes;
}

std::string prec::audit::describe(const Change &change) {
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
