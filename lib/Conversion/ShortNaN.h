// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which NaN a value can be.
#ifndef PREC_LIB_CONVERSION_SHORTNAN_H
#define PREC_LIB_CONVERSION_SHORTNAN_H

#include "mlir/IR/Value.h"

namespace prec {

/// Whether every NaN that `value` (f32 or f64; a scalar or a vector) can be has
/// a payload that fits into bf16, all lower bits being zero: the default NaN,
/// or one that came from bf16 numbers through operations that make no other. So
/// it is on processors whose default NaN is such a one (x86 and Arm; not
/// NVIDIA's GPUs) and in LLVM's semantics for them. The answer may be no
/// needlessly.
bool hasShortNaN(mlir::Value value);

} // namespace prec

#endif // PREC_LIB_CONVERSION_SHORTNAN_H
