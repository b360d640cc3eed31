// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ways to the same bits. To nearest, f32 and f64 use the host's own IEEE
// operations, and bf16 and f16 use an f32 operation followed by a rounding: f32
// keeps more than twice their precision, so the second rounding changes nothing
// (all pairs are swept by bench/sweep). Everything else is computed exactly in
// 128-bit integers and rounded once.
#include "prec/Numerics/Arithmetic.h"

#include <cmath>
#include <utility>

using namespace prec::num;

namespace {

using Wide = unsigned __int128;

/// A finite nonzero number: significand * 2^exponent.
struct Parts {
  bool negative;
  int exponent;
  uint64_t significand;
};

Parts split(const Format &f, uint64_t bits) {
  uint64_t abs = bits & f.absMask();
  int field = int(abs >> f.fracBits);
  uint64_t significand = abs & f.fracMask();
  if (field)
    significand |= f.minNormal();
  else
    field = 1;
  return {isNegative(f, bits), field - f.bias - int(f.fracBits), significand};
}

/// An exact value on its way to one rounding.
struct Exact {
  bool negative;
  int exponent;
  Wide significand;

  /// Moves the highest set bit to bit 125.
  void normalize() {
    int lead = (significand >> 64)
                   ? __builtin_clzll(uint64_t(significand >> 64))
                   : 64 + __builtin_clzll(uint64_t(significand));
    int shift = lead - 2;
    significand <<= shift;
    exponent -= shift;
  }
};

uint64_t signedZero(const Format &f, bool negative) {
  return negative ? f.signMask() : 0;
}

uint64_t infinity(const Format &f, bool negative) {
  return signedZero(f, negative) | f.infOrNaN();
}

/// The sum of two nonzero values. With the highest bit of the larger at 125 and
/// what the smaller loses jammed into its lowest bit, a loss implies that the
/// exponents differ by more than one, hence that hardly anything cancels, hence
/// that the jammed bit stays far below the rounding position.
uint64_t addExact(const Format &f, Exact a, Exact b, Rounding mode) {
  a.normalize();
  b.normalize();
  if (a.exponent < b.exponent ||
      (a.exponent == b.exponent && a.significand < b.significand))
    std::swap(a, b);
  int distance = a.exponent - b.exponent;
  Wide aligned = distance < 127 ? b.significand >> distance : 0;
  if (distance >= 127 || (aligned << distance) != b.significand)
    aligned |= 1;
  if (a.negative == b.negative) {
    Wide total = a.significand + aligned;
    // Back below 2^126, which roundParts asks for.
    return detail::roundParts(f, a.negative, a.exponent + 1,
                              (total >> 1) | (total & 1), mode);
  }
  Wide difference = a.significand - aligned;
  if (difference == 0)
    return signedZero(f, mode == Rounding::Downward);
  return detail::roundParts(f, a.negative, a.exponent, difference, mode);
}

/// The first NaN operand, quiet.
uint64_t pickNaN(const Format &f, uint64_t a, uint64_t b) {
  return (isNaN(f, a) ? a : b) | f.quietBit();
}

bool anyNaN(const Format &f, uint64_t a, uint64_t b) {
  return isNaN(f, a) || isNaN(f, b);
}

/// Calls `op` on host numbers and rounds to the format where that is known to
/// be the singly rounded operation; false elsewhere.
template <typename Op>
bool onHost(const Format &f, Rounding mode, Op op, uint64_t &result) {
  if (mode != Rounding::NearestEven)
    return false;
  if (f == kF32)
    result = bitCast<uint32_t>(
        op([](uint64_t x) { return bitCast<float>(uint32_t(x)); }));
  else if (f == kF64)
    result =
        bitCast<uint64_t>(op([](uint64_t x) { return bitCast<double>(x); }));
  else if (f == kBF16)
    result = roundToBF16(op([](uint64_t x) { return widenBF16(uint16_t(x)); }));
  else if (f == kF16)
    result = roundToF16(op([](uint64_t x) { return widenF16(uint16_t(x)); }));
  else
    return false;
  return true;
}

/// The product of two doubles is exact; adds c, rounding to odd, which leaves
/// the final rounding to a format of at most 51 bits exact.
double fmaToOdd(double a, double b, double c) {
  double product = a * b;
  double sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double back = sum - product;
  double error = (product - (sum - back)) + (c - back);
  uint64_t bits = bitCast<uint64_t>(sum);
  if (error != 0 && !(bits & 1))
    bits += ((error > 0) == (sum > 0)) ? 1 : -1;
  return bitCast<double>(bits);
}

uint64_t squareRootFloor(Wide value) {
  uint64_t root = 0;
  for (int bit = 62; bit >= 0; --bit) {
    uint64_t trial = root | (uint64_t(1) << bit);
    if (Wide(trial) * trial <= value)
      root = trial;
  }
  return root;
}

} // namespace

