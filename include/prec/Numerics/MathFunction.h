// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_NUMERICS_MATHFUNCTION_H
#define PREC_NUMERICS_MATHFUNCTION_H

namespace prec::num {

/// The functions of one f32 argument that mathematics defines; Powi also has
/// an exponent, an integer known at compile time.
enum class MathFunction {
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Tanh,
  Erf,
  Sin,
  Cos,
  Rsqrt,
  Powi,
};

} // namespace prec::num

#endif // PREC_NUMERICS_MATHFUNCTION_H
