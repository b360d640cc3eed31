// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 functions as sequences of IEEE operations, correctly rounded for every
// f32 input (bench/sweep checks all 2^32), without tables or branches, so that
// they vectorise and mean the same on every target. Written once over a
// Builder: NativeBuilder.h computes with them, the compiler emits them.
//
// Each computes in f64 with an error of about one unit in the last place of
// f64 and rounds once to f32. That the result is right next to ties too is what
// the sweep establishes, and the few inputs where it is not are selected; the
// order of operations is therefore part of the definition.
//
// A Builder has
//  - types F32, F64, I32, I64, Bool, copyable; +, -, *, / on F32 and F64, each
//    one IEEE operation to nearest, never contracted; <, == (false on NaN) on
//    the same; +, - (wrapping), &, |, ^ and == on I32 and I64; - before an F64;
//  - f32(float), f64(double), i32(uint32_t), i64(uint64_t): constants;
//  - fma(F64, F64, F64); sqrt(F32); select(Bool, x, y) on all types;
//  - extend(F32): F64 and truncate(F64): F32, to nearest; both keep subnormals;
//  - bits(F32): I32, bits(F64): I64, float32(I32), float64(I64): the same bits;
//  - shiftLeft(I64, unsigned), shiftRight(I64, unsigned): logical.
#ifndef PREC_NUMERICS_MATHEXPANSION_H
#define PREC_NUMERICS_MATHEXPANSION_H

#include "prec/Numerics/F32Steps.h"
#include "prec/Numerics/MathConstants.h"

#include <cstddef>
#include <cstdint>

