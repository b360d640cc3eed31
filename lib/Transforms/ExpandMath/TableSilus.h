// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// silu of 16-bit numbers by a table in registers (TableSilu.h).
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_TABLESILUS_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_TABLESILUS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace prec {

/// Replaces each rounding to bf16 of x / (1 + e^-x) under `root`, scalar or
/// vector, where x is a bf16 number or the rounded product of one with a power
/// of two, and nothing else needs the exponential, the sum or the quotient.
void expandTableSilus(mlir::Operation *root);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_TABLESILUS_H
