// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 functions as sequences of f32 operations, correctly rounded for every f32
// input (bench/sweep checks all 2^32): what MathExpansion.h does in f64, for
// machines whose f64 is slow. Numbers are sums of two f32 (pairs), good to
// about 48 bits relative to the largest term of a sum; the last three words of
// a sum become two that round as the three do. No tables, no branches.
//
// A Builder is as in MathExpansion.h without F64 and I64, and also has
//  - fma(F32, F32, F32), shiftLeft(I32, unsigned) and shiftRight(I32,
//  unsigned);
//  - * on I32, the lower half of the product, and multiplyHigh(I32, I32), the
//  upper half of the product of two unsigned numbers;
//  - shiftLeft(I32, I32) and shiftRight(I32, I32), by less than 32;
//  - minimumNumber(F32, F32), the number if one is NaN;
//  - signMask(I32): -1 if the first bit is set, else 0.
#ifndef PREC_NUMERICS_DOUBLEFLOATEXPANSION_H
#define PREC_NUMERICS_DOUBLEFLOATEXPANSION_H

#include "prec/Numerics/DoubleFloatConstants.h"
#include "prec/Numerics/F32Steps.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace prec::num::expand {

/// The expansions; `b` is the builder that everything is computed with.
template <typename Builder> class DoubleFloatFunctions : F32Steps<Builder> {
  using Steps = F32Steps<Builder>;
  using Steps::absolute, Steps::b, Steps::clamp, Steps::except, Steps::kShift,
      Steps::logDomain, Steps::logParts, Steps::powerOfTwo, Steps::scaleWide,
      Steps::wideLogParts, Steps::withSignOf;

public:
  using F32 = typename Builder::F32;
  using I32 = typename Builder::I32;
  using Bool = typename Builder::Bool;

  explicit DoubleFloatFunctions(Builder &b) : Steps(b) {}

  F32 exp(F32 x) {
    // Beyond the clamp the result is infinite or rounds to zero all the same.
    F32 clamped = clamp(x, -104.0f, 89.0f);
    Exponential e = exponential(clamped);
    return scale(e, clamped < b.f32(kLogOfSmallestNormal));
  }

  F32 exp2(F32 x) {
    F32 clamped = clamp(x, -151.0f, 129.0f);
    F32 shifted = clamped + b.f32(kShift + 254);
    F32 k = shifted - b.f32(kShift + 254);
    F32 f = clamped - k; // exact
    Pair line = multiply(f, {b.f32(kPairLn2[0]), b.f32(kPairLn2[1])});
    Pair curve =
        multiply(product(f, f), polynomial(kPairExp2, kPairExp2Tail, f));
    F32 result = scale({k, shifted, line, curve}, clamped < b.f32(-126.0f));
    return except(x, result, kPairExp2Exceptions);
  }

  F32 expm1(F32 x) {
    Exponential e = exponential(clamp(x, -18.0f, 89.0f));
    // 2^k (1 - 2^-k + rest)
    Pair start = twoSum(b.f32(1), -inversePowerOfTwo(e.k));
    Pair value = sum(start.high, e, start.low + (e.line.low + e.curve.low));
    F32 result = scaleWide(value.high + value.low, e.shifted, e.k);
    return withSignOf(x, result);
  }

  F32 log(F32 x) {
    auto [e, m] = wideLogParts(x);
    return logDomain(x, 0.0f, naturalLog(e, single(m - b.f32(1))));
  }

  F32 log2(F32 x) {
    auto [e, m] = wideLogParts(x);
    Pair q = multiply(logOfOnePlus(single(m - b.f32(1))), kPairInvLn2);
    Pair s = fastSum(e, q.high);
    return logDomain(x, 0.0f, s.high + toOdd(twoSum(s.low, q.low)));
  }

  F32 log10(F32 x) {
    auto [e, m] = wideLogParts(x);
    Pair q = multiply(logOfOnePlus(single(m - b.f32(1))), kPairInvLn10);
    Pair p = product(e, b.f32(kPairLog10Of2Exact[1]));
    Pair t0 = fastSum(e * b.f32(kPairLog10Of2Exact[0]), q.high);
    Pair t1 = fastSum(t0.high, p.high);
    Pair u = twoSum(t0.low, t1.low);
    F32 rest = b.fma(e, b.f32(kPairLog10Of2Exact[2]), p.low) + q.low;
    F32 low = toOdd(twoSum(u.high, u.low + rest));
    return logDomain(x, 0.0f, t1.high + low);
  }

  F32 log1p(F32 x) {
    Pair y = twoSum(b.f32(1), x);
    auto [e, m] = logParts(y.high);
    // Near 1, where e is 0, this is x itself.
    Pair f = twoSum(m - b.f32(1), y.low * inversePowerOfTwo(e));
    F32 result = withSignOf(x, naturalLog(e, f));
    return logDomain(x, -1.0f, except(x, result, kPairLog1pExceptions));
  }

  /// tanh(x) = (e^2x - 1) / (e^2x + 1), both divided by 2^k.
  F32 tanh(F32 x) {
    F32 abs = absolute(x);
    F32 clamped = b.select(b.f32(10) < abs, b.f32(10), abs);
    Exponential e = exponential(clamped + clamped);
    F32 one = inversePowerOfTwo(e.k);
    Pair rest = fastSum(e.line.high, e.curve.high);
    rest.low = rest.low + (e.line.low + e.curve.low);
    Pair numerator = add(fastSum(b.f32(1), -one), rest);
    Pair denominator = add(fastSum(b.f32(1), one), rest);
    Pair q = divide(numerator, denominator);
    F32 result = except(abs, q.high + q.low, kPairTanhExceptions);
    return withSignOf(x, b.select(x == x, result, x));
  }

  /// In intervals, each with a polynomial: erf(x) = x (start + x^2 P(x^2)) up
  /// to 1, start + t P(t) for x = middle + t above.
  F32 erf(F32 x) {
    F32 abs = absolute(x);
    // From here on erf rounds to 1.
    F32 d = b.select(b.f32(kPairErfEnd) < abs, b.f32(kPairErfEnd), abs);
    ErfInterval in(*this, d);
    Pair square = product(d, d);
    F32 t = d - in.pick([](int i) { return kPairErfMiddle[i]; });
    Pair u{b.select(in.first(), square.high, t),
           b.select(in.first(), square.low, b.f32(0))};
    F32 tail = in.pick([](int i) { return kPairErfTail[i][kErfTail - 1]; });
    for (int j = kErfTail - 1; j-- > 0;)
      tail = b.fma(tail, u.high,
                   in.pick([=](int i) { return kPairErfTail[i][j]; }));
    Pair value = single(tail);
    for (int j = kErfPairs; j-- > 0;) {
      Pair c{in.pick([=](int i) { return kPairErf[i][j][0]; }),
             in.pick([=](int i) { return kPairErf[i][j][1]; })};
      if (j == kErfPairs - 1)
        value = single(u.high * tail);
      else
        value = multiply(u, value);
      // The first coefficients may be smaller than what is added to them.
      Pair s =
          j <= 2 ? twoSum(c.high, value.high) : fastSum(c.high, value.high);
      value = {s.high,
               s.low + (j == kErfPairs - 1 ? c.low : c.low + value.low)};
    }
    value = multiply(u, value);
    auto start = [&](int word) {
      return in.pick([=](int i) { return kPairErfStart[i][word]; });
    };
    Pair head = fastSum(start(0), value.high);
    Pair middle = twoSum(head.low, start(1));
    Pair low = twoSum(middle.high, middle.low + (value.low + start(2)));
    return withSignOf(x, b.select(x == x, erfProduct(d, head.high, low), x));
  }

  F32 sin(F32 x) {
    F32 abs = absolute(x);
    F32 result = except(abs, circular(abs, 0), kPairSinExceptions);
    return b.float32(b.bits(result) ^ (b.bits(x) & b.i32(0x80000000)));
  }

  F32 cos(F32 x) { return circular(absolute(x), 1); }

  /// An f32 estimate of 24 bits, which one step makes 48.
  F32 rsqrt(F32 x) {
    F32 y = b.f32(1) / b.sqrt(x);
    // error = 1 - x y^2
    Pair root = product(x, y);
    Pair one = product(root.high, y);
    F32 left = b.f32(1) - one.high; // exact
    F32 lost = b.fma(root.low, y, one.low);
    F32 error = left - lost;
    F32 rest = (left - error) - lost;
    // error / 2 + 3/8 error^2
    F32 step = b.fma(error * error, b.f32(0.375f), rest * b.f32(0.5f));
    step = b.fma(error, b.f32(0.5f), step);
    F32 result = b.fma(y, step, y);
    // 0, infinity, negative numbers and NaN: the step is NaN.
    return b.select(result == result, result, y);
  }

  /// x^n for |n| <= 7: the significand's power, scaled by that of the exponent.
  /// Zeros are numbers so small, and infinities so large, that the result is
  /// the same.
  F32 powi(F32 x, int n) {
    if (n == 0)
      return b.f32(1);
    if (n == 1)
      return x;
    if (n == -1)
      return b.f32(1) / x;
    if (n == 2)
      return x * x;
    int count = n < 0 ? -n : n;
    auto [e, m] = wideLogParts(absolute(x));
    Pair value = power(m, count);
    if (n < 0)
      value = divide(single(b.f32(1)), value);
    for (const PowerException &e : kPairPowerExceptions) {
      if (e.power == n)
        value.low = except(m, value.low, {e.significand});
    }
    // The power of the significand is between 2^-4 and 2^4.
    F32 k = clamp(e * b.f32(float(n)), -160.0f, 160.0f);
    F32 shifted = k + b.f32(kShift + 254);
    // As in scale.
    F32 magic = b.float32(b.shiftLeft(b.bits(shifted), 23) ^ b.i32(0x7F800000));
    magic = b.select(k < b.f32(0), magic, b.f32(0));
    magic = b.select(value.high < magic, magic, b.f32(0));
    Pair s = fastSum(magic, value.high);
    F32 result = (s.high + toOdd(twoSum(s.low, value.low))) - magic;
    result = scaleWide(result, shifted, k);
    if (count % 2 == 1)
      result = withSignOf(x, result);
    return b.select(x == x, result, x);
  }

private:
  /// e^x is normal from here on, a number with an even logarithm of 2.
  static constexpr float kLogOfSmallestNormal = -0x1.5d589ep+6f;
  static constexpr float kLog2E = 0x1.715476p+0f;
  static constexpr float kQuarterPi = 0x1.921fb6p-1f;

  /// The sum of two numbers; unless it says otherwise, the second is at most
  /// about a unit in the last place of the first.
  struct Pair {
    F32 high, low;
  };

  /// 2^k (1 + line + curve), line = r and curve = e^r - 1 - r for
  /// |r| <= ln(2)/2. NaN goes into line.
  struct Exponential {
    F32 k, shifted;
    Pair line, curve;
  };

  /// With a second word that adds nothing, and folds.
  Pair single(F32 x) { return {x, b.f32(-0.0f)}; }

  F32 high(F32 x) { return x; }
  F32 high(Pair x) { return x.high; }

  /// x + y exactly, for |x| >= |y| or x = 0.
  Pair fastSum(F32 x, F32 y) {
    F32 sum = x + y;
    return {sum, y - (sum - x)};
  }

  /// x + y exactly.
  Pair twoSum(F32 x, F32 y) {
    F32 sum = x + y;
    F32 back = sum - x;
    return {sum, (x - (sum - back)) + (y - back)};
  }

  /// x * y exactly.
  Pair product(F32 x, F32 y) {
    F32 p = x * y;
    return {p, b.fma(x, y, -p)};
  }

  /// |x| >= |y| or x = 0.
  Pair add(Pair x, Pair y) {
    Pair s = fastSum(x.high, y.high);
    return {s.high, s.low + (x.low + y.low)};
  }

  Pair multiply(Pair x, Pair y) {
    Pair p = product(x.high, y.high);
    F32 low = b.fma(x.high, y.low, p.low);
    return {p.high, b.fma(x.low, y.high, low)};
  }

  Pair multiply(F32 x, Pair y) {
    Pair p = product(x, y.high);
    return {p.high, b.fma(x, y.low, p.low)};
  }

  Pair multiply(Pair x, const float (&constant)[2]) {
    return multiply(x, Pair{b.f32(constant[0]), b.f32(constant[1])});
  }

  Pair square(Pair x) {
    Pair p = product(x.high, x.high);
    return {p.high, b.fma(x.high + x.high, x.low, p.low)};
  }

  /// x^n for n from 2 to 7.
  Pair power(F32 x, int n) {
    Pair value = product(x, x);
    if (n == 3 || n >= 6)
      value = multiply(x, value);
    if (n >= 4)
      value = square(value);
    return n == 5 || n == 7 ? multiply(x, value) : value;
  }

  Pair divide(Pair n, Pair d) {
    F32 reciprocal = b.f32(1) / d.high;
    F32 q = n.high * reciprocal;
    F32 rest = b.fma(-q, d.high, n.high) + b.fma(-q, d.low, n.low);
    return {q, rest * reciprocal};
  }

  /// c[0] + c[1] x + ... + x^N (tail[0] + tail[1] x + ...): of the tail, f32
  /// accuracy is enough.
  template <size_t N, size_t M, typename X>
  Pair polynomial(const float (&c)[N][2], const float (&tail)[M], X x) {
    return polynomial<N, M>(
        x, [&](size_t i) { return b.f32(c[i][0]); },
        [&](size_t i, F32 low) {
          return c[i][1] == 0 ? low : low + b.f32(c[i][1]);
        },
        [&](size_t i) { return b.f32(tail[i]); });
  }

  /// The same with functions that give the first words of the coefficients, add
  /// the second ones, and give the tail.
  template <size_t N, size_t M, typename X, typename Head, typename AddLow,
            typename Tail>
  Pair polynomial(X x, Head head, AddLow addLow, Tail tail) {
    F32 t = tail(M - 1);
    for (size_t i = M - 1; i-- > 0;)
      t = b.fma(t, high(x), tail(i));
    Pair value = fastSum(head(N - 1), high(x) * t);
    value.low = addLow(N - 1, value.low);
    for (size_t i = N - 1; i-- > 0;) {
      Pair p = multiply(x, value);
      value = fastSum(head(i), p.high);
      value.low = value.low + addLow(i, p.low);
    }
    return value;
  }

  Exponential exponential(F32 x) {
    F32 shift = b.f32(kShift + 254);
    F32 shifted = b.fma(x, b.f32(kLog2E), shift);
    F32 k = shifted - shift;
    F32 r = b.fma(k, b.f32(-kPairLn2Exact[0]), x); // exact
    Pair p = product(k, b.f32(-kPairLn2Exact[1]));
    // Exact for a smaller r too: unless k is 0, r is a multiple of 2^-26, and
    // the product is below 2^-12.
    Pair line = fastSum(r, p.high);
    line.low = line.low + b.fma(k, b.f32(-kPairLn2Exact[2]), p.low);
    Pair curve =
        multiply(square(line), polynomial(kPairExp, kPairExpTail, line));
    return {k, shifted, line, curve};
  }

  /// start + the line and the curve of e, given what is to be added to their
  /// lower words; ready to be rounded.
  Pair sum(F32 start, const Exponential &e, F32 rest) {
    Pair s = fastSum(start, e.line.high);
    Pair t = fastSum(s.high, e.curve.high);
    Pair u = twoSum(s.low, t.low);
    return {t.high, toOdd(fastSum(u.high, u.low + rest))};
  }

  /// The first word, with its last bit set if the second is not 0: added to a
  /// number of which it is only the lower word, it rounds as the sum does.
  F32 toOdd(Pair x) {
    I32 bits = b.bits(x.high);
    // Opposite signs: the exact magnitude is below that of the first word.
    I32 borrow = b.signMask(bits ^ b.bits(x.low));
    F32 odd = b.float32((borrow + bits) | b.i32(1));
    return b.select(x.low == b.f32(0), x.high, odd);
  }

  /// The exponential, rounded.
  F32 scale(const Exponential &e, Bool subnormal) {
    Pair value = sum(b.f32(1), e, e.line.low + e.curve.low);
    // Added to the value, the number whose last place is that of subnormal
    // results, divided by 2^k.
    F32 magic =
        b.float32(b.shiftLeft(b.bits(e.shifted), 23) ^ b.i32(0x7F800000));
    magic = b.select(subnormal, magic, b.f32(0));
    Pair s = fastSum(magic, value.high);
    F32 result = (s.high + (s.low + value.low)) - magic;
    return scaleWide(result, e.shifted, e.k);
  }

  /// 2^-k for k from -126, or for large k what is as little next to 1.
  F32 inversePowerOfTwo(F32 k) {
    return powerOfTwo(b.f32(kShift + 127) - b.minimumNumber(k, b.f32(64)));
  }

  /// f - ln(1 + f) = s (f - (ln(1 + f) / s - 2)) for s = f / (2 + f), and
  /// ln(1 + f) / s is a series in s^2.
  Pair lessThanOnePlus(Pair f) {
    Pair d = fastSum(b.f32(2), f.high);
    Pair s = divide(f, {d.high, d.low + f.low});
    Pair z = square(s);
    Pair r = multiply(z, polynomial(kPairLog, kPairLogTail, z));
    Pair w = fastSum(f.high, -r.high);
    return multiply(s, {w.high, w.low + (f.low - r.low)});
  }

  /// ln(1 + f).
  Pair logOfOnePlus(Pair f) {
    Pair p = lessThanOnePlus(f);
    Pair s = fastSum(f.high, -p.high);
    return {s.high, s.low + (f.low - p.low)};
  }

  /// ln(2^e * (1 + f)).
  F32 naturalLog(F32 e, Pair f) {
    Pair p = lessThanOnePlus(f);
    Pair q = product(e, b.f32(kPairLn2Exact[1]));
    Pair t0 = fastSum(e * b.f32(kPairLn2Exact[0]), f.high);
    Pair t1 = fastSum(t0.high, -p.high);
    Pair t2 = fastSum(t1.high, q.high);
    Pair u = twoSum(t0.low, t1.low);
    Pair v = twoSum(u.high, t2.low);
    F32 rest = b.fma(e, b.f32(kPairLn2Exact[2]), q.low) + (f.low - p.low);
    return t2.high + toOdd(twoSum(v.high, (u.low + v.low) + rest));
  }

  /// A sum of three numbers, the second at most about a unit in the last place
  /// of the first, the third of the second.
  struct Triple {
    F32 high, middle, low;
  };

  /// `field` units in the last place of `base`, a power of two, for field from
  /// 0 to 2^23 - 1.
  F32 fraction(I32 field, float base) {
    return b.float32(field | b.bits(b.f32(base))) - b.f32(base);
  }

  /// The 32 bits of (first, second) that begin at bit `from` of the first.
  I32 window(I32 first, I32 second, I32 from) {
    I32 rest = b.shiftRight(b.shiftRight(second, 1), from ^ b.i32(31));
    return b.shiftLeft(first, from) | rest;
  }

  /// x >= 0 less a multiple of pi/2, at most about pi/4 of magnitude; how many
  /// pi/2, modulo 4, are the top two bits of `quarters`. That is the
  /// significand by 2/pi, moved by the exponent, of which 96 bits count: those
  /// before give multiples of 4.
  Triple reduce(F32 x, I32 &quarters) {
    I32 significand = (b.bits(x) & b.i32(0x007FFFFF)) | b.i32(0x00800000);
    Bool above31 = b.f32(0x1.fffffep30f) < x,
         above63 = b.f32(0x1.fffffep62f) < x,
         above95 = b.f32(0x1.fffffep94f) < x,
         above127 = b.f32(0x1.fffffep126f) < x;
    auto word = [&](int i) {
      const uint32_t *w = kTwoOverPiWords + i;
      I32 value = b.select(above31, b.i32(w[1]), b.i32(w[0]));
      value = b.select(above63, b.i32(w[2]), value);
      value = b.select(above95, b.i32(w[3]), value);
      return b.select(above127, b.i32(w[4]), value);
    };
    I32 w0 = word(0), w1 = word(1), w2 = word(2), w3 = word(3);
    // The first word's first bit is for numbers from 1/2 on.
    I32 from = (b.shiftRight(b.bits(x), 23) - b.i32(126)) & b.i32(31);
    I32 p0 = window(w0, w1, from), p1 = window(w1, w2, from),
        p2 = window(w2, w3, from);
    // Two bits of quarters and 30 of a fraction, 32 bits, and 24 to be added to
    // these; rounded to the nearest quarter.
    I32 first = b.multiplyHigh(significand, p1) + significand * p0;
    I32 second = significand * p1, third = b.multiplyHigh(significand, p2);
    first = first + b.i32(0x20000000);
    // Of the fraction, in units of 2^-23.
    F32 f0 = fraction(b.shiftRight(first, 7) & b.i32(0x007FFFFF), 0x1p23f) -
             b.f32(0x1p22f);
    F32 f1 = fraction(
        b.shiftLeft(first & b.i32(0x7F), 16) | b.shiftRight(second, 16), 1.0f);
    F32 f2 = fraction(second & b.i32(0xFFFF), 0x1p-16f) +
             fraction(b.shiftRight(third, 1), 0x1p-15f);
    Pair upper = fastSum(f0, f1), lower = twoSum(upper.low, f2);
    Pair start = twoSum(upper.high, lower.high);
    Triple rest = multiplyByHalfPi({start.high, start.low, lower.low});
    Bool isSmall = x < b.f32(kQuarterPi);
    F32 zero = b.f32(0);
    quarters = b.select(isSmall, b.i32(0), first);
    return {b.select(isSmall, x, rest.high),
            b.select(isSmall, zero, rest.middle),
            b.select(isSmall, zero, rest.low)};
  }

  /// x * pi/2, for x in units of 2^-23.
  Triple multiplyByHalfPi(const Triple &x) {
    F32 c0 = b.f32(kPairHalfPi[0]), c1 = b.f32(kPairHalfPi[1]),
        c2 = b.f32(kPairHalfPi[2]);
    Pair p = product(x.high, c0), q = product(x.high, c1),
         r = product(x.middle, c0);
    Pair s = twoSum(p.low, q.high);
    Pair t = twoSum(s.high, r.high);
    F32 low =
        b.fma(x.low, c0, b.fma(x.high, c2, b.fma(x.middle, c1, q.low + r.low)));
    Pair first = fastSum(p.high, t.high);
    Pair second = twoSum(first.low, low + (s.low + t.low));
    return {first.high, second.high, second.low};
  }

  /// The sine of x >= 0 and `turn` quarter turns; NaN for an infinity.
  F32 circular(F32 x, uint32_t turn) {
    I32 quarters{};
    Triple r = reduce(x, quarters);
    quarters = quarters + b.i32(turn << 30);
    Bool isSine = (quarters & b.i32(0x40000000)) == b.i32(0);
    // r + r (r^2 S(r^2)), or 1 - r^2/2 + r^2 (r^2 C(r^2)).
    Pair z = square({r.high, r.middle});
    auto pick = [&](float sine, float cosine) {
      return b.select(isSine, b.f32(sine), b.f32(cosine));
    };
    Pair curve = polynomial<std::size(kPairSin), std::size(kPairSinTail)>(
        z, [&](size_t i) { return pick(kPairSin[i][0], kPairCos[i][0]); },
        [&](size_t i, F32 low) {
          return low + pick(kPairSin[i][1], kPairCos[i][1]);
        },
        [&](size_t i) { return pick(kPairSinTail[i], kPairCosTail[i]); });
    Pair factor{b.select(isSine, r.high, z.high),
                b.select(isSine, r.middle, z.low)};
    curve = multiply(factor, multiply(z, curve));
    Triple line = lessHalfSquare(r);
    line = {b.select(isSine, r.high, line.high),
            b.select(isSine, r.middle, line.middle),
            b.select(isSine, r.low, line.low)};
    Pair s = fastSum(line.high, curve.high);
    Pair t = twoSum(s.low, line.middle);
    F32 low = toOdd(twoSum(t.high, t.low + (line.low + curve.low)));
    I32 sign = quarters & b.i32(0x80000000);
    F32 result = b.float32(b.bits(s.high + low) ^ sign);
    return b.select(x < b.f32(__builtin_inff()), result, x - x);
  }

  /// 1 - x^2/2.
  Triple lessHalfSquare(const Triple &x) {
    Pair p = product(x.high * b.f32(-0.5f), x.high);
    Pair q = product(-x.high, x.middle);
    F32 low =
        b.fma(x.middle * b.f32(-0.5f), x.middle, b.fma(-x.high, x.low, q.low));
    Pair first = fastSum(b.f32(1), p.high);
    Pair s = twoSum(first.low, q.high);
    Pair t = twoSum(s.high, p.low);
    return {first.high, t.high, low + (s.low + t.low)};
  }

  static constexpr int kErfPairs = int(std::size(kPairErf[0]));
  static constexpr int kErfTail = int(std::size(kPairErfTail[0]));

  /// Where erf's argument is.
  class ErfInterval {
  public:
    ErfInterval(DoubleFloatFunctions &f, F32 d)
        : f(f), below{d < f.b.f32(kPairErfCuts[0]),
                      d < f.b.f32(kPairErfCuts[1]),
                      d < f.b.f32(kPairErfCuts[2]),
                      d < f.b.f32(kPairErfCuts[3])} {}

    Bool first() const { return below[0]; }

    /// What `get` gives for the number of the interval.
    template <typename Get> F32 pick(Get get) {
      F32 value = f.b.f32(get(int(std::size(below))));
      for (int i = int(std::size(below)); i-- > 0;)
        value = f.b.select(below[i], f.b.f32(get(i)), value);
      return value;
    }

  private:
    DoubleFloatFunctions &f;
    Bool below[std::size(kPairErfCuts)];
  };

  /// d (high + low) in the first interval, else high + low, rounded. Tiny d
  /// are scaled: the words of the product would be subnormal.
  F32 erfProduct(F32 d, F32 high, Pair low) {
    static_assert(kPairErfCuts[0] == 1);
    F32 factor = b.minimumNumber(d, b.f32(1));
    Bool tiny = d < b.f32(0x1p-100f);
    factor = b.select(tiny, factor * b.f32(0x1p64f), factor);
    Pair p = product(factor, high), g = product(factor, low.high);
    Pair h = twoSum(p.low, g.high);
    F32 rest = h.low + b.fma(factor, low.low, g.low);
    F32 odd = toOdd(twoSum(h.high, rest));
    // Below this, results are subnormal.
    Bool subnormal = d < b.f32(0x1.c5bf88p-127f);
    F32 magic = b.select(subnormal, b.f32(0x1p-62f), b.f32(0));
    Pair s = fastSum(magic, p.high);
    F32 result = (s.high + (s.low + odd)) - magic;
    return result * b.select(tiny, b.f32(0x1p-64f), b.f32(1));
  }
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_DOUBLEFLOATEXPANSION_H
