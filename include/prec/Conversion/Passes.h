// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_CONVERSION_PASSES_H
#define PREC_CONVERSION_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace prec {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

#endif // PREC_CONVERSION_PASSES_H
