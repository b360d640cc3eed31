// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arith.maxnumf and arith.minnumf with the bits that the contract names.
#ifndef PREC_CONVERSION_NUMBEREXTREMES_H
#define PREC_CONVERSION_NUMBEREXTREMES_H

#include "mlir/IR/PatternMatch.h"

namespace prec {

/// arith.maxnumf and arith.minnumf of f32 and f64, on scalars and vectors, to
/// LLVM's maximumnum and minimumnum: -0 is less than +0, and the other operand
/// takes the place of any NaN. Upstream's lowering, to maxnum and minnum,
/// leaves open which zero comes out: on x86 it is one operand's. These patterns
/// come after the ones of roundings, which know the numbers that the operations
/// of `arith` give.
void populateNumberExtremesPatterns(mlir::RewritePatternSet &patterns);

} // namespace prec

#endif // PREC_CONVERSION_NUMBEREXTREMES_H
