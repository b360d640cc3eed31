// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/Arithmetic.h"

#include "Oracle.h"

#include <gtest/gtest.h>

using namespace prec::num;
using namespace prec::num::test;

namespace {

const std::vector<const Format *> kFormats{&kBF16, &kF16,      &kF32,
                                           &kF64,  &kF8E4M3FN, &kF8E5M2};

/// Compares one result with the exact one, rounded once. IEEE's rule for the
/// sign of an exact zero sum comes from `zeroMode`.
#define EXPECT_BITS(f, got, exact, mode, what)                                 \
  do {                                                                         \
    uint64_t want_ = roundReal(exact, f, mode);                                \
    uint64_t got_ = (got);                                                     \
    ASSERT_TRUE(sameValue(f, got_, want_))                                     \
        << what << ' ' << (f).name << " mode " << int(mode) << std::hex        \
        << " a=0x" << a << " b=0x" << b << " c=0x" << c << ": got 0x" << got_  \
        << ", expected 0x" << want_;                                           \
  } while (false)

mpfr_rnd_t zeroMode(Rounding mode) {
  return mode == Rounding::Downward ? MPFR_RNDD : MPFR_RNDN;
}

class Checker {
public:
  void operator()(const Format &f, uint64_t a, uint64_t b, uint64_t c) {
    bool nan2 = isNaN(f, a) || isNaN(f, b);
    bool nan3 = nan2 || isNaN(f, c);
    for (Rounding mode : kModes) {
      load(x, f, a);
      load(y, f, b);
      load(z, f, c);
      if (nan2) {
        ASSERT_TRUE(isNaN(f, add(f, a, b, mode)));
        ASSERT_TRUE(isNaN(f, sub(f, a, b, mode)));
        ASSERT_TRUE(isNaN(f, mul(f, a, b, mode)));
        ASSERT_TRUE(isNaN(f, div(f, a, b, mode)));
        ASSERT_TRUE(isNaN(f, fma(f, a, b, c, mode)));
        continue;
      }
      // 4500 bits hold every sum and product of doubles exactly.
      mpfr_add(r, x, y, zeroMode(mode));
      EXPECT_BITS(f, add(f, a, b, mode), r, mode, "add");
      mpfr_sub(r, x, y, zeroMode(mode));
      EXPECT_BITS(f, sub(f, a, b, mode), r, mode, "sub");
      mpfr_mul(r, x, y, MPFR_RNDN);
      EXPECT_BITS(f, mul(f, a, b, mode), r, mode, "mul");
      if (!nan3) {
        mpfr_add(s, r, z, zeroMode(mode));
        EXPECT_BITS(f, fma(f, a, b, c, mode), s, mode, "fma");
      }
      // Inexact quotients and roots are truncated with a bit to spare.
      divide(mode, f, a, b, c);
    }
  }

private:
  static void load(mpfr_ptr out, const Format &f, uint64_t bits) {
    if (isNaN(f, bits))
      mpfr_set_nan(out);
    else
      setBits(out, f, bits);
  }

  void divide(Rounding mode, const Format &f, uint64_t a, uint64_t b,
              uint64_t c) {
    mpfr_set_prec(q, 200);
    int ternary = mpfr_div(q, x, y, MPFR_RNDZ);
    appendSticky(ternary);
    EXPECT_BITS(f, div(f, a, b, mode), q, mode, "div");
    mpfr_set_prec(q, 200);
    ternary = mpfr_sqrt(q, x, MPFR_RNDZ);
    appendSticky(ternary);
    EXPECT_BITS(f, prec::num::sqrt(f, a, mode), q, mode, "sqrt");
  }

  /// Two bits more; an inexact result gets the last one, so that it rounds to
  /// fewer bits like the exact value.
  void appendSticky(int ternary) {
    mpfr_prec_round(q, 202, MPFR_RNDN);
    if (ternary != 0 && mpfr_number_p(q))
      mpfr_signbit(q) ? mpfr_nextbelow(q) : mpfr_nextabove(q);
  }

