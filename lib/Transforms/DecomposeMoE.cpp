// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DecomposeMoE.h"

#include "prec/Transforms/DecomposeMoE.h"

void prec::populateDecomposeMoEPatterns(mlir::RewritePatternSet &patterns) {
  moe::populateDecomposeActivation(patterns);
  moe::populateDecomposeActivationGrad(patterns);
  moe::populateDecomposeCombine(patterns);
  moe::populateDecomposeCombineGrad(patterns);
  moe::populateDecomposeRouter(patterns);
}
