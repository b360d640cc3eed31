// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sizes of a function are equal, and the run-time checks that make it so.
#ifndef PREC_LIB_TRANSFORMS_FORMKERNELS_SIZECLASSES_H
#define PREC_LIB_TRANSFORMS_FORMKERNELS_SIZECLASSES_H

#include "prec/Analysis/TensorSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace prec {

/// Classes of sizes that are equal when every check of the function holds.
class SizeClasses {
public:
  SizeClasses(mlir::func::FuncOp func, TensorSizes &sizes)
      : func(func), sizes(sizes) {}

  /// Takes in the function's own checks (cf.assert of an equality) and adds one
  /// wherever operands of an operation must agree and no check says so.
  mlir::LogicalResult build();

  /// The best known expression for a size: a constant, else a size of an
  /// argument, else anything.
  mlir::AffineExpr representative(mlir::AffineExpr size);
  mlir::SmallVector<mlir::AffineExpr> shape(mlir::Value tensor);

  /// The size as an SSA value at the function's level. Null when it stems from
  /// a tensor that is not an argument.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::AffineExpr size);

private:
  mlir::LogicalResult unify(mlir::Operation *op, mlir::AffineExpr size,
                            mlir::AffineExpr other);
  void merge(mlir::AffineExpr a, mlir::AffineExpr b);
  unsigned rank(mlir::AffineExpr size) const;
  std::string describe(mlir::AffineExpr size);

  mlir::func::FuncOp func;
  TensorSizes &sizes;
  llvm::DenseMap<mlir::AffineExpr, mlir::AffineExpr> parents;
};

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_FORMKERNELS_SIZECLASSES_H
