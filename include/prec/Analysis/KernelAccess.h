// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's elements read memory when several are computed together.
#ifndef PREC_ANALYSIS_KERNELACCESS_H
#define PREC_ANALYSIS_KERNELACCESS_H

#include "prec/Analysis/KernelIndexing.h"

namespace prec {

/// What computing some elements reads.
struct KernelAccess {
  /// Every read is of neighbours or of one element for all lanes, and every
  /// choice between sources is the same for all lanes.
  bool isVectorizable = true;
  /// Element types of the tensors that are read.
  llvm::SmallVector<mlir::Type> elementTypes;
  /// Where they are read: positions in their memory.
  llvm::SmallVector<mlir::AffineExpr> positions;
};

/// Walks over everything that `demands` need. `lane` is a variable among their
/// coordinates with `width` values.
KernelAccess analyzeAccess(llvm::ArrayRef<Demand> demands,
                           mlir::AffineExpr lane, int64_t width,
                           IndexSpace &space, TensorSizes &sizes);

/// How a guard turns out: known, or (for lanes) the same for all lanes.
enum class GuardOutcome { True, False, Uniform, Mixed };
GuardOutcome testGuard(const Guard &guard, mlir::AffineExpr lane, int64_t width,
                       const IndexSpace &space);

} // namespace prec

#endif // PREC_ANALYSIS_KERNELACCESS_H
