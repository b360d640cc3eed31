// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TRANSFORMS_DECOMPOSENNROWS_H
#define LIB_TRANSFORMS_DECOMPOSENNROWS_H

#include "DecomposeNNBuilder.h"

namespace prec::nn {

/// Builds what an operation makes of the rows of its input, the elements along
/// the last dimension.
struct RowsBuilder : TensorBuilder {
  template <typename OpTy>
  RowsBuilder(mlir::OpBuilder &builder, OpTy op)
      : TensorBuilder(builder, mlir::cast<RoundingPointOpInterface>(*op),
                      op.getMathAttr()),
        shape(sizes(op.getInput())), rank(shape.size()), all(identityMap(rank)),
        row(dropMap(rank, rank - 1)) {}

  /// A tensor of the input's shape, and one with a number for each row.
  Input elements(mlir::Value tensor) { return {tensor, all}; }
  Input numbers(mlir::Value tensor) { return {tensor, row}; }

  /// Appends a weight or bias, which has the shape of the last dimensions;
  /// nothing if it is null.
  void append(llvm::SmallVectorImpl<Input> &inputs, mlir::Value parameter) {
    if (!parameter)
      return;
    auto type = mlir::cast<mlir::RankedTensorType>(parameter.getType());
    inputs.push_back({parameter, lastMap(rank, type.getRank())});
  }

  llvm::SmallVector<mlir::OpFoldResult> shape;
  int64_t rank;
  mlir::AffineMap all, row;
};

} // namespace prec::nn

#endif // LIB_TRANSFORMS_DECOMPOSENNROWS_H
