// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NarrowChain.h"

#include "ChainEvaluation.h"
#include "PlanMemo.h"

#include "prec/Numerics/ApproximateExpansion.h"
#include "prec/Numerics/NarrowExpansion.h"

#include "prec/Numerics/Rounding.h"

#include <algorithm>
#include <cmath>

using namespace prec;

namespace {

/// Exceptions of a plan, at most.
constexpr unsigned kMaxExceptions = 4;
/// Inputs that some tuning leaves undecided, at most: else a plan is none.
constexpr unsigned kMaxHard = 1024;
/// The same without tuning: else no tuning is tried.
constexpr unsigned kMaxUntuned = 16;
/// Tunings: units in the last place of the scale, and steps of the offset.
constexpr int kScaleRange = 2, kOffsetSteps = 20;
/// Units in the last place of a division's quarter.
constexpr int kQuarterRange = 4;
constexpr float kOffsetStep = 0x1p-23f;

/// Costs in instructions of a GPU, about.
constexpr unsigned kExceptionCost = 2, kDivisionCost = 12;

using Inputs = std::vector<uint16_t>;

/// The search for a plan of one chain.
class Search {
public:
  Search(Chain chain, unsigned function, const std::vector<unsigned> &divisions)
      : chain(std::move(chain)), function(function), divisions(divisions) {
    computeExpected();
  }

  /// The cheapest sequence, with correctly rounded divisions.
  void trySequences();
  /// The cheapest sequence with approximate divisions.
  void trySequenceAndDivisions();
  /// Approximate functions, and divisions if there are any.
  void tryApproximations();
  void findUndecided();
  void tryExponential(unsigned form, unsigned cost,
                      std::optional<Choice> division);

  std::optional<Plan> best;

private:
  void computeExpected();
  std::vector<std::pair<std::optional<Choice>, unsigned>> quotients() const;
  void set(std::optional<Choice> function, std::optional<Choice> division);
  bool isApproximate() const;
  bool isFollowed() const;
  Inputs findWrong(const Inputs &inputs, unsigned limit);
  Inputs tune(Choice &choice, std::optional<Choice> division,
              const Inputs &hard);
  void consider(unsigned cost, const Inputs &wrong);
  std::vector<Exception> exceptionsFor(const Inputs &inputs) const;

  Chain chain;
  unsigned function;
  const std::vector<unsigned> &divisions;
  Inputs all;
  /// Those that some form and tuning of an approximation leaves undecided.
  Inputs undecided;
  /// The result nodes, and their bits for all inputs.
  std::vector<std::pair<unsigned, Inputs>> expected;
  unsigned bestCost = ~0u;
  std::optional<unsigned> rightSequence;
  /// Of findWrong, kept for their memory.
  std::vector<ChainBlock<float>> numbers;
  std::vector<ChainBlock<Interval>> bounds;
};

} // namespace

/// Calls `f` with the inputs of each block until it returns false.
template <typename F> static void forEachBlock(const Inputs &inputs, F f) {
  for (size_t first = 0; first < inputs.size(); first += kChainBlock) {
    size_t last = std::min<size_t>(first + kChainBlock, inputs.size());
    if (!f(Inputs(inputs.begin() + first, inputs.begin() + last)))
      return;
  }
}

void Search::computeExpected() {
  for (unsigned bits = 0; bits <= 0xFFFF; ++bits)
    all.push_back(uint16_t(bits));
  for (unsigned n = 0; n < chain.size(); ++n)
    if (resultFormat(chain[n]))
      expected.push_back({n, {}});
  std::vector<ChainBlock<float>> values;
  forEachBlock(all, [&](const Inputs &inputs) {
    evaluate(chain, /*exact=*/true, inputs, values);
    for (auto &[node, bits] : expected)
      for (unsigned i = 0; i < inputs.size(); ++i)
        bits.push_back(uint16_t(values[node][i]));
    return true;
  });
}

