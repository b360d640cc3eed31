// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IEEE 754 arithmetic in every format: each operation is the exact result,
// rounded once. Operands and results are bits of the format.
#ifndef PREC_NUMERICS_ARITHMETIC_H
#define PREC_NUMERICS_ARITHMETIC_H

#include "prec/Numerics/Rounding.h"

namespace prec::num {

// A NaN operand gives that NaN, quiet (the first one of several); an invalid
// operation gives the positive quiet NaN.

uint64_t add(const Format &format, uint64_t a, uint64_t b,
             Rounding mode = Rounding::NearestEven);
uint64_t sub(const Format &format, uint64_t a, uint64_t b,
             Rounding mode = Rounding::NearestEven);
uint64_t mul(const Format &format, uint64_t a, uint64_t b,
             Rounding mode = Rounding::NearestEven);
uint64_t div(const Format &format, uint64_t a, uint64_t b,
             Rounding mode = Rounding::NearestEven);
uint64_t sqrt(const Format &format, uint64_t a,
              Rounding mode = Rounding::NearestEven);
/// a * b + c with one rounding.
uint64_t fma(const Format &format, uint64_t a, uint64_t b, uint64_t c,
             Rounding mode = Rounding::NearestEven);

/// IEEE 754-2019 minimum and maximum: NaN if an operand is NaN; -0 < +0.
uint64_t minimum(const Format &format, uint64_t a, uint64_t b);
uint64_t maximum(const Format &format, uint64_t a, uint64_t b);
/// minimumNumber and maximumNumber: the other operand if one is NaN; -0 < +0.
uint64_t minimumNumber(const Format &format, uint64_t a, uint64_t b);
uint64_t maximumNumber(const Format &format, uint64_t a, uint64_t b);

/// How two numbers compare; zeros of both signs are equal.
enum class Ordering { Less, Equal, Greater, Unordered };
Ordering compare(const Format &format, uint64_t a, uint64_t b);

/// Sign operations touch no other bit, of a NaN either.
constexpr uint64_t negate(const Format &format, uint64_t a) {
  return a ^ format.signMask();
}
constexpr uint64_t absolute(const Format &format, uint64_t a) {
  return a & format.absMask();
}

} // namespace prec::num

#endif // PREC_NUMERICS_ARITHMETIC_H
