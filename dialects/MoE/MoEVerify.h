// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of moe operations share. (Cn) are the constraints of
// README.md.
#ifndef DIALECTS_MOE_MOEVERIFY_H
#define DIALECTS_MOE_MOEVERIFY_H

#include "dialects/MoE/MoE.h"

namespace prec::moe {

mlir::RankedTensorType typeOf(mlir::Value tensor);

/// (C3) `result` holds the first operand's element type, or f32, or narrows an
/// f32 operand.
llvm::LogicalResult verifyResultElementType(mlir::Operation *op,
                                            mlir::RankedTensorType input,
                                            mlir::RankedTensorType result);

/// (C4) The element type of an operand beside the first is f32 or the format of
/// the points. A null one is absent.
llvm::LogicalResult verifyElementType(RoundingPointOpInterface op,
                                      llvm::StringRef name,
                                      mlir::Value operand);

llvm::LogicalResult verifyRank(mlir::Operation *op, llvm::StringRef name,
                               mlir::Value operand, int64_t rank);

/// `operand` has a shape that may be `expected`. A null one is absent.
llvm::LogicalResult verifyShape(mlir::Operation *op, llvm::StringRef name,
                                llvm::ArrayRef<int64_t> expected,
                                mlir::Value operand);

/// The result has exactly the shape `expected`.
llvm::LogicalResult verifyResultShape(mlir::Operation *op,
                                      llvm::ArrayRef<int64_t> expected,
                                      mlir::Value result);

/// `parameter` has the shape of `of`'s last dimensions, one or more, and an
/// element type as in C4. A null one is absent.
llvm::LogicalResult verifyParameter(RoundingPointOpInterface op,
                                    llvm::StringRef name, mlir::Value of,
                                    mlir::Value parameter);

llvm::LogicalResult verifyFinite(mlir::Operation *op, llvm::StringRef name,
                                 std::optional<llvm::APFloat> value);

/// (C5, C6, C7, C8) How the input holds gate and up; `shape` becomes that of
/// either.
llvm::LogicalResult verifyGateAndUp(mlir::Operation *op,
                                    mlir::RankedTensorType input,
                                    mlir::Value up, bool hasLayout,
                                    llvm::SmallVectorImpl<int64_t> &shape);

/// (C14, C15) The terms are those of slots of tokens, or rows that `indices`
/// name; each slot may have a weight. `slots` becomes [tokens, slots].
llvm::LogicalResult verifySlots(RoundingPointOpInterface op, mlir::Value terms,
                                mlir::Value indices, mlir::Value weights,
                                llvm::ArrayRef<int64_t> &slots);

/// (C10) Biases of the input and of up.
llvm::LogicalResult verifyBiases(RoundingPointOpInterface op, mlir::Value input,
                                 mlir::Value up, mlir::Value bias,
                                 mlir::Value upBias);

/// (C13) An alpha, a limit and an offset, if there are any, are usable.
llvm::LogicalResult verifyParameters(mlir::Operation *op,
                                     std::optional<llvm::APFloat> alpha,
                                     std::optional<llvm::APFloat> limit,
                                     std::optional<llvm::APFloat> offset,
                                     bool isGated);

} // namespace prec::moe

#endif // DIALECTS_MOE_MOEVERIFY_H