uint64_t prec::num::add(const Format &f, uint64_t a, uint64_t b,
                        Rounding mode) {
  if (anyNaN(f, a, b))
    return pickNaN(f, a, b);
  uint64_t result;
  if (onHost(f, mode, [&](auto get) { return get(a) + get(b); }, result))
    return isNaN(f, result) ? f.quietNaN() : result;
  if (isInf(f, a))
    return isInf(f, b) && a != b ? f.quietNaN() : a;
  if (isInf(f, b))
    return b;
  if (isZero(f, a) && isZero(f, b))
    return a == b ? a : signedZero(f, mode == Rounding::Downward);
  if (isZero(f, a))
    return b;
  if (isZero(f, b))
    return a;
  Parts x = split(f, a), y = split(f, b);
  return addExact(f, {x.negative, x.exponent, x.significand},
                  {y.negative, y.exponent, y.significand}, mode);
}

uint64_t prec::num::sub(const Format &f, uint64_t a, uint64_t b,
                        Rounding mode) {
  return anyNaN(f, a, b) ? pickNaN(f, a, b) : add(f, a, negate(f, b), mode);
}

uint64_t prec::num::mul(const Format &f, uint64_t a, uint64_t b,
                        Rounding mode) {
  if (anyNaN(f, a, b))
    return pickNaN(f, a, b);
  uint64_t result;
  if (onHost(f, mode, [&](auto get) { return get(a) * get(b); }, result))
    return isNaN(f, result) ? f.quietNaN() : result;
  bool negative = isNegative(f, a) != isNegative(f, b);
  if (isInf(f, a) || isInf(f, b))
    return isZero(f, a) || isZero(f, b) ? f.quietNaN() : infinity(f, negative);
  if (isZero(f, a) || isZero(f, b))
    return signedZero(f, negative);
  Parts x = split(f, a), y = split(f, b);
  return detail::roundParts(f, negative, x.exponent + y.exponent,
                            Wide(x.significand) * y.significand, mode);
}

uint64_t prec::num::div(const Format &f, uint64_t a, uint64_t b,
                        Rounding mode) {
  if (anyNaN(f, a, b))
    return pickNaN(f, a, b);
  uint64_t result;
  if (onHost(f, mode, [&](auto get) { return get(a) / get(b); }, result))
    return isNaN(f, result) ? f.quietNaN() : result;
  bool negative = isNegative(f, a) != isNegative(f, b);
  if (isInf(f, a) || isZero(f, b))
    return (isInf(f, a) && isInf(f, b)) || isZero(f, a) ? f.quietNaN()
                                                        : infinity(f, negative);
  if (isInf(f, b) || isZero(f, a))
    return signedZero(f, negative);
  Parts x = split(f, a), y = split(f, b);
  // At least 125 - 53 bits of quotient, and whether something is left.
  Exact dividend{negative, x.exponent, x.significand};
  dividend.normalize();
  Wide quotient = dividend.significand / y.significand;
  quotient |= quotient * y.significand != dividend.significand;
  return detail::roundParts(f, negative, dividend.exponent - y.exponent,
                            quotient, mode);
}

