// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every set is large enough: on all pairs of a small format's numbers, and on
// sets of several, each result is in the set that is claimed for it.
#include "prec/Numerics/Representation.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Rounding.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace prec::num;

namespace {

constexpr Format kTiny{3, 2, 3, true, "tiny"};
constexpr Format kSmall{4, 4, 7, true, "small"};
constexpr Format kFinite{3, 2, 3, false, "finite"};

uint64_t count(const Format &format) { return uint64_t(1) << format.width(); }

/// Sets of one number, of two neighbours in a shuffled order, and of many.
std::vector<std::vector<uint64_t>> sets(const Format &format) {
  std::vector<std::vector<uint64_t>> result;
  std::mt19937 random(1);
  for (uint64_t x = 0; x < count(format); ++x)
    result.push_back({x});
  for (int i = 0; i < 100; ++i)
    result.push_back({random() % count(format), random() % count(format)});
  for (int i = 0; i < 20; ++i) {
    std::vector<uint64_t> set;
    uint64_t first = random() % count(format);
    for (uint64_t j = 0; j < 2 + random() % 8; ++j)
      set.push_back((first + j) % count(format));
    result.push_back(set);
  }
  return result;
}

Representation setOf(const Format &format, const std::vector<uint64_t> &set) {
  Representation result = Representation::of(format, set.front());
  for (uint64_t x : set)
    result = hull(result, Representation::of(format, x));
  return result;
}

template <typename Claim, typename Compute>
void checkPairs(const char *name, Claim claim, Compute compute) {
  auto all = sets(kTiny);
  for (const auto &a : all)
    for (const auto &b : all) {
      Representation set = claim(setOf(kTiny, a), setOf(kTiny, b));
      for (uint64_t x : a)
        for (uint64_t y : b) {
          uint64_t z = compute(x, y);
          ASSERT_TRUE(set.contains(kTiny, z))
              << name << " of " << x << " and " << y << " is " << z;
          ASSERT_TRUE(set.fits(kTiny)) << name;
        }
    }
}

TEST(Representation, OneNumberIsItself) {
  for (const Format *format : {&kTiny, &kSmall, &kFinite, &kBF16, &kF16}) {
    Representation all = Representation::all(*format);
    EXPECT_EQ(all.fits(*format), format->hasInf);
    for (uint64_t x = 0; x < count(*format); ++x) {
      if (format->hasInf)
        ASSERT_TRUE(Representation::of(*format, x).fits(*format)) << x;
      ASSERT_TRUE(all.contains(*format, x)) << x;
    }
  }
}

// Whether one number fits is decided exactly, but for the largest numbers of a
// format without infinity.
TEST(Representation, FitsWhatRoundsToItself) {
  for (const Format *to : {&kTiny, &kFinite, &kF8E4M3FN, &kF8E5M2, &kF16})
    for (uint64_t x = 0; x < count(kBF16); ++x) {
      uint64_t back = round(*to, round(kBF16, x, *to), kBF16);
      bool fits = Representation::of(kBF16, x).fits(*to);
      uint64_t exponent = round(kBF16, x, *to) & to->expMask();
      bool isTop = !to->hasInf && exponent == to->expMask();
      ASSERT_TRUE(fits == sameValue(kBF16, back, x) || (isTop && !fits))
          << to->name << ' ' << x;
    }
}

TEST(Representation, RoundsInEveryMode) {
  for (const Format *to : {&kTiny, &kFinite})
    for (const auto &set : sets(kSmall)) {
      Representation claimed = rounded(setOf(kSmall, set), *to);
      EXPECT_TRUE(claimed.fits(*to) || !to->hasInf);
      for (uint64_t x : set)
        for (Rounding mode :
             {Rounding::NearestEven, Rounding::TowardZero, Rounding::Upward,
              Rounding::Downward, Rounding::NearestAway})
          ASSERT_TRUE(claimed.contains(*to, round(kSmall, x, *to, mode)))
              << to->name << ' ' << x << " mode " << int(mode);
    }
}

TEST(Representation, Pairs) {
  checkPairs(
      "sum", [](auto a, auto b) { return rounded(exactAdd(a, b), kTiny); },
      [](auto x, auto y) { return add(kTiny, x, y); });
  checkPairs(
      "difference",
      [](auto a, auto b) { return rounded(exactAdd(a, negate(b)), kTiny); },
      [](auto x, auto y) { return sub(kTiny, x, y); });
  checkPairs(
      "product",
      [](auto a, auto b) { return rounded(exactMultiply(a, b), kTiny); },
      [](auto x, auto y) { return mul(kTiny, x, y); });
  checkPairs(
      "quotient", [](auto a, auto b) { return divide(a, b, kTiny); },
      [](auto x, auto y) { return div(kTiny, x, y); });
  checkPairs(
      "maximum", [](auto a, auto b) { return maximum(a, b); },
      [](auto x, auto y) { return maximum(kTiny, x, y); });
  checkPairs(
      "minimum", [](auto a, auto b) { return minimum(a, b); },
      [](auto x, auto y) { return minimum(kTiny, x, y); });
}

TEST(Representation, OneOperand) {
  for (const auto &set : sets(kSmall)) {
    Representation a = setOf(kSmall, set);
    for (uint64_t x : set) {
      ASSERT_TRUE(squareRoot(a, kSmall).contains(kSmall, sqrt(kSmall, x)));
      ASSERT_TRUE(negate(a).contains(kSmall, negate(kSmall, x)));
      ASSERT_TRUE(absolute(a).contains(kSmall, absolute(kSmall, x)));
    }
  }
}

// A product of two 16-bit numbers is exact in f32, but for those of bf16 that
// are too small or too large for f32.
TEST(Representation, ProductsOf16Bits) {
  Representation f16 = Representation::all(kF16);
  EXPECT_TRUE(exactMultiply(f16, f16).fits(kF32));
  Representation bf16 = Representation::all(kBF16);
  EXPECT_FALSE(exactMultiply(bf16, bf16).fits(kF32));
  Representation half = Representation::of(kBF16, 0x3F00);
  EXPECT_TRUE(exactMultiply(bf16, half).fits(kF32));
  EXPECT_FALSE(exactMultiply(bf16, half).fits(kBF16));
  EXPECT_TRUE(exactMultiply(Representation::all(kF8E5M2), half).fits(kBF16));
}

TEST(Representation, Integers) {
  EXPECT_TRUE(integers(8, false).fits(kBF16));
  EXPECT_FALSE(integers(9, false).fits(kBF16));
  EXPECT_TRUE(integers(9, true).fits(kBF16));
  EXPECT_FALSE(integers(16, false).fits(kF16));
  EXPECT_FALSE(integers(10, true).fits(kBF16));
}

TEST(Representation, ShortNaNs) {
  EXPECT_EQ(Representation::all(kBF16).nans, NaNs::Short);
  EXPECT_EQ(Representation::all(kF16).nans, NaNs::Any);
  EXPECT_EQ(Representation::of(kF32, 0x7FC00000).nans, NaNs::Short);
  EXPECT_EQ(Representation::of(kF32, 0x7FC08000).nans, NaNs::Any);
}

} // namespace
