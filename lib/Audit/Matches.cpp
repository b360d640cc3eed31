// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Matches.h"

#include "prec/Audit/Lanes.h"

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Node;

void Matches::start() {
  used.clear();
  wanted.clear();
  wantedSeen.clear();
  matchedSeen.clear();
  matched.clear();
}

std::vector<uint64_t> Matches::undecided() const {
  std::vector<uint64_t> inputs;
  for (const Pair &pair : used)
    for (uint64_t x : matches.at(pair).undecided)
      inputs.push_back(x);
  return inputs;
}

bool Matches::within(Tables::Id machine, Tables::Id wanted,
                     const Format *format) {
  auto [it, isNew] = matches.try_emplace({machine, wanted});
  Match &match = it->second;
  if (isNew) {
    Lanes lanes = tables[machine];
    const Lanes &want = tables[wanted];
    if (!lanes.format)
      lanes.format = format;
    match.possible = want.exact() && want.width == lanes.width &&
                     want.size() == lanes.size();
    for (size_t i = 0; match.possible && i < lanes.size(); ++i) {
      match.possible = lanes.mayBe(i, want.value[i]);
      if (!lanes.decided(i))
        match.undecided.push_back(i);
    }
  }
  return match.possible;
}

void Matches::want(Node root) {
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    if (!n || !wantedSeen.insert(n).second)
      continue;
    Tables::Unary u = tables.unary(n);
    if (u && u.leaf)
      wanted[u.leaf].push_back(n);
    for (Node operand : graph[n].operands)
      stack.push_back(operand);
  }
}

Node Matches::match(Node root, const Format *format) {
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    if (!n || !matchedSeen.insert(n).second)
      continue;
    for (Node operand : graph[n].operands)
      stack.push_back(operand);
    Tables::Unary machine = tables.unary(n);
    if (!machine || !machine.leaf || tables[machine.table].exact())
      continue;
    for (Node w : wanted[machine.leaf]) {
      Tables::Unary want = tables.unary(w);
      if (graph.width(n) != graph.width(w) ||
          !within(machine.table, want.table, format))
        continue;
      matched[n] = w;
      used.insert({machine.table, want.table});
      break;
    }
  }
  return canonical.replace(root, matched);
}

void Matches::hint(Node root) {
  const Batch batch(graph, {root});
  for (Node n : batch.nodes()) {
    const Tables::Unary machine = tables.unary(n);
    if (!machine || !machine.leaf || wantedSeen.count(n))
      continue;
    const std::vector<uint64_t> *best = nullptr;
    for (Node w : wanted[machine.leaf]) {
      const Tables::Unary want = tables.unary(w);
      if (graph.width(n) != graph.width(w))
        continue;
      auto [it, isNew] = differences.try_emplace({machine.table, want.table});
      if (isNew) {
        const Lanes &m = tables[machine.table], &v = tables[want.table];
        for (size_t i = 0; i < m.size(); ++i)
          if (!m.mayBe(i, v.value[i]))
            it->second.push_back(i);
      }
      if (!it->second.empty() && (!best || it->second.size() < best->size()))
        best = &it->second;
    }
    if (!best)
      continue;
    std::vector<uint64_t> &out = hinted[machine.leaf];
    for (size_t k = 0; k < 16 && out.size() < 64; ++k)
      out.push_back((*best)[k * best->size() / 16]);
  }
}
