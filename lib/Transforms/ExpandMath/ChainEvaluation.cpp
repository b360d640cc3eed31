// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChainEvaluation.h"

#include "prec/Numerics/ApproximateExpansion.h"
#include "prec/Numerics/ExactExpansion.h"
#include "prec/Numerics/Functions.h"
#include "prec/Numerics/NarrowExpansion.h"
#include "prec/Numerics/NativeBuilder.h"
#include "prec/Numerics/Rounding.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace prec;

// With the machine's fused multiply-add, if it has one: each is a call
// otherwise. The bits are the same.
#if defined(__x86_64__) && defined(__ELF__)
#define PREC_USES_FMA                                                          \
  __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
#else
#define PREC_USES_FMA
#endif

using Block = ChainBlock<float>;
using Intervals = ChainBlock<Interval>;

/// The larger or smaller; NaN if either is, and -0 is below +0.
static float extremum(float x, float y, bool larger) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return std::signbit(x) == larger ? y : x;
  return (x < y) == larger ? y : x;
}

namespace {

/// The builder of ExactExpansion.h for one outcome.
struct OutcomeBuilder : num::NativeBuilder {
  explicit OutcomeBuilder(int outcome) : outcome(outcome) {}

  F32 absolute(F32 x) { return std::fabs(x); }
  F32 maximum(F32 x, F32 y) { return extremum(x, y, true); }
  F32 minimumNumber(F32 x, F32 y) { return x < y ? x : y; }
  F64 scaleByPowerOfTwo(F64 x, F64 shifted) {
    return float64(bits(x) + (bits(shifted) << 52));
  }
  F32 approximateReciprocal(F32 x) {
    auto flush = [](float y) {
      return std::fabs(y) < 0x1p-126f ? std::copysign(0.0f, y) : y;
    };
    float nearest = 1 / flush(x);
    if (nearest == 0 || !(std::fabs(nearest) < INFINITY))
      return nearest;
    float result = ofRank(rankOf(nearest) + outcome);
    // More than one unit off is only what is within the relative error.
    double exact = 1 / double(x);
    if (std::abs(outcome) > 1 &&
        std::fabs(result - exact) > 0x1p-23 * std::fabs(exact))
      result = ofRank(rankOf(nearest) + (outcome > 0 ? 1 : -1));
    return flush(result);
  }

  int outcome;
};

using Exact = num::expand::ExactFunctions<OutcomeBuilder>;

} // namespace

/// Whether the numbers of the chain's input are bf16.
static bool isBF16(const Chain &chain) {
  return std::any_of(chain.begin(), chain.end(), [](const ChainNode &node) {
    return node.kind == ChainNode::InputBF16;
  });
}

static float correctlyRounded(const ChainNode &node, float x) {
  namespace cr = num::cr;
  switch (node.function) {
  case num::MathFunction::Exp:
    return cr::exp(x);
  case num::MathFunction::Exp2:
    return cr::exp2(x);
  case num::MathFunction::Expm1:
    return cr::expm1(x);
  case num::MathFunction::Log:
    return cr::log(x);
  case num::MathFunction::Log2:
    return cr::log2(x);
  case num::MathFunction::Log10:
    return cr::log10(x);
  case num::MathFunction::Log1p:
    return cr::log1p(x);
  case num::MathFunction::Tanh:
    return cr::tanh(x);
  case num::MathFunction::Erf:
    return cr::erf(x);
  case num::MathFunction::Sin:
    return cr::sin(x);
  case num::MathFunction::Cos:
    return cr::cos(x);
  case num::MathFunction::Rsqrt:
    return cr::rsqrt(x);
  case num::MathFunction::Powi:
    return cr::powi(x, node.power);
  }
  return x;
}

