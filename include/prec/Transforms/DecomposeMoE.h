// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The moe dialect at level R.
#ifndef PREC_TRANSFORMS_DECOMPOSEMOE_H
#define PREC_TRANSFORMS_DECOMPOSEMOE_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace prec {

/// Patterns that replace every operation of the moe dialect by level R, as
/// populateDecomposeNNPatterns does for nn. A router over a dynamic number of
/// experts also checks (cf.assert) that there are enough of them.
void populateDecomposeMoEPatterns(mlir::RewritePatternSet &patterns);

} // namespace prec

#endif // PREC_TRANSFORMS_DECOMPOSEMOE_H
