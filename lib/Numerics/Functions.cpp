// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm-libc's f32 functions are correctly rounded; the C library's are not.
#include "prec/Numerics/Functions.h"

#include "prec/Numerics/Rounding.h"

#include <algorithm>
#include <cmath>

using namespace prec::num;

// See cmake/PrecLLVMLibc.cmake.
extern "C" {
float prec_llvmlibc_cosf(float);
float prec_llvmlibc_erff(float);
float prec_llvmlibc_exp2f(float);
float prec_llvmlibc_expf(float);
float prec_llvmlibc_expm1f(float);
float prec_llvmlibc_log10f(float);
float prec_llvmlibc_log1pf(float);
float prec_llvmlibc_log2f(float);
float prec_llvmlibc_logf(float);
float prec_llvmlibc_powf(float, float);
float prec_llvmlibc_rsqrtf(float);
float prec_llvmlibc_sinf(float);
float prec_llvmlibc_tanhf(float);
}

float cr::exp(float x) { return prec_llvmlibc_expf(x); }
float cr::exp2(float x) { return prec_llvmlibc_exp2f(x); }
float cr::expm1(float x) { return prec_llvmlibc_expm1f(x); }
float cr::log(float x) { return prec_llvmlibc_logf(x); }
float cr::log2(float x) { return prec_llvmlibc_log2f(x); }
float cr::log10(float x) { return prec_llvmlibc_log10f(x); }
float cr::log1p(float x) { return prec_llvmlibc_log1pf(x); }
float cr::tanh(float x) { return prec_llvmlibc_tanhf(x); }
float cr::erf(float x) { return prec_llvmlibc_erff(x); }
float cr::sin(float x) { return prec_llvmlibc_sinf(x); }
float cr::cos(float x) { return prec_llvmlibc_cosf(x); }
float cr::rsqrt(float x) { return prec_llvmlibc_rsqrtf(x); }
float cr::pow(float x, float y) { return prec_llvmlibc_powf(x, y); }

float cr::sqrt(float x) { return std::sqrt(x); }
float cr::fma(float a, float b, float c) { return std::fma(a, b, c); }
double cr::fma(double a, double b, double c) { return std::fma(a, b, c); }

namespace {

using Wide = unsigned __int128;

/// A positive number, significand * 2^exponent, the highest set bit at 125.
/// What was lost on the way is below the lowest bit, which is then set.
struct Power {
  Wide significand;
  int64_t exponent;
};

constexpr int kTop = 125;

Power multiply(const Power &a, const Power &b) {
  constexpr Wide mask = ~uint64_t(0);
  Wide aHigh = a.significand >> 64, aLow = a.significand & mask;
  Wide bHigh = b.significand >> 64, bLow = b.significand & mask;
  Wide low = aLow * bLow;
  Wide middle = aHigh * bLow + (low >> 64);
  Wide middle2 = aLow * bHigh + (middle & mask);
  Wide high = aHigh * bHigh + (middle >> 64) + (middle2 >> 64);
  Wide rest = (middle2 << 64) | (low & mask);
  // The product's highest bit is 250 or 251, so that of `high` 122 or 123.
  int shift = (high >> (kTop - 2)) ? 2 : 3;
  Power result{(high << shift) | (rest >> (128 - shift)),
               a.exponent + b.exponent + 128 - shift};
  result.significand |= (rest << shift) != 0;
  return result;
}

Power reciprocal(const Power &a) {
  // 2^(2 * kTop) / significand, bit by bit: from 2^kTop to 2^(kTop + 1).
  Wide quotient = 0, rest = Wide(1) << kTop;
  for (int i = 0; i <= kTop; ++i) {
    quotient <<= 1;
    if (rest >= a.significand) {
      rest -= a.significand;
      quotient |= 1;
    }
    rest <<= 1;
  }
  Power result{quotient | (rest != 0), -a.exponent - 2 * kTop};
  if (!(quotient >> kTop)) {
    result.significand = (quotient << 1) | (rest != 0);
    result.exponent -= 1;
  }
  return result;
}

} // namespace

// Exact as long as the power has at most 126 bits, which all ties between f32
// numbers have; beyond that with a relative error far below any distance from
// such a tie.
float cr::powi(float x, int n) {
  if (n == 0)
    return 1.0f;
  if (std::isnan(x))
    return x;
  bool negative = std::signbit(x) && n % 2 != 0;
  if (x == 0 || std::isinf(x)) {
    float result = (x == 0) == (n > 0) ? 0.0f : INFINITY;
    return negative ? -result : result;
  }
  int exponent;
  float fraction = std::frexp(std::fabs(x), &exponent);
  Power base{Wide(uint32_t(std::ldexp(fraction, 24))) << (kTop - 23),
             exponent - kTop - 1};
  Power power{Wide(1) << kTop, -kTop};
  uint64_t count = n < 0 ? -int64_t(n) : n;
  for (; count != 0; count /= 2) {
    if (count % 2 != 0)
      power = multiply(power, base);
    base = multiply(base, base);
  }
  if (n < 0)
    power = reciprocal(power);
  int scale = int(std::clamp<int64_t>(power.exponent, -10000, 10000));
  return bitCast<float>(uint32_t(detail::roundParts(
      kF32, negative, scale, power.significand, Rounding::NearestEven)));
}
