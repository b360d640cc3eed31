// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponential of every 16-bit number and quotients by 1 plus it, with every
// reciprocal that a machine within its bounds may give, against correctly
// rounded functions and divisions.
#include "prec/Numerics/ExactExpansion.h"

#include "prec/Numerics/Functions.h"
#include "prec/Numerics/NativeBuilder.h"

#include <gtest/gtest.h>

using namespace prec::num;
using namespace prec::num::expand;

namespace {

/// Reciprocals are `step` numbers off the nearest one.
struct Builder : NativeBuilder {
  int step = 0;

  F32 absolute(F32 x) { return std::fabs(x); }
  F32 maximum(F32 x, F32 y) { return x != x || y != y ? NAN : std::fmax(x, y); }
  F32 minimumNumber(F32 x, F32 y) { return std::fmin(x, y); }
  F64 scaleByPowerOfTwo(F64 x, F64 shifted) {
    return float64(bits(x) + (bits(shifted) << 52));
  }
  F32 approximateReciprocal(F32 x) {
    float y = 1 / x;
    for (int i = 0; i < std::abs(step) && y != 0; ++i)
      y = std::nextafter(y, step > 0 ? INFINITY : -INFINITY);
    return std::fabs(y) < 0x1p-126f ? std::copysign(0.0f, y) : y;
  }
};

using Functions = ExactFunctions<Builder>;

float limited(float x, unsigned form) {
  return std::copysign(std::fmin(std::fabs(x), exactExpLimit(form)), x);
}

/// Calls f(x, isBF16) for all numbers of both formats.
template <typename F> void forAll(F f) {
  for (bool isBF16 : {true, false})
    for (uint32_t bits = 0; bits <= 0xFFFF; ++bits)
      f(isBF16 ? widenBF16(uint16_t(bits)) : widenF16(uint16_t(bits)), isBF16);
}

void expectSame(float got, float want, float x, bool isBF16) {
  ASSERT_TRUE(sameValue(kF32, bitCast<uint32_t>(got), bitCast<uint32_t>(want)))
      << (isBF16 ? "bf16 " : "f16 ") << x << ": got " << got << ", expected "
      << want;
}

TEST(ExactExpansion, Exponentials) {
  Builder b;
  Functions functions(b);
  for (float sign : {1.0f, -1.0f})
    forAll([&](float x, bool isBF16) {
      float e = functions.exp(limited(x, 0), sign, isBF16, 0);
      expectSame(functions.keepNaN(e, x), cr::exp(sign * x), x, isBF16);
    });
}

TEST(ExactExpansion, LimitedExponentials) {
  Builder b;
  Functions functions(b);
  for (float sign : {1.0f, -1.0f})
    forAll([&](float x, bool isBF16) {
      expectSame(functions.limitedExp(x, sign, isBF16), cr::exp(sign * x), x,
                 isBF16);
    });
}

TEST(ExactExpansion, QuarterExponentials) {
  Builder b;
  Functions functions(b);
  forAll([&](float x, bool isBF16) {
    // It is neither subnormal, nor is 4 times it infinite.
    if (std::fabs(x) < 85)
      expectSame(4 * functions.exp(x, 1, isBF16, Quarter), cr::exp(x), x,
                 isBF16);
  });
}

TEST(ExactExpansion, Quotients) {
  Builder b;
  Functions functions(b);
  for (b.step = -2; b.step <= 2; ++b.step)
    forAll([&](float x, bool isBF16) {
      float s = functions.exp(limited(x, 0), -1, isBF16, 0) + 1;
      float r = b.approximateReciprocal(s * 0.25f);
      expectSame(functions.quotient(x, s, r), x / (cr::exp(-x) + 1), x, isBF16);
    });
}

TEST(ExactExpansion, Reciprocals) {
  Builder b;
  Functions functions(b);
  const unsigned form = Quarter | KeepNaN;
  for (b.step = -2; b.step <= 2; ++b.step)
    forAll([&](float x, bool isBF16) {
      // A subnormal number of f16 rounds twice here.
      if (!isBF16 && x < -87)
        return;
      float e = functions.exp(limited(x, form), -1, isBF16, form);
      float s = functions.quarterOfOnePlus(e, x, form);
      expectSame(functions.reciprocal(s, b.approximateReciprocal(s)),
                 1 / (cr::exp(-x) + 1), x, isBF16);
    });
}

} // namespace
