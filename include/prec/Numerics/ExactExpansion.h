// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponential of a 16-bit number and quotients by 1 plus it, correctly
// rounded to f32, in about half the steps that any f32 argument needs: the
// coefficients are made for the inputs of one format, and a reciprocal of which
// only a bound is known is refined until its error is gone. All of it holds
// once it is run on all inputs, with each result that the reciprocal may give.
// Over a Builder as in MathExpansion.h, which also has
//  - fma(F32, F32, F32), absolute(F32), and - before an F32;
//  - scaleByPowerOfTwo(F64 x, F64 shifted): x times 2^n, where n is the low
//    half of `shifted`'s bits as an integer: n is added to the exponent;
//  - maximum(F32, F32): NaN if either is; minimumNumber(F32, F32): the other
//    one if either is;
//  - approximateReciprocal(F32): within a unit in the last place or so, as a
//    GPU gives it; subnormal operands and results are zeros.
#ifndef PREC_NUMERICS_EXACTEXPANSION_H
#define PREC_NUMERICS_EXACTEXPANSION_H

#include "prec/Numerics/F32Steps.h"
#include "prec/Numerics/NarrowConstants.h"

#include <cstddef>

namespace prec::num::expand {

/// Ways to compute an exponential, and a quotient by 1 plus it; a number is a
/// set of them.
enum ExactForm : unsigned {
  /// NaN inputs are taken care of. Else the exponential of NaN is any number.
  /// That is enough where the dividend is the input.
  KeepNaN = 1,
  /// The exponential is a quarter of itself, for reciprocals of 1 plus it:
  /// those of sums up to 2^128 are not flushed to zero then, and those of sums
  /// beyond, which f32 has as infinity, are.
  Quarter = 2,
  /// For processors: the argument is limited in f32, by comparisons that keep
  /// NaN. Alone.
  Limited = 4,
};

/// The magnitude that the argument of `exp` is limited to: a quarter of the
/// exponential of this is finite in f32 and more than 2^126; without a quarter
/// the exponential of it rounds to infinity, and of its negative to zero.
constexpr float exactExpLimit(unsigned form) {
  return form & Quarter ? 90.0f : 104.0f;
}

template <typename Builder> class ExactFunctions : F32Steps<Builder> {
  using Steps = F32Steps<Builder>;
  using Steps::b;

public:
  using F32 = typename Builder::F32;
  using F64 = typename Builder::F64;

  explicit ExactFunctions(Builder &b) : Steps(b) {}

  /// e^(sign * x) for any number x of bf16 or f16, and NaN, in the form
  /// Limited.
  F32 limitedExp(F32 x, float sign, bool isBF16) {
    const float limit = exactExpLimit(Limited);
    return exp(b.extend(this->clamp(x, -limit, limit)), sign, isBF16, Limited);
  }

  /// e^(sign * x) for a number x of bf16 or f16 of at most exactExpLimit.
  F32 exp(F64 x, float sign, bool isBF16, unsigned form) {
    const double (&c)[8] = isBF16 ? kExactExpBF16 : kExactExpF16;
    F64 shift = b.f64(0x1.8p52);
    F64 shifted = b.fma(x, b.f64(sign * kExactLog2E), shift);
    F64 n = shifted - shift;
    // sign times the rest, which is at most a little more than ln(2)/2.
    F64 r = b.fma(n, b.f64(-sign * kExactLn2), x);
    const double scale = form & Quarter ? 0.25 : 1;
    auto coefficient = [&](size_t i) {
      return b.f64((i % 2 ? sign : 1) * scale * c[i]);
    };
    F64 value = coefficient(7);
    for (size_t i = 7; i-- > 0;)
      value = b.fma(value, r, coefficient(i));
    return b.truncate(b.scaleByPowerOfTwo(value, shifted));
  }

  /// A result that is not negative, or NaN if `input` is.
  F32 keepNaN(F32 result, F32 input) {
    return b.maximum(result, -b.absolute(input));
  }

  /// A quarter of 1 + e^x, given a quarter of e^x.
  F32 quarterOfOnePlus(F32 quarter, F32 input, unsigned form) {
    F32 sum = quarter + b.f32(0.25f);
    return form & KeepNaN ? keepNaN(sum, input) : sum;
  }

  /// x / s, given an approximation of 4/s, which is zero from s = 2^128 on. The
  /// rest has the sign that keeps -0; it is NaN where x or s is infinite.
  F32 quotient(F32 x, F32 s, F32 reciprocal) {
    F32 q = x * (reciprocal * b.f32(0.25f * kBelow));
    F32 rest = b.fma(q, s, -x);
    rest = b.minimumNumber(rest, b.f32(0x1.fffffep127f));
    return b.fma(-rest, reciprocal * b.f32(0.25f * kAbove), q);
  }

  /// 1 / s, given s/4 and the same.
  F32 reciprocal(F32 quarter, F32 reciprocal) {
    F32 below = reciprocal * b.f32(kBelow);
    F32 error = b.fma(-quarter, below, b.f32(1));
    F32 result = b.fma(error, reciprocal * b.f32(kAbove), below);
    return result * b.f32(0.25f);
  }

private:
  /// A reciprocal that is surely too small, by a, and one that is surely too
  /// large, by b, make a quotient that is too large by a * b, 2^-44 to 2^-41.
  /// One and the same would make it too small by a * a, on the wrong side of
  /// the ties that quotients of numbers of few bits by sums near 2 are just
  /// above.
  static constexpr float kBelow = 1 - 0x1p-21f, kAbove = 1 + 0x1p-21f;
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_EXACTEXPANSION_H