  Real x{64}, y{64}, z{64}, r{4500}, s{4500}, q{200};
};

TEST(Arithmetic, SpecialValuesAllModes) {
  Checker check;
  for (const Format *f : kFormats) {
    std::vector<uint64_t> values = specialBits(*f);
    for (uint64_t a : values)
      for (uint64_t b : values) {
        check(*f, a, b, values[(a * 7 + b) % values.size()]);
        check(*f, a, b, f->signMask());
        if (HasFatalFailure())
          return;
      }
  }
}

TEST(Arithmetic, RandomAllModes) {
  Checker check;
  for (const Format *f : kFormats) {
    RandomBits random(*f, 7);
    for (int i = 0; i < 4000 && !HasFatalFailure(); ++i) {
      check(*f, random(), random(), random());
      check(*f, random.nearOne(), random.nearOne(), random.nearOne());
    }
  }
}

// fma whose product nearly cancels the addend, or sits at a rounding tie.
TEST(Arithmetic, FmaCancellationAndTies) {
  Checker check;
  for (const Format *f : kFormats) {
    RandomBits random(*f, 9);
    for (int i = 0; i < 4000 && !HasFatalFailure(); ++i) {
      uint64_t a = random.nearOne(), b = random.nearOne();
      uint64_t product = mul(*f, a, b);
      check(*f, a, b, negate(*f, product));
      // An addend far below the product's last place.
      uint64_t tiny = random() & (f->fracMask() | f->signMask());
      check(*f, a, b, tiny);
    }
  }
}

// H10: the f32 operation, then rounded, is the singly rounded 16-bit one. Here
// on samples against exact arithmetic; on all pairs in bench/sweep.
TEST(Arithmetic, F32ThenRoundIsSinglyRounded) {
  for (const Format *f : {&kBF16, &kF16}) {
    RandomBits random(*f, 3);
    Real x(64), y(64), r(600);
    for (int i = 0; i < 20000; ++i) {
      uint64_t a = random(), b = random();
      if (isNaN(*f, a) || isNaN(*f, b))
        continue;
      setBits(x, *f, a);
      setBits(y, *f, b);
      mpfr_mul(r, x, y, MPFR_RNDN);
      ASSERT_TRUE(sameValue(*f, mul(*f, a, b),
                            roundReal(r, *f, Rounding::NearestEven)));
      mpfr_add(r, x, y, MPFR_RNDN);
      ASSERT_TRUE(sameValue(*f, add(*f, a, b),
                            roundReal(r, *f, Rounding::NearestEven)));
    }
  }
}

// The same for square roots: all 16-bit inputs.
TEST(Arithmetic, SquareRootsOfAllSixteenBitNumbers) {
  for (const Format *f : {&kBF16, &kF16}) {
    Real x(64), root(62);
    for (uint64_t bits = 0; bits <= f->expMask(); ++bits) {
      setBits(x, *f, bits);
      mpfr_set_prec(root, 62);
      int ternary = mpfr_sqrt(root, x, MPFR_RNDZ);
      // An inexact root gets a bit below those kept: no tie is where none is.
      mpfr_prec_round(root, 64, MPFR_RNDN);
      if (ternary != 0)
        mpfr_nextabove(root);
      ASSERT_EQ(prec::num::sqrt(*f, bits),
                roundReal(root, *f, Rounding::NearestEven));
    }
  }
}

// ... and for fma it is not: the f32 form rounds twice.
TEST(Arithmetic, F32FmaThenRoundRoundsTwice) {
  Real exact(300), x(64);
  RandomBits random(kBF16, 11);
  int twice = 0;
  for (int i = 0; i < 200000; ++i) {
    uint64_t a = random.nearOne(), b = random.nearOne();
    uint64_t c = (random() & (kBF16.fracMask() | kBF16.signMask())) |
                 ((100 + random.raw() % 20) << 7);
    float single = std::fma(widenBF16(a), widenBF16(b), widenBF16(c));
    uint64_t once = fma(kBF16, a, b, c);
    if (roundToBF16(single) == once)
      continue;
    ++twice;
    setBits(exact, kBF16, a);
    setBits(x, kBF16, b);
    mpfr_mul(exact, exact, x, MPFR_RNDN);
    setBits(x, kBF16, c);
    mpfr_add(exact, exact, x, MPFR_RNDN);
    ASSERT_EQ(once, roundReal(exact, kBF16, Rounding::NearestEven));
  }
  EXPECT_GT(twice, 0);
}

// H12: a bf16 quotient in the normal range is so far from every rounding tie
// that 64 f32 units either way do not change it. All significand pairs.
TEST(Arithmetic, BF16QuotientsAreFarFromTies) {
  for (uint32_t i = 0; i < 128; ++i)
    for (uint32_t j = 0; j < 128; ++j) {
      float quotient =
          widenBF16(uint16_t(0x3F80 + i)) / widenBF16(uint16_t(0x3F80 + j));
      uint16_t want = roundToBF16(quotient);
      uint32_t bits = bitCast<uint32_t>(quotient);
      ASSERT_EQ(roundToBF16(bitCast<float>(bits - 64)), want);
      ASSERT_EQ(roundToBF16(bitCast<float>(bits + 64)), want);
    }
}

TEST(Arithmetic, MinimumAndMaximum) {
  uint64_t nan = kF32.quietNaN(), one = 0x3F800000, minus = 0x80000000;
  EXPECT_EQ(minimum(kF32, nan, one), nan);
  EXPECT_EQ(maximum(kF32, one, nan), nan);
  EXPECT_EQ(minimumNumber(kF32, nan, one), one);
  EXPECT_EQ(maximumNumber(kF32, one, nan), one);
  EXPECT_EQ(maximumNumber(kF32, nan, nan), nan);
  EXPECT_EQ(minimum(kF32, 0, minus), minus);
  EXPECT_EQ(minimum(kF32, minus, 0), minus);
  EXPECT_EQ(maximum(kF32, 0, minus), 0u);
  EXPECT_EQ(maximum(kF32, minus, 0), 0u);
  EXPECT_EQ(minimum(kF32, one, one | minus), one | minus);
  EXPECT_EQ(maximum(kF32, one, one | minus), one);
}

TEST(Arithmetic, Compare) {
  EXPECT_EQ(compare(kBF16, 0, 0x8000), Ordering::Equal);
  EXPECT_EQ(compare(kBF16, 0x3F80, 0x7FC0), Ordering::Unordered);
  EXPECT_EQ(compare(kF64, kF64.signMask() | kF64.expMask(), 0), Ordering::Less);
  EXPECT_EQ(compare(kF64, 1, kF64.signMask() | 1), Ordering::Greater);
}

} // namespace
