// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps in f32 that the expansions have in common, over a Builder as in
// MathExpansion.h.
#ifndef PREC_NUMERICS_F32STEPS_H
#define PREC_NUMERICS_F32STEPS_H

#include "prec/Numerics/MathConstants.h"

#include <cstddef>
#include <cstdint>

namespace prec::num::expand {

template <typename Builder> class F32Steps {
protected:
  using F32 = typename Builder::F32;
  using I32 = typename Builder::I32;
  using Bool = typename Builder::Bool;

  explicit F32Steps(Builder &b) : b(b) {}

  F32 clamp(F32 x, float low, float high) {
    x = b.select(b.f32(high) < x, b.f32(high), x);
    return b.select(x < b.f32(low), b.f32(low), x);
  }

  F32 absolute(F32 x) { return b.float32(b.bits(x) & b.i32(0x7FFFFFFF)); }

  F32 withSignOf(F32 x, F32 magnitude) {
    return b.float32(b.bits(magnitude) | (b.bits(x) & b.i32(0x80000000)));
  }

  /// `result`, or the known result where x is one of the exceptions.
  template <size_t N>
  F32 except(F32 x, F32 result, const Exception (&exceptions)[N]) {
    for (const Exception &e : exceptions)
      result = b.select(b.bits(x) == b.i32(e.input), b.float32(b.i32(e.result)),
                        result);
    return result;
  }

  /// Added to a number below 2^21, rounds it to an integer; the low bits of the
  /// sum are then that integer, plus the exponent bias where that is added too.
  static constexpr float kShift = 0x1.8p23f;

  /// 2^k, given k + 127 + kShift, for k from -126 to 127.
  F32 powerOfTwo(F32 shifted) {
    return b.float32(b.shiftLeft(b.bits(shifted), 23));
  }

  /// p * 2^k, given k + 254 + kShift, for k from -252 to 254, in two steps.
  F32 scaleWide(F32 p, F32 shifted, F32 k) {
    F32 half = b.fma(k, b.f32(0.5f), b.f32(kShift + 127));
    I32 other = b.bits(shifted) - b.bits(half);
    return p * powerOfTwo(half) * b.float32(b.shiftLeft(other, 23));
  }

  struct LogParts {
    F32 exponent, significand;
  };

  /// x = 2^exponent * significand, from sqrt(1/2) to sqrt(2), for normal x > 0.
  LogParts logParts(F32 x) {
    constexpr uint32_t rootHalf = 0x3F3504F3, one = 0x3F800000;
    I32 moved = b.bits(x) + b.i32(one - rootHalf);
    // 2^23 + the biased exponent, as a number.
    I32 field = b.shiftRight(moved, 23) | b.i32(0x4B000000);
    F32 e = b.float32(field) - b.f32(0x1p23f + 127);
    I32 significand = (moved & b.i32(0x007FFFFF)) + b.i32(rootHalf);
    return {e, b.float32(significand)};
  }

  /// The same for subnormal x too.
  LogParts wideLogParts(F32 x) {
    Bool subnormal = x < b.f32(0x1p-126f);
    auto [e, m] = logParts(b.select(subnormal, x * b.f32(0x1p24f), x));
    return {b.select(subnormal, e - b.f32(24), e), m};
  }

  /// `result` where x > pole, and what a logarithm is elsewhere.
  F32 logDomain(F32 x, float pole, F32 result) {
    result = b.select(x < b.f32(__builtin_inff()), result, x); // and NaN
    result = b.select(x == b.f32(pole), b.f32(-__builtin_inff()), result);
    return b.select(x < b.f32(pole), b.f32(__builtin_nanf("")), result);
  }

  Builder &b;
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_F32STEPS_H
