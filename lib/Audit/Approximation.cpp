// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Approximation.h"

#include <cmath>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::FunctionId;
using sym::Op;

namespace {
/// |result - exact| <= relative * |exact| + absolute + ulps * ulp(exact).
struct Error {
  double relative = 0, absolute = 0;
  unsigned ulps = 0;
  const char *text = "";
};
} // namespace

static Error errorOf(const sym::Expr &e) {
  const bool f32 = e.format == sym::FormatId::F32;
  switch (e.op) {
  case Op::Div:
    return {0, 0, 2, "division: 2 ulp (dividing 1, rcp: 1 ulp)"};
  case Op::Sqrt:
    return {std::ldexp(1, -23), 0, 0, "sqrt: relative error 2^-23"};
  case Op::Function:
    switch (FunctionId(e.index)) {
    case FunctionId::Exp2:
      if (e.format == sym::FormatId::BF16)
        return {std::ldexp(1, -7), 0, 0, "ex2 of bf16: relative error 2^-7"};
      if (e.format == sym::FormatId::F16)
        return {std::exp2(-9.9), 0, 0, "ex2 of f16: relative error 2^-9.9"};
      return {std::ldexp(1, -22), 0, 0, "ex2: relative error 2^-22"};
    case FunctionId::Log2:
      return {std::ldexp(1, -22), std::ldexp(1, -22), 0,
              "lg2: relative and absolute error 2^-22"};
    case FunctionId::Rsqrt:
      return {std::exp2(-22.4), 0, 0, "rsqrt: relative error 2^-22.4"};
    case FunctionId::Tanh:
      if (!f32)
        return {std::ldexp(1, -8), std::exp2(-10.987), 0,
                "tanh of 16 bits: error 2^-8"};
      return {std::ldexp(1, -11), 0, 0, "tanh: relative error 2^-11"};
    case FunctionId::Sin:
    case FunctionId::Cos:
      return {0, std::exp2(-20.5), 0, "sin, cos: absolute error 2^-20.5"};
    default:
      break;
    }
    break;
  default:
    break;
  }
  return {1, 1, 0, "no bound"};
}

std::string prec::audit::describeApproximation(const sym::Expr &e) {
  return errorOf(e).text;
}

/// The number of `f` next to x on the side of `up`.
static uint64_t neighbour(const Format &f, uint64_t x, bool up) {
  if (num::isNaN(f, x) || (num::isInf(f, x) && num::isNegative(f, x) != up))
    return x;
  if (num::isZero(f, x))
    return up ? 1 : f.signMask() | 1;
  return num::isNegative(f, x) == up ? x - 1 : x + 1;
}

void prec::audit::widen(const sym::Expr &e, const Lanes *const in[3], size_t i,
                        Lanes &out) {
  if (out.open[i])
    return;
  const Format &f = *out.format;
  if (num::isNaN(f, out.low[i]) || num::isNaN(f, out.high[i]))
    return; // only where both are, and then the machine gives NaN as well
  // The ISA's table: ex2 of zeros and subnormals is 1.
  if (e.op == Op::Function && FunctionId(e.index) == FunctionId::Exp2 &&
      in[0]->decided(i) && (in[0]->value[i] & f.absMask()) < f.minNormal())
    return;
  Error error = errorOf(e);
  const bool reciprocal = e.op == Op::Div && in[0]->decided(i) &&
                          in[0]->value[i] == uint64_t(f.bias) << f.fracBits;
  if (reciprocal)
    error.ulps = 1;
  if (e.op == Op::Function && (FunctionId(e.index) == FunctionId::Sin ||
                               FunctionId(e.index) == FunctionId::Cos)) {
    // The bound holds between -pi and pi only.
    double x = num::toDouble(f, in[0]->value[i]);
    if (!in[0]->decided(i) || !(std::fabs(x) <= 3.1415)) {
      out.open[i] = 1;
      return;
    }
  }
  for (bool up : {false, true}) {
    uint64_t &end = up ? out.high[i] : out.low[i];
    if (num::isInf(f, end) || num::isZero(f, end))
      continue; // limits and zeros of the functions are exact
    double exact = num::toDouble(f, end);
    double slack = std::fabs(exact) * error.relative + error.absolute;
    double moved = up ? exact + slack : exact - slack;
    // The bits stand for a value up to half an ulp away, so one step more.
    uint64_t bits =
        num::round(num::kF64, num::bitCast<uint64_t>(moved), f,
                   up ? num::Rounding::Upward : num::Rounding::Downward);
    for (unsigned k = 0; k < error.ulps + (error.ulps ? 0 : 1); ++k)
      bits = neighbour(f, bits, up);
    end = bits;
  }
  if (e.op == Op::Div && !reciprocal) {
    // A divisor beyond 2^126 may give zero.
    double y = std::fabs(num::toDouble(f, in[1]->value[i]));
    if (y > std::ldexp(1, 126) && std::isfinite(y)) {
      uint64_t sign = out.value[i] & f.signMask();
      (sign ? out.high[i] : out.low[i]) = sign;
    }
  }
}
