// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Identities.h"

using namespace prec::audit;

const IdentityInfo &prec::audit::info(Identity identity) {
  static const IdentityInfo table[] = {
      {"commute",
       "x + y = y + x, x * y = y * x, and of fma's factors, of min "
       "and max",
       "always"},
      {"sub-is-add-neg", "x - y = x + (-y)", "always"},
      {"neg-of-product", "(-x) * y = -(x * y), (-x) / y = -(x / y)",
       "a rounding mode that is the same for both signs"},
      {"round-of-neg", "round(-x) = -round(x)",
       "a rounding mode that is the same for both signs"},
      {"div-by-power-of-two", "x / 2^k = x * 2^-k",
       "2^-k is a normal number of the format"},
      {"scale-twice", "(x * 2^j) * 2^k = x * 2^(j+k)",
       "x * 2^j neither over- nor underflows for any x that can occur"},
      {"double", "x + x = 2 * x", "to nearest"},
      {"times-one", "x * 1 = x, x / 1 = x", "always"},
      {"plus-minus-zero", "x + (-0) = x", "to nearest"},
      {"plus-zero", "x + (+0) = x",
       "to nearest, and x cannot be -0: a square, or a sum with one that "
       "cannot"},
      {"plus-zero-last", "(+0 + x) + y = +0 + (x + y)", "to nearest"},
      {"plus-neg-of-sum", "x + -(y + z) = x + (-y + -z)",
       "to nearest, and x cannot be -0"},
      {"fma-minus-zero", "fma(x, y, -0) = x * y", "to nearest"},
      {"fma-of-exact-product", "fma(x, y, z) = x * y + z",
       "x * y is exact for all x and y that can occur (H11)"},
      {"native-16",
       "a 16-bit +, -, *, /, min or max is the f32 operation and one rounding",
       "bf16 or f16, to nearest even (H10)"},
      {"round-of-representable", "round(x) = x",
       "x is a number of the narrower format whatever the inputs are"},
      {"widen-twice", "widening in two steps is widening in one", "always"},
      {"flush-of-normal", "flush(x) = x",
       "x is no subnormal number whatever the inputs are"},
      {"min-max-without-nan", "minnum(x, y) = minimum(x, y), and of maxima",
       "neither x nor y can be NaN"},
      {"min-max-of-same", "min(x, x) = x", "always"},
      {"min-max-order",
       "min(min(x, y), z) = min(x, min(y, z)), and of maxima: any order, any "
       "repetition",
       "always; -0 is less than +0, and all NaNs are one"},
      {"min-max-of-infinity",
       "minimum(x, +infinity) = x, maximum(x, -infinity) = x", "always"},
      {"compare-forms", "x < y is y > x; not (x < y) is x >= y or unordered",
       "always"},
      {"select-forms",
       "a select of equal values, under a known or negated condition, or of "
       "values that agree where it matters; conversions move into it",
       "always"},
      {"swept-function",
       "exp, expm1, tanh, erf and rsqrt of an f32 number are our sequences of "
       "f64 or f32 operations",
       "correctly rounded; bench/sweep compares all 2^32 inputs"},
      {"evaluated",
       "an expression of one value of at most 16 bits is its table", "always"},
      {"guarded-rounding", "round(l) = round(p)",
       "round(l) = round(h), and p is between l and h, by the bounds of their "
       "factors that the kernel tests"},
  };
  return table[size_t(identity)];
}
