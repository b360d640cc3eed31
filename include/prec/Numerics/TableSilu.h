// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x / (1 + e^-x) of a 16-bit number, rounded to its format, over a Builder as
// in NarrowExpansion.h which also has
//  - minimumSigned(I32, I32) and minimumUnsigned(I32, I32) of integers, and
//  - lookUp(const uint32_t (&)[32], I32): the word at the place that the low
//  five
//    bits of the integer say.
//
// e^-x = 2^(k/32) * e^-r, with k/32 near -x / ln(2): a table has the powers for
// the low bits of k, the others are added to the exponent. For bf16 e^-r is 1 -
// r, which for so small an r is wrong by less than 2^-14; for f16 it has r^2,
// too. The table's numbers and the coefficients are such that no result suffers
// (bench/sweep/silu-table.py); that it is so is shown on all 65,536 numbers
// (test/Unit/Numerics/TableSiluTest.cpp).
#ifndef PREC_NUMERICS_TABLESILU_H
#define PREC_NUMERICS_TABLESILU_H

#include "prec/Numerics/Rounding.h"
#include "prec/Numerics/TableSiluConstants.h"

#include <cstdint>

namespace prec::num::expand {

template <typename Builder> class TableSilu {
public:
  using F32 = typename Builder::F32;
  using I32 = typename Builder::I32;

  explicit TableSilu(Builder &b) : b(b) {}

  /// Of a bf16 number times a power of two from 2^-16 to 1, which is rounded to
  /// bf16 first: the result in the upper half of a word, but that a zero has no
  /// sign; the result's is that of x.
  I32 ofBF16(F32 x, float scale) {
    F32 quotient = evenNumerator(x, scale) / onePlusExpOfBF16(x, scale);
    // No quotient is in the middle between two numbers of bf16: half of the
    // last place is added, and what is cut off does not matter. A NaN's lower
    // half is zero.
    return b.bits(quotient) + b.i32(0x8000);
  }

  /// Of an f16 number: what is to be rounded to f16.
  F32 ofF16(F32 x) { return x / onePlusExpOfF16(x); }

private:
  /// Added to a smaller number, rounds it to a multiple of the smallest number
  /// of bf16, 2^-133; and no number of bf16 that is larger.
  static constexpr float kSubnormal = 0x1.8p-110f;
  static constexpr float kShift = 0x1.8p23f;
  /// From where on e^-x is nothing beside 1, and where it is infinite.
  static constexpr float kHigh = 32.0f, kLow = -88.73f;

  /// The number times the scale, rounded to bf16; those so small that half of
  /// them is the result are rounded to even multiples of 2^-133, as that half
  /// would be. A zero has no sign.
  F32 evenNumerator(F32 x, float scale) {
    F32 once = b.f32(kSubnormal), twice = b.f32(2 * kSubnormal);
    if (scale == 1)
      return (x + twice) - twice;
    return (b.fma(x, b.f32(scale), once) + once) - twice;
  }

  /// x within the bounds of x * scale. Words are in the order of numbers, of
  /// negative ones their magnitudes.
  F32 limit(F32 x, float scale) {
    auto wordOf = [&](float bound) {
      return b.i32(bitCast<uint32_t>(bound / scale));
    };
    return b.float32(b.minimumUnsigned(
        b.minimumSigned(b.bits(x), wordOf(kHigh)), wordOf(kLow)));
  }

  /// 2^(k/32) times a power of two, given k + kShift. The low five bits of k
  /// are no part of the exponent: the table's words are less by them.
  F32 power(const uint32_t (&table)[32], F32 shifted, float scale = 1) {
    const uint32_t exponent =
        bitCast<uint32_t>(scale) - bitCast<uint32_t>(1.0f);
    uint32_t words[32];
    for (unsigned i = 0; i < 32; ++i)
      words[i] = table[i] + exponent;
    I32 word = b.bits(shifted);
    return b.float32(b.lookUp(words, word) + b.shiftLeft(word, 23 - 5));
  }

  F32 onePlusExpOfBF16(F32 x, float scale) {
    F32 c = limit(x, scale);
    F32 shifted = b.fma(c, b.f32(-scale * kTableBF16Log2E), b.f32(kShift));
    F32 k = shifted - b.f32(kShift);
    // In units of the scale, so that c need not be multiplied with it.
    F32 rest =
        b.fma(k, b.f32(-kTableLn2 / scale), b.f32(kTableBF16One / scale) - c);
    return b.fma(power(kTableBF16Powers, shifted, scale), rest, b.f32(1));
  }

  F32 onePlusExpOfF16(F32 x) {
    F32 c = limit(x, 1);
    F32 shifted = b.fma(c, b.f32(-kTableF16Log2E), b.f32(kShift));
    F32 k = shifted - b.f32(kShift);
    F32 r = b.fma(k, b.f32(kTableLn2), c);
    F32 rest = b.fma(r, b.f32(kTableF16Second), b.f32(-1));
    rest = b.fma(rest, r, b.f32(1));
    return b.fma(power(kTableF16Powers, shifted), rest, b.f32(1));
  }

  Builder &b;
};

} // namespace prec::num::expand

#endif // PREC_NUMERICS_TABLESILU_H