/// An exponential, 1 plus it or a quotient by that, as ExactFunctions has it.
static void evaluateExact(const Chain &chain, const ChainNode &node,
                          int outcome, const Block &x, const Block &y,
                          unsigned count, Block &result) {
  OutcomeBuilder b(outcome);
  Exact functions(b);
  const unsigned form = node.choice->index;
  if (node.kind == ChainNode::Function && form == num::expand::Limited) {
    const bool bf16 = isBF16(chain);
    for (unsigned i = 0; i < kChainBlock; ++i)
      result[i] = functions.limitedExp(x[i], 1, bf16);
    return;
  }
  if (node.kind == ChainNode::Function) {
    const bool bf16 = isBF16(chain);
    const float limit = num::expand::exactExpLimit(form);
    for (unsigned i = 0; i < kChainBlock; ++i) {
      float magnitude = std::fabs(x[i]);
      magnitude = magnitude < limit ? magnitude : limit;
      result[i] = functions.exp(std::copysign(magnitude, x[i]), 1, bf16, form);
      if (form & num::expand::KeepNaN && !(form & num::expand::Quarter))
        result[i] = functions.keepNaN(result[i], x[i]);
    }
    return;
  }
  if (node.kind == ChainNode::Add) {
    for (unsigned i = 0; i < count; ++i)
      result[i] = functions.quarterOfOnePlus(x[i], y[i], form);
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    if (form & num::expand::Quarter) {
      float r = b.approximateReciprocal(y[i]);
      result[i] = functions.reciprocal(y[i], r);
    } else {
      float r = b.approximateReciprocal(y[i] * 0.25f);
      result[i] = functions.quotient(x[i], y[i], r);
    }
  }
}

static void evaluateFunction(const ChainNode &node, bool exact, const Block &x,
                             unsigned count, Block &result) {
  if (exact || !node.choice) {
    for (unsigned i = 0; i < count; ++i)
      result[i] = correctlyRounded(node, x[i]);
    return;
  }
  assert(node.choice->kind == Choice::Sequence && "has bounds only");
  num::NativeBuilder b;
  num::expand::NarrowFunctions<num::NativeBuilder> functions(b);
  for (unsigned i = 0; i < kChainBlock; ++i)
    result[i] =
        functions.apply(node.function, node.choice->index, x[i], node.power);
}

static void evaluateNode(const ChainNode &node,
                         const std::vector<uint16_t> &inputs, const Block &x,
                         const Block &y, const Block &z, Block &result) {
  const auto count = unsigned(inputs.size());
  auto each = [&](auto value) {
    for (unsigned i = 0; i < count; ++i)
      result[i] = value(i);
  };
  switch (node.kind) {
  case ChainNode::InputBF16:
    return each([&](unsigned i) { return num::widenBF16(inputs[i]); });
  case ChainNode::InputF16:
    return each([&](unsigned i) { return num::widenF16(inputs[i]); });
  case ChainNode::Constant:
    return each([&](unsigned) { return num::bitCast<float>(node.bits); });
  case ChainNode::Add:
    return each([&](unsigned i) { return x[i] + y[i]; });
  case ChainNode::Sub:
    return each([&](unsigned i) { return x[i] - y[i]; });
  case ChainNode::Mul:
    return each([&](unsigned i) { return x[i] * y[i]; });
  case ChainNode::Div:
    return each([&](unsigned i) { return x[i] / y[i]; });
  case ChainNode::Neg:
    return each([&](unsigned i) { return -x[i]; });
  case ChainNode::Abs:
    return each([&](unsigned i) { return std::fabs(x[i]); });
  case ChainNode::Sqrt:
    return each([&](unsigned i) { return std::sqrt(x[i]); });
  case ChainNode::Fma:
    return each([&](unsigned i) { return std::fma(x[i], y[i], z[i]); });
  case ChainNode::Maximum:
    return each([&](unsigned i) { return extremum(x[i], y[i], true); });
  case ChainNode::Minimum:
    return each([&](unsigned i) { return extremum(x[i], y[i], false); });
  case ChainNode::Less:
    return each([&](unsigned i) { return float(x[i] < y[i]); });
  case ChainNode::LessEqual:
    return each([&](unsigned i) { return float(x[i] <= y[i]); });
  case ChainNode::Equal:
    return each([&](unsigned i) { return float(x[i] == y[i]); });
  case ChainNode::Not:
    return each([&](unsigned i) { return 1 - x[i]; });
  case ChainNode::Select:
    return each([&](unsigned i) { return x[i] != 0 ? y[i] : z[i]; });
  case ChainNode::ToBF16: // 16-bit integers are exact
    return each([&](unsigned i) { return float(num::roundToBF16(x[i])); });
  case ChainNode::ToF16:
    return each([&](unsigned i) { return float(num::roundToF16(x[i])); });
  case ChainNode::Function:
    return;
  }
}

