// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Functions.h"
#include "prec/Symbolic/Graph.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

using namespace prec;
using namespace prec::sym;

static uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

/// A function correctly rounded to f32 and, in a narrower format, rounded
/// again to it.
static uint64_t applyFunction(FunctionId id, const num::Format &f, uint64_t a) {
  using Fn = float (*)(float);
  static const Fn functions[] = {num::cr::exp,   num::cr::exp2, num::cr::expm1,
                                 num::cr::log,   num::cr::log2, num::cr::log10,
                                 num::cr::log1p, num::cr::tanh, num::cr::erf,
                                 num::cr::sin,   num::cr::cos,  num::cr::rsqrt};
  if (f == num::kF64)
    // Only the reciprocal square root exists in f64, as an approximation.
    return num::div(f, uint64_t(f.bias) << f.fracBits, num::sqrt(f, a));
  uint64_t wide = num::round(f, a, num::kF32);
  float y = functions[unsigned(id)](num::bitCast<float>(uint32_t(wide)));
  return num::round(num::kF32, num::bitCast<uint32_t>(y), f);
}

static uint64_t roundedInteger(const num::Format &f, bool isSigned,
                               unsigned width, num::Rounding rounding,
                               uint64_t a) {
  if (num::isNaN(f, a))
    return 0;
  double value = num::toDouble(f, num::roundToIntegral(f, a, rounding));
  double end = std::ldexp(1.0, int(width) - int(isSigned));
  if (value >= end)
    return maskOf(width - isSigned);
  if (!isSigned)
    return value <= 0 ? 0 : uint64_t(value);
  if (value <= -end)
    return uint64_t(1) << (width - 1);
  return uint64_t(int64_t(value)) & maskOf(width);
}

uint64_t Graph::apply(const Expr &e, uint64_t a, uint64_t b, uint64_t c) const {
  static const num::Format none = num::kF32;
  const num::Format &f =
      e.format == FormatId::None ? none : *formatOf(e.format);
  const uint64_t top = uint64_t(1) << (e.width - 1);
  switch (e.op) {
  case Op::Constant:
    return e.bits;
  case Op::Leaf:
  case Op::Undefined:
    return 0;
  case Op::Add:
    return num::add(f, a, b, e.rounding);
  case Op::Sub:
    return num::sub(f, a, b, e.rounding);
  case Op::Mul:
    return num::mul(f, a, b, e.rounding);
  case Op::Div:
    return num::div(f, a, b, e.rounding);
  case Op::Fma:
    return num::fma(f, a, b, c, e.rounding);
  case Op::Sqrt:
    return num::sqrt(f, a, e.rounding);
  case Op::Minimum:
    return num::minimum(f, a, b);
  case Op::Maximum:
    return num::maximum(f, a, b);
  case Op::MinNum:
    return num::minimumNumber(f, a, b);
  case Op::MaxNum:
    return num::maximumNumber(f, a, b);
  case Op::Neg:
    return a ^ top;
  case Op::Abs:
    return a & ~top;
  case Op::CopySign:
    return (a & f.absMask()) | (b & f.signMask());
  case Op::Flush:
    return num::isSubnormal(f, a) ? a & f.signMask() : a;
  case Op::Saturate: {
    uint64_t one = uint64_t(f.bias) << f.fracBits;
    if (num::isNaN(f, a) || num::isNegative(f, a))
      return 0;
    return std::min(a, one);
  }
  case Op::Relu:
    return !num::isNaN(f, a) && num::isNegative(f, a) ? 0 : a;
  case Op::Convert:
    // Exact, and the only conversion that is a shift of bits, NaN included.
    if (e.format == FormatId::BF16 && e.to == FormatId::F32)
      return a << 16;
    return num::round(f, a, *formatOf(e.to), e.rounding, e.index != 0);
  case Op::RoundIntegral:
    return num::roundToIntegral(f, a, e.rounding);
  case Op::FromInteger: {
    unsigned unused = 64 - unsigned(e.bits);
    return e.index
               ? num::fromSigned(f, int64_t(a << unused) >> unused, e.rounding)
               : num::fromUnsigned(f, a, e.rounding);
  }
  case Op::ToInteger:
    return roundedInteger(f, e.index != 0, e.width, e.rounding, a);
  case Op::Function:
    return applyFunction(FunctionId(e.index), f, a);
  case Op::Compare:
    return e.index >> unsigned(num::compare(f, a, b)) & 1;
  case Op::Concat:
    return a << nodes[e.operands[1]].width | b;
  case Op::Extract:
    return a >> e.index & maskOf(e.width);
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Not:
    return ~a & maskOf(e.width);
  case Op::Equal:
    return a == b;
  case Op::Choice:
    return a & 1 ? b : c;
  case Op::Opaque:
    return opaques[e.index].second(a, b, c) & maskOf(e.width);
  }
  return 0;
}

std::vector<Node> prec::sym::reachable(const Graph &graph,
                                       const std::vector<Node> &roots) {
  std::unordered_set<Node> seen;
  std::vector<Node> stack(roots), order;
  while (!stack.empty()) {
    Node n = stack.back();
    stack.pop_back();
    if (n == 0 || !seen.insert(n).second)
      continue;
    order.push_back(n);
    for (Node operand : graph[n].operands)
      stack.push_back(operand);
  }
  // Operands come before their users in the numbering.
  std::sort(order.begin(), order.end());
  return order;
}

Evaluator::Evaluator(const Graph &graph, const std::vector<Node> &roots)
    : graph(graph), roots(roots), order(reachable(graph, roots)) {
  for (uint32_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    if (graph[order[k]].op == Op::Leaf)
      leafNodes.push_back(order[k]);
    std::array<uint32_t, 3> at{0, 0, 0};
    for (unsigned o = 0; o < 3; ++o)
      if (Node operand = graph[order[k]].operands[o])
        at[o] = place.at(operand);
    operandPlaces.push_back(at);
  }
  values.resize(order.size());
}

std::vector<uint64_t>
Evaluator::operator()(const std::vector<uint64_t> &leafValues) {
  // Which values an undefined one decides: through everything but the side of
  // a choice that is not taken.
  std::vector<bool> tainted(order.size());
  size_t leaf = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const Expr &e = graph[order[k]];
    if (e.op == Op::Leaf) {
      values[k] = leafValues[leaf++];
      continue;
    }
    const auto &at = operandPlaces[k];
    values[k] = graph.apply(e, values[at[0]], values[at[1]], values[at[2]]);
    bool bad = e.op == Op::Undefined;
    if (e.op == Op::Choice)
      bad = tainted[at[0]] || tainted[values[at[0]] & 1 ? at[1] : at[2]];
    else
      for (unsigned o = 0; o < 3; ++o)
        bad = bad || (e.operands[o] && tainted[at[o]]);
    tainted[k] = bad;
  }
  undefined = false;
  std::vector<uint64_t> out;
  for (Node root : roots) {
    out.push_back(values[place.at(root)]);
    undefined = undefined || tainted[place.at(root)];
  }
  return out;
}
