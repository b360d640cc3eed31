// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TRANSFORMS_EXPANDMATH_H
#define PREC_TRANSFORMS_EXPANDMATH_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace prec {

struct ExpandMathOptions {
  /// A GPU's approximate instructions may be used where the result is proven.
  bool approximate = false;
  /// Arithmetic in f64 is to be avoided where that is possible.
  bool slowF64 = false;
  /// Registers hold tables that are looked up for all lanes at once.
  bool tables = false;
};

/// Replaces the correctly rounded f32 functions of the math dialect under
/// `root` (scalars and vectors) by IEEE operations; `prec-expand-math` is this.
/// Functions of another implementation are left alone. Fails, with an error at
/// each, where a function has no expansion.
mlir::LogicalResult expandMath(mlir::Operation *root,
                               const ExpandMathOptions &options = {});

} // namespace prec

#endif // PREC_TRANSFORMS_EXPANDMATH_H
