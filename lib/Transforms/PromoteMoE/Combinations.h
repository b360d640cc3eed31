// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TRANSFORMS_PROMOTEMOE_COMBINATIONS_H
#define LIB_TRANSFORMS_PROMOTEMOE_COMBINATIONS_H

#include "Report.h"

namespace prec {

/// Promotes the combinations under `root` and their gradients, operations and
/// written-out ones. One that cannot be holds back those that belong to it.
void promoteCombinations(mlir::Operation *root, Report &report);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_COMBINATIONS_H
