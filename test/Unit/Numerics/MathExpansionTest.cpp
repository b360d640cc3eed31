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
    0x3AC37DE2, 0x3D7C3055, 0x4042871F, 0x383A3EF1, 0x4034D02B, 0xC16912CD,
    0x3F938CCB, 0x3FA4724F, 0x3FAA357B, 0x3F8B60A6, 0x3F9C884E, 0x3F78ECF1,
    0x3F4C3770, 0x3EF3830F, 0x5F208D82, 0x61DFC847, 0x653CEE8F, 0x7F2A2CA7,
    0x5F3A3BB6};

using Function = std::function<float(float)>;

/// Each of `expansions` with `reference`.
void compare(const char *name, std::initializer_list<Function> expansions,
             const Function &reference) {
  auto check = [&](float x) {
    uint32_t want = bitCast<uint32_t>(reference(x));
    for (const Function &expansion : expansions) {
      uint32_t got = bitCast<uint32_t>(expansion(x));
      ASSERT_TRUE(sameValue(kF32, got, want))
          << name << "(" << std::hexfloat << x << "): got " << std::hex << got
          << ", expected " << want;
    }
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
  // Quarter turns.
  for (uint32_t i = 1; i < 3000; ++i)
    ASSERT_NO_FATAL_FAILURE(check(float(double(i) * 0x1.921fb54442d18p+0)));
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
    compare(#name, {[&](float x) { return functions.name(x); }}, cr::name);    \
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
DOUBLE_FLOAT_TEST(log2)
DOUBLE_FLOAT_TEST(log10)
DOUBLE_FLOAT_TEST(log1p)
DOUBLE_FLOAT_TEST(tanh)
DOUBLE_FLOAT_TEST(erf)
DOUBLE_FLOAT_TEST(sin)
DOUBLE_FLOAT_TEST(cos)
DOUBLE_FLOAT_TEST(rsqrt)

// Both at once: the reference is slow.
TEST(MathExpansion, powi) {
  NativeBuilder builder;
  Expansions expansions(builder);
  DoubleFloat pairs(builder);
  for (int n = -Expansions::kMaxPower; n <= Expansions::kMaxPower; ++n)
    ASSERT_NO_FATAL_FAILURE(
        compare("powi",
                {[&](float x) { return expansions.powi(x, n); },
                 [&](float x) { return pairs.powi(x, n); }},
                [&](float x) { return cr::powi(x, n); }))
        << "exponent " << n;
}

} // namespace
