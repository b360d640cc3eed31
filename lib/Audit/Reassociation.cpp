// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Classify.h"
#include "Divergence.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using sym::Expr;
using sym::FormatId;
using sym::Node;
using sym::Op;

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

bool prec::audit::findReassociation(const sym::Graph &graph, Node a, Node b,
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
    auto [p, q] = differing(x, y);
    if (p.empty() || p.size() != q.size())
      return false;
    // Several that differ come from one cause, or it is not this one.
    a = p.front();
    b = q.front();
  }
  return false;
}
