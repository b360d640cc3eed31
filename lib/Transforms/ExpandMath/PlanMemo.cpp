// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PlanMemo.h"

#include "prec/Numerics/Rounding.h"

using namespace prec;

/// More than one model has; a process that compiles others without end does not
/// grow without end.
static constexpr size_t kMostPlans = 1024;

PlanMemo::Key PlanMemo::keyOf(const Chain &chain) {
  auto bits = [](float value) { return num::bitCast<uint32_t>(value); };
  Key key{chain.size()};
  for (const ChainNode &node : chain) {
    key.insert(key.end(), {node.kind, node.operands[0], node.operands[1],
                           node.operands[2], node.bits, uint64_t(node.function),
                           uint64_t(node.power), node.choice.has_value()});
    if (const std::optional<Choice> &choice = node.choice)
      key.insert(key.end(), {choice->kind, choice->index, bits(choice->scale),
                             bits(choice->offset), uint64_t(choice->scaleRange),
                             bits(choice->offsetRange), choice->anyForm});
  }
  return key;
}

std::optional<Plan>
PlanMemo::get(const Key &key,
              const std::function<std::optional<Plan>()> &search) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = plans.find(key); known != plans.end())
      return known->second;
  }
  // Two threads may search for the same: they find the same.
  std::optional<Plan> plan = search();
  std::lock_guard<std::mutex> lock(mutex);
  if (plans.size() == kMostPlans)
    plans.clear();
  plans.emplace(key, plan);
  return plan;
}
