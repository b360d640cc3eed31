// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TRANSFORMS_PASSES_H
#define PREC_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace prec {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

#endif // PREC_TRANSFORMS_PASSES_H
