// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a gpu.module in parts that are compiled side by side.
#ifndef PREC_LIB_TARGET_PTX_KERNELPARTS_H
#define PREC_LIB_TARGET_PTX_KERNELPARTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace prec {

/// Functions that LLVM compiles together.
struct KernelPart {
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module;
  /// Whether a function branches back, but in loops that LLVM is to unroll.
  bool hasLoops;
};

/// A gpu.module of functions of the LLVM dialect whose body is in parts for as
/// long as this object lives. How it is divided depends on the module alone:
/// functions without loops are in one part until that is long, those with
/// loops in another; what shares a variable or calls each other stays together.
class KernelParts {
public:
  explicit KernelParts(mlir::gpu::GPUModuleOp module);
  KernelParts(const KernelParts &) = delete;
  KernelParts &operator=(const KernelParts &) = delete;
  ~KernelParts();

  llvm::MutableArrayRef<KernelPart> get() { return parts; }

private:
  mlir::gpu::GPUModuleOp module;
  /// Everything in `module`, in its order.
  llvm::SmallVector<mlir::Operation *> order;
  llvm::SmallVector<KernelPart, 2> parts;
};

} // namespace prec

#endif // PREC_LIB_TARGET_PTX_KERNELPARTS_H
