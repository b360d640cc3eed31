// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/Rounding.h"

#include "Oracle.h"

#include <gtest/gtest.h>

using namespace prec::num;
using namespace prec::num::test;

namespace {

const std::vector<const Format *> kFormats{&kBF16, &kF16,      &kF32,
                                           &kF64,  &kF8E4M3FN, &kF8E5M2};

::testing::AssertionResult same(const Format &f, uint64_t got, uint64_t want) {
  bool sameSign = isNegative(f, got) == isNegative(f, want);
  if (sameValue(f, got, want) && sameSign)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << f.name << std::hex << ": got 0x" << got << ", expected 0x" << want;
}

/// Rounds in every mode and compares with the oracle.
void checkOne(const Format &from, uint64_t bits, const Format &to) {
  static Real value(64);
  for (Rounding mode : kModes)
    for (bool saturate : {false, true}) {
      uint64_t want;
      if (isNaN(from, bits)) {
        want = to.quietNaN() | (isNegative(from, bits) ? to.signMask() : 0);
      } else {
        setBits(value, from, bits);
        want = roundReal(value, to, mode, saturate);
      }
      ASSERT_TRUE(same(to, round(from, bits, to, mode, saturate), want))
          << "from " << from.name << " 0x" << std::hex << bits << ", mode "
          << int(mode) << (saturate ? ", saturating" : "");
    }
}

TEST(Rounding, SpecialAndRandomAllPairsOfFormats) {
  for (const Format *from : kFormats)
    for (const Format *to : kFormats) {
      for (uint64_t bits : specialBits(*from))
        checkOne(*from, bits, *to);
      RandomBits random(*from);
      for (int i = 0; i < 3000; ++i) {
        checkOne(*from, random(), *to);
        checkOne(*from, random.nearOne(), *to);
      }
      if (HasFatalFailure())
        return;
    }
}

// Every number of a narrow format, its neighbours in f32 and f64, and the ties.
TEST(Rounding, BoundariesOfNarrowFormats) {
  for (const Format *to : {&kF8E4M3FN, &kF8E5M2, &kF16, &kBF16})
    for (const Format *from : {&kF32, &kF64}) {
      uint64_t step = to->width() > 8 ? 37 : 1;
      for (uint64_t bits = 0; bits <= to->maxFinite(); bits += step) {
        uint64_t wide = round(*to, bits, *from);
        uint64_t unit = uint64_t(1) << (from->fracBits - to->fracBits);
        for (uint64_t offset : {uint64_t(0), unit / 2, unit})
          for (int64_t nudge : {-1, 0, 1})
            checkOne(*from, (wide + offset + uint64_t(nudge)) & from->absMask(),
                     *to);
        if (HasFatalFailure())
          return;
      }
    }
}

// All bf16 inputs to both f8 formats, every mode, saturating or not.
TEST(Rounding, AllBF16ToF8) {
  for (const Format *to : {&kF8E4M3FN, &kF8E5M2})
    for (uint32_t bits = 0; bits < 0x10000 && !HasFatalFailure(); ++bits)
      checkOne(kBF16, bits, *to);
}

// Widening, and narrowing back, gives the same bits (NaN stays NaN).
TEST(Rounding, WideningIsExact) {
  for (const Format *f : {&kBF16, &kF16, &kF8E4M3FN, &kF8E5M2})
    for (const Format *wide : {&kF32, &kF64})
      for (uint64_t bits = 0; bits >> f->width() == 0; ++bits) {
        uint64_t back = round(*wide, round(*f, bits, *wide), *f);
        ASSERT_TRUE(same(*f, back, bits));
        if (!isNaN(*f, bits))
          ASSERT_EQ(back, bits);
      }
}

TEST(Rounding, FastPathsEqualTheGeneralOne) {
  RandomBits random(kF32), random64(kF64);
  std::vector<uint64_t> inputs = specialBits(kF32),
                        inputs64 = specialBits(kF64);
  for (int i = 0; i < 200000; ++i) {
    inputs.push_back(random());
    inputs64.push_back(random64());
    // f64 of the magnitude of the narrow formats.
    inputs64.push_back(round(kF32, random(), kF64) ^ (random.raw() >> 36));
  }
  for (uint64_t bits : inputs) {
    float value = bitCast<float>(uint32_t(bits));
    ASSERT_EQ(roundToBF16(value), round(kF32, bits, kBF16));
    ASSERT_EQ(roundToF16(value), round(kF32, bits, kF16));
    ASSERT_EQ((roundTo<kF8E4M3FN, Rounding::TowardZero, true>(value)),
              round(kF32, bits, kF8E4M3FN, Rounding::TowardZero, true));
  }
  for (uint64_t bits : inputs64) {
    double value = bitCast<double>(bits);
    ASSERT_EQ(roundToBF16(value), round(kF64, bits, kBF16));
    ASSERT_EQ(roundToF16(value), round(kF64, bits, kF16));
    // Where the host has the same conversion, it agrees.
    if (!std::isnan(value))
      ASSERT_EQ(roundTo<kF32>(value), bitCast<uint32_t>(float(value)));
  }
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    ASSERT_EQ(bitCast<uint32_t>(widenBF16(uint16_t(bits))),
              round(kBF16, bits, kF32));
    ASSERT_EQ(bitCast<uint32_t>(widenF16(uint16_t(bits))),
              round(kF16, bits, kF32));
  }
}

