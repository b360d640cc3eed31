// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations and combinations that a program writes out in arith and linalg,
// at level M or R.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_WRITTEN_H
#define LIB_TRANSFORMS_PROMOTEMOE_WRITTEN_H

#include "Expression.h"
#include "Report.h"

namespace prec {

/// silu(gate) * up, times a probability for each row or not.
struct WrittenActivation {
  Expression formula;
  /// Gate, then what it is multiplied with: leaves of the formula.
  llvm::SmallVector<Element> leaves;
  unsigned roundings = 0; ///< before that of the result
  unsigned probabilities = 0;
  llvm::StringRef unsupported; ///< the function, if it is not silu

  /// The one whose result is that of `root`, a rounding to 16 bits.
  static std::optional<WrittenActivation> match(mlir::Operation *root);
};

/// Promotes those under `root`.
void promoteWrittenActivations(mlir::Operation *root, Report &report);
void promoteWrittenCombinations(mlir::Operation *root, Report &report);

/// Whether the weights of a written-out combination are f32 and nothing else
/// has applied probabilities to its terms `z`; if not, says so. `hidden` is the
/// index along a row.
bool canPromoteCombination(mlir::Operation *op, Element z, Element weight,
                           unsigned hidden, Report &report);

/// The index along the last dimension of what `root` computes: of the tensor,
/// or a loop of the linalg operation around it. None for numbers.
std::optional<unsigned> hiddenLoop(mlir::Operation *root);
/// The element that `root` computes.
Element elementOf(mlir::Operation *root);
/// What `root` rounds to 16 bits: the operand of a cast, or `root` itself.
Element roundedBy(mlir::Operation *root);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_WRITTEN_H
