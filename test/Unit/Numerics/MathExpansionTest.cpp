// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expansions on every bf16 and f16 input and on samples of f32;
// bench/sweep runs them on every f32 input.
#include "prec/Numerics/MathExpansion.h"

#include "prec/Numerics/DoubleFloatExpansion.h"
#include "prec/Numerics/Functions.h"
#include "prec/Numerics/NativeBuilder.h"

#include "Oracle.h"

#include <gtest/gtest.h>

#include <functional>

using namespace prec::num;
using namespace prec::num::test;

namespace {

using Expansions = expand::Functions<NativeBuilder>;
using DoubleFloat = expand::DoubleFloatFunctions<NativeBuilder>;

/// Inputs whose exact value is next to a tie.
constexpr uint32_t kHard[] = {
    0x3B429D37, 0xBCF3A937, 0x3C413D3A, 0x41178FEB, 0x4C5D65A5, 0x65D890D3,
    0x6F31A8EC, 0x35400003, 0x3710001B, 0x3EFD81AD, 0x41078FEB, 0xB53FFFFD,
    0xB70FFFE5, 0xBB0EC8C4, 0x0EFEEE7A, 0x46199998, 0x5F18B878, 0x6115CB11,
    0x3AC37DE2, 0x3D7C3055, 0x4042871F, 0x383A3EF1, 0x4034D02B, 0xC16912CD};

void compare(const char *name, const std::function<float(float)> &expansion,
             const std::function<float(float)> &reference) {
  auto check = [&](float x) {
    uint32_t got = bitCast<uint32_t>(expansion(x));
    uint32_t want = bitCast<uint32_t>(reference(x));
    ASSERT_TRUE(sameValue(kF32, got, want))
        << name << "(" << std::hexfloat << x << "): got " << std::hex << got
        << ", expected " << want;
  };
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    ASSERT_NO_FATAL_FAILURE(check(widenBF16(uint16_t(bits))));
    ASSERT_NO_FATAL_FAILURE(check(widenF16(uint16_t(bits))));
  }
  RandomBits random(kF32, 31);
  for (int i = 0; i < 30000; ++i) {
    ASSERT_NO_FATAL_FAILURE(check(bitCast<float>(uint32_t(random()))));
    ASSERT_NO_FATAL_FAILURE(check(bitCast<float>(uint32_t(random.nearOne()))));
  }
  // Subnormal results of exponentials.
  for (uint32_t i = 0; i < 30000; ++i)
    ASSERT_NO_FATAL_FAILURE(check(-87.0f - float(i) * 0x1.25p-9f));
  for (uint32_t bits : kHard)
    ASSERT_NO_FATAL_FAILURE(check(bitCast<float>(bits)));
  for (uint64_t bits : specialBits(kF32))
    ASSERT_NO_FATAL_FAILURE(check(bitCast<float>(uint32_t(bits))));
}

#define TEST_OF(suite, expansions, name)                                       \
  TEST(suite, name) {                                                          \
    NativeBuilder builder;                                                     \
    expansions functions(builder);                                             \
    compare(                                                                   \
        #name, [&](float x) { return functions.name(x); }, cr::name);          \
  }
#define EXPANSION_TEST(name) TEST_OF(MathExpansion, Expansions, name)
#define DOUBLE_FLOAT_TEST(name) TEST_OF(DoubleFloatExpansion, DoubleFloat, name)

EXPANSION_TEST(exp)
EXPANSION_TEST(exp2)
EXPANSION_TEST(expm1)
EXPANSION_TEST(log)
EXPANSION_TEST(log2)
EXPANSION_TEST(log10)
EXPANSION_TEST(log1p)
EXPANSION_TEST(tanh)
EXPANSION_TEST(erf)
EXPANSION_TEST(sin)
EXPANSION_TEST(cos)
EXPANSION_TEST(rsqrt)

DOUBLE_FLOAT_TEST(exp)
DOUBLE_FLOAT_TEST(exp2)
DOUBLE_FLOAT_TEST(expm1)
DOUBLE_FLOAT_TEST(log)
DOUBLE_FLOAT_TEST(log1p)
DOUBLE_FLOAT_TEST(tanh)
DOUBLE_FLOAT_TEST(erf)
DOUBLE_FLOAT_TEST(rsqrt)

TEST(MathExpansion, powi) {
  NativeBuilder builder;
  Expansions expansions(builder);
  for (int n = -Expansions::kMaxPower; n <= Expansions::kMaxPower; ++n)
    ASSERT_NO_FATAL_FAILURE(compare(
        "powi", [&](float x) { return expansions.powi(x, n); },
        [&](float x) { return cr::powi(x, n); }))
        << "exponent " << n;
}

} // namespace
