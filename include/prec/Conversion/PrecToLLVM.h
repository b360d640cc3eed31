// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings on the host, by means that LLVM cannot lose.
#ifndef PREC_CONVERSION_PRECTOLLVM_H
#define PREC_CONVERSION_PRECTOLLVM_H

#include "mlir/IR/PatternMatch.h"

namespace prec {

class Representability;

struct PrecToLLVMOptions {
  /// The CPU converts between f32 and f16 (x86: F16C): use its instructions
  /// for nearest_even. Without it f16 is converted by integers.
  bool nativeF16 = false;
  /// f32 elements of a register of the CPU: as many are converted at once.
  unsigned lanes = 8;
  /// AVX512_VNNI: the additions of 16 roundings to bf16 are one instruction.
  bool vnni = false;
  /// What the values can be, or null: a rounding to bf16 whose NaNs are known
  /// to fit needs no test for them. Outlives the patterns.
  const Representability *facts = nullptr;
};

/// prec.round, prec.observe and the widenings of narrow formats on scalars and
/// vectors to `arith` on integers and to LLVM's constrained conversions. Both
/// sides are legal in `arith` and in LLVM, so the patterns run before or
/// together with upstream's arith, vector and func conversions.
void populatePrecToLLVMPatterns(mlir::RewritePatternSet &patterns,
                                const PrecToLLVMOptions &options = {});

} // namespace prec

#endif // PREC_CONVERSION_PRECTOLLVM_H
