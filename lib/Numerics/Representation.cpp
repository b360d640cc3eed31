// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/Representation.h"

#include <algorithm>

using namespace prec::num;

static NaNs either(NaNs a, NaNs b) { return std::max(a, b); }

/// Exponent of the smallest positive number.
static int unitOf(const Format &format) {
  return format.minExp() - int(format.fracBits);
}

/// The largest finite numbers are below 2 to this.
static int boundOf(const Format &format) {
  uint64_t exponent = format.maxFinite() >> format.fracBits;
  return int(exponent) - format.bias + 1;
}

Representation Representation::all(const Format &format) {
  Representation result;
  result.precision = int(format.precision());
  result.unit = unitOf(format);
  result.bound = boundOf(format);
  result.hasZero = result.hasNegative = true;
  result.hasInfinity = format.hasInf;
  result.nans = format.fracBits <= kBF16.fracBits ? NaNs::Short : NaNs::Any;
  return result;
}

Representation Representation::zeros() {
  Representation result;
  result.hasZero = result.hasNegative = true;
  return result;
}

Representation Representation::of(const Format &format, uint64_t bits) {
  Representation result;
  uint64_t magnitude = bits & format.absMask();
  if (isNaN(format, bits)) {
    int dropped = int(format.fracBits) - int(kBF16.fracBits);
    bool isShort =
        dropped <= 0 || (magnitude & ((uint64_t(1) << dropped) - 1)) == 0;
    result.nans = isShort ? NaNs::Short : NaNs::Any;
    return result;
  }
  result.hasNegative = isNegative(format, bits);
  if (isInf(format, bits)) {
    result.hasInfinity = true;
    return result;
  }
  if (magnitude == 0) {
    result.hasZero = true;
    return result;
  }
  uint64_t significand = magnitude & format.fracMask();
  int exponent = int(magnitude >> format.fracBits);
  if (exponent)
    significand |= format.minNormal();
  result.unit = std::max(exponent, 1) - format.bias - int(format.fracBits);
  for (; !(significand & 1); significand >>= 1)
    ++result.unit;
  for (; significand; significand >>= 1)
    ++result.precision;
  result.bound = result.unit + result.precision;
  return result;
}

bool Representation::fits(const Format &format) const {
  if (hasInfinity && !format.hasInf)
    return false;
  if (precision == 0)
    return true;
  // Without infinity, the number of all bits at the largest exponent is NaN.
  bool isNaNBelow = !format.hasInf && precision == int(format.precision());
  return precision <= int(format.precision()) && unit >= unitOf(format) &&
         bound <= boundOf(format) - (isNaNBelow ? 1 : 0);
}

bool Representation::isPowerOfTwo(int &exponent) const {
  exponent = unit;
  return precision != 0 && bound == unit + 1 && !hasZero && !hasInfinity &&
         nans == NaNs::None;
}

bool Representation::contains(const Format &format, uint64_t bits) const {
  return hull(*this, of(format, bits)) == *this;
}

Representation prec::num::hull(const Representation &a,
                               const Representation &b) {
  Representation result = a.precision ? a : b;
  if (a.precision && b.precision) {
    result.precision = std::max(a.precision, b.precision);
    result.unit = std::min(a.unit, b.unit);
    result.bound = std::max(a.bound, b.bound);
  }
  result.hasZero = a.hasZero || b.hasZero;
  result.hasNegative = a.hasNegative || b.hasNegative;
  result.hasInfinity = a.hasInfinity || b.hasInfinity;
  result.nans = either(a.nans, b.nans);
  return result;
}

Representation prec::num::anySign(Representation a) {
  a.hasNegative = true;
  return a;
}

Representation prec::num::negate(Representation a) { return anySign(a); }

Representation prec::num::absolute(Representation a) {
  a.hasNegative = false;
  return a;
}

/// At most as many bits as lie between the largest and the smallest.
static void trim(Representation &a) {
  if (a.precision)
    a.precision = std::min(a.precision, std::max(a.bound - a.unit, 1));
}

Representation prec::num::exactAdd(const Representation &a,
                                   const Representation &b) {
  Representation result = hull(a, b);
  if (a.precision && b.precision) {
    result.bound = std::max(a.bound, b.bound) + 1;
    result.precision = result.bound - result.unit;
  }
  bool cancels = a.hasNegative || b.hasNegative;
  result.hasZero = (a.hasZero && b.hasZero) || cancels;
  if (a.hasInfinity && b.hasInfinity && cancels)
    result.nans = either(result.nans, NaNs::Short);
  return result;
}

