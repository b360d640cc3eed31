// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 numbers of which only bounds are known, because an approximate
// instruction gave them.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_INTERVAL_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_INTERVAL_H

#include "prec/Numerics/Rounding.h"

#include <cmath>
#include <limits>

namespace prec {

/// Where a number is in the order of all, -0 below +0.
inline int32_t rankOf(float x) {
  auto bits = num::bitCast<int32_t>(x);
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}
inline float ofRank(int32_t rank) {
  return num::bitCast<float>(rank ^ ((rank >> 31) & 0x7FFFFFFF));
}

/// All numbers from `low` to `high`; both NaN: NaN. `open`: nothing is known.
struct Interval {
  float low, high;
  bool open = false;

  static Interval point(float x) { return {x, x}; }
  bool isPoint() const {
    return !open && num::bitCast<uint32_t>(low) == num::bitCast<uint32_t>(high);
  }
  bool isNaN() const { return low != low; }
};

/// The smallest interval with the numbers that are added; open if only some of
/// them are NaN.
class Hull {
public:
  void add(float x) {
    if (x != x) {
      anyNaN = true;
      return;
    }
    anyNumber = true;
    least = std::min(least, rankOf(x));
    most = std::max(most, rankOf(x));
  }
  Interval get() const {
    if (!anyNaN)
      return {ofRank(least), ofRank(most)};
    float nan = std::numeric_limits<float>::quiet_NaN();
    return {nan, nan, anyNumber};
  }

private:
  int32_t least = std::numeric_limits<int32_t>::max();
  int32_t most = std::numeric_limits<int32_t>::min();
  bool anyNaN = false, anyNumber = false;
};

/// A function that is monotone in each argument.
template <typename F> Interval monotone(Interval x, F f) {
  if (x.isPoint())
    return Interval::point(f(x.low));
  Hull hull;
  hull.add(f(x.low));
  hull.add(f(x.high));
  Interval result = hull.get();
  result.open |= x.open;
  return result;
}
template <typename F> Interval monotone(Interval x, Interval y, F f) {
  if (x.isPoint() && y.isPoint())
    return Interval::point(f(x.low, y.low));
  Hull hull;
  for (float u : {x.low, x.high})
    for (float v : {y.low, y.high})
      hull.add(f(u, v));
  Interval result = hull.get();
  result.open |= x.open || y.open;
  return result;
}

/// The builder of ApproximateExpansion.h that computes with bounds. What the
/// PTX ISA promises of an instruction is taken generously.
struct IntervalBuilder {
  using F32 = Interval;
  /// True, false, or not known.
  struct Bool {
    bool canBeTrue, canBeFalse;
  };

  F32 f32(float x) { return Interval::point(x); }

  F32 fma(F32 x, F32 y, F32 z) {
    if (x.isPoint() && y.isPoint() && z.isPoint())
      return Interval::point(std::fma(x.low, y.low, z.low));
    Hull hull;
    for (float u : {x.low, x.high})
      for (float v : {y.low, y.high})
        for (float w : {z.low, z.high})
          hull.add(std::fma(u, v, w));
    Interval result = hull.get();
    result.open |= x.open || y.open || z.open;
    return result;
  }

  F32 select(Bool condition, F32 x, F32 y) {
    if (!condition.canBeFalse)
      return x;
    if (!condition.canBeTrue)
      return y;
    Hull hull;
    for (float end : {x.low, x.high, y.low, y.high})
      hull.add(end);
    Interval result = hull.get();
    result.open |= x.open || y.open;
    return result;
  }

  F32 absolute(F32 x) {
    F32 result = monotone(x, [](float u) { return std::fabs(u); });
    if (!x.isPoint() && std::signbit(x.low) != std::signbit(x.high))
      result.low = 0;
    return result;
  }

  /// x, negated where y is negative.
  F32 flipSign(F32 x, F32 y) {
    if (!y.isPoint())
      return {x.low, x.high, true};
    return std::signbit(y.low) ? monotone(x, [](float u) { return -u; }) : x;
  }

  F32 approximateExp2(F32 x);
  F32 approximateReciprocal(F32 x);
};

inline Interval operator+(Interval x, Interval y) {
  return monotone(x, y, [](float u, float v) { return u + v; });
}
inline Interval operator-(Interval x, Interval y) {
  return monotone(x, y, [](float u, float v) { return u - v; });
}
inline Interval operator*(Interval x, Interval y) {
  return monotone(x, y, [](float u, float v) { return u * v; });
}
/// 1 where the comparison holds, 0 where not.
inline IntervalBuilder::Bool operator<(Interval x, Interval y) {
  if (x.open || y.open)
    return {true, true};
  // NaN: both are, and nothing is less.
  return {x.low < y.high, !(x.high < y.low)};
}

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_INTERVAL_H
