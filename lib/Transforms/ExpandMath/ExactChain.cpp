// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChainEvaluation.h"
#include "NarrowChain.h"
#include "PlanMemo.h"

#include "prec/Numerics/ExactExpansion.h"

#include <algorithm>

using namespace prec;
using namespace prec::num::expand;

using Nodes = std::vector<unsigned>;

static bool isOne(const ChainNode &node) {
  return node.kind == ChainNode::Constant &&
         num::bitCast<float>(node.bits) == 1;
}

static bool contains(const Nodes &nodes, unsigned node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// How many operands a node of this kind has.
static unsigned operandCount(const ChainNode &node) {
  switch (node.kind) {
  case ChainNode::InputBF16:
  case ChainNode::InputF16:
  case ChainNode::Constant:
    return 0;
  case ChainNode::Fma:
  case ChainNode::Select:
    return 3;
  case ChainNode::Neg:
  case ChainNode::Abs:
  case ChainNode::Sqrt:
  case ChainNode::Not:
  case ChainNode::Function:
  case ChainNode::ToBF16:
  case ChainNode::ToF16:
    return 1;
  default:
    return 2;
  }
}

static Nodes usersOf(const Chain &chain, unsigned node) {
  Nodes users;
  for (unsigned n = 0; n < chain.size(); ++n) {
    const unsigned *first = chain[n].operands;
    const unsigned *last = first + operandCount(chain[n]);
    if (std::find(first, last, node) != last)
      users.push_back(n);
  }
  return users;
}

namespace {

/// Sums 1 + e of an exponential e, and the quotients by them.
struct Quotients {
  Nodes sums, divisions;
};

} // namespace

/// Nothing where the exponential or a sum is used for anything else.
static std::optional<Quotients>
quotientsOf(const Chain &chain, unsigned function, const Nodes &exits) {
  Quotients result;
  result.sums = usersOf(chain, function);
  if (contains(exits, function) || result.sums.empty())
    return std::nullopt;
  for (unsigned sum : result.sums) {
    const ChainNode &add = chain[sum];
    if (add.kind != ChainNode::Add || contains(exits, sum) ||
        !(isOne(chain[add.operands[0]]) || isOne(chain[add.operands[1]])))
      return std::nullopt;
    for (unsigned user : usersOf(chain, sum)) {
      const ChainNode &divide = chain[user];
      if (divide.kind != ChainNode::Div || divide.operands[0] == sum)
        return std::nullopt;
      result.divisions.push_back(user);
    }
  }
  if (result.divisions.empty())
    return std::nullopt;
  return result;
}

/// Whether the chain's choices give the bits `expected` of the nodes `results`
/// on all inputs, for each outcome.
static bool isRight(const Chain &chain, const Nodes &results,
                    const std::vector<std::vector<float>> &expected,
                    int outcomes) {
  // What comes before is the same for all outcomes.
  const auto firstApproximate =
      unsigned(std::find_if(chain.begin(), chain.end(),
                            [](const ChainNode &node) {
                              return node.kind == ChainNode::Div &&
                                     node.choice &&
                                     node.choice->kind == Choice::Exact;
                            }) -
               chain.begin());
  std::vector<ChainBlock<float>> values;
  for (unsigned first = 0; first < 0x10000; first += kChainBlock) {
    std::vector<uint16_t> inputs;
    for (unsigned i = 0; i < kChainBlock; ++i)
      inputs.push_back(uint16_t(first + i));
    for (int outcome = -outcomes; outcome <= outcomes; ++outcome) {
      evaluate(chain, /*exact=*/false, inputs, values, outcome,
               outcome == -outcomes ? 0 : firstApproximate);
      for (unsigned r = 0; r < results.size(); ++r) {
        const num::Format *narrow = resultFormat(chain[results[r]]);
        for (unsigned i = 0; i < kChainBlock; ++i) {
          float got = values[results[r]][i], want = expected[r][first + i];
          if (narrow ? !num::sameValue(*narrow, uint64_t(got), uint64_t(want))
                     : !num::sameValue(num::kF32, num::bitCast<uint32_t>(got),
                                       num::bitCast<uint32_t>(want)))
            return false;
        }
      }
    }
  }
  return true;
}

static std::optional<Plan> findExactPlan(Chain chain, unsigned function,
                                         const Nodes &exits, bool approximate) {
  const ChainNode &argument = chain[chain[function].operands[0]];
  auto isInput = [](const ChainNode &node) {
    return node.kind == ChainNode::InputBF16 ||
           node.kind == ChainNode::InputF16;
  };
  if (chain[function].function != num::MathFunction::Exp ||
      !(isInput(argument) || (argument.kind == ChainNode::Neg &&
                              isInput(chain[argument.operands[0]]))))
    return std::nullopt;
  // What is approximate already has no bits to be run with.
  for (const ChainNode &node : chain)
    if (node.choice && node.choice->kind == Choice::Approximate)
      return std::nullopt;

  Nodes results = exits;
  for (unsigned n = 0; n < chain.size(); ++n)
    if (resultFormat(chain[n]))
      results.push_back(n);
  std::vector<std::vector<float>> expected(results.size());
  std::vector<ChainBlock<float>> values;
  for (unsigned first = 0; first < 0x10000; first += kChainBlock) {
    std::vector<uint16_t> inputs;
    for (unsigned i = 0; i < kChainBlock; ++i)
      inputs.push_back(uint16_t(first + i));
    evaluate(chain, /*exact=*/true, inputs, values);
    for (unsigned r = 0; r < results.size(); ++r)
      expected[r].insert(expected[r].end(), values[results[r]].begin(),
                         values[results[r]].end());
  }

  if (!approximate) {
    chain[function].choice = Choice{Choice::Exact, Limited};
    if (isRight(chain, results, expected, /*outcomes=*/0))
      return Plan{{{function, *chain[function].choice}}, {}};
    return std::nullopt;
  }
  if (std::optional<Quotients> quotients =
          quotientsOf(chain, function, exits)) {
    const Nodes &divisions = quotients->divisions;
    std::vector<unsigned> forms{0, KeepNaN};
    if (std::all_of(divisions.begin(), divisions.end(), [&](unsigned node) {
          return isOne(chain[chain[node].operands[0]]);
        }))
      forms.insert(forms.begin(), {Quarter, Quarter | KeepNaN});
    for (unsigned form : forms) {
      const Choice choice{Choice::Exact, form};
      Plan plan;
      plan.choices.push_back({function, choice});
      for (unsigned node : divisions)
        plan.choices.push_back({node, choice});
      Chain tried = chain;
      for (const auto &[node, chosen] : plan.choices)
        tried[node].choice = chosen;
      if (form & Quarter)
        for (unsigned sum : quotients->sums) {
          // A quarter of the exponential, and what NaN is known by.
          tried[sum].choice = choice;
          tried[sum].operands[0] = function;
          tried[sum].operands[1] = chain[function].operands[0];
        }
      if (isRight(tried, results, expected, kMaxOutcome))
        return plan;
    }
  }
  for (unsigned form : {0u, unsigned(KeepNaN)}) {
    chain[function].choice = Choice{Choice::Exact, form};
    if (isRight(chain, results, expected, /*outcomes=*/0))
      return Plan{{{function, *chain[function].choice}}, {}};
  }
  return std::nullopt;
}

std::optional<Plan> prec::chooseExactPlan(Chain chain, unsigned function,
                                          const Nodes &exits,
                                          bool approximate) {
  static PlanMemo memo;
  PlanMemo::Key key = PlanMemo::keyOf(chain);
  key.insert(key.end(), {function, approximate});
  key.insert(key.end(), exits.begin(), exits.end());
  return memo.get(key, [&] {
    return findExactPlan(std::move(chain), function, exits, approximate);
  });
}
