// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NarrowChain.h"

#include "prec/Numerics/Functions.h"
#include "prec/Numerics/NarrowExpansion.h"
#include "prec/Numerics/NativeBuilder.h"
#include "prec/Numerics/Rounding.h"

#include <array>
#include <cmath>

using namespace prec;

namespace {

constexpr unsigned kInputs = 1 << 16;
/// Inputs at a time: values of a chain stay in the cache, and a sequence that
/// is wrong is found out early.
constexpr unsigned kBlock = 1024;

using Block = std::array<float, kBlock>;

} // namespace

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

static void evaluateFunction(const ChainNode &node, bool exact, const Block &x,
                             Block &result) {
  if (exact || !node.sequence) {
    for (unsigned i = 0; i < kBlock; ++i)
      result[i] = correctlyRounded(node, x[i]);
    return;
  }
  num::NativeBuilder b;
  num::expand::NarrowFunctions<num::NativeBuilder> functions(b);
  for (unsigned i = 0; i < kBlock; ++i)
    result[i] =
        functions.apply(node.function, *node.sequence, x[i], node.power);
}

/// The larger or smaller; NaN if either is, and -0 is below +0.
static float extremum(float x, float y, bool larger) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return std::signbit(x) == larger ? y : x;
  return (x < y) == larger ? y : x;
}

static void evaluateNode(const ChainNode &node, unsigned first, const Block &x,
                         const Block &y, const Block &z, Block &result) {
  auto each = [&](auto value) {
    for (unsigned i = 0; i < kBlock; ++i)
      result[i] = value(i);
  };
  switch (node.kind) {
  case ChainNode::InputBF16:
    return each([&](unsigned i) { return num::widenBF16(first + i); });
  case ChainNode::InputF16:
    return each([&](unsigned i) { return num::widenF16(first + i); });
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

/// The values of all nodes for the inputs from `first` on; `exact`: with
/// correctly rounded functions, whatever the nodes say.
static void evaluate(const Chain &chain, bool exact, unsigned first,
                     std::vector<Block> &values) {
  for (unsigned n = 0; n < chain.size(); ++n) {
    const ChainNode &node = chain[n];
    const Block &x = values[node.operands[0]];
    if (node.kind == ChainNode::Function)
      evaluateFunction(node, exact, x, values[n]);
    else
      evaluateNode(node, first, x, values[node.operands[1]],
                   values[node.operands[2]], values[n]);
  }
}

static const num::Format *resultFormat(const ChainNode &node) {
  return node.kind == ChainNode::ToBF16  ? &num::kBF16
         : node.kind == ChainNode::ToF16 ? &num::kF16
                                         : nullptr;
}

std::optional<unsigned> prec::chooseSequence(Chain chain, unsigned function) {
  unsigned count = num::expand::narrowSequences(chain[function].function);
  if (!count)
    return std::nullopt;
  std::vector<Block> values(chain.size());
  std::vector<std::vector<Block>> expected;
  for (unsigned first = 0; first < kInputs; first += kBlock) {
    evaluate(chain, /*exact=*/true, first, values);
    expected.push_back(values);
  }
  auto isRight = [&](unsigned first) {
    evaluate(chain, /*exact=*/false, first, values);
    for (unsigned n = 0; n < chain.size(); ++n) {
      const num::Format *format = resultFormat(chain[n]);
      const Block &wanted = expected[first / kBlock][n];
      for (unsigned i = 0; format && i < kBlock; ++i)
        if (!num::sameValue(*format, uint64_t(values[n][i]),
                            uint64_t(wanted[i])))
          return false;
    }
    return true;
  };
  for (unsigned sequence = 0; sequence < count; ++sequence) {
    chain[function].sequence = sequence;
    bool right = true;
    for (unsigned first = 0; right && first < kInputs; first += kBlock)
      right = isRight(first);
    if (right)
      return sequence;
  }
  return std::nullopt;
}
