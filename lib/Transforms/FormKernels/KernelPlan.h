// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a function become memory, and which kernel computes each.
#ifndef PREC_LIB_TRANSFORMS_FORMKERNELS_KERNELPLAN_H
#define PREC_LIB_TRANSFORMS_FORMKERNELS_KERNELPLAN_H

#include "SizeClasses.h"

namespace prec {

/// The plan for one function. Every kernel has a level; it reads memory written
/// by kernels of lower levels only, so no order of levels can be circular.
///
/// In memory are: the function's results; results of prec.materialize; a value
/// behind a long reduction where it would otherwise be computed once for each
/// element of something larger; and a dear value that several kernels use.
/// Cheap values that several kernels use are computed in each.
class KernelPlan {
public:
  struct Kernel {
    llvm::SmallVector<mlir::Value> results;
    unsigned level = 0;
  };

  KernelPlan(mlir::func::FuncOp func, SizeClasses &classes);

  llvm::ArrayRef<Kernel> getKernels() const { return kernels; }
  /// The kernel that writes the value to memory, if any.
  std::optional<unsigned> kernelOf(mlir::Value value) const {
    auto it = kernelOfValue.find(value);
    if (it == kernelOfValue.end())
      return std::nullopt;
    return it->second;
  }

private:
  void placeLongReductions();
  void placeSharedValues();
  void assignKernels();

  mlir::func::FuncOp func;
  SizeClasses &classes;
  llvm::DenseSet<mlir::Value> inMemory;
  std::vector<Kernel> kernels;
  llvm::DenseMap<mlir::Value, unsigned> kernelOfValue;
};

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_FORMKERNELS_KERNELPLAN_H
