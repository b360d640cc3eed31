// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// silu by a table against the formula with the correctly rounded exponential,
// on all 16-bit numbers and, for bf16, with all scales.
#include "prec/Numerics/TableSilu.h"
#include "prec/Numerics/Functions.h"
#include "prec/Numerics/NativeBuilder.h"

#include <gtest/gtest.h>

using namespace prec::num;

static float silu(float x) { return x / (1 + cr::exp(-x)); }

TEST(TableSilu, BF16) {
  NativeBuilder b;
  expand::TableSilu<NativeBuilder> table(b);
  for (int log2 = -16; log2 <= 0; ++log2) {
    const float scale = std::ldexp(1.0f, log2);
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      float x = widenBF16(uint16_t(bits));
      uint16_t want = roundToBF16(silu(widenBF16(roundToBF16(x * scale))));
      uint32_t got = table.ofBF16(x, scale) >> 16 | (bits & 0x8000);
      ASSERT_TRUE(sameValue(kBF16, got, want))
          << std::hex << bits << " times 2^" << std::dec << log2 << ": got "
          << std::hex << got << ", expected " << want;
    }
  }
}

TEST(TableSilu, F16) {
  NativeBuilder b;
  expand::TableSilu<NativeBuilder> table(b);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float x = widenF16(uint16_t(bits));
    uint16_t got = roundToF16(table.ofF16(x)), want = roundToF16(silu(x));
    ASSERT_TRUE(sameValue(kF16, got, want))
        << std::hex << bits << ": got " << got << ", expected " << want;
  }
}
