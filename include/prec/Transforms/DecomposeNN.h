// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nn dialect at level R.
#ifndef PREC_TRANSFORMS_DECOMPOSENN_H
#define PREC_TRANSFORMS_DECOMPOSENN_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace prec {

/// Patterns that replace every operation of the nn dialect by level R:
/// linalg.generic with f32 bodies and a prec.round at each point that is on,
/// prec.sum for the sums, tensor operations for data movement. No pattern needs
/// another one or leaves 16-bit arithmetic behind.
void populateDecomposeNNPatterns(mlir::RewritePatternSet &patterns);

} // namespace prec

#endif // PREC_TRANSFORMS_DECOMPOSENN_H
