// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings and widenings as integer arithmetic: the form that needs no
// conversion instruction and that no optimiser takes for a conversion.
#ifndef PREC_CONVERSION_ROUNDINGEXPANSION_H
#define PREC_CONVERSION_ROUNDINGEXPANSION_H

#include "dialects/Prec/Prec.h"

#include "mlir/IR/PatternMatch.h"

namespace prec {

/// Rounds `input` (f32 or f64; a scalar or a vector) to `resultType`, any of
/// prec.round's formats, as prec.round says, by `arith` operations on integers.
mlir::Value emitRounding(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value input, mlir::Type resultType,
                         RoundingMode mode, bool saturate);

/// What a rounding from f32 to bf16, to nearest even, may use.
struct BF16Rounding {
  /// Every NaN that the input can be has a payload that fits into the result,
  /// so that a NaN needs no care.
  bool shortNaN = false;
  /// Emits x + 0x7fff + (x >> 16 & 1) for the bits x; null: by `arith`.
  llvm::function_ref<mlir::Value(mlir::Value bits)> addHalf;
};
mlir::Value emitBF16Rounding(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value input, mlir::Type resultType,
                             const BF16Rounding &options);

/// x * factor rounded to the format of x, to nearest even, as an f32 number,
/// where x is a widened number of bf16 or f16, `format`, and `factor` a power
/// of two from 2^-16 to 1/2. Only subnormal results lose bits: their step is
/// that of f32 numbers of a certain size, from one of which the magnitude is
/// subtracted. For processors with fused multiply-adds.
mlir::Value emitScaled(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value x, mlir::Value factor,
                       const num::Format &format);

/// The upper half of f32 numbers whose lower half is zero, or that are NaN: a
/// scalar or vector of bf16.
mlir::Value emitUpperHalf(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value input, mlir::Type resultType);

/// Widens `input` (bf16, f16, f8E4M3FN or f8E5M2; a scalar or a vector) to f32,
/// exactly, by `arith` operations on integers.
mlir::Value emitWidening(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value input);

/// prec.round on scalars and vectors, all modes and formats, to integers.
void populateRoundingExpansionPatterns(mlir::RewritePatternSet &patterns);

/// arith.extf on scalars and vectors from bf16 and the 8-bit formats, and from
/// f16 if `expandF16`, to integers (to f64 through f32, exactly).
void populateWideningExpansionPatterns(mlir::RewritePatternSet &patterns,
                                       bool expandF16);

/// prec.observe to its operand: below level K a value needs no name.
void populateDropObservePatterns(mlir::RewritePatternSet &patterns);

/// Applies `patterns` once to each operation under `root`; an error for the
/// first prec.round that is left (one on tensors).
mlir::LogicalResult applyRoundingLowering(mlir::Operation *root,
                                          mlir::RewritePatternSet &&patterns);

} // namespace prec

#endif // PREC_CONVERSION_ROUNDINGEXPANSION_H
