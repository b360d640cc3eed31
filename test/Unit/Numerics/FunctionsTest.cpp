// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/Functions.h"

#include "Oracle.h"

#include <gtest/gtest.h>

using namespace prec::num;
using namespace prec::num::test;

namespace {

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

struct Function {
  const char *name;
  float (*ours)(float);
  MpfrFunction exact;
};

const Function kFunctions[] = {
    {"exp", cr::exp, mpfr_exp},          {"exp2", cr::exp2, mpfr_exp2},
    {"expm1", cr::expm1, mpfr_expm1},    {"log", cr::log, mpfr_log},
    {"log2", cr::log2, mpfr_log2},       {"log10", cr::log10, mpfr_log10},
    {"log1p", cr::log1p, mpfr_log1p},    {"tanh", cr::tanh, mpfr_tanh},
    {"erf", cr::erf, mpfr_erf},          {"sin", cr::sin, mpfr_sin},
    {"cos", cr::cos, mpfr_cos},          {"sqrt", cr::sqrt, mpfr_sqrt},
    {"rsqrt", cr::rsqrt, mpfr_rec_sqrt},
};

/// The f32 nearest to a real of which `value` holds 98 truncated bits.
uint32_t nearest(Real &value, int ternary) {
  mpfr_prec_round(value, 100, MPFR_RNDN);
  if (ternary != 0 && mpfr_regular_p(mpfr_srcptr(mpfr_ptr(value))))
    mpfr_signbit(value) ? mpfr_nextbelow(value) : mpfr_nextabove(value);
  return uint32_t(roundReal(value, kF32, Rounding::NearestEven));
}

class CorrectlyRounded : public ::testing::TestWithParam<Function> {
protected:
  void check(uint32_t bits) {
    float x = bitCast<float>(bits);
    uint32_t got = bitCast<uint32_t>(GetParam().ours(x));
    if (std::isnan(x)) {
      ASSERT_TRUE(isNaN(kF32, got));
      return;
    }
    if (x == 0 && std::signbit(x) && GetParam().exact == mpfr_rec_sqrt) {
      // IEEE 754 rSqrt keeps the sign of zero; MPFR's function does not.
      ASSERT_EQ(got, 0xFF800000u);
      return;
    }
    Real argument(24), value(98);
    setBits(argument, kF32, bits);
    int ternary = GetParam().exact(value, argument, MPFR_RNDZ);
    uint32_t want = nearest(value, ternary);
    ASSERT_TRUE(sameValue(kF32, got, want))
        << GetParam().name << "(" << std::hexfloat << x << "): got " << std::hex
        << got << ", expected " << want;
  }
};

TEST_P(CorrectlyRounded, SpecialAndRandom) {
  for (uint64_t bits : specialBits(kF32))
    ASSERT_NO_FATAL_FAILURE(check(uint32_t(bits)));
  // The ends of the ranges of exp and kin, and where log changes sign.
  for (float x : {88.72283f, 88.72284f, -87.33655f, -103.97208f, -103.97209f,
                  128.0f, -149.0f, -150.0f, -126.0f, -17.32868f, 9.010913f,
                  3.919206f, 0.5f, 2.0f, 10.0f, 1e10f, 16777216.0f})
    for (int32_t step : {-1, 0, 1})
      for (float signedX : {x, -x})
        ASSERT_NO_FATAL_FAILURE(
            check(bitCast<uint32_t>(signedX) + uint32_t(step)));
  RandomBits random(kF32, 17);
  for (int i = 0; i < 8000; ++i) {
    ASSERT_NO_FATAL_FAILURE(check(uint32_t(random())));
    ASSERT_NO_FATAL_FAILURE(check(uint32_t(random.nearOne())));
  }
  // Magnitudes between 2^-12 and 2^8, where most of the work is.
  for (int i = 0; i < 8000; ++i) {
    uint64_t bits = random.raw();
    uint32_t field = 115 + (bits >> 40) % 20;
    ASSERT_NO_FATAL_FAILURE(check(uint32_t(bits & 0x807FFFFF) | field << 23));
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, CorrectlyRounded,
                         ::testing::ValuesIn(kFunctions), [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(Functions, IntegerPowers) {
  RandomBits random(kF32, 23);
  auto check = [&](uint32_t bits, int n) {
    float x = bitCast<float>(bits);
    Real argument(24), value(98);
    setBits(argument, kF32, bits);
    int ternary = mpfr_pow_si(value, argument, n, MPFR_RNDZ);
    uint32_t want = nearest(value, ternary);
    uint32_t got = bitCast<uint32_t>(cr::powi(x, n));
    ASSERT_TRUE(sameValue(kF32, got, want))
        << std::hexfloat << x << " to " << std::dec << n << std::hex << ": got "
        << got << ", expected " << want;
  };
  for (int n : {-1000000007, -65, -5,   -4,      -3,        -2,       -1, 0,
                1,           2,   3,    4,       5,         6,        7,  8,
                13,          64,  1000, 8388609, INT32_MAX, INT32_MIN}) {
    for (uint64_t bits : specialBits(kF32))
      if (!isNaN(kF32, bits))
        ASSERT_NO_FATAL_FAILURE(check(uint32_t(bits), n));
    for (int i = 0; i < 1000; ++i) {
      uint32_t any = uint32_t(random());
      if (!isNaN(kF32, any))
        ASSERT_NO_FATAL_FAILURE(check(any, n));
      ASSERT_NO_FATAL_FAILURE(check(uint32_t(random.nearOne()), n));
      // Few significant bits: exact powers and ties.
      ASSERT_NO_FATAL_FAILURE(check(uint32_t(random.nearOne()) & ~0x7FFu, n));
    }
  }
  EXPECT_TRUE(std::isnan(cr::powi(NAN, 3)));
  EXPECT_EQ(cr::powi(NAN, 0), 1.0f);
}

TEST(Functions, PowerOfTwoNumbers) {
  RandomBits random(kF32, 29);
  for (int i = 0; i < 20000; ++i) {
    uint32_t a = uint32_t(random.nearOne()) & 0x7FFFFFFF;
    uint32_t b = uint32_t(random.nearOne());
    Real x(24), y(24), value(98);
    setBits(x, kF32, a);
    setBits(y, kF32, b);
    int ternary = mpfr_pow(value, x, y, MPFR_RNDZ);
    ASSERT_EQ(bitCast<uint32_t>(cr::pow(bitCast<float>(a), bitCast<float>(b))),
              nearest(value, ternary));
  }
}

} // namespace