PREC_USES_FMA void prec::evaluate(const Chain &chain, bool exact,
                                  const std::vector<uint16_t> &inputs,
                                  std::vector<Block> &values, int outcome,
                                  unsigned first) {
  values.resize(chain.size());
  for (unsigned n = first; n < chain.size(); ++n) {
    const ChainNode &node = chain[n];
    const Block &x = values[node.operands[0]];
    if (!exact && node.choice && node.choice->kind == Choice::Exact)
      evaluateExact(chain, node, outcome, x, values[node.operands[1]],
                    inputs.size(), values[n]);
    else if (node.kind == ChainNode::Function)
      evaluateFunction(node, exact, x, inputs.size(), values[n]);
    else
      evaluateNode(node, inputs, x, values[node.operands[1]],
                   values[node.operands[2]], values[n]);
  }
}

const num::Format *prec::resultFormat(const ChainNode &node) {
  return node.kind == ChainNode::ToBF16  ? &num::kBF16
         : node.kind == ChainNode::ToF16 ? &num::kF16
                                         : nullptr;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Numbers that a sequence is tried on one by one, at most: it need not be
/// monotone.
static constexpr int64_t kMaxNumbers = 64;

/// All scales of a choice.
static Interval scaleOf(const Choice &c) {
  return {ofRank(rankOf(c.scale) - c.scaleRange),
          ofRank(rankOf(c.scale) + c.scaleRange)};
}

static Interval boundFunction(const ChainNode &node, Interval x) {
  if (x.open)
    return x;
  if (node.choice && node.choice->kind == Choice::Approximate) {
    const Choice &c = *node.choice;
    IntervalBuilder b;
    Interval offset{c.offset - c.offsetRange, c.offset + c.offsetRange};
    return num::expand::ApproximateFunctions<IntervalBuilder>(b).apply(
        node.function, c.index, x, scaleOf(c), offset);
  }
  num::NativeBuilder b;
  num::expand::NarrowFunctions<num::NativeBuilder> functions(b);
  auto value = [&](float u) {
    return node.choice ? functions.apply(node.function, node.choice->index, u,
                                         node.power)
                       : correctlyRounded(node, u);
  };
  if (x.isPoint() || x.isNaN())
    return Interval::point(value(x.low));
  const int64_t first = rankOf(x.low), last = rankOf(x.high);
  if (last - first >= kMaxNumbers)
    return {x.low, x.high, true};
  Hull hull;
  for (int64_t rank = first; rank <= last; ++rank)
    hull.add(value(ofRank(int32_t(rank))));
  return hull.get();
}

static Interval boundDivision(const ChainNode &node, Interval x, Interval y,
                              Interval input) {
  IntervalBuilder b;
  if (node.choice) {
    num::expand::ApproximateFunctions<IntervalBuilder> functions(b);
    const Interval quarter = scaleOf(*node.choice);
    if (!node.choice->anyForm)
      return x * functions.reciprocal(y, input, node.choice->index, quarter);
    Hull hull;
    bool open = false;
    // The last ones differ for tiny inputs alone.
    const unsigned forms = std::fabs(input.low) < num::expand::kTinyInput
                               ? num::expand::kDivisionForms
                               : num::expand::HalfDivision;
    for (unsigned form = 0; form < forms; ++form) {
      Interval one = functions.reciprocal(y, input, form, quarter);
      hull.add(one.low);
      hull.add(one.high);
      open |= one.open;
    }
    Interval any = hull.get();
    any.open |= open;
    return x * any;
  }
  bool crossesZero =
      std::signbit(y.low) != std::signbit(y.high) || y.low == 0 || y.high == 0;
  Interval result = monotone(x, y, [](float u, float v) { return u / v; });
  result.open |= !y.isPoint() && crossesZero;
  return result;
}

/// 1 plus x or y, times the scale, as ScaledDivision has it.
static Interval boundScaledSum(const Choice &choice, Interval x, Interval y) {
  const bool isFirst = x.isPoint() && x.low == 1;
  const Interval scale = Interval::point(choice.scale);
  return IntervalBuilder().fma(isFirst ? y : x, scale, scale);
}

/// One number or, where the bounds do not say, both.
static Interval truth(bool canBeTrue, bool canBeFalse) {
  return {canBeFalse ? 0.0f : 1.0f, canBeTrue ? 1.0f : 0.0f};
}

static Interval boundComparison(ChainNode::Kind kind, Interval x, Interval y) {
  if (x.open || y.open)
    return truth(true, true);
  bool known = x.isPoint() && y.isPoint();
  switch (kind) {
  case ChainNode::Less:
    return truth(x.low < y.high, !(x.high < y.low));
  case ChainNode::LessEqual:
    return truth(x.low <= y.high, !(x.high <= y.low));
  default: // equal
    return truth(x.low <= y.high && y.low <= x.high,
                 !known || !(x.low == y.low));
  }
}

static Interval boundRounding(const num::Format &format, Interval x) {
  auto round = [&](float value) {
    return &format == &num::kBF16 ? float(num::roundToBF16(value))
                                  : float(num::roundToF16(value));
  };
  float low = round(x.low), high = round(x.high);
  return {low, high, x.open || low != high};
}

static Interval boundNode(const ChainNode &node, uint16_t bits, Interval x,
                          Interval y, Interval z, Interval input) {
  IntervalBuilder b;
  switch (node.kind) {
  case ChainNode::InputBF16:
    return Interval::point(num::widenBF16(bits));
  case ChainNode::InputF16:
    return Interval::point(num::widenF16(bits));
  case ChainNode::Constant:
    return Interval::point(num::bitCast<float>(node.bits));
  case ChainNode::Add:
    return node.choice ? boundScaledSum(*node.choice, x, y) : x + y;
  case ChainNode::Sub:
    return x - y;
  case ChainNode::Mul:
    return x * y;
  case ChainNode::Div:
    return boundDivision(node, x, y, input);
  case ChainNode::Neg:
    return monotone(x, [](float u) { return -u; });
  case ChainNode::Abs:
    return b.absolute(x);
  case ChainNode::Sqrt:
    return monotone(x, [](float u) { return std::sqrt(u); });
  case ChainNode::Fma:
    return b.fma(x, y, z);
  case ChainNode::Maximum:
    return monotone(x, y,
                    [](float u, float v) { return extremum(u, v, true); });
  case ChainNode::Minimum:
    return monotone(x, y,
                    [](float u, float v) { return extremum(u, v, false); });
  case ChainNode::Less:
  case ChainNode::LessEqual:
  case ChainNode::Equal:
    return boundComparison(node.kind, x, y);
  case ChainNode::Not:
    return Interval::point(1) - x;
  case ChainNode::Select:
    return b.select({x.high != 0, x.low == 0}, y, z);
  case ChainNode::Function:
    return boundFunction(node, x);
  case ChainNode::ToBF16:
  case ChainNode::ToF16:
    return boundRounding(*resultFormat(node), x);
  }
  return x;
}

void prec::evaluate(const Chain &chain, const std::vector<uint16_t> &inputs,
                    std::vector<Intervals> &values) {
  values.resize(chain.size());
  unsigned input = 0;
  for (unsigned n = 0; n < chain.size(); ++n) {
    const ChainNode &node = chain[n];
    if (node.kind == ChainNode::InputBF16 || node.kind == ChainNode::InputF16)
      input = n;
    const Intervals &x = values[node.operands[0]],
                    &y = values[node.operands[1]],
                    &z = values[node.operands[2]], &in = values[input];
    for (unsigned i = 0; i < inputs.size(); ++i)
      values[n][i] = boundNode(node, inputs[i], x[i], y[i], z[i], in[i]);
  }
}
