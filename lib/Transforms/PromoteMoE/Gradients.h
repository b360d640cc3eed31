// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of an activation and of the combination that it feeds.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_GRADIENTS_H
#define LIB_TRANSFORMS_PROMOTEMOE_GRADIENTS_H

#include "dialects/MoE/MoE.h"

#include <optional>

namespace prec {

/// Where a probability moves from an activation to a combination, it does so in
/// their gradients.
struct GradientPair {
  moe::ActivationGradOp activation;
  moe::CombineGradOp combine;

  /// Sets `pair` to the gradients of the two in their function, if these are
  /// there. False if only one is, or if the probability cannot move.
  static bool find(moe::CombineOp combine, moe::ActivationOp activation,
                   std::optional<GradientPair> &pair);
  /// Gives the combination's gradient the weights, and takes the gradient of
  /// the probability from it.
  void moveProbability(mlir::Value weights);
};

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_GRADIENTS_H