Representation prec::num::exactMultiply(const Representation &a,
                                        const Representation &b) {
  Representation result;
  if (a.precision && b.precision) {
    // A power of two adds no bits, and the largest below 2^bound is half of it.
    int scale = a.precision == 1 || b.precision == 1 ? 1 : 0;
    result.precision = a.precision + b.precision - scale;
    result.unit = a.unit + b.unit;
    result.bound = a.bound + b.bound - scale;
    trim(result);
  }
  result.hasZero = a.hasZero || b.hasZero;
  result.hasNegative = a.hasNegative || b.hasNegative;
  result.hasInfinity = a.hasInfinity || b.hasInfinity;
  result.nans = either(a.nans, b.nans);
  if ((a.hasInfinity && b.hasZero) || (a.hasZero && b.hasInfinity))
    result.nans = either(result.nans, NaNs::Short);
  return result;
}

Representation prec::num::rounded(Representation a, const Format &format) {
  // A NaN's payload loses its low bits, or all of them.
  if (a.nans == NaNs::Any && format.fracBits <= kBF16.fracBits)
    a.nans = NaNs::Short;
  if (a.fits(format))
    return a;
  if (a.hasInfinity && !format.hasInf) {
    a.hasInfinity = false;
    a.nans = either(a.nans, NaNs::Short);
  }
  if (!a.precision)
    return a;
  bool isCut = a.precision > int(format.precision()) || a.unit < unitOf(format);
  if (a.unit < unitOf(format))
    a.hasZero = true;
  a.precision = std::min(a.precision, int(format.precision()));
  a.unit = std::max(a.unit, unitOf(format));
  // Rounding away from zero may reach the bound.
  a.bound = std::max(a.bound, a.unit) + (isCut ? 1 : 0);
  if (a.bound > boundOf(format) || !format.hasInf) {
    if (format.hasInf)
      a.hasInfinity = true;
    else
      a.nans = either(a.nans, NaNs::Short);
    // Or it is the largest finite number.
    a.precision = int(format.precision());
    a.unit = std::min(a.unit, boundOf(format) - int(format.precision()));
    a.bound = std::min(a.bound, boundOf(format));
  }
  a.bound = std::max(a.bound, a.unit + 1);
  trim(a);
  return a;
}

Representation prec::num::divide(const Representation &a,
                                 const Representation &b,
                                 const Format &format) {
  Representation result = a;
  result.hasNegative = a.hasNegative || b.hasNegative;
  result.hasInfinity = a.hasInfinity || b.hasZero;
  result.hasZero = a.hasZero || b.hasInfinity;
  result.nans = either(a.nans, b.nans);
  if ((a.hasZero && b.hasZero) || (a.hasInfinity && b.hasInfinity))
    result.nans = either(result.nans, NaNs::Short);
  if (!a.precision || !b.precision) {
    result.precision = 0;
    return result;
  }
  int exponent;
  if (b.isPowerOfTwo(exponent)) {
    result.unit -= exponent;
    result.bound -= exponent;
  } else {
    // Any number of bits, from far below the smallest.
    result.precision = int(format.precision()) + 1;
    result.unit = std::min(a.unit - b.bound, unitOf(format)) - 1;
    result.bound = a.bound - b.unit;
  }
  return rounded(result, format);
}

Representation prec::num::squareRoot(const Representation &a,
                                     const Format &format) {
  Representation result = a;
  if (a.hasNegative && (a.precision || a.hasInfinity))
    result.nans = either(a.nans, NaNs::Short);
  // The root of -0 is -0.
  result.hasNegative = a.hasNegative && a.hasZero;
  if (a.precision) {
    result.precision = int(format.precision());
    result.unit = unitOf(format);
    result.bound = (a.bound >> 1) + 2;
  }
  return rounded(result, format);
}

Representation prec::num::maximum(const Representation &a,
                                  const Representation &b) {
  Representation result = hull(a, b);
  result.hasNegative = a.hasNegative && b.hasNegative;
  return result;
}

Representation prec::num::minimum(const Representation &a,
                                  const Representation &b) {
  Representation result = hull(a, b);
  if (!a.hasNegative && !b.hasNegative) {
    if (a.precision && b.precision && !a.hasInfinity && !b.hasInfinity)
      result.bound = std::min(a.bound, b.bound);
    result.hasInfinity = a.hasInfinity && b.hasInfinity;
    trim(result);
  }
  return result;
}

Representation prec::num::integers(unsigned width, bool isSigned) {
  Representation result;
  result.precision = int(width) - (isSigned && width > 1 ? 1 : 0);
  result.bound = result.precision + (isSigned ? 1 : 0);
  result.hasZero = true;
  result.hasNegative = isSigned;
  return result;
}
