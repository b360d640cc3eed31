// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TRANSFORMS_PROMOTEMOE_PROBABILITIES_H
#define LIB_TRANSFORMS_PROMOTEMOE_PROBABILITIES_H

#include "Elements.h"

namespace prec {

/// The element that `element` was before it was rounded to 16 bits, or itself;
/// `rounded` says whether it was.
Element beforeRounding(Element element, bool &rounded);

/// The f32 tensor that `tensor` was rounded from, of its shape, or itself.
mlir::Value beforeRounding(mlir::OpBuilder &builder, mlir::Value tensor);

/// Its element type.
mlir::Type typeBeforeRounding(mlir::Value tensor);

/// The weights [tokens, slots] of a combination without weights of its own:
/// `probability` is one for each row of an activation, and row `row` (over the
/// indices of the terms) belongs to a term. `indices` name the terms of the
/// slots, or are null. Null if the rows do not correspond.
mlir::Value moveToSlots(mlir::OpBuilder &builder, mlir::Value probability,
                        mlir::AffineMap row, mlir::Value terms,
                        mlir::Value indices);

/// The reverse for gradients: `weights` is the gradient of a combination's
/// weights, the result, of `type`, that of the probability that moved there.
/// `slots` holds the slot of each row where rows are not in order of the slots.
mlir::Value moveToRows(mlir::OpBuilder &builder, mlir::Value weights,
                       mlir::RankedTensorType type, mlir::Value slots);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_PROBABILITIES_H
