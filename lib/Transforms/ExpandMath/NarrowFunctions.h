// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions short f32 sequences may compute.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWFUNCTIONS_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWFUNCTIONS_H

#include "NarrowChain.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace prec {

/// What short f32 sequences compute.
struct NarrowFunctions {
  struct Division {
    Choice choice;
    /// The 16-bit value that the chain depends on, in f32.
    mlir::Value input;
  };
  /// A rounding whose operand is to be `value` where `input` is `at`.
  struct Exception {
    mlir::Operation *rounding;
    mlir::Value input;
    float at, value;
  };

  /// A function of one 16-bit value whose result, through a chain, only goes
  /// into a product with anything (for a GPU, into a product of that, too),
  /// which is only rounded to bf16. The product with the `functions` and
  /// `divisions` entries is close: where that does not tell the rounding, it
  /// has to be computed again.
  struct Guarded {
    /// The function and what follows it, up to what is multiplied.
    llvm::SmallVector<mlir::Operation *> path;
    /// What follows that: products, with the factors besides the path.
    llvm::SmallVector<mlir::Operation *> products;
    llvm::SmallVector<mlir::Value> factors;
    mlir::Operation *rounding;
    /// How the function is computed again; none: as for any argument.
    std::optional<Choice> again;
    /// The 16-bit value.
    mlir::Value input;
    /// For a GPU, instead: bounds, and how operations of the path are computed
    /// again.
    CloseApproximation close;
    llvm::SmallVector<std::pair<mlir::Operation *, Choice>> exact;
  };

  llvm::DenseMap<mlir::Operation *, Choice> functions;
  llvm::MapVector<mlir::Operation *, Division> divisions;
  std::vector<Exception> exceptions;
  std::vector<Guarded> guarded;
};

/// Finds the functions under `root` of one 16-bit value. Where their results
/// all end in roundings to 16 bits, the cheapest sequence found for each gives
/// the same bits there on all 65,536 inputs. With `approximate`, a GPU's
/// approximate instructions may be among it, and divisions go with them. With
/// `exact`, there are sequences, too, for exponentials whose f32 bits matter:
/// in f64, and, with `approximate`, with approximate instructions. Products may
/// be guarded; with `approximate`, only vectors are, within symbol tables, for
/// there must be a place for a function.
NarrowFunctions findNarrowFunctions(mlir::Operation *root, bool approximate,
                                    bool exact);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWFUNCTIONS_H
