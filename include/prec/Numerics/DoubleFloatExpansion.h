// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 functions as sequences of f32 operations, correctly rounded for every f32
// input (bench/sweep checks all 2^32): what MathExpansion.h does in f64, for
// machines whose f64 is slow. Numbers are sums of two f32 (pairs), good to
// about 48 bits relative to the largest term of a sum; the last three words of
// a sum become two that round as the three do. No tables, no branches.
//
// A Builder is as in MathExpansion.h without F64 and I64, and also has
//  - fma(F32, F32, F32), shiftLeft(I32, unsigned) and shiftRight(I32,
//  unsigned).
#ifndef PREC_NUMERICS_DOUBLEFLOATEXPANSION_H
#define PREC_NUMERICS_DOUBLEFLOATEXPANSION_H

#include "prec/Numerics/DoubleFloatConstants.h"
#include "prec/Numerics/F32Steps.h"
#include "prec/Numerics/MathFunction.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace prec::num::expand {

/// Whether there is a double-float expansion.
constexpr bool hasDoubleFloat(MathFunction function) {
  switch (function) {
  case MathFunction::Exp:
  case MathFunction::Exp2:
  case MathFunction::Expm1:
  case MathFunction::Log:
  case MathFunction::Log1p:
  case MathFunction::Tanh:
  case MathFunction::Erf:
  case MathFunction::Rsqrt:
    return true;
  default:
    return false;
  }
}

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

  /// `function` of x, for which hasDoubleFloat holds.
  F32 apply(MathFunction function, F32 x) {
    switch (function) {
    case MathFunction::Exp:
      return exp(x);
    case MathFunction::Exp2:
      return exp2(x);
    case MathFunction::Expm1:
      return expm1(x);
    case MathFunction::Log:
      return log(x);
    case MathFunction::Log1p:
      return log1p(x);
    case MathFunction::Tanh:
      return tanh(x);
    case MathFunction::Erf:
      return erf(x);
    case MathFunction::Rsqrt:
      return rsqrt(x);
    default:
      assert(false && "has no double-float expansion");
      return x;
    }
  }

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
    return withSignOf(
        x, b.select(x == x, erfProduct(d, in.first(), head.high, low), x));
  }

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

private:
  /// e^x is normal from here on, a number with an even logarithm of 2.
  static constexpr float kLogOfSmallestNormal = -0x1.5d589ep+6f;
  static constexpr float kLog2E = 0x1.715476p+0f;

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

  Pair square(Pair x) {
    Pair p = product(x.high, x.high);
    return {p.high, b.fma(x.high + x.high, x.low, p.low)};
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
    F32 t = b.f32(tail[M - 1]);
    for (size_t i = M - 1; i-- > 0;)
      t = b.fma(t, high(x), b.f32(tail[i]));
    Pair value = fastSum(b.f32(c[N - 1][0]), high(x) * t);
    value.low = value.low + b.f32(c[N - 1][1]);
    for (size_t i = N - 1; i-- > 0;) {
      Pair p = multiply(x, value);
      value = fastSum(b.f32(c[i][0]), p.high);
      F32 low = c[i][1] == 0 ? p.low : p.low + b.f32(c[i][1]);
      value.low = value.low + low;
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
    I32 borrow = b.shiftRight(bits ^ b.bits(x.low), 31);
    F32 odd = b.float32((bits - borrow) | b.i32(1));
    return b.select(x.low == b.f32(0), x.high, odd);
  }

  /// The exponential, rounded.
  F32 scale(const Exponential &e, Bool subnormal) {
    Pair value = sum(b.f32(1), e, e.line.low + e.curve.low);
    // Added to the value, the number whose last place is that of subnormal
    // results, divided by 2^k.
    F32 magic = b.float32(b.shiftLeft(b.i32(255) - b.bits(e.shifted), 23));
    magic = b.select(subnormal, magic, b.f32(0));
    Pair s = fastSum(magic, value.high);
    F32 result = (s.high + (s.low + value.low)) - magic;
    return scaleWide(result, e.shifted, e.k);
  }

  /// 2^-k for k from -126, or for large k what is as little next to 1.
  F32 inversePowerOfTwo(F32 k) {
    k = b.select(k < b.f32(64), k, b.f32(64));
    return powerOfTwo(b.f32(kShift + 127) - k);
  }

  /// ln(2^e * (1 + f)) = e ln(2) + f - s (f - (ln(1 + f) / s - 2)) for
  /// s = f / (2 + f), and ln(1 + f) / s is a series in s^2.
  F32 naturalLog(F32 e, Pair f) {
    Pair d = fastSum(b.f32(2), f.high);
    Pair s = divide(f, {d.high, d.low + f.low});
    Pair z = square(s);
    Pair r = multiply(z, polynomial(kPairLog, kPairLogTail, z));
    Pair w = fastSum(f.high, -r.high);
    Pair p = multiply(s, {w.high, w.low + (f.low - r.low)});
    Pair q = product(e, b.f32(kPairLn2Exact[1]));
    Pair t0 = fastSum(e * b.f32(kPairLn2Exact[0]), f.high);
    Pair t1 = fastSum(t0.high, -p.high);
    Pair t2 = fastSum(t1.high, q.high);
    Pair u = twoSum(t0.low, t1.low);
    Pair v = twoSum(u.high, t2.low);
    F32 rest = b.fma(e, b.f32(kPairLn2Exact[2]), q.low) + (f.low - p.low);
    return t2.high + toOdd(twoSum(v.high, (u.low + v.low) + rest));
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
  F32 erfProduct(F32 d, Bool first, F32 high, Pair low) {
    F32 factor = b.select(first, d, b.f32(1));
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
