// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decompositions of moe operations, one a file.
#ifndef LIB_TRANSFORMS_DECOMPOSEMOE_H
#define LIB_TRANSFORMS_DECOMPOSEMOE_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace prec::moe {

void populateDecomposeActivation(mlir::RewritePatternSet &patterns);
void populateDecomposeCombine(mlir::RewritePatternSet &patterns);
void populateDecomposeRouter(mlir::RewritePatternSet &patterns);

} // namespace prec::moe

#endif // LIB_TRANSFORMS_DECOMPOSEMOE_H
