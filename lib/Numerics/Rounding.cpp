// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/Rounding.h"

using namespace prec::num;

namespace {

using Wide = unsigned __int128;

int topBit(Wide value) {
  uint64_t high = uint64_t(value >> 64);
  return high ? 127 - __builtin_clzll(high)
              : 63 - __builtin_clzll(uint64_t(value));
}

/// Shifts right, keeping "some bit was lost" in the lowest bit.
Wide shiftRightJam(Wide value, int amount) {
  if (amount > 126)
    return value != 0;
  Wide kept = value >> amount;
  return kept | ((kept << amount) != value);
}

} // namespace

uint64_t prec::num::detail::roundParts(const Format &to, bool negative,
                                       int exponent, Wide significand,
                                       Rounding mode, bool saturate) {
  assert(significand != 0 && "zero has no top bit");
  int top = topBit(significand);
  int scale = exponent + top;
  int firstScale = scale > to.minExp() ? scale : to.minExp();
  // The lowest bit of the result stands for 2^(firstScale - fracBits).
  int cut = firstScale - int(to.fracBits) - exponent;
  Wide magnitude;
  if (cut <= 0) {
    magnitude = significand << -cut;
  } else {
    // Beyond 100 bits only stickiness is left: keep the word from overflowing.
    if (cut > 100) {
      significand = shiftRightJam(significand, cut - 100);
      cut = 100;
    }
    magnitude = (significand + roundingAddend<Wide>(mode, negative, significand,
                                                    Wide(cut))) >>
                cut;
  }
  uint64_t sign = negative ? to.signMask() : 0;
  // The implicit bit of the magnitude adds the last one to the exponent.
  int field = firstScale - to.minExp();
  uint64_t limit = to.maxFinite();
  if (field > int(to.expMask() >> to.fracBits))
    return sign | overflowMagnitude(to, mode, negative, false, saturate);
  uint64_t result = (uint64_t(field) << to.fracBits) + uint64_t(magnitude);
  if (result > limit)
    result = overflowMagnitude(to, mode, negative, false, saturate);
  return sign | result;
}

uint64_t prec::num::round(const Format &from, uint64_t bits, const Format &to,
                          Rounding mode, bool saturate) {
  if (saturate && isInf(from, bits))
    return (isNegative(from, bits) ? to.signMask() : 0) | to.maxFinite();
  if (from == to)
    return isNaN(from, bits) ? bits | from.quietBit() : bits;
  if (from == kF64)
    return detail::narrow<uint64_t>(from, to, mode, saturate, bits);
  uint32_t single = uint32_t(bits);
  if (from != kF32)
    single = detail::widen<float, uint32_t>(from, kF32, single);
  if (to == kF64)
    return detail::widenF32(single);
  if (to == kF32)
    return single;
  return detail::narrow<uint32_t>(kF32, to, mode, saturate, single);
}

double prec::num::toDouble(const Format &from, uint64_t bits) {
  return bitCast<double>(round(from, bits, kF64));
}

uint64_t prec::num::fromUnsigned(const Format &to, uint64_t value,
                                 Rounding mode, bool saturate) {
  return value ? detail::roundParts(to, false, 0, value, mode, saturate) : 0;
}

uint64_t prec::num::fromSigned(const Format &to, int64_t value, Rounding mode,
                               bool saturate) {
  if (value == 0)
    return 0;
  uint64_t magnitude = value < 0 ? 0 - uint64_t(value) : uint64_t(value);
  return detail::roundParts(to, value < 0, 0, magnitude, mode, saturate);
}

uint64_t prec::num::roundToIntegral(const Format &format, uint64_t bits,
                                    Rounding mode) {
  if (isNaN(format, bits))
    return bits | format.quietBit();
  uint64_t abs = bits & format.absMask();
  uint64_t sign = bits & format.signMask();
  int scale = int(abs >> format.fracBits) - format.bias;
  if (scale >= int(format.fracBits) || abs == 0)
    return bits; // an integer, or infinite
  bool negative = sign != 0;
  uint64_t one = uint64_t(format.bias) << format.fracBits;
  if (scale < 0) {
    // 0 or 1: only how the value compares with a half matters.
    uint64_t half = one - format.minNormal();
    bool up = false;
    switch (mode) {
    case Rounding::NearestEven:
      up = abs > half;
      break;
    case Rounding::NearestAway:
      up = abs >= half;
      break;
    case Rounding::TowardZero:
      break;
    case Rounding::Upward:
      up = !negative;
      break;
    case Rounding::Downward:
      up = negative;
      break;
    }
    return sign | (up ? one : 0);
  }
  uint64_t cut = format.fracBits - unsigned(scale);
  uint64_t rounded =
      (abs + detail::roundingAddend<uint64_t>(mode, negative, abs, cut)) >> cut;
  return sign | (rounded << cut);
}
