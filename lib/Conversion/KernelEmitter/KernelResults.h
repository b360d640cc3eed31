// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's results by rows, and their stores.
#ifndef PREC_LIB_CONVERSION_KERNELEMITTER_KERNELRESULTS_H
#define PREC_LIB_CONVERSION_KERNELEMITTER_KERNELRESULTS_H

#include "KernelEmitter.h"

#include "prec/Analysis/KernelRows.h"

namespace prec {

/// The results of a kernel that is being emitted: one nest of outer loops for
/// all, inside it one nest of inner loops for each group of results.
class KernelResults {
public:
  /// Results whose inner dimensions have the same extents.
  struct Group {
    llvm::SmallVector<unsigned> results;
    llvm::SmallVector<mlir::AffineExpr> inner;
    /// The place among `inner` of the dimension along which memory is
    /// contiguous, if it is one of them.
    std::optional<unsigned> contiguous;
  };

  /// Fails, with an error, where the results share no outer loops.
  /// `repeatInside`: as in analyzeRows.
  static mlir::FailureOr<KernelResults> get(KernelOp kernel,
                                            KernelEmitter &emitter,
                                            llvm::ArrayRef<mlir::Value> memory,
                                            bool repeatInside);

  const KernelRows &getRows() const { return rows; }
  llvm::ArrayRef<mlir::AffineExpr> outer() const { return rows.outer; }
  llvm::ArrayRef<Group> getGroups() const { return groups; }
  /// The outer loop along which the memory of the main result is contiguous, if
  /// it is an outer one.
  std::optional<unsigned> contiguousOuter() const;

  /// Emits the long reductions of a row in the current scope.
  mlir::LogicalResult reduce(llvm::ArrayRef<mlir::AffineExpr> outerAt);
  /// Emits what elements of a group's reduced results read beside their
  /// reductions, where that is plain to see.
  mlir::LogicalResult load(const Group &group,
                           llvm::ArrayRef<mlir::AffineExpr> outerAt,
                           llvm::ArrayRef<mlir::AffineExpr> innerAt);
  /// The group's results that need a long reduction, or the others.
  llvm::SmallVector<unsigned> reduced(const Group &group) const {
    return pick(group, true);
  }
  llvm::SmallVector<unsigned> unreduced(const Group &group) const {
    return pick(group, false);
  }
  /// Whether all long reductions that a result needs have been emitted.
  bool isReady(unsigned result, llvm::ArrayRef<mlir::AffineExpr> outerAt);
  /// Emits an element of each of some results and their stores.
  mlir::LogicalResult store(llvm::ArrayRef<unsigned> results,
                            llvm::ArrayRef<mlir::AffineExpr> outerAt,
                            llvm::ArrayRef<mlir::AffineExpr> innerAt);

private:
  KernelResults(KernelOp kernel, KernelEmitter &emitter,
                llvm::ArrayRef<mlir::Value> memory, KernelRows rows);
  mlir::Value result(unsigned number) const;
  llvm::SmallVector<unsigned> pick(const Group &group, bool reduced) const {
    return llvm::to_vector(
        llvm::make_filter_range(group.results, [&](unsigned number) {
          return rows.isReduced[number] == reduced;
        }));
  }
  /// The long reductions of any place in a result's row.
  llvm::SmallVector<Demand>
  reductions(unsigned result, llvm::ArrayRef<mlir::AffineExpr> outerAt);
  Demand demandAt(unsigned result, llvm::ArrayRef<mlir::AffineExpr> outerAt,
                  llvm::ArrayRef<mlir::AffineExpr> innerAt) const;

  KernelOp kernel;
  KernelEmitter *e;
  llvm::SmallVector<mlir::Value> memory;
  KernelRows rows;
  llvm::SmallVector<Group> groups;
};

} // namespace prec

#endif // PREC_LIB_CONVERSION_KERNELEMITTER_KERNELRESULTS_H
