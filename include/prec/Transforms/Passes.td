// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TRANSFORMS_PASSES_TD
#define PREC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyExplicitPass : Pass<"prec-verify-explicit"> {
  let summary = "Check that every rounding is explicit (level R)";
}

#endif // PREC_TRANSFORMS_PASSES_TD
