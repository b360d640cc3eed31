// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TARGET_PASSES_H
#define PREC_TARGET_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace prec {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "prec/Target/Passes.h.inc"
} // namespace prec

#endif // PREC_TARGET_PASSES_H