uint64_t prec::num::sqrt(const Format &f, uint64_t a, Rounding mode) {
  if (isNaN(f, a))
    return a | f.quietBit();
  if (isZero(f, a))
    return a;
  if (isNegative(f, a))
    return f.quietNaN();
  if (isInf(f, a))
    return a;
  uint64_t result;
  if (onHost(f, mode, [&](auto get) { return std::sqrt(get(a)); }, result))
    return result;
  Parts x = split(f, a);
  Exact radicand{false, x.exponent, x.significand};
  radicand.normalize();
  if (radicand.exponent % 2 != 0) {
    // Even exponents have integer halves; the bit shifted out is zero.
    radicand.significand >>= 1;
    radicand.exponent += 1;
  }
  Wide root = squareRootFloor(radicand.significand);
  bool exact = root * root == radicand.significand;
  // One more bit, for what is left.
  return detail::roundParts(f, false, radicand.exponent / 2 - 1,
                            (root << 1) | !exact, mode);
}

uint64_t prec::num::fma(const Format &f, uint64_t a, uint64_t b, uint64_t c,
                        Rounding mode) {
  if (anyNaN(f, a, b))
    return pickNaN(f, a, b);
  if (isNaN(f, c))
    return c | f.quietBit();
  bool negative = isNegative(f, a) != isNegative(f, b);
  if (isInf(f, a) || isInf(f, b)) {
    bool invalid = isZero(f, a) || isZero(f, b) ||
                   (isInf(f, c) && isNegative(f, c) != negative);
    return invalid ? f.quietNaN() : infinity(f, negative);
  }
  if (isInf(f, c))
    return c;
  if (isZero(f, a) || isZero(f, b))
    return add(f, signedZero(f, negative), c, mode);
  if (mode == Rounding::NearestEven) {
    if (f == kF32)
      return bitCast<uint32_t>(std::fma(bitCast<float>(uint32_t(a)),
                                        bitCast<float>(uint32_t(b)),
                                        bitCast<float>(uint32_t(c))));
    if (f == kF64)
      return bitCast<uint64_t>(
          std::fma(bitCast<double>(a), bitCast<double>(b), bitCast<double>(c)));
    double odd = fmaToOdd(toDouble(f, a), toDouble(f, b), toDouble(f, c));
    return round(kF64, bitCast<uint64_t>(odd), f);
  }
  Parts x = split(f, a), y = split(f, b);
  Exact product{negative, x.exponent + y.exponent,
                Wide(x.significand) * y.significand};
  if (isZero(f, c))
    return detail::roundParts(f, negative, product.exponent,
                              product.significand, mode);
  Parts z = split(f, c);
  return addExact(f, product, {z.negative, z.exponent, z.significand}, mode);
}

Ordering prec::num::compare(const Format &f, uint64_t a, uint64_t b) {
  if (anyNaN(f, a, b))
    return Ordering::Unordered;
  // Magnitudes are ordered as integers.
  auto key = [&](uint64_t x) {
    auto magnitude = int64_t(x & f.absMask());
    return isNegative(f, x) ? -magnitude : magnitude;
  };
  int64_t x = key(a), y = key(b);
  return x < y ? Ordering::Less : x == y ? Ordering::Equal : Ordering::Greater;
}

uint64_t prec::num::minimumNumber(const Format &f, uint64_t a, uint64_t b) {
  if (anyNaN(f, a, b))
    return isNaN(f, a) && isNaN(f, b) ? pickNaN(f, a, b) : isNaN(f, a) ? b : a;
  Ordering order = compare(f, a, b);
  if (order == Ordering::Equal)
    return a | b; // differ at most in the sign of zero
  return order == Ordering::Less ? a : b;
}

uint64_t prec::num::maximumNumber(const Format &f, uint64_t a, uint64_t b) {
  if (anyNaN(f, a, b))
    return isNaN(f, a) && isNaN(f, b) ? pickNaN(f, a, b) : isNaN(f, a) ? b : a;
  Ordering order = compare(f, a, b);
  if (order == Ordering::Equal)
    return a & b;
  return order == Ordering::Greater ? a : b;
}

uint64_t prec::num::minimum(const Format &f, uint64_t a, uint64_t b) {
  return anyNaN(f, a, b) ? pickNaN(f, a, b) : minimumNumber(f, a, b);
}

uint64_t prec::num::maximum(const Format &f, uint64_t a, uint64_t b) {
  return anyNaN(f, a, b) ? pickNaN(f, a, b) : maximumNumber(f, a, b);
}
