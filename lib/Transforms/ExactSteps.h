// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences of IEEE operations whose result, rounded once more, is the exact
// value rounded once: what a single f32 step cannot give.
#ifndef LIB_TRANSFORMS_EXACTSTEPS_H
#define LIB_TRANSFORMS_EXACTSTEPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace prec {

/// The scalar, or a vector or tensor of it in the shape of `like`.
mlir::Value emitConstantLike(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value like, mlir::TypedAttr scalar);

/// `nearest` is an f64 value, the exact value v rounded to nearest; `error` is
/// f64 v - nearest (only its sign and whether it is zero matter). Returns v
/// rounded to odd: rounding that to any format of at most 51 bits gives v
/// rounded once.
mlir::Value emitRoundToOdd(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value nearest, mlir::Value error);

/// a * b + c rounded to odd in f64, for f64 values that came from 16-bit
/// formats, so that their product is exact.
mlir::Value emitOddFma(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value a, mlir::Value b, mlir::Value c);

/// The integer (any width up to 64, signed or not; scalar, vector or tensor)
/// as f64, exactly where f64 holds it, else rounded to odd.
mlir::Value emitOddIntToF64(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value integer, bool isSigned);

/// `base` (f64) to a constant power of at least 1 by multiplications.
mlir::Value emitPower(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value base, unsigned power);

} // namespace prec

#endif // LIB_TRANSFORMS_EXACTSTEPS_H
