// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Forms.h"

using namespace prec::audit;
using prec::sym::Expr;
using prec::sym::Node;
using prec::sym::Op;

static const char *const large = "large";

bool Forms::isExact(const std::string &text) {
  return text.compare(0, 5, large) != 0;
}

uint64_t Forms::shape(Node root) {
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    Node n = stack.back();
    if (shapes.count(n)) {
      stack.pop_back();
      continue;
    }
    const Expr &e = graph[n];
    bool ready = true;
    for (Node operand : e.operands)
      if (operand && !shapes.count(operand)) {
        stack.push_back(operand);
        ready = false;
      }
    if (!ready)
      continue;
    stack.pop_back();
    uint64_t h = uint64_t(e.op) | uint64_t(e.format) << 8 |
                 uint64_t(e.to) << 16 | uint64_t(e.rounding) << 24 |
                 uint64_t(e.flags) << 32 | uint64_t(e.width) << 40;
    auto mix = [&](uint64_t v) {
      h = (h ^ v) * 0xff51afd7ed558ccd;
      h ^= h >> 33;
    };
    mix(e.index);
    if (e.op != Op::Leaf)
      mix(e.bits);
    for (Node operand : e.operands)
      mix(operand ? shapes[operand] : 3);
    shapes[n] = h;
  }
  return shapes[root];
}

std::string Forms::text(Node expected, Node actual, unsigned reading) {
  std::string out;
  auto add = [&](uint64_t v) {
    out.append(reinterpret_cast<const char *>(&v), sizeof v);
  };
  add(reading);
  // A node's number counts where it was given for this form.
  ++currentForm;
  numbers.resize(graph.size());
  uint32_t count = 0;
  std::vector<Node> stack{actual, expected};
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    if (!n || numbers[n].form == currentForm) {
      add(n ? numbers[n].number : ~uint64_t(0));
      continue;
    }
    numbers[n] = {currentForm, count++};
    if (count > 1000) {
      out = large;
      add(reading);
      add(shape(expected));
      add(shape(actual));
      return out;
    }
    const Expr &e = graph[n];
    add(uint64_t(e.op) | uint64_t(e.format) << 8 | uint64_t(e.to) << 16 |
        uint64_t(e.rounding) << 24 | uint64_t(e.flags) << 32 |
        uint64_t(e.width) << 40);
    add(e.index);
    if (e.op != Op::Leaf)
      add(e.bits);
    for (Node operand : e.operands)
      stack.push_back(operand);
  }
  return out;
}
