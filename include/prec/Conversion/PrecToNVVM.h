// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings on NVIDIA GPUs, by conversion instructions with a stated mode.
#ifndef PREC_CONVERSION_PRECTONVVM_H
#define PREC_CONVERSION_PRECTONVVM_H

#include "mlir/IR/PatternMatch.h"

namespace prec {

struct PrecToNVVMOptions {
  /// The compute capability, 80 or more. 8-bit conversions are native from 89.
  unsigned sm = 80;
};

/// prec.round, prec.observe and the widenings of narrow formats on scalars and
/// vectors to NVVM's conversion intrinsics, two elements an instruction for
/// vectors of even length, and to `arith` on integers where there is none.
void populatePrecToNVVMPatterns(mlir::RewritePatternSet &patterns,
                                const PrecToNVVMOptions &options = {});

} // namespace prec

#endif // PREC_CONVERSION_PRECTONVVM_H
