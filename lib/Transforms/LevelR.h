// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What level R allows, for the pass that makes it and the pass that checks it.
#ifndef LIB_TRANSFORMS_LEVELR_H
#define LIB_TRANSFORMS_LEVELR_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

namespace prec {

/// True for bf16, f16, f8E4M3FN and f8E5M2, and for vectors, tensors and
/// memrefs of them: formats that hold values at level R but compute none.
bool isStorageFloat(mlir::Type type);

/// `type` with its element type (or itself) replaced by `element`.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// Emits an error for the first operation under (and including) `root` with
/// results or block arguments of a float type that no level knows, or of
/// unranked tensors of floats; failure if there was one.
mlir::LogicalResult verifyFloatTypes(mlir::Operation *root);

/// Emits one error for each operation under (and including) `root` that level
/// R does not allow, up to `maxErrors`; failure if there was one.
mlir::LogicalResult verifyLevelR(mlir::Operation *root, unsigned maxErrors);

} // namespace prec

#endif // LIB_TRANSFORMS_LEVELR_H
