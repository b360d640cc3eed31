// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations for exponentials and quotients that ExactFunctions computes.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_EXACTEMISSION_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_EXACTEMISSION_H

#include "MLIRBuilder.h"
#include "NarrowFunctions.h"

namespace prec {

/// The exponential of `argument`, a widened 16-bit value or its negative, in
/// the form `form` of ExactForm.
mlir::Value emitExactExp(MLIRBuilder &b, mlir::Value argument, unsigned form);

/// Emits quotients x / (1 + e), where e is such an exponential; those by one
/// sum share the reciprocal of it.
class ExactQuotients {
public:
  /// Replaces the division; `sum` is e, of which there is a quarter.
  void expand(mlir::arith::DivFOp divide, mlir::Value sum,
              const NarrowFunctions::Division &division);

private:
  struct Divisor {
    mlir::Value quarter, reciprocal;
  };
  llvm::DenseMap<mlir::Value, Divisor> divisors;
};

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_EXACTEMISSION_H
