// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the paths from an instruction meet again, by the algorithm of Cooper,
// Harvey and Kennedy on the reversed graph of instructions.
#include "Program.h"

#include <algorithm>

using namespace prec::ptx;

/// The instructions that may follow `pc`; insts.size() stands for the end.
static std::vector<uint32_t> successors(const Code &code, uint32_t pc) {
  const Inst &i = code.insts[pc];
  uint32_t end = uint32_t(code.insts.size());
  std::vector<uint32_t> out;
  bool falls = i.guard >= 0;
  switch (i.kind) {
  case Kind::Branch:
    out.push_back(i.target);
    break;
  case Kind::BranchIndexed:
    out = i.targets;
    break;
  case Kind::Return:
  case Kind::Exit:
  case Kind::Trap:
    out.push_back(end);
    break;
  default:
    falls = true;
    break;
  }
  if (falls)
    out.push_back(std::min(pc + 1, end));
  return out;
}

std::vector<uint32_t> prec::ptx::postDominators(const Code &code) {
  uint32_t end = uint32_t(code.insts.size());
  std::vector<std::vector<uint32_t>> next(end + 1), previous(end + 1);
  for (uint32_t pc = 0; pc < end; ++pc)
    for (uint32_t s : next[pc] = successors(code, pc))
      previous[s].push_back(pc);

  // Post-order of a walk from the end, against the edges.
  std::vector<uint32_t> order, number(end + 1, UINT32_MAX);
  std::vector<std::pair<uint32_t, size_t>> stack{{end, 0}};
  std::vector<bool> seen(end + 1);
  seen[end] = true;
  while (!stack.empty()) {
    auto &[node, at] = stack.back();
    if (at < previous[node].size()) {
      uint32_t p = previous[node][at++];
      if (!seen[p]) {
        seen[p] = true;
        stack.emplace_back(p, 0);
      }
      continue;
    }
    number[node] = uint32_t(order.size());
    order.push_back(node);
    stack.pop_back();
  }
  // What never reaches the end has no join: it gets the end.
  std::vector<uint32_t> join(end + 1, UINT32_MAX);
  join[end] = end;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b])
        a = join[a];
      while (number[b] < number[a])
        b = join[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == end)
        continue;
      uint32_t best = UINT32_MAX;
      for (uint32_t s : next[*it])
        if (join[s] != UINT32_MAX)
          best = best == UINT32_MAX ? s : meet(best, s);
      if (best != join[*it]) {
        join[*it] = best;
        changed = true;
      }
    }
  }
  for (uint32_t &j : join)
    if (j == UINT32_MAX)
      j = end;
  return join;
}
