// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 functions and divisions by the approximate instructions of a GPU, whose
// bits are not specified, only an error bound: for results that are rounded to
// 16 bits, once it is shown, input by input, that every value within the bounds
// rounds to the right bits. Over a Builder with type F32 and Bool, fma, select,
// f32(float), +, -, * and < as in MathExpansion.h, and
//  - absolute(F32); flipSign(F32, F32): the first, negated where the second is
//    negative;
//  - approximateExp2(F32), approximateReciprocal(F32): what the instruction
//    gives; subnormal operands and results are zeros.
#ifndef PREC_NUMERICS_APPROXIMATEEXPANSION_H
#define PREC_NUMERICS_APPROXIMATEEXPANSION_H

#include "prec/Numerics/MathFunction.h"
#include "prec/Numerics/NarrowConstants.h"

#include <cassert>
#include <cstddef>

namespace prec::num::expand {

/// Ways to divide; a number is a set of them.
enum DivisionForm : unsigned {
  /// The dividend times the approximate reciprocal of the divisor.
  PlainDivision = 0,
  /// The divisor, and then the reciprocal, times 1/4: good up to a divisor of
  /// 2^128, where the instruction would flush the reciprocal to zero.
  QuarterDivision = 1,
  /// Where the chain's input is tiny, the reciprocal is 1/2: that of 1 + e^x,
  /// without an error that would break a tie of subnormal results.
  HalfDivision = 2,
  /// 1 + e^x times a number close to 1, in one step: quotients are moved to one
  /// side of the right ones. Alone.
  ScaledDivision = 4,
};
/// Those whose results are not moved.
constexpr unsigned kDivisionForms = 4;
/// Inputs of a smaller magnitude are tiny.
constexpr float kTinyInput = 0x1p-64f;

/// Ways to compute an exponential; a number is a set of them.
enum ExponentialForm : unsigned {
  PlainExponential = 0,
  /// The offset has the sign of the argument: near 0, values on both sides can
  /// be moved apart.
  SignedOffset = 1,
  /// The square of the exponential of half the argument: results may be
  /// subnormal, which those of the instruction may not.
  SquaredExponential = 2,
};

/// Whether there is an approximation.
constexpr bool isApproximable(MathFunction function) {
  return function == MathFunction::Exp || function == MathFunction::Exp2 ||
         function == MathFunction::Tanh;
}

/// What multiplies the argument of a function to become an exponent of 2, when
/// nothing is tuned.
constexpr float exponentScale(MathFunction function) {
  return function == MathFunction::Exp    ? kNarrowLog2E
         : function == MathFunction::Exp2 ? 1.0f
                                          : 2 * kNarrowLog2E;
}

template <typename Builder> class ApproximateFunctions {
public:
  using F32 = typename Builder::F32;

  explicit ApproximateFunctions(Builder &b) : b(b) {}

  /// `function` of x. A scale a little off exponentScale and an offset a little
  /// off 0 move the results, and with them the few that would be undecided.
  F32 apply(MathFunction function, unsigned form, F32 x, F32 scale,
            F32 offset) {
    if (function == MathFunction::Tanh)
      return tanh(x, scale, offset);
    assert(isApproximable(function));
    return exp(x, form, scale, offset);
  }

  /// 2^(scale * x + offset).
  F32 exp(F32 x, unsigned form, F32 scale, F32 offset) {
    if (form & SignedOffset)
      offset = b.flipSign(offset, x);
    if (!(form & SquaredExponential))
      return b.approximateExp2(b.fma(x, scale, offset));
    F32 half = b.f32(0.5f);
    F32 root = b.approximateExp2(b.fma(x, scale * half, offset * half));
    return root * root;
  }

  /// 1 / divisor.
  F32 reciprocal(F32 divisor, F32 input, unsigned form, F32 quarter) {
    if (form & QuarterDivision)
      divisor = divisor * b.f32(0.25f);
    return scaled(b.approximateReciprocal(divisor), input, form, quarter);
  }

  /// 1 / (1 + sum), the quarter and the sum in one step; the bits are those of
  /// reciprocal because no sum with 1 is subnormal. ScaledDivision: `quarter`
  /// is what the sum is scaled by.
  F32 reciprocalOfOnePlus(F32 sum, F32 input, unsigned form, F32 quarter) {
    if (form & ScaledDivision)
      return b.approximateReciprocal(b.fma(sum, quarter, quarter));
    F32 divisor = form & QuarterDivision
                      ? b.fma(sum, b.f32(0.25f), b.f32(0.25f))
                      : sum + b.f32(1);
    return scaled(b.approximateReciprocal(divisor), input, form, quarter);
  }

private:
  /// The reciprocal itself, given that of what was inverted.
  F32 scaled(F32 result, F32 input, unsigned form, F32 quarter) {
    if (form & QuarterDivision)
      result = result * quarter;
    if (form & HalfDivision)
      result =
          b.select(b.absolute(input) < b.f32(kTinyInput), b.f32(0.5f), result);
    return result;
  }

  /// 1 - 2 / (1 + e^2|x|) with the sign of x, and near 0, where that cancels, a
  /// polynomial.
  F32 tanh(F32 x, F32 scale, F32 offset) {
    F32 abs = b.absolute(x);
    F32 sum = exp(abs, PlainExponential, scale, offset) + b.f32(1);
    F32 large = b.fma(b.approximateReciprocal(sum), b.flipSign(b.f32(-2), x),
                      b.flipSign(b.f32(1), x));
    F32 square = x * x;
    F32 p = b.f32(kNarrowTanh[2]);
    p = b.fma(p, square, b.f32(kNarrowTanh[1]));
    p = b.fma(p, square, b.f32(kNarrowTanh[0]));
    F32 small = x * b.fma(p, square, b.f32(1));
    return b.select(abs < b.f32(kNarrowTanhSmall), small, large);
  }

  Builder &b;
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_APPROXIMATEEXPANSION_H
