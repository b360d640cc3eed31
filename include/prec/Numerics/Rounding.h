// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion between formats with one rounding, by integer arithmetic only: it
// depends on no rounding mode, flush mode or conversion instruction of the
// host.
#ifndef PREC_NUMERICS_ROUNDING_H
#define PREC_NUMERICS_ROUNDING_H

#include "prec/Numerics/Format.h"

#include <cassert>

namespace prec::num {

/// Same order as the dialect's rounding modes.
enum class Rounding {
  NearestEven,
  TowardZero,
  Upward,
  Downward,
  NearestAway,
};

/// Reads the bits of a value as another type of the same size.
template <typename To, typename From> constexpr To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

namespace detail {

/// What to add to a magnitude before its low `shift` bits (at least one) are
/// cut off, so that the cut rounds by `mode`.
template <typename Word>
constexpr Word roundingAddend(Rounding mode, bool negative, Word magnitude,
                              Word shift) {
  Word half = Word(1) << (shift - 1);
  switch (mode) {
  case Rounding::NearestEven:
    return half - 1 + ((magnitude >> shift) & 1);
  case Rounding::NearestAway:
    return half;
  case Rounding::TowardZero:
    return 0;
  case Rounding::Upward:
    return negative ? 0 : half + (half - 1);
  case Rounding::Downward:
    return negative ? half + (half - 1) : 0;
  }
  return 0;
}

/// The magnitude that stands for a result beyond the largest finite number.
constexpr uint64_t overflowMagnitude(const Format &to, Rounding mode,
                                     bool negative, bool fromInf,
                                     bool saturate) {
  bool towardZero = mode == Rounding::TowardZero ||
                    mode == (negative ? Rounding::Upward : Rounding::Downward);
  return saturate || (towardZero && !fromInf) ? to.maxFinite() : to.infOrNaN();
}

/// Rounds the bits of a `from` number to the narrower `to`. `Word` has the
/// width of `from` (f32 or f64). No branch depends on the data, so that loops
/// over it vectorise when the formats and the mode are constants.
template <typename Word>
constexpr Word narrow(const Format &from, const Format &to, Rounding mode,
                      bool saturate, Word bits) {
  const Word shift = from.fracBits - to.fracBits;
  const int rebias = from.bias - to.bias;
  const Word abs = bits & Word(from.absMask());
  const bool negative = abs != bits;

  Word magnitude = abs;
  Word cut = shift;
  if (rebias > 0) {
    // A result below the normal range is a multiple of the smallest
    // subnormal: shift its significand by more.
    Word exponent = abs >> from.fracBits;
    Word significand = abs & Word(from.fracMask());
    significand |= exponent ? Word(from.minNormal()) : 0;
    exponent = exponent ? exponent : 1;
    const Word firstNormal = Word(rebias) + 1;
    Word deeper = shift + firstNormal - exponent;
    // Past this depth nothing is left but the rounding direction.
    const Word deepest = from.fracBits + 2;
    deeper = deeper < deepest ? deeper : deepest;
    bool subnormal = exponent < firstNormal;
    magnitude = subnormal ? significand : abs - (Word(rebias) << from.fracBits);
    cut = subnormal ? deeper : shift;
  }
  Word result =
      (magnitude + roundingAddend<Word>(mode, negative, magnitude, cut)) >> cut;

  const Word inf = Word(from.expMask());
  if (result > Word(to.maxFinite()))
    result = Word(overflowMagnitude(to, mode, negative, abs == inf, saturate));
  Word nan = Word(to.expMask()) | ((abs >> shift) & Word(to.fracMask())) |
             Word(to.quietNaN());
  result = abs > inf ? nan : result;
  return result | (negative ? Word(to.signMask()) : 0);
}

/// Converts the bits of a `from` number to the wider `to` (f32 or f64, which
/// `Word` and `Float` are); exact.
template <typename Float, typename Word>
constexpr Word widen(const Format &from, const Format &to, Word bits) {
  const Word shift = to.fracBits - from.fracBits;
  const Word abs = bits & Word(from.absMask());
  const Word sign = (bits & Word(from.signMask()))
                    << (to.width() - from.width());
  Word result = (abs << shift) + (Word(to.bias - from.bias) << to.fracBits);
  if (to.bias != from.bias) {
    // A subnormal: its fraction, an exact integer, times the smallest one. The
    // product is normal, so the host's flush mode does not matter.
    const Word unit = Word(to.bias + from.minExp() - int(from.fracBits))
                      << to.fracBits;
    Float value = Float(int32_t(abs)) * bitCast<Float>(unit);
    result = abs < Word(from.minNormal()) ? bitCast<Word>(value) : result;
  }
  const Word nan =
      Word(to.quietNaN()) | ((abs & Word(from.fracMask())) << shift);
  if (from.hasInf)
    result = abs == Word(from.expMask()) ? Word(to.expMask()) : result;
  result = abs > Word(from.maxFinite()) + from.hasInf ? nan : result;
  return result | sign;
}

/// f32 to f64, the one widening whose source has subnormals of many bits.
inline uint64_t widenF32(uint32_t bits) {
  uint64_t abs = bits & kF32.absMask();
  uint64_t sign = uint64_t(bits >> 31) << 63;
  unsigned shift = kF64.fracBits - kF32.fracBits;
  if (abs >= kF32.expMask()) {
    uint64_t nan = abs > kF32.expMask() ? kF64.quietBit() : 0;
    return sign | kF64.expMask() | ((abs & kF32.fracMask()) << shift) | nan;
  }
  if (abs < kF32.minNormal()) {
    // At most 23 bits: exact as a double, and so is its product.
    double unit = bitCast<double>(uint64_t(1023 - 149) << kF64.fracBits);
    return sign | bitCast<uint64_t>(double(int32_t(abs)) * unit);
  }
  uint64_t rebias = uint64_t(kF64.bias - kF32.bias) << kF64.fracBits;
  return sign | ((abs << shift) + rebias);
}

/// Rounds any finite nonzero number, significand * 2^exponent, to `to`. The
/// significand may have sticky bits jammed into its lowest bit as long as it
/// keeps two bits more than `to` does; it is below 2^126.
uint64_t roundParts(const Format &to, bool negative, int exponent,
                    unsigned __int128 significand, Rounding mode,
                    bool saturate = false);

} // namespace detail

/// Converts `bits`, a number of format `from`, to format `to`, with a single
/// rounding by `mode`; exact when `to` holds every number of `from`. Returns
/// the bits in `to`.
///  - Subnormals are kept, on both sides.
///  - NaN gives a quiet NaN of the same sign with the leading payload bits.
///  - Beyond the largest finite number: infinity (in a format without
///    infinities: NaN), or the largest finite number where the mode says so;
///    with `saturate` always the largest finite number, for infinities too.
uint64_t round(const Format &from, uint64_t bits, const Format &to,
               Rounding mode = Rounding::NearestEven, bool saturate = false);

/// The exact value of a number of any format as a double.
double toDouble(const Format &from, uint64_t bits);

/// An integer as a number of a format, rounded once.
uint64_t fromSigned(const Format &to, int64_t value,
                    Rounding mode = Rounding::NearestEven,
                    bool saturate = false);
uint64_t fromUnsigned(const Format &to, uint64_t value,
                      Rounding mode = Rounding::NearestEven,
                      bool saturate = false);

/// The number rounded to an integer, in its own format; keeps the sign of zero.
uint64_t roundToIntegral(const Format &format, uint64_t bits, Rounding mode);

// Fast paths with constant formats: inline, free of branches on the data.

/// An f32 or f64 value rounded to format `To`; returns the bits.
template <const Format &To, Rounding Mode = Rounding::NearestEven,
          bool Saturate = false>
constexpr uint32_t roundTo(float value) {
  static_assert(To.width() < 32 || To == kF32);
  uint32_t bits = bitCast<uint32_t>(value);
  if constexpr (To == kF32)
    return bits;
  else
    return detail::narrow<uint32_t>(kF32, To, Mode, Saturate, bits);
}
template <const Format &To, Rounding Mode = Rounding::NearestEven,
          bool Saturate = false>
constexpr uint64_t roundTo(double value) {
  uint64_t bits = bitCast<uint64_t>(value);
  if constexpr (To == kF64)
    return bits;
  else
    return detail::narrow<uint64_t>(kF64, To, Mode, Saturate, bits);
}

/// A number of a format narrower than f32, as f32; exact.
template <const Format &From> constexpr float widenFrom(uint32_t bits) {
  static_assert(From.width() < 32);
  return bitCast<float>(detail::widen<float, uint32_t>(From, kF32, bits));
}

constexpr uint16_t roundToBF16(float value) {
  return uint16_t(roundTo<kBF16>(value));
}
constexpr uint16_t roundToF16(float value) {
  return uint16_t(roundTo<kF16>(value));
}
constexpr uint16_t roundToBF16(double value) {
  return uint16_t(roundTo<kBF16>(value));
}
constexpr uint16_t roundToF16(double value) {
  return uint16_t(roundTo<kF16>(value));
}
constexpr float widenBF16(uint16_t bits) { return widenFrom<kBF16>(bits); }
constexpr float widenF16(uint16_t bits) { return widenFrom<kF16>(bits); }

} // namespace prec::num

#endif // PREC_NUMERICS_ROUNDING_H
