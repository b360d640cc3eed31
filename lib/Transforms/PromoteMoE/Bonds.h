// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is promoted together or not at all.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_BONDS_H
#define LIB_TRANSFORMS_PROMOTEMOE_BONDS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace prec {

/// Operations.
using Operations = llvm::SmallPtrSet<mlir::Operation *, 4>;

/// Whether an operation that `gradient` is of cannot be promoted.
template <typename Gradient>
bool isHeld(const Gradient &gradient, const Operations &refused) {
  return llvm::any_of(gradient.forwards, [&](mlir::Operation *op) {
    return refused.contains(op);
  });
}

/// Refuses what belongs to something that is: a gradient to its `forwards`, and
/// those to it. Calls `onGradient(gradient)` and `onForward(operation)` for
/// each that is refused thereby.
template <typename Gradient, typename OnGradient, typename OnForward>
void holdTogether(std::vector<Gradient> &gradients, Operations &refused,
                  OnGradient onGradient, OnForward onForward) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Gradient &gradient : gradients) {
      if (!gradient.isRefused && isHeld(gradient, refused)) {
        onGradient(gradient);
        gradient.isRefused = changed = true;
      }
      if (!gradient.isRefused)
        continue;
      for (mlir::Operation *forward : gradient.forwards)
        if (refused.insert(forward).second) {
          onForward(forward);
          changed = true;
        }
    }
  }
}

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_BONDS_H
