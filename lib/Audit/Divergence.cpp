// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Divergence.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using sym::Expr;
using sym::Node;

std::pair<std::vector<Node>, std::vector<Node>>
prec::audit::differing(const Expr &x, const Expr &y) {
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
  return {std::move(p), std::move(q)};
}

std::vector<Node> prec::audit::divergence(const sym::Graph &graph,
                                          Canonical &canonical,
                                          const Program &program, Node root,
                                          Node wanted) {
  // Canonical nodes have no location: the first node that became each has.
  std::unordered_map<Node, Node> origin;
  for (Node n : sym::reachable(graph, {root}))
    if (!program.location(n).empty())
      origin.try_emplace(canonical(n), n);
  std::vector<Node> way;
  Node x = wanted, y = canonical(root);
  while (x != y) {
    if (auto it = origin.find(y); it != origin.end())
      way.push_back(it->second);
    const Expr a = graph[x], b = graph[y];
    Expr shape = b;
    shape.operands = a.operands;
    if (!(shape == a))
      break;
    auto [p, q] = differing(a, b);
    if (p.empty() || p.size() != q.size())
      break;
    // Of several that differ, a pair of one operation.
    size_t first = 0;
    for (size_t k = p.size(); k-- > 0;)
      if (graph[p[k]].op == graph[q[k]].op)
        first = k;
    x = p[first];
    y = q[first];
  }
  std::reverse(way.begin(), way.end());
  return way;
}
