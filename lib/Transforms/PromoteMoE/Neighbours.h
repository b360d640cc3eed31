// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands before and after an activation and a combination, as far as it
// decides whether they can be promoted.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_NEIGHBOURS_H
#define LIB_TRANSFORMS_PROMOTEMOE_NEIGHBOURS_H

#include "Elements.h"

namespace prec {

/// The first operation that makes a number of 8 bits or fewer out of `value`,
/// by steps that keep its elements apart (arithmetic, casts, moves); null if
/// there is none.
mlir::Operation *findQuantization(mlir::Value value);

/// What the terms of a combination come from.
struct Experts {
  /// A product with a factor that is one for all of a row.
  mlir::Operation *weighting = nullptr;
  /// Rows were moved by an index between the experts and the combination.
  bool permuted = false;
  /// What `isActivation` says is an activation, before the experts' last
  /// product.
  std::optional<Element> activation;
};

/// Looks back from `terms`, whose index `hidden` runs along a row, to the
/// first element for which `isActivation` holds.
Experts findExperts(Element terms, unsigned hidden,
                    llvm::function_ref<bool(Element)> isActivation);

/// Whether the element is the same all along loop `hidden` but not for all
/// indices: a number for each row.
bool isPerRow(Element element, unsigned hidden);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_NEIGHBOURS_H
