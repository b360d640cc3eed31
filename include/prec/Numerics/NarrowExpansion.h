// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 functions as short sequences of f32 operations, good to about 20 to 24
// bits: what a result that is rounded to 16 bits may be computed with once it
// is shown, input by input, that the rounded bits are right. Over a Builder as
// in MathExpansion.h, which also has
//  - fma(F32, F32, F32), shiftLeft(I32, unsigned) and shiftRight(I32,
//  unsigned).
// A NaN argument gives a NaN whatever its payload, so what holds with the
// payloads of one machine holds with those of another.
#ifndef PREC_NUMERICS_NARROWEXPANSION_H
#define PREC_NUMERICS_NARROWEXPANSION_H

#include "prec/Numerics/F32Steps.h"
#include "prec/Numerics/MathFunction.h"
#include "prec/Numerics/NarrowConstants.h"

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace prec::num::expand {

/// How many sequences there are for a function; cheaper ones come first.
constexpr unsigned narrowSequences(MathFunction function) {
  switch (function) {
  case MathFunction::Exp:
    return 8;
  case MathFunction::Exp2:
  case MathFunction::Expm1:
  case MathFunction::Tanh:
  case MathFunction::Log:
  case MathFunction::Log1p:
    return 2;
  case MathFunction::Rsqrt:
  case MathFunction::Powi:
    return 1;
  default:
    return 0;
  }
}

/// Whether the last step of a sequence is a product with a power of two that is
/// exact unless it overflows.
constexpr bool isExactProduct(MathFunction function, unsigned sequence) {
  return function == MathFunction::Exp && sequence < 4;
}

/// The sequences; `b` is the builder that everything is computed with.
template <typename Builder> class NarrowFunctions : F32Steps<Builder> {
  using Steps = F32Steps<Builder>;
  using Steps::b, Steps::clamp, Steps::kShift, Steps::logDomain,
      Steps::logParts, Steps::powerOfTwo, Steps::scaleWide, Steps::wideLogParts,
      Steps::withSignOf;

public:
  using F32 = typename Builder::F32;
  using I32 = typename Builder::I32;

  explicit NarrowFunctions(Builder &b) : Steps(b) {}

  /// Sequence number `sequence` of `function` (below narrowSequences); `power`
  /// is the exponent of Powi.
  F32 apply(MathFunction function, unsigned sequence, F32 x, int power = 0) {
    switch (function) {
    case MathFunction::Exp:
      return exp(x, sequence, /*sign=*/1);
    case MathFunction::Exp2:
      return exp2(x, sequence);
    case MathFunction::Expm1:
      return expm1(x, sequence);
    case MathFunction::Tanh:
      return tanh(x, sequence);
    case MathFunction::Log:
      return log(x, sequence);
    case MathFunction::Log1p:
      return log1p(x, sequence);
    case MathFunction::Rsqrt:
      return b.f32(1) / b.sqrt(x);
    case MathFunction::Powi:
      return powi(x, power);
    default:
      assert(false && "has no sequence");
      return x;
    }
  }

  /// What apply gives for Exp and -x, bit for bit, with one operation less: all
  /// constants that x is multiplied with change sign.
  F32 expOfMinus(unsigned sequence, F32 x) {
    return exp(x, sequence, /*sign=*/-1);
  }

private:
  /// The first half gives no subnormal results (what e^x is below 2^-125 does
  /// not matter where 1 is added to it). In each half the polynomial's degree
  /// grows, first with ln(2) as one number, then as two.
  F32 exp(F32 x, unsigned sequence, float sign) {
    bool wide = sequence >= 4;
    bool hasLow = sequence % 2 == 1;
    float low = wide ? -104.0f : -86.5f, high = 89.0f;
    x = sign > 0 ? clamp(x, low, high) : clamp(x, -high, -low);
    F32 shift = b.f32(kShift + (wide ? 254 : 126));
    F32 shifted = b.fma(x, b.f32(sign * kNarrowLog2E), shift);
    F32 k = shifted - shift;
    float ln2 = hasLow ? kNarrowLn2High : kNarrowLn2;
    F32 r = b.fma(k, b.f32(-sign * ln2), x);
    if (hasLow)
      r = b.fma(k, b.f32(-sign * kNarrowLn2Low), r);
    F32 p = sequence % 4 < 2 ? onePlus(kNarrowExp5, r, !wide, sign)
                             : onePlus(kNarrowExp6, r, !wide, sign);
    return wide ? scaleWide(p, shifted, k) : scaleHalf(p, shifted);
  }

  F32 exp2(F32 x, unsigned sequence) {
    bool wide = sequence == 1;
    x = clamp(x, wide ? -151.0f : -125.0f, 129.0f);
    F32 shift = b.f32(kShift + (wide ? 254 : 126));
    F32 shifted = x + shift;
    F32 k = shifted - shift;
    F32 p = onePlus(kNarrowExp2, x - k, !wide);
    return wide ? scaleWide(p, shifted, k) : scaleHalf(p, shifted);
  }

  struct ExpParts {
    F32 scale, rest;
  };

  /// e^x = scale * (1 + rest) for x from -60 to 88. NaN goes into rest.
  ExpParts expParts(F32 x, unsigned sequence) {
    F32 shift = b.f32(kShift + 127);
    F32 shifted = b.fma(x, b.f32(kNarrowLog2E), shift);
    F32 k = shifted - shift;
    F32 r = b.fma(k, b.f32(-kNarrowLn2High), x);
    r = b.fma(k, b.f32(-kNarrowLn2Low), r);
    // r + r^2 (...), which is good near 0 too.
    F32 p = sequence == 0 ? polynomial(kNarrowExpRest6, r)
                          : polynomial(kNarrowExpRest7, r);
    return {powerOfTwo(shifted), b.fma(r * r, p, r)};
  }

  F32 expm1(F32 x, unsigned sequence) {
    // Results beyond 2^127 are none of this sequence's.
    auto [scale, rest] = expParts(clamp(x, -20.0f, 88.0f), sequence);
    return withSignOf(x, b.fma(scale, rest, scale - b.f32(1)));
  }

  F32 tanh(F32 x, unsigned sequence) {
    F32 clamped = clamp(x, -10.0f, 10.0f);
    auto [scale, rest] = expParts(clamped + clamped, sequence);
    F32 numerator = b.fma(scale, rest, scale - b.f32(1));
    F32 denominator = b.fma(scale, rest, scale + b.f32(1));
    return withSignOf(x, numerator / denominator);
  }

  /// ln(2^e * (1 + f)).
  F32 naturalLog(F32 e, F32 f, unsigned sequence) {
    F32 p =
        sequence == 0 ? polynomial(kNarrowLog6, f) : polynomial(kNarrowLog8, f);
    F32 rest = b.fma(f * f, p, e * b.f32(kNarrowLn2Low));
    return b.fma(e, b.f32(kNarrowLn2High), f + rest);
  }

  F32 log(F32 x, unsigned sequence) {
    auto [e, m] = wideLogParts(x);
    return logDomain(x, 0.0f, naturalLog(e, m - b.f32(1), sequence));
  }

  F32 log1p(F32 x, unsigned sequence) {
    auto [e, m] = logParts(x + b.f32(1));
    // Near 1 the sum is not exact, but the argument itself is at hand.
    F32 f = b.select(e == b.f32(0), x, m - b.f32(1));
    return logDomain(x, -1.0f, withSignOf(x, naturalLog(e, f, sequence)));
  }

  F32 powi(F32 x, int n) {
    F32 power = x;
    for (int i = 1, count = n < 0 ? -n : n; i < count; ++i)
      power = power * x;
    if (n == 0)
      return b.f32(1);
    return n < 0 ? b.f32(1) / power : power;
  }

  template <size_t N> F32 polynomial(const float (&c)[N], F32 x) {
    F32 value = b.f32(c[N - 1]);
    for (size_t i = N - 1; i-- > 0;)
      value = b.fma(value, x, b.f32(c[i]));
    return value;
  }

  /// 1 + y (c[0] + c[1] y + ...), or twice that, for y = sign * x.
  template <size_t N>
  F32 onePlus(const float (&c)[N], F32 x, bool twice, float sign = 1) {
    float factor = twice ? 2 : 1;
    auto coefficient = [&](size_t i) {
      return b.f32((i % 2 == 0 ? sign : 1) * factor * c[i]);
    };
    F32 value = coefficient(N - 1);
    for (size_t i = N - 1; i-- > 0;)
      value = b.fma(value, x, coefficient(i));
    return b.fma(value, x, b.f32(factor));
  }

  /// p/2 * 2^k, given k + 126 + kShift, for k from -125 to 128.
  F32 scaleHalf(F32 p, F32 shifted) { return p * powerOfTwo(shifted); }
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_NARROWEXPANSION_H
