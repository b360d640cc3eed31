// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt of one thread.
#include "Program.h"

#include "prec/Numerics/Arithmetic.h"

#include <algorithm>

using namespace prec;
using namespace prec::ptx;
using num::Format;
using num::Rounding;

namespace {

uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

uint64_t signExtend(uint64_t value, unsigned bits) {
  return bits >= 64 ? value
                    : uint64_t(int64_t(value << (64 - bits)) >> (64 - bits));
}

/// The destination register may be wider than the type: `imm` has its bits,
/// and integers are extended by their own sign.
uint64_t toRegister(const Inst &i, uint64_t value) {
  unsigned bits = bitsOf(i.type);
  if (isSigned(i.type))
    value = signExtend(value, bits);
  return value & maskOf(std::max<unsigned>(i.imm, bits)) &
         (isSigned(i.type) ? ~uint64_t(0) : maskOf(bits));
}

uint64_t integerToInteger(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  unsigned from = bitsOf(i.sourceType), to = bitsOf(i.type);
  bool fromSigned = isSigned(i.sourceType), toSigned = isSigned(i.type);
  a &= maskOf(from);
  if (fromSigned)
    a = signExtend(a, from);
  if (i.sat) {
    __int128 value = fromSigned ? __int128(int64_t(a)) : __int128(a);
    __int128 top =
        toSigned ? (__int128(1) << (to - 1)) - 1 : (__int128(1) << to) - 1;
    __int128 bottom = toSigned ? -(__int128(1) << (to - 1)) : 0;
    a = uint64_t(std::clamp(value, bottom, top));
  }
  return toRegister(i, a & maskOf(to));
}

uint64_t integerToFloat(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  const Format &to = *formatOf(i.type);
  unsigned from = bitsOf(i.sourceType);
  a &= maskOf(from);
  return isSigned(i.sourceType)
             ? num::fromSigned(to, int64_t(signExtend(a, from)), i.rounding)
             : num::fromUnsigned(to, a, i.rounding);
}

uint64_t flush(const Format &f, uint64_t a) {
  return num::isSubnormal(f, a) ? a & f.signMask() : a;
}

/// Rounds to an integer and clamps to the type; NaN gives 0.
uint64_t floatToInteger(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  const Format &from = *formatOf(i.sourceType);
  a &= maskOf(from.width());
  if (i.ftz)
    a = flush(from, a);
  if (num::isNaN(from, a))
    return 0;
  double value = num::toDouble(from, num::roundToIntegral(from, a, i.rounding));
  unsigned to = bitsOf(i.type);
  bool toSigned = isSigned(i.type);
  double end = toSigned ? double(uint64_t(1) << (to - 1))
                        : 2.0 * double(uint64_t(1) << (to - 1));
  uint64_t result;
  if (toSigned)
    result = value >= end    ? maskOf(to - 1)
             : value <= -end ? uint64_t(1) << (to - 1)
                             : uint64_t(int64_t(value)) & maskOf(to);
  else
    result = value >= end ? maskOf(to) : value <= 0 ? 0 : uint64_t(value);
  return toRegister(i, result);
}

/// One number from a format to another, with every modifier.
uint64_t floatToFloat(const Inst &i, const Format &from, const Format &to,
                      uint64_t a) {
  if (i.ftz && from == num::kF32)
    a = flush(from, a);
  if (num::isNaN(from, a)) {
    if (i.sat)
      return 0;
    // The canonical NaN; f64 keeps IEEE's quiet one.
    return to == num::kF64 ? to.quietNaN() : to.absMask();
  }
  uint64_t r;
  if (i.integral)
    r = num::roundToIntegral(from, a, i.rounding);
  else
    r = num::round(from, a, to, i.rounding, i.satfinite);
  if (i.ftz && to == num::kF32)
    r = flush(to, r);
  if ((i.sat || i.relu) && r & to.signMask())
    return 0;
  uint64_t one = uint64_t(to.bias) << to.fracBits;
  return i.sat && r > one ? one : r;
}

uint64_t scalarFloat(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  const Format &from = *formatOf(i.sourceType), &to = *formatOf(i.type);
  uint64_t r = floatToFloat(i, from, to, a & maskOf(from.width()));
  // TF32 is kept in the high bits of an f32.
  return i.type == Ty::TF32 ? r << 13 : r;
}

// The three conversions that kernels are full of.
uint64_t bf16ToF32(const Inst &, uint64_t a, uint64_t, uint64_t) {
  uint32_t wide = uint32_t(a) << 16;
  return (wide & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : wide;
}
uint64_t f32ToBF16(const Inst &, uint64_t a, uint64_t, uint64_t) {
  uint32_t w = uint32_t(a);
  uint32_t rounded = (w + 0x7fff + (w >> 16 & 1)) >> 16;
  return (w & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded;
}
uint64_t f32ToBF16x2(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  return f32ToBF16(i, a, 0, 0) << 16 | f32ToBF16(i, b, 0, 0);
}

/// Two f32 to a packed pair: a is the high one.
uint64_t packFloats(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  const Format &from = *formatOf(i.sourceType), &to = *formatOf(i.type);
  return floatToFloat(i, from, to, a) << to.width() |
         floatToFloat(i, from, to, b);
}
/// A packed pair to a packed pair.
uint64_t pairToPair(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  const Format &from = *formatOf(i.sourceType), &to = *formatOf(i.type);
  uint64_t mask = maskOf(from.width());
  return floatToFloat(i, from, to, a >> from.width() & mask) << to.width() |
         floatToFloat(i, from, to, a & mask);
}
} // namespace

PureFn prec::ptx::convertFunction(Inst &i) {
  bool fromFloat = isFloat(i.sourceType), toFloat = isFloat(i.type);
  if (!fromFloat && !toFloat)
    return pure<integerToInteger>();
  if (!fromFloat)
    return pure<integerToFloat>();
  if (!toFloat)
    return pure<floatToInteger>();
  bool plain = !i.ftz && !i.sat && !i.relu && !i.satfinite && !i.integral &&
               i.rounding == Rounding::NearestEven;
  if (lanesOf(i.type) == 2) {
    if (lanesOf(i.sourceType) == 2)
      return pure<pairToPair>();
    return plain && i.type == Ty::BF16x2 ? pure<f32ToBF16x2>()
                                         : pure<packFloats>();
  }
  if (lanesOf(i.sourceType) == 2)
    return {};
  if (plain && i.type == Ty::F32 && i.sourceType == Ty::BF16)
    return pure<bf16ToF32>();
  if (plain && i.type == Ty::BF16 && i.sourceType == Ty::F32)
    return pure<f32ToBF16>();
  return pure<scalarFloat>();
}

uint64_t prec::ptx::setTrue(Ty type) {
  if (const Format *f = formatOf(type)) {
    uint64_t one = uint64_t(f->bias) << f->fracBits;
    return lanesOf(type) == 2 ? one << f->width() | one : one;
  }
  return maskOf(bitsOf(type));
}