bool Search::isApproximate() const {
  return std::any_of(chain.begin(), chain.end(), [](const ChainNode &node) {
    return node.choice && node.choice->kind == Choice::Approximate;
  });
}

/// Those of `inputs` whose results are wrong or not known; looks no further
/// when they are more than `limit`.
Inputs Search::findWrong(const Inputs &inputs, unsigned limit) {
  Inputs wrong;
  const bool approximate = isApproximate();
  forEachBlock(inputs, [&](const Inputs &block) {
    if (approximate)
      evaluate(chain, block, bounds);
    else
      evaluate(chain, /*exact=*/false, block, numbers);
    for (unsigned i = 0; i < block.size(); ++i) {
      bool right = true;
      for (const auto &[node, bits] : expected) {
        float got = approximate ? bounds[node][i].low : numbers[node][i];
        right &= !(approximate && bounds[node][i].open) &&
                 num::sameValue(*resultFormat(chain[node]), uint64_t(got),
                                bits[block[i]]);
      }
      if (!right)
        wrong.push_back(block[i]);
    }
    return wrong.size() <= limit;
  });
  return wrong;
}

void Search::set(std::optional<Choice> ofFunction,
                 std::optional<Choice> ofDivisions) {
  chain[function].choice = ofFunction;
  for (unsigned node : divisions)
    chain[node].choice = ofDivisions;
}

/// Approximate forms of the divisions, if there are any, with their costs.
std::vector<std::pair<std::optional<Choice>, unsigned>>
Search::quotients() const {
  using namespace num::expand;
  if (divisions.empty())
    return {{std::nullopt, 0}};
  // A tie of 1 / x itself is no matter of subnormal results.
  const bool onlyReciprocals =
      std::all_of(divisions.begin(), divisions.end(), [&](unsigned node) {
        return chain[chain[node].operands[0]].kind == ChainNode::Constant;
      });
  std::vector<std::pair<std::optional<Choice>, unsigned>> result;
  for (unsigned form = 0; form < (onlyReciprocals ? 2 : kDivisionForms);
       ++form) {
    unsigned cost =
        2 + (form & QuarterDivision ? 2 : 0) + (form & HalfDivision ? 2 : 0);
    result.push_back({Choice{Choice::Approximate, form, 0.25f}, cost});
  }
  return result;
}

/// Inputs for which the results of the nodes' choices are to be replaced.
std::vector<Exception> Search::exceptionsFor(const Inputs &inputs) const {
  std::vector<Exception> exceptions;
  if (inputs.empty())
    return exceptions;
  std::vector<ChainBlock<float>> values;
  evaluate(chain, /*exact=*/true, inputs, values);
  auto input =
      std::find_if(chain.begin(), chain.end(), [](const ChainNode &node) {
        return node.kind == ChainNode::InputBF16 ||
               node.kind == ChainNode::InputF16;
      });
  for (unsigned i = 0; i < inputs.size(); ++i)
    for (const auto &[node, bits] : expected)
      exceptions.push_back({node, values[input - chain.begin()][i],
                            values[chain[node].operands[0]][i]});
  return exceptions;
}

/// Whether a plan for another function of the chain will be looked for, which
/// knows no exceptions of this one.
bool Search::isFollowed() const {
  for (unsigned node = 0; node < chain.size(); ++node)
    if (node != function && chain[node].kind == ChainNode::Function &&
        !chain[node].choice)
      return true;
  return false;
}

/// Takes the nodes' choices, which are right but for `wrong`, if they are the
/// cheapest so far.
void Search::consider(unsigned cost, const Inputs &wrong) {
  cost += kExceptionCost * unsigned(wrong.size() * expected.size());
  if (cost >= bestCost || wrong.size() > kMaxExceptions ||
      (!wrong.empty() && isFollowed()))
    return;
  std::vector<Exception> exceptions = exceptionsFor(wrong);
  // They go by comparison, which knows no NaN and one zero.
  for (const Exception &e : exceptions)
    if (e.input != e.input || e.input == 0)
      return;
  bestCost = cost;
  best.emplace();
  best->exceptions = std::move(exceptions);
  for (unsigned node = 0; node < chain.size(); ++node)
    if (chain[node].choice &&
        (node == function || std::find(divisions.begin(), divisions.end(),
                                       node) != divisions.end()))
      best->choices.push_back({node, *chain[node].choice});
}

