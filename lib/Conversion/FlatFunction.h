// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of kernels on flat memory: what the host and the GPU lowering of
// level K share.
#ifndef PREC_LIB_CONVERSION_FLATFUNCTION_H
#define PREC_LIB_CONVERSION_FLATFUNCTION_H

#include "dialects/Prec/Prec.h"
#include "prec/Analysis/TensorSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace prec {

/// Turns `func @f(tensors) -> tensors` into
/// `func @f(inputs, outputs, sizes)`: one memref<?xT> for each tensor argument
/// (scalars stay), one for each result, then one index for each `?` of the
/// arguments' types. Kernel results that are not returned are allocated and
/// freed at the end.
class FlatFunction {
public:
  explicit FlatFunction(mlir::func::FuncOp func);

  /// Whether the function has kernels; others are left alone.
  static bool hasKernels(mlir::func::FuncOp func);

  /// Calls `lower` for every kernel, in order, with a builder at its place, and
  /// then rewrites the function.
  mlir::LogicalResult
  run(llvm::function_ref<mlir::LogicalResult(KernelOp, mlir::OpBuilder &)>
          lower);

  /// The memory of a tensor: an argument or a kernel's result.
  mlir::Value memoryOf(mlir::Value tensor) const {
    return memory.lookup(tensor);
  }
  /// The value of a size at the function's level.
  mlir::Value sizeValue(mlir::OpBuilder &builder, mlir::AffineExpr size);
  TensorSizes &getSizes() { return sizes; }

private:
  mlir::LogicalResult check();
  void addArguments();
  void provideResults(KernelOp kernel, mlir::OpBuilder &builder);
  void finish();

  mlir::func::FuncOp func;
  mlir::Block &body;
  TensorSizes sizes;
  unsigned numOldArguments;
  llvm::DenseMap<mlir::Value, mlir::Value> memory;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> sizeArguments;
  llvm::DenseMap<mlir::Value, mlir::Value> returned;
  llvm::SmallVector<mlir::Value> temporaries;
};

} // namespace prec

#endif // PREC_LIB_CONVERSION_FLATFUNCTION_H
