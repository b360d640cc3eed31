// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interval.h"

#include "prec/Numerics/Functions.h"

using namespace prec;

static float flush(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

/// The number next to x, which is neither NaN nor infinite.
static float next(float x, bool up) {
  return ofRank(rankOf(x) + (up ? 1 : -1));
}

/// ex2.approx.ftz.f32: older editions of the PTX ISA say a relative error of
/// 2^-22, newer ones 2 ulp from the correctly rounded result: take both. Zeros,
/// subnormals and infinities are exact; nothing is negative or -0.
static float exp2Bound(float x, float exact, bool up) {
  if (flush(x) == 0 || !(exact < std::numeric_limits<float>::infinity()) ||
      exact == 0)
    return exact;
  double moved = exact * (up ? 1 + 0x1p-22 : 1 - 0x1p-22);
  auto rounded = float(moved);
  if (up ? rounded < moved : rounded > moved)
    rounded = next(rounded, up);
  return std::fabs(flush(next(next(rounded, up), up)));
}

Interval IntervalBuilder::approximateExp2(Interval x) {
  if (x.open || x.isNaN())
    return x;
  float low = num::cr::exp2(flush(x.low));
  float high = x.isPoint() ? low : num::cr::exp2(flush(x.high));
  return {exp2Bound(x.low, low, false), exp2Bound(x.high, high, true)};
}

/// rcp.approx.ftz.f32: 1 ulp, and in older editions a relative error of 2^-23:
/// take both; zeros and infinities are exact.
static float reciprocalBound(float x, bool up) {
  float nearest = 1 / flush(x);
  if (nearest == 0 || std::isinf(nearest))
    return flush(nearest);
  double exact = 1 / double(x);
  double moved = exact + std::fabs(exact) * (up ? 0x1p-23 : -0x1p-23);
  float step = next(nearest, up), further = next(step, up);
  bool reaches = up ? further <= moved : further >= moved;
  return flush(reaches ? further : step);
}

Interval IntervalBuilder::approximateReciprocal(Interval x) {
  if (x.open || x.isNaN())
    return x;
  if (std::signbit(x.low) != std::signbit(x.high) ||
      (!x.isPoint() && (flush(x.low) == 0 || flush(x.high) == 0)))
    return {x.low, x.high, true};
  return {reciprocalBound(x.high, false), reciprocalBound(x.low, true)};
}