static unsigned costOf(num::MathFunction function, unsigned sequence) {
  return (function == num::MathFunction::Tanh ? 24 : 12) + 2 * sequence;
}

void Search::trySequences() {
  const num::MathFunction name = chain[function].function;
  for (unsigned i = 0; i < num::expand::narrowSequences(name); ++i) {
    set(Choice{Choice::Sequence, i}, std::nullopt);
    if (!findWrong(all, 0).empty())
      continue;
    consider(costOf(name, i) + kDivisionCost * unsigned(divisions.size()), {});
    rightSequence = i;
    return;
  }
}

void Search::trySequenceAndDivisions() {
  if (!rightSequence || divisions.empty())
    return;
  const Choice sequence{Choice::Sequence, *rightSequence};
  for (const auto &[division, cost] : quotients()) {
    set(sequence, division);
    consider(costOf(chain[function].function, sequence.index) +
                 cost * unsigned(divisions.size()),
             findWrong(all, kMaxExceptions));
  }
}

/// 0, 1, -1, 2, -2, ...
static int alternate(int i) { return i % 2 ? (i + 1) / 2 : -i / 2; }

/// Of `hard`, the inputs that the tuning found leaves undecided: as few as
/// possible. The nodes are left with it.
Inputs Search::tune(Choice &choice, std::optional<Choice> division,
                    const Inputs &hard) {
  const Choice untuned = choice;
  Inputs fewest = hard;
  bool first = true;
  for (int ulps = 0; ulps <= 2 * kScaleRange; ++ulps)
    for (int step = 0; step <= 2 * kOffsetSteps; ++step) {
      if (!first && fewest.empty())
        break;
      Choice next = untuned;
      next.scale = ofRank(rankOf(untuned.scale) + alternate(ulps));
      next.offset = float(alternate(step)) * kOffsetStep;
      set(next, division);
      Inputs wrong = findWrong(hard, fewest.size());
      if (!first && wrong.size() >= fewest.size())
        continue;
      first = false;
      fewest = wrong;
      choice = next;
    }
  set(choice, division);
  return fewest;
}

/// Bounds of `choice` for all tunings.
static Choice anyTuning(Choice choice) {
  choice.scaleRange = kScaleRange;
  choice.offsetRange = kOffsetSteps * kOffsetStep;
  return choice;
}

/// Most inputs are decided whatever the tuning and the form of divisions: they
/// are looked at once.
void Search::findUndecided() {
  undecided = all;
  if (divisions.empty())
    return;
  Choice division{Choice::Approximate, num::expand::PlainDivision, 0.25f};
  division.scaleRange = kQuarterRange;
  division.anyForm = true;
  const num::MathFunction name = chain[function].function;
  set(anyTuning({Choice::Approximate, num::expand::PlainExponential,
                 num::expand::exponentScale(name)}),
      division);
  const unsigned most = num::expand::kDivisionForms * kMaxHard;
  if (Inputs wrong = findWrong(all, most); wrong.size() <= most)
    undecided = std::move(wrong);
}