static_assert(roundToBF16(1.00390625f) == 0x3F80, "a tie goes to even");
static_assert(roundToF16(65520.0f) == 0x7C00, "half an ulp past the largest");
static_assert(widenF16(0x0001) == 0x1p-24f);

TEST(Rounding, NaNKeepsSignAndLeadingPayload) {
  EXPECT_EQ(round(kF32, 0xFF800001, kBF16), 0xFFC0u);
  EXPECT_EQ(round(kF32, 0x7FA30000, kBF16), 0x7FE3u);
  EXPECT_EQ(round(kF64, 0xFFF0000000000001, kF16), 0xFE00u);
  EXPECT_EQ(round(kF16, 0x7C01, kF8E4M3FN), 0x7Fu);
  EXPECT_EQ(round(kF8E4M3FN, 0xFF, kF32), 0xFFF00000u);
}

TEST(Rounding, F8Overflow) {
  auto e4m3 = [](float x, Rounding mode, bool saturate) {
    return round(kF32, bitCast<uint32_t>(x), kF8E4M3FN, mode, saturate);
  };
  // 464 is the tie between 448, the largest, and 480, which is not there.
  EXPECT_EQ(e4m3(464.0f, Rounding::NearestEven, false), 0x7Eu);
  EXPECT_EQ(e4m3(464.0f, Rounding::NearestAway, false), 0x7Fu);
  EXPECT_EQ(e4m3(465.0f, Rounding::NearestEven, false), 0x7Fu);
  EXPECT_EQ(e4m3(465.0f, Rounding::NearestEven, true), 0x7Eu);
  EXPECT_EQ(e4m3(-1e30f, Rounding::TowardZero, false), 0xFEu);
  EXPECT_EQ(e4m3(-1e30f, Rounding::Downward, false), 0xFFu);
  EXPECT_EQ(e4m3(INFINITY, Rounding::TowardZero, false), 0x7Fu);
  EXPECT_EQ(e4m3(INFINITY, Rounding::NearestEven, true), 0x7Eu);
}

TEST(Rounding, Integers) {
  Real value(64);
  std::mt19937_64 rng(5);
  for (const Format *to : kFormats)
    for (int i = 0; i < 3000; ++i) {
      uint64_t integer = rng() >> (rng() & 63);
      for (Rounding mode : kModes) {
        mpfr_set_uj(value, integer, MPFR_RNDN);
        ASSERT_EQ(fromUnsigned(*to, integer, mode),
                  roundReal(value, *to, mode));
        mpfr_set_sj(value, int64_t(integer), MPFR_RNDN);
        if (integer != 0)
          ASSERT_EQ(fromSigned(*to, int64_t(integer), mode),
                    roundReal(value, *to, mode));
      }
    }
  EXPECT_EQ(fromSigned(kF32, INT64_MIN), 0xDF000000u);
  EXPECT_EQ(fromSigned(kF16, 0), 0u);
}

TEST(Rounding, ToIntegral) {
  Real value(64), rounded(64);
  for (const Format *f : kFormats) {
    std::vector<uint64_t> inputs = specialBits(*f);
    RandomBits random(*f);
    for (int i = 0; i < 5000; ++i) {
      inputs.push_back(random());
      inputs.push_back(random.nearOne());
    }
    for (uint64_t bits : inputs) {
      if (isNaN(*f, bits))
        continue;
      for (Rounding mode : kModes) {
        setBits(value, *f, bits);
        if (mode == Rounding::NearestAway)
          mpfr_round(rounded, value);
        else
          mpfr_rint(rounded, value,
                    mode == Rounding::NearestEven  ? MPFR_RNDN
                    : mode == Rounding::TowardZero ? MPFR_RNDZ
                    : mode == Rounding::Upward     ? MPFR_RNDU
                                                   : MPFR_RNDD);
        ASSERT_EQ(roundToIntegral(*f, bits, mode),
                  roundReal(rounded, *f, Rounding::NearestEven))
            << f->name << " 0x" << std::hex << bits << " mode " << int(mode);
      }
    }
  }
}

} // namespace
