// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function an operation is, and what stands around it.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_FUNCTIONCALL_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_FUNCTIONCALL_H

#include "MLIRBuilder.h"

#include "prec/Numerics/MathExpansion.h"
#include "prec/Numerics/MathFunction.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace prec {

/// A function and, for Powi, its exponent.
struct FunctionCall {
  num::MathFunction function;
  int power = 0;
};

/// The largest exponent of Powi, and of its reciprocal.
inline constexpr int kMaxPower = num::expand::Functions<MLIRBuilder>::kMaxPower;

/// The function that an operation of the math dialect is, if it has an
/// expansion.
std::optional<FunctionCall> functionOf(mlir::Operation *op);

/// Whether `op` is to be correctly rounded (it has no other `prec.math`).
bool isCorrectlyRounded(mlir::Operation *op);

/// The other summand of 1 + sum; null if `value` is nothing of the kind.
mlir::Value onePlusWhat(mlir::Value value);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_FUNCTIONCALL_H