/// `form` of the approximate function, tuned; `cost` is that of all nodes.
void Search::tryExponential(unsigned form, unsigned cost,
                            std::optional<Choice> division) {
  const num::MathFunction name = chain[function].function;
  if (cost >= bestCost)
    return;
  const Choice untuned = {Choice::Approximate, form,
                          num::expand::exponentScale(name)};
  const Choice any = anyTuning(untuned);
  set(any, division);
  Inputs hard = findWrong(undecided, kMaxHard);
  if (hard.size() > kMaxHard)
    return;
  Choice choice = untuned;
  set(choice, division);
  if (findWrong(hard, kMaxUntuned).size() > kMaxUntuned)
    return;
  consider(cost, tune(choice, division, hard));
  if (name == num::MathFunction::Tanh || cost + 1 >= bestCost)
    return;
  choice = untuned;
  choice.index |= num::expand::SignedOffset;
  Inputs wrong = tune(choice, division, hard);
  consider(cost + 1, wrong);
  if (wrong.empty() || wrong.size() > kMaxExceptions || !division ||
      !(division->index & num::expand::QuarterDivision))
    return;
  // A quarter a little off moves the results on both sides of 0 alike.
  Choice anyDivision = *division;
  anyDivision.scaleRange = kQuarterRange;
  set(any, anyDivision);
  hard = findWrong(undecided, kMaxHard);
  if (hard.size() > kMaxHard)
    return;
  for (int ulps = 1; ulps <= 2 * kQuarterRange && !wrong.empty(); ++ulps) {
    Choice off = *division;
    off.scale = ofRank(rankOf(off.scale) + alternate(ulps));
    choice = untuned;
    choice.index |= num::expand::SignedOffset;
    wrong = tune(choice, off, hard);
    consider(cost + 1, wrong);
  }
}

void Search::tryApproximations() {
  using namespace num::expand;
  const num::MathFunction name = chain[function].function;
  if (!isApproximable(name))
    return;
  const bool isTanh = name == num::MathFunction::Tanh;
  findUndecided();
  for (const auto &[division, divisionCost] : quotients())
    tryExponential(PlainExponential,
                   divisionCost * unsigned(divisions.size()) +
                       (isTanh ? 14 : 2),
                   division);
  // Where a subnormal result does not matter, nothing is gained.
  if (!isTanh && divisions.empty())
    tryExponential(SquaredExponential, 3, std::nullopt);
}

std::optional<Plan> prec::choosePlan(Chain chain, unsigned function,
                                     const std::vector<unsigned> &divisions,
                                     bool approximate) {
  static PlanMemo memo;
  PlanMemo::Key key = PlanMemo::keyOf(chain);
  key.insert(key.end(), {function, approximate});
  key.insert(key.end(), divisions.begin(), divisions.end());
  return memo.get(key, [&] {
    Search search(std::move(chain), function, divisions);
    if (approximate)
      search.tryApproximations();
    // Nothing is as short as an approximation with few exceptions.
    if (!search.best || search.best->exceptions.size() > 1) {
      search.trySequences();
      if (approximate)
        search.trySequenceAndDivisions();
    }
    return std::move(search.best);
  });
}

static bool isClose(float got, float right) {
  if (right != right)
    return got != got;
  if (right == 0 || std::isinf(right) ||
      std::signbit(got) != std::signbit(right))
    return num::bitCast<uint32_t>(got) == num::bitCast<uint32_t>(right);
  double bound = std::ldexp(std::fabs(double(right)), -kCloseBits);
  return std::isfinite(got) && std::fabs(double(got) - right) <= bound;
}

std::optional<Choice> prec::chooseClose(Chain chain, unsigned function,
                                        unsigned result) {
  Inputs all;
  for (unsigned bits = 0; bits <= 0xFFFF; ++bits)
    all.push_back(uint16_t(bits));
  std::vector<ChainBlock<float>> right, got;
  for (unsigned i = 0;
       i < num::expand::narrowSequences(chain[function].function); ++i) {
    chain[function].choice = Choice{Choice::Sequence, i};
    bool close = true;
    forEachBlock(all, [&](const Inputs &inputs) {
      evaluate(chain, /*exact=*/true, inputs, right);
      evaluate(chain, /*exact=*/false, inputs, got);
      for (unsigned k = 0; k < inputs.size(); ++k)
        close &= isClose(got[result][k], right[result][k]);
      return close;
    });
    if (close)
      return chain[function].choice;
  }
  return std::nullopt;
}
