// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's elements read memory when several are computed together.
#ifndef PREC_ANALYSIS_KERNELACCESS_H
#define PREC_ANALYSIS_KERNELACCESS_H

#include "prec/Analysis/KernelIndexing.h"

#include "llvm/ADT/SetVector.h"

namespace prec {

/// What computing some elements reads.
struct KernelAccess {
  /// Every read is of neighbours, of every second of a run of elements, or of
  /// one element for all lanes, and every choice between sources is the same
  /// for all lanes.
  bool isVectorizable = true;
  /// Element types of the tensors that are read.
  llvm::SmallVector<mlir::Type> elementTypes;
  /// Where they are read: positions in their memory.
  llvm::SmallVector<mlir::AffineExpr> positions;
  /// The tensors that lanes read at different places of the last dimension.
  llvm::SetVector<mlir::Value> alongLane;
};

/// Walks over everything that `demands` need. `lane` is a variable among their
/// coordinates with `width` values.
KernelAccess analyzeAccess(llvm::ArrayRef<Demand> demands,
                           mlir::AffineExpr lane, int64_t width,
                           IndexSpace &space, TensorSizes &sizes);

/// Every second element of a run in memory, from the first or the second one.
struct PairedRead {
  mlir::AffineExpr start; ///< where the run starts: a multiple of 2
  bool isSecond;
};
/// How lanes read `position` of a tensor of these sizes if it is in that way;
/// the run lies in the tensor.
std::optional<PairedRead> pairedRead(mlir::AffineExpr position,
                                     mlir::AffineExpr lane,
                                     llvm::ArrayRef<mlir::AffineExpr> sizes,
                                     const IndexSpace &space);

/// How a guard turns out: known; or for lanes, the same for all lanes, or known
/// and true for the first, third, ... (Even) or for the others (Odd) only.
enum class GuardOutcome { True, False, Uniform, Even, Odd, Mixed };
GuardOutcome testGuard(const Guard &guard, mlir::AffineExpr lane, int64_t width,
                       const IndexSpace &space);

/// The demands of every second lane, from the first and from the second one on,
/// with `half`, a variable of half as many lanes, in place of `lane`.
std::array<Demand, 2> everySecondLane(const Demand &demand,
                                      mlir::AffineExpr lane,
                                      mlir::AffineExpr half,
                                      const IndexSpace &space);

} // namespace prec

#endif // PREC_ANALYSIS_KERNELACCESS_H