namespace prec::num::expand {

/// The expansions; `b` is the builder that everything is computed with.
template <typename Builder> class Functions : F32Steps<Builder> {
  using Steps = F32Steps<Builder>;
  using Steps::absolute, Steps::b, Steps::clamp, Steps::except,
      Steps::logDomain, Steps::withSignOf;

public:
  using F32 = typename Builder::F32;
  using F64 = typename Builder::F64;
  using I32 = typename Builder::I32;
  using I64 = typename Builder::I64;
  using Bool = typename Builder::Bool;

  explicit Functions(Builder &b) : Steps(b) {}

  F32 exp(F32 x) {
    // Beyond the clamp the result is infinite or rounds to zero all the same.
    auto [scale, rest] = expParts(clamp(x, -104.0f, 89.0f));
    return b.truncate(b.fma(scale, rest, scale));
  }

  F32 exp2(F32 x) {
    F64 d = b.extend(clamp(x, -151.0f, 129.0f));
    F64 shifted = d + b.f64(kShift);
    F64 scale = powerOfTwo(shifted);
    F64 f = d - (shifted - b.f64(kShift));
    F64 rest = b.fma(f * f, polynomial(kExp2, f), f * b.f64(kLn2));
    return except(x, b.truncate(b.fma(scale, rest, scale)), kExp2Exceptions);
  }

  F32 expm1(F32 x) {
    auto [scale, rest] = expParts(clamp(x, -20.0f, 89.0f));
    F64 value = b.fma(scale, rest, scale - b.f64(1));
    return withSignOf(x, b.truncate(value));
  }

  /// tanh(x) = (e^2x - 1) / (e^2x + 1).
  F32 tanh(F32 x) {
    F32 clamped = clamp(x, -10.0f, 10.0f);
    auto [scale, rest] = expParts(clamped + clamped);
    F64 numerator = b.fma(scale, rest, scale - b.f64(1));
    F64 denominator = b.fma(scale, rest, scale + b.f64(1));
    return withSignOf(x, b.truncate(divide(numerator, denominator)));
  }

  F32 log(F32 x) {
    F64 d = b.extend(x);
    auto [e, m] = logParts(d);
    F32 result = b.truncate(naturalLog(e, m - b.f64(1)));
    return logDomain(x, 0.0f, except(x, result, kLogExceptions));
  }

  F32 log1p(F32 x) {
    F64 d = b.extend(x);
    F64 y = d + b.f64(1);
    auto [e, m] = logParts(y);
    // Near 1 the sum is not exact, but the argument itself is at hand.
    F64 f = b.select(e == b.f64(0), d, m - b.f64(1));
    F32 result = withSignOf(x, b.truncate(naturalLog(e, f)));
    return logDomain(x, -1.0f, except(x, result, kLog1pExceptions));
  }

  F32 log2(F32 x) {
    auto [e, m] = logParts(b.extend(x));
    F64 f = m - b.f64(1);
    F64 low = f * b.fma(f, polynomial(kLog2, f), b.f64(kInvLn2Low));
    return logDomain(x, 0.0f,
                     b.truncate(b.fma(f, b.f64(kInvLn2High), low) + e));
  }

  F32 log10(F32 x) {
    auto [e, m] = logParts(b.extend(x));
    F64 f = m - b.f64(1);
    F64 low = f * b.fma(f, polynomial(kLog10, f), b.f64(kInvLn10Low));
    low = b.fma(e, b.f64(kLog10Of2Low), low);
    low = b.fma(f, b.f64(kInvLn10High), low);
    F32 result = b.truncate(b.fma(e, b.f64(kLog10Of2High), low));
    return logDomain(x, 0.0f, except(x, result, kLog10Exceptions));
  }

  F32 erf(F32 x) {
    F32 abs = absolute(x);
    // From here on erf rounds to 1.
    F64 d = b.extend(b.select(b.f32(3.9375f) < abs, b.f32(3.9375f), abs));
    F64 z = d * d;
    F64 low = b.fma(z, polynomial(kErfSmall, z), b.f64(kTwoOverRootPiLow));
    F64 small = b.fma(d, b.f64(kTwoOverRootPiHigh), d * low);
    F64 large = polynomial(kErfLarge, d - b.f64(87.0 / 32));
    F64 value = b.select(d < b.f64(1.5), small, large);
    return withSignOf(x, b.truncate(value));
  }

  F32 sin(F32 x) {
    F32 abs = absolute(x);
    Turn t = reduce(abs);
    F64 value = b.select(isZero(t.quadrant & b.i64(1)), sinTurn(t), cosTurn(t));
    I64 sign = b.shiftLeft(t.quadrant & b.i64(2), 62);
    F32 result = b.truncate(b.float64(b.bits(value) ^ sign));
    result = except(abs, result, kSinExceptions);
    return b.float32(b.bits(result) ^ (b.bits(x) & b.i32(0x80000000)));
  }

  F32 cos(F32 x) {
    F32 abs = absolute(x);
    Turn t = reduce(abs);
    F64 value = b.select(isZero(t.quadrant & b.i64(1)), cosTurn(t), sinTurn(t));
    // Negative in quadrants 1 and 2.
    I64 sign = b.shiftLeft((t.quadrant + b.i64(1)) & b.i64(2), 62);
    F32 result = b.truncate(b.float64(b.bits(value) ^ sign));
    return except(abs, result, kCosExceptions);
  }

  /// An f32 estimate of 24 bits, which one step in f64 makes 53.
  F32 rsqrt(F32 x) {
    F32 estimate = b.f32(1) / b.sqrt(x);
    F64 y = b.extend(estimate);
    F64 product = b.extend(x) * y; // exact
    F64 error = b.fma(-product, y, b.f64(1));
    F64 step = b.fma(error, b.f64(0.375), b.f64(0.5));
    F32 result = b.truncate(b.fma(y * error, step, y));
    // 0, infinity, negative numbers and NaN: the step is NaN.
    return b.select(result == result, result, estimate);
  }

  /// Exponents that powi takes.
  static constexpr int kMaxPower = 7;

  /// x^n for |n| <= kMaxPower, from a sum of two f64, exact or good to 100
  /// bits.
  F32 powi(F32 x, int n) {
    if (n == 0)
      return b.f32(1);
    if (n == 1)
      return x;
    if (n == -1)
      return b.f32(1) / x;
    F64 d = b.extend(x);
    F64 high = d * d; // exact
    F64 low = b.f64(0);
    int count = n < 0 ? -n : n;
    for (int i = 2; i < count; ++i) {
      F64 product = high * d;
      F64 error = b.fma(high, d, -product);
      low = i == 2 ? error : b.fma(low, d, error);
      high = product;
    }
    if (n > 0)
      return b.truncate(count == 2 ? high : toOdd(high, low));
    F64 quotient = b.f64(1) / high;
    // What the quotient leaves of 1, which is how far off it is, relatively.
    F64 left = b.fma(-quotient, low, b.fma(-quotient, high, b.f64(1)));
    return b.truncate(toOdd(quotient, quotient * left));
  }

private:
  /// Added to a number below 2^50, rounds it to an integer; the low bits of the
  /// sum are then that integer plus 1023.
  static constexpr double kShift = 0x1.8p52 + 1023;
  static constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  static constexpr double kLog2E = 0x1.71547652b82fep+0;

  struct ExpParts {
    F64 scale, rest;
  };
  struct LogParts {
    F64 exponent, significand;
  };
  /// An angle (quadrant + high + low) * pi/2 with |high| at most about 1/2.
  struct Turn {
    I64 quadrant;
    F64 high, low;
  };

  /// Even and odd powers apart, which halves the chain of dependent steps.
  template <size_t N> F64 polynomial(const double (&c)[N], F64 x) {
    static_assert(N >= 4);
    F64 square = x * x;
    size_t last = N - 1;
    F64 first = b.f64(c[last]), second = b.f64(c[last - 1]);
    for (size_t i = last - 1; i-- > 0;) {
      F64 &part = (last - i) % 2 == 0 ? first : second;
      part = b.fma(part, square, b.f64(c[i]));
    }
    // The part that ends in c[0] is the even one.
    return last % 2 == 0 ? b.fma(second, x, first) : b.fma(first, x, second);
  }

  /// 2^k, given k + kShift.
  F64 powerOfTwo(F64 shifted) {
    return b.float64(b.shiftLeft(b.bits(shifted), 52));
  }

  Bool isZero(I64 x) { return x == b.i64(0); }

  /// e^x = scale * (1 + rest), |rest| < 0.42. NaN goes into rest.
  ExpParts expParts(F32 x) {
    F64 d = b.extend(x);
    F64 shifted = b.fma(d, b.f64(kLog2E), b.f64(kShift));
    F64 k = shifted - b.f64(kShift);
    F64 r = b.fma(k, b.f64(-kLn2High), d); // exact
    r = b.fma(k, b.f64(-kLn2Low), r);
    return {powerOfTwo(shifted), b.fma(r * r, polynomial(kExp, r), r)};
  }

  /// n / d for d from 1 to 2^30: an f32 reciprocal, refined. Cheaper than an
  /// f64 division everywhere.
  F64 divide(F64 n, F64 d) {
    F64 r = b.extend(b.f32(1) / b.truncate(d));
    r = b.fma(b.fma(-r, d, b.f64(1)), r, r);
    F64 q = n * r;
    return b.fma(b.fma(-q, d, n), r, q);
  }

  /// d = 2^exponent * significand, from sqrt(1/2) to sqrt(2), for normal d > 0.
  LogParts logParts(F64 d) {
    constexpr uint64_t rootHalf = 0x3FE6A09E667F3BCD, one = 0x3FF0000000000000;
    I64 moved = b.bits(d) + b.i64(one - rootHalf);
    I64 field = b.shiftRight(moved, 52) | b.i64(0x4330000000000000);
    F64 e = b.float64(field) - b.f64(0x1p52 + 1023);
    I64 significand = (moved & b.i64(0x000FFFFFFFFFFFFF)) + b.i64(rootHalf);
    return {e, b.float64(significand)};
  }

  /// ln(2^e * (1 + f)).
  F64 naturalLog(F64 e, F64 f) {
    F64 rest = b.fma(f * f, polynomial(kLog, f), e * b.f64(kLn2Low));
    return b.fma(e, b.f64(kLn2High), f + rest);
  }

  struct Sum {
    F64 value, lost;
  };

  /// x + y, and what its rounding lost.
  Sum twoSum(F64 x, F64 y) {
    F64 sum = x + y;
    F64 back = sum - x;
    return {sum, (x - (sum - back)) + (y - back)};
  }

  /// high + low, |low| a few units of high at most, with its last bit set if
  /// inexact: rounding that to f32 is rounding the sum.
  F64 toOdd(F64 high, F64 low) {
    F64 sum = high + low;
    F64 rest = low - (sum - high);
    I64 bits = b.bits(sum);
    // Opposite signs: the exact magnitude is below the sum.
    I64 borrow = b.shiftRight(bits ^ b.bits(rest), 63);
    F64 odd = b.float64((bits - borrow) | b.i64(1));
    F64 value = b.select(rest == b.f64(0), sum, odd);
    // A sum of zeros would lose a sign; the low part of an infinity is NaN.
    value = b.select(low == b.f64(0), high, value);
    return b.select(low == low, value, high);
  }

  /// The quarter turns in a number >= 0. Pieces of 2/pi whose product with it
  /// is a multiple of 4 turns are left out, so which four pieces count depends
  /// on the magnitude; products with 26-bit pieces are exact.
  Turn reduce(F32 abs) {
    F64 d = b.extend(abs);
    Bool above51 = b.f32(0x1p51f) < abs, above77 = b.f32(0x1p77f) < abs,
         above103 = b.f32(0x1p103f) < abs;
    auto pick = [&](const double *piece) {
      F64 value = b.select(above51, b.f64(piece[1]), b.f64(piece[0]));
      value = b.select(above77, b.f64(piece[2]), value);
      return b.select(above103, b.f64(piece[3]), value);
    };
    F64 p0 = d * pick(kTwoOverPi), p1 = d * pick(kTwoOverPi + 1),
        p2 = d * pick(kTwoOverPi + 2), p3 = d * pick(kTwoOverPiRest + 2);
    F64 shift = b.f64(0x1.8p52);
    F64 n0 = p0 + shift;
    auto [sum1, lost1] = twoSum(p0 - (n0 - shift), p1);
    auto [sum2, lost2] = twoSum(sum1, p2);
    F64 n1 = sum2 + shift;
    F64 head = sum2 - (n1 - shift);
    F64 rest = (lost1 + lost2) + p3;
    F64 high = head + rest;
    return {b.bits(n0) + b.bits(n1), high, rest - (high - head)};
  }

  F64 sinTurn(const Turn &t) {
    F64 z = t.high * t.high;
    F64 low = b.fma(z, polynomial(kSin, z), b.f64(kHalfPiLow));
    low = b.fma(t.high, low, t.low * b.f64(kHalfPiHigh));
    return b.fma(t.high, b.f64(kHalfPiHigh), low);
  }

  F64 cosTurn(const Turn &t) {
    F64 z = t.high * t.high;
    return b.fma(z, polynomial(kCos, z), b.f64(1));
  }
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_MATHEXPANSION_H
