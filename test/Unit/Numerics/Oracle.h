// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library is judged by: MPFR, which rounds an exact value to any
// precision, with the exponent range of a format applied by hand.
#ifndef PREC_TEST_UNIT_NUMERICS_ORACLE_H
#define PREC_TEST_UNIT_NUMERICS_ORACLE_H

#include "prec/Numerics/Rounding.h"

#include <mpfr.h>

#include <cmath>
#include <random>
#include <vector>

namespace prec::num::test {

/// An MPFR number that frees itself.
class Real {
public:
  explicit Real(mpfr_prec_t precision = 300) { mpfr_init2(value, precision); }
  Real(const Real &) = delete;
  ~Real() { mpfr_clear(value); }
  operator mpfr_ptr() { return value; }

private:
  mpfr_t value;
};

/// Sets `out` to the value of a number that is not NaN; exact. Reads the fields
/// of the format on its own.
inline void setBits(mpfr_ptr out, const Format &f, uint64_t bits) {
  bool negative = (bits >> (f.width() - 1)) & 1;
  uint64_t field = (bits >> f.fracBits) & ((uint64_t(1) << f.expBits) - 1);
  uint64_t fraction = bits & ((uint64_t(1) << f.fracBits) - 1);
  if (f.hasInf && field == (uint64_t(1) << f.expBits) - 1) {
    mpfr_set_inf(out, negative ? -1 : 1);
    return;
  }
  if (field == 0 && fraction == 0) {
    mpfr_set_zero(out, negative ? -1 : 1);
    return;
  }
  int exponent = (field ? int(field) : 1) - f.bias - int(f.fracBits);
  if (field)
    fraction += uint64_t(1) << f.fracBits;
  mpfr_set_ui_2exp(out, fraction, exponent, MPFR_RNDN);
  if (negative)
    mpfr_neg(out, out, MPFR_RNDN);
}

/// Rounds an exact real to the format: to an integer multiple of the unit in
/// the last place, then with the overflow rule. NaN gives the quiet NaN.
inline uint64_t roundReal(mpfr_ptr exact, const Format &f, Rounding mode,
                          bool saturate = false) {
  if (mpfr_nan_p(exact))
    return f.quietNaN();
  bool negative = mpfr_signbit(exact);
  uint64_t sign = negative ? f.signMask() : 0;
  if (mpfr_zero_p(exact))
    return sign;
  if (mpfr_inf_p(exact))
    return sign | (saturate ? f.maxFinite() : f.infOrNaN());
  // mpfr: 0.1xxx * 2^e.
  int scale = int(mpfr_get_exp(exact)) - 1;
  int unit = std::max(scale, f.minExp()) - int(f.fracBits);
  Real multiple(mpfr_get_prec(exact)), rounded(mpfr_get_prec(exact));
  mpfr_mul_2si(multiple, exact, -unit, MPFR_RNDN);
  mpfr_abs(multiple, multiple, MPFR_RNDN);
  switch (mode) {
  case Rounding::NearestEven:
    mpfr_rint(rounded, multiple, MPFR_RNDN);
    break;
  case Rounding::NearestAway:
    mpfr_round(rounded, multiple);
    break;
  case Rounding::TowardZero:
    mpfr_trunc(rounded, multiple);
    break;
  case Rounding::Upward:
    negative ? mpfr_trunc(rounded, multiple) : mpfr_ceil(rounded, multiple);
    break;
  case Rounding::Downward:
    negative ? mpfr_ceil(rounded, multiple) : mpfr_trunc(rounded, multiple);
    break;
  }
  Real largest(mpfr_get_prec(exact)), value(mpfr_get_prec(exact));
  setBits(largest, f, f.maxFinite());
  mpfr_mul_2si(value, rounded, unit, MPFR_RNDN);
  if (mpfr_cmp(value, largest) > 0) {
    bool toMax = mode == Rounding::TowardZero ||
                 mode == (negative ? Rounding::Upward : Rounding::Downward);
    return sign | (saturate || toMax ? f.maxFinite() : f.infOrNaN());
  }
  if (mpfr_zero_p(value))
    return sign;
  scale = int(mpfr_get_exp(value)) - 1;
  unit = std::max(scale, f.minExp()) - int(f.fracBits);
  mpfr_mul_2si(value, value, -unit, MPFR_RNDN);
  uint64_t integer = mpfr_get_ui(value, MPFR_RNDN);
  uint64_t field = scale < f.minExp() ? 0 : uint64_t(scale + f.bias - 1);
  return sign | ((field << f.fracBits) + integer);
}

inline const std::vector<Rounding> kModes{
    Rounding::NearestEven, Rounding::TowardZero, Rounding::Upward,
    Rounding::Downward, Rounding::NearestAway};

/// Numbers at which things break: zeros, the ends of the subnormal, normal and
/// finite ranges, infinities, NaNs, one and its neighbours.
inline std::vector<uint64_t> specialBits(const Format &f) {
  uint64_t one = uint64_t(f.bias) << f.fracBits;
  std::vector<uint64_t> result;
  for (uint64_t bits :
       {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(3), f.fracMask() - 1,
        f.fracMask(), f.minNormal(), f.minNormal() + 1, one - 1, one, one + 1,
        one + (f.minNormal() >> 1), one + f.minNormal(), f.maxFinite() - 1,
        f.maxFinite(), f.infOrNaN(), f.quietNaN(), f.absMask()})
    for (uint64_t sign : {uint64_t(0), f.signMask()})
      result.push_back(bits | sign);
  return result;
}

/// Random numbers of the format; close exponents often enough to cancel.
class RandomBits {
public:
  explicit RandomBits(const Format &f, uint64_t seed = 1) : f(f), rng(seed) {}
  uint64_t operator()() { return rng() & (f.absMask() | f.signMask()); }
  /// Within a few binades of one, with a few trailing zeros at times.
  uint64_t nearOne() {
    uint64_t bits = rng();
    uint64_t field = uint64_t(f.bias) - 2 + (bits >> 60) % 5;
    uint64_t fraction = rng() & f.fracMask();
    if ((bits & 3) == 0)
      fraction &= ~(f.fracMask() >> (bits >> 8) % (f.fracBits + 1));
    uint64_t sign = (bits >> 50) & 1 ? f.signMask() : 0;
    return sign | (field << f.fracBits) | fraction;
  }
  uint64_t raw() { return rng(); }

private:
  const Format &f;
  std::mt19937_64 rng;
};

} // namespace prec::num::test

#endif // PREC_TEST_UNIT_NUMERICS_ORACLE_H
