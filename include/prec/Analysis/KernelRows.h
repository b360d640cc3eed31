// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's results fall into rows.
#ifndef PREC_ANALYSIS_KERNELROWS_H
#define PREC_ANALYSIS_KERNELROWS_H

#include "prec/Analysis/KernelIndexing.h"

namespace prec {

/// A reduction of at most this many elements is unrolled where it is used.
inline constexpr int64_t kShortReduction = 16;
/// Elements of a column that one thread of a GPU keeps in registers, at most.
inline constexpr int64_t kMaxColumn = 256;

/// How many elements one result element of the operation reduces: 1 if it
/// reduces nothing, null when not known.
std::optional<int64_t> reducedExtent(mlir::Operation *op);
/// Whether the operation reduces more than kShortReduction elements.
bool isLongReduction(mlir::Operation *op);

/// The outer loops that all results of a kernel share, one row an iteration:
/// the dimensions that the results of its long reductions depend on. Each long
/// reduction is computed once a row. A kernel without long reductions, or with
/// ones that do not fit this form, has all its dimensions outside.
struct KernelRows {
  /// Extents of the outer loops.
  llvm::SmallVector<mlir::AffineExpr> outer;
  /// For each result, the dimensions that the outer loops run over, in their
  /// order, and its other dimensions.
  llvm::SmallVector<llvm::SmallVector<unsigned>> outerDims, innerDims;
  /// For each result, whether its elements need a long reduction.
  llvm::SmallVector<bool> isReduced;
  /// The long reductions; empty unless each of them is computed once a row and
  /// for every row.
  llvm::SmallVector<mlir::Operation *> reductions;
  /// The inner dimension is one along which something is read again and again:
  /// the thread or loop that has a place of the outer loops reads it once.
  bool isRepeated = false;
  /// Both halves of the innermost dimension, an outer loop, read some of the
  /// same elements: the thread that has a place of the first half has the same
  /// place of the second, and reads them once.
  bool isHalved = false;

  /// The result with the most dimensions.
  unsigned mainResult() const;
};

/// The long reductions that an element needs, at coordinates of the element's
/// variables; those that a short reduction unrolls are left out.
llvm::SmallVector<Demand> longReductions(const Demand &result,
                                         IndexSpace &space, TensorSizes &sizes);

/// Fails, with an error, where the results do not share outer loops. With
/// `repeatInside`, a kernel without long reductions has one of its small
/// dimensions inside if that saves reading something along the innermost one
/// again, and has the halves of the innermost one together if that does.
mlir::FailureOr<KernelRows> analyzeRows(KernelOp kernel, TensorSizes &sizes,
                                        bool repeatInside);

/// How many of the kernel's results, from the first one on, analyzeRows takes
/// together; one result alone always has rows.
unsigned numWithCommonRows(KernelOp kernel, TensorSizes &sizes);

/// Whether two sizes of results in one kernel, in the same place, are equal.
/// Different dynamic sizes are, by the checks of the function.
bool isSameSize(mlir::AffineExpr a, mlir::AffineExpr b);

} // namespace prec

#endif // PREC_ANALYSIS_KERNELROWS_H
