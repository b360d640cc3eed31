// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of the kernel emitter.
#ifndef PREC_LIB_CONVERSION_KERNELEMITTER_EMITREDUCTION_H
#define PREC_LIB_CONVERSION_KERNELEMITTER_EMITREDUCTION_H

#include "KernelEmitter.h"

namespace prec {

/// What both kinds of reductions share.
class ReductionBase {
protected:
  ReductionBase(KernelEmitter &emitter, const Demand &demand,
                const Expansion &expansion)
      : e(emitter), demand(demand), loops(expansion.loops),
        loc(expansion.op->getLoc()) {}

  mlir::AffineExpr constant(int64_t value) { return e.space.constant(value); }
  static std::optional<int64_t> known(mlir::AffineExpr expr) {
    if (auto value = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
      return value.getValue();
    return std::nullopt;
  }
  mlir::Value lane(mlir::Value vector, int64_t index);

  /// Calls `step` for [first, first + extent) in ascending order: one by one
  /// where that is known to be at most the unroll limit, else in a loop.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  ascending(mlir::AffineExpr first, mlir::AffineExpr extent,
            llvm::ArrayRef<mlir::Value> inits, KernelEmitter::LoopBody step);

  KernelEmitter &e;
  const Demand &demand;
  llvm::ArrayRef<mlir::AffineExpr> loops;
  mlir::Location loc;
};

/// An element of a reduction written as a structured operation: sequential, in
/// ascending order of the loop indices.
mlir::FailureOr<mlir::Value>
emitReduction(KernelEmitter &emitter, const Demand &demand,
              const Expansion &expansion,
              llvm::SmallVectorImpl<Demand> &missing);

/// An element of a prec.sum, in its order.
mlir::FailureOr<mlir::Value> emitSum(KernelEmitter &emitter,
                                     const Demand &demand,
                                     const Expansion &expansion,
                                     llvm::SmallVectorImpl<Demand> &missing);

/// The cascade of `count` values, in the current scope, by the rules of a
/// prec.sum.
mlir::FailureOr<mlir::Value> emitCascade(
    KernelEmitter &emitter, const Demand &demand, const Expansion &expansion,
    mlir::AffineExpr count,
    llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::AffineExpr)> valueAt);

} // namespace prec

#endif // PREC_LIB_CONVERSION_KERNELEMITTER_EMITREDUCTION_H
