// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expansions on every bf16 and f16 input and on samples of f32;
// bench/sweep runs them on every f32 input.
#include "prec/Numerics/MathExpansion.h"

#include "prec/Numerics/Functions.h"
#include "prec/Numerics/NativeBuilder.h"

#include "Oracle.h"

#include <gtest/gtest.h>

#include <functional>

using namespace prec::num;
using namespace prec::num::test;

namespace {

using Expansions = expand::Functions<NativeBuilder>;

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
  for (uint64_t bits : specialBits(kF32))
    ASSERT_NO_FATAL_FAILURE(check(bitCast<float>(uint32_t(bits))));
}

#define EXPANSION_TEST(name)                                                   \
  TEST(MathExpansion, name) {                                                  \
    NativeBuilder builder;                                                     \
    Expansions expansions(builder);                                            \
    compare(#name, [&](float x) { return expansions.name(x); }, cr::name);     \
  }

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
