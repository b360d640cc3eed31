// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TRANSFORMS_PROMOTEMOE_ACTIVATIONS_H
#define LIB_TRANSFORMS_PROMOTEMOE_ACTIVATIONS_H

#include "Report.h"

namespace prec {

/// Promotes the activations under `root` and their gradients, operations and
/// written-out ones. One that cannot be holds back those that belong to it.
void promoteActivations(mlir::Operation *root, Report &report);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_ACTIVATIONS_H
