// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChainEvaluation.h"
#include "NarrowChain.h"

#include "prec/Numerics/ApproximateExpansion.h"

#include <algorithm>
#include <cmath>

using namespace prec;

/// Right results are in a range of this width, relatively, at most: one product
/// in 1500 is then undecided. Silu is within for inputs up to 22.
static constexpr double kMaxSpread = 3 * 0x1p-20;
/// An approximation is worth its test where it holds for inputs up to this.
static constexpr float kLeastMost = 8;
/// More than the relative error of an f32 operation, which is no more than
/// 2^-24, and that of these computations in f64.
static constexpr double kRoundingError = 0x1.0001p-24;
/// Results of less than this, surely, lead to products below kLeastProduct.
static constexpr float kLeastResult = 0x1p-122f;
static_assert(double(kLeastResult) * 4 * kMostFactor * kMostFactor ==
              double(kLeastProduct));
/// Those of less than this do not lead to an overflow.
static constexpr float kMostResult = 0x1p46f;
static_assert(double(kMostResult) * kMostFactor * kMostFactor < 0x1p127);

namespace {

/// Quotients of a result and the right one.
struct Ratios {
  double low = INFINITY, high = 0;
};

} // namespace

/// Adds what node `result` can be for `bounds` where `right` is right; false
/// if it is not close at all.
static bool addRatios(Ratios &ratios, Interval bounds, float right) {
  if (bounds.open || bounds.isNaN() || right != right)
    return false;
  if (std::signbit(right))
    bounds = {-bounds.high, -bounds.low};
  right = std::fabs(right);
  if (right < kLeastResult)
    return bounds.high < kLeastResult && bounds.low > -kLeastResult;
  if (!(bounds.low > 0 && bounds.high < kMostResult && right < kMostResult))
    return false;
  ratios.low = std::min(ratios.low, double(bounds.low) / right);
  ratios.high = std::max(ratios.high, double(bounds.high) / right);
  return true;
}

/// Runs `chain` on inputs of both signs and magnitudes from `least` to `most`,
/// smallest first, as long as the ratios of node `close` and the right values
/// of node `result` are within kMaxSpread. Gives them and, in `most`, the
/// largest magnitude.
static Ratios findRatios(const Chain &chain, unsigned close, unsigned result,
                         float least, float &most) {
  std::vector<ChainBlock<float>> right;
  std::vector<ChainBlock<Interval>> bounds;
  const unsigned end = num::roundToBF16(most) + 1;
  Ratios ratios;
  most = 0;
  for (unsigned first = num::roundToBF16(least); first < end;
       first += kChainBlock / 2) {
    const unsigned last = std::min(first + kChainBlock / 2, end);
    std::vector<uint16_t> inputs;
    for (unsigned magnitude = first; magnitude < last; ++magnitude)
      for (unsigned sign : {0u, 0x8000u})
        inputs.push_back(uint16_t(magnitude | sign));
    evaluate(chain, /*exact=*/true, inputs, right);
    evaluate(chain, inputs, bounds);
    for (unsigned i = 0; i < inputs.size(); i += 2) {
      Ratios next = ratios;
      for (unsigned k : {i, i + 1})
        if (!addRatios(next, bounds[close][k], right[result][k]))
          return ratios;
      if (next.high > next.low * (1 + kMaxSpread))
        return ratios;
      ratios = next;
      most = num::widenBF16(inputs[i]);
    }
  }
  return ratios;
}

/// The sum 1 + e that is the divisor of node `result` and of nothing else, if
/// that is one of `divisions`.
static std::optional<unsigned>
scalableSum(const Chain &chain, const std::vector<unsigned> &divisions,
            unsigned result) {
  if (chain[result].kind != ChainNode::Div ||
      std::find(divisions.begin(), divisions.end(), result) == divisions.end())
    return std::nullopt;
  const unsigned sum = chain[result].operands[1];
  auto isOne = [&](unsigned node) {
    return chain[node].kind == ChainNode::Constant &&
           num::bitCast<float>(chain[node].bits) == 1;
  };
  const auto &[x, y, none] = chain[sum].operands;
  if (chain[sum].kind != ChainNode::Add || isOne(x) == isOne(y))
    return std::nullopt;
  for (unsigned node = 0; node < chain.size(); ++node)
    if (node != result && chain[node].kind != ChainNode::Constant)
      for (unsigned operand : chain[node].operands)
        if (operand == sum)
          return std::nullopt;
  if (chain[result].operands[0] == sum)
    return std::nullopt;
  return sum;
}

std::optional<CloseApproximation>
prec::approximateClosely(Chain chain, unsigned function,
                         const std::vector<unsigned> &divisions,
                         unsigned result, unsigned products) {
  const num::MathFunction name = chain[function].function;
  const auto functions =
      std::count_if(chain.begin(), chain.end(), [](const ChainNode &node) {
        return node.kind == ChainNode::Function;
      });
  if (!num::expand::isApproximable(name) || functions != 1)
    return std::nullopt;
  CloseApproximation close;
  chain[function].choice = {Choice::Approximate, num::expand::PlainExponential,
                            num::expand::exponentScale(name)};
  for (unsigned node : divisions)
    chain[node].choice = {Choice::Approximate, num::expand::PlainDivision, 1};

  // From some inputs, what is then tried on all.
  close.most = num::widenBF16(0x7F7F);
  Ratios ratios = findRatios(chain, result, result, 0x1p-8f, close.most);
  if (close.most < kLeastMost)
    return std::nullopt;

  // The products, approximate and right ones, are rounded.
  const double error = 2 * products * kRoundingError;
  std::optional<unsigned> sum = scalableSum(chain, divisions, result);
  unsigned biased = result;
  if (!sum) {
    biased = chain.size();
    chain.push_back({ChainNode::Constant});
    chain.push_back({ChainNode::Mul, {result, biased, 0}});
    ++biased;
  }
  // What the bias itself is rounded to and makes be rounded differently is
  // made up for by a little more of it.
  double bias = ratios.high * (1 + error + 0x1p-24);
  for (int i = 0;; ++i) {
    if (i == 8)
      return std::nullopt;
    if (sum) {
      chain[*sum].choice = {Choice::Approximate, 0, float(bias)};
      chain[result].choice = {Choice::Approximate, num::expand::ScaledDivision,
                              float(bias)};
    } else {
      close.bias = float(1 / bias);
      chain[biased - 1].bits = num::bitCast<uint32_t>(close.bias);
    }
    ratios = findRatios(chain, biased, result, 0, close.most);
    if (close.most < kLeastMost)
      return std::nullopt;
    if (ratios.high * (1 + error) <= 1)
      break;
    bias *= 1 + 0x1p-23;
  }
  // The widening is rounded too.
  const double widen = 1 / (ratios.low * (1 - error) * (1 - kRoundingError));
  close.widen = float(widen);
  if (close.widen < widen)
    close.widen = std::nextafter(close.widen, 2.0f);
  for (unsigned node = 0; node < chain.size(); ++node)
    if (const std::optional<Choice> &choice = chain[node].choice;
        choice && chain[node].kind != ChainNode::Add)
      close.choices.push_back({node, *choice});
  return close;
}
