// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Outcomes.h"

#include "prec/Symbolic/Ops.h"

using namespace prec;
using namespace prec::ptx;
using sym::Expr;
using sym::Node;
using sym::Op;
using sym::Outcomes;

/// Random bits (splitmix64).
uint64_t OutcomeChooser::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The lower end for outcome 1, the upper one for 2; else an end or anything
/// between.
uint64_t OutcomeChooser::pick(const Outcomes &outcomes, uint64_t rounded) {
  const uint64_t random = outcome > 2 ? next() : outcome - 1;
  if (outcomes.kind == Outcomes::Kind::Values)
    return outcome > 2    ? outcomes.values[random % outcomes.values.size()]
           : outcome == 1 ? outcomes.values.front()
                          : outcomes.values.back();
  if (outcomes.kind == Outcomes::Kind::Any)
    return rounded;
  const num::Format &f = *sym::formatOf(outcomes.format);
  const unsigned way = random & 7;
  if (outcome > 2 && outcomes.maybeNaN && way == 7)
    return sym::canonicalNaN(f);
  if (way < 2)
    return way == 0 ? outcomes.lo : outcomes.hi;
  const int64_t lo = sym::ordinal(f, outcomes.lo);
  const uint64_t count = uint64_t(sym::ordinal(f, outcomes.hi) - lo) + 1;
  return sym::fromOrdinal(f, lo + int64_t((random >> 3) % count));
}

uint64_t OutcomeChooser::choose(const Code &code, const Inst &i,
                                const std::array<uint64_t, 3> &operands) {
  std::vector<Node> &order = forms[&i];
  if (order.empty())
    order = sym::reachable(graph, {domain.expression(code, i)});
  std::unordered_map<Node, uint64_t> values;
  uint64_t value = 0;
  for (Node n : order) {
    const Expr &e = graph[n];
    uint64_t in[3] = {0, 0, 0};
    for (unsigned k = 0; k < 3; ++k)
      if (e.operands[k])
        in[k] = values.at(e.operands[k]);
    if (e.op == Op::Leaf) {
      value = operands[e.bits];
    } else if (e.op == Op::Constant) {
      value = e.bits;
    } else {
      value = graph.apply(e, in[0], in[1], in[2]);
      const num::Format *f = sym::formatOf(sym::resultFormat(e));
      if (sym::makesNaN(e) && num::isNaN(*f, value))
        value = sym::canonicalNaN(*f);
    }
    if (e.flags & sym::Approximate) {
      Outcomes held[3];
      std::array<const Outcomes *, 3> given{};
      for (unsigned k = 0; k < 3; ++k)
        if (e.operands[k]) {
          held[k].kind = Outcomes::Kind::Values;
          held[k].values = {in[k]};
          given[k] = &held[k];
        }
      value = pick(sym::outcomesOf(graph, e, given), value);
    }
    values[n] = value;
  }
  return value;
}
