// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iteration of a loop computes, once more for the rare cases in which a
// faster way does not round right.
#ifndef PREC_LIB_CONVERSION_ROUNDBYARITHMETIC_RARECASE_H
#define PREC_LIB_CONVERSION_ROUNDBYARITHMETIC_RARECASE_H

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

namespace prec {

/// Results of one iteration of a loop, and all that computes them.
class RareCase {
public:
  /// Finds what computes `results`, roundings in `body`; false if it cannot be
  /// computed again before anything takes a result or writes to memory.
  bool find(mlir::Block &body, const llvm::SetVector<RoundOp> &results);

  /// What computes the results, in its order.
  llvm::ArrayRef<mlir::Operation *> ops() const { return slice; }

  /// What the fast way gives for a result, by its number; a builder stands
  /// where it is needed.
  using Emit = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                              size_t result)>;

  /// Replaces each result by `fast`, or, where any of `isWrong`, a vector, is
  /// true, by itself.
  void
  choose(mlir::scf::ForOp loop, const llvm::SetVector<RoundOp> &results,
         llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &)> isWrong,
         Emit fast);

private:
  llvm::SmallVector<mlir::Operation *> slice;
  /// The first that takes a result or writes to memory.
  mlir::Operation *behind = nullptr;
};

} // namespace prec

#endif
