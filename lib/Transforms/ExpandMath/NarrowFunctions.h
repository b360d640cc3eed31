// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions short f32 sequences may compute.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWFUNCTIONS_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWFUNCTIONS_H

#include "prec/Numerics/MathFunction.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace prec {

/// A function and, for Powi, its exponent.
struct FunctionCall {
  num::MathFunction function;
  int power = 0;
};

/// The function that an operation of the math dialect is, if it has an
/// expansion.
std::optional<FunctionCall> functionOf(mlir::Operation *op);

/// Whether `op` is to be correctly rounded (it has no other `prec.math`).
bool isCorrectlyRounded(mlir::Operation *op);

/// Finds the functions under `root` of one 16-bit value whose results all end
/// in roundings to 16 bits, and for each the number of the cheapest sequence of
/// NarrowFunctions that gives the same bits there on all 65,536 inputs.
llvm::DenseMap<mlir::Operation *, unsigned>
findNarrowFunctions(mlir::Operation *root);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWFUNCTIONS_H
