// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_CONVERSION_PASSES_TD
#define PREC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPrecToLLVMPass : Pass<"convert-prec-to-llvm"> {
  let summary = "Lower roundings for the host";
}

#endif // PREC_CONVERSION_PASSES_TD
