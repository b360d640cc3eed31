// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of nn operations share. (Cn) are the constraints of
// README.md.
#ifndef DIALECTS_NN_NNVERIFY_H
#define DIALECTS_NN_NNVERIFY_H

#include "dialects/NN/NN.h"

namespace prec::nn {

/// (C3) The result holds the input's element type, or f32.
llvm::LogicalResult verifyResultElementType(mlir::Operation *op,
                                            mlir::RankedTensorType input,
                                            mlir::RankedTensorType result);

llvm::LogicalResult verifyResultShape(mlir::Operation *op,
                                      llvm::ArrayRef<int64_t> expected,
                                      mlir::RankedTensorType result);

/// (C4) The result of an operation that keeps the shape.
llvm::LogicalResult verifySameShape(mlir::Operation *op,
                                    mlir::RankedTensorType input,
                                    mlir::RankedTensorType result);

/// (C5) The dimension exists.
llvm::LogicalResult verifyDimension(mlir::Operation *op,
                                    mlir::RankedTensorType input,
                                    int64_t dimension);

/// The shape without `dimension`, or with `keepdim` with 1 in its place.
llvm::SmallVector<int64_t> reducedShape(llvm::ArrayRef<int64_t> shape,
                                        int64_t dimension, bool keepdim);

/// (C5, C6) A reduction over `dimension`.
llvm::LogicalResult verifyReduction(mlir::Operation *op,
                                    mlir::RankedTensorType input,
                                    int64_t dimension, bool keepdim,
                                    mlir::RankedTensorType result);

/// (C7) There is a last dimension to work on.
llvm::LogicalResult verifyHasLast(mlir::Operation *op,
                                  mlir::RankedTensorType input);

/// (C8) `parameter` has the shape of the input's last dimensions and the
/// input's element type or f32. A null one is absent.
llvm::LogicalResult verifyParameter(mlir::Operation *op, llvm::StringRef name,
                                    mlir::RankedTensorType input,
                                    mlir::Value parameter);

/// (C9) eps is a finite number that is not negative.
llvm::LogicalResult verifyEps(mlir::Operation *op, const llvm::APFloat &eps);

/// (C10) A point that is on must be in the formula, which it is with `needs`.
llvm::LogicalResult verifyPointExists(RoundingPointOpInterface op,
                                      llvm::StringRef point, bool exists,
                                      llvm::StringRef needs);

/// (C10) `sqrt` needs the rule one_over_sqrt of `attribute`.
llvm::LogicalResult verifySqrtPoint(RoundingPointOpInterface op, RsqrtRule rule,
                                    llvm::StringRef attribute);

/// (C11, C12) softplus's numbers.
llvm::LogicalResult verifySoftplus(mlir::Operation *op,
                                   const llvm::APFloat &beta,
                                   const llvm::APFloat &threshold);

} // namespace prec::nn

#endif // DIALECTS_NN_NNVERIFY_H
