// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/DecomposeNN.h"

#include "DecomposeNNBuilder.h"

void prec::populateDecomposeNNPatterns(mlir::RewritePatternSet &patterns) {
  nn::populateDecomposeElementwise(patterns);
  nn::populateDecomposeElementwiseGradients(patterns);
  nn::populateDecomposeReductions(patterns);
  nn::populateDecomposeReductionGradients(patterns);
  nn::populateDecomposeNorms(patterns);
  nn::populateDecomposeNormGradients(patterns);
  nn::populateDecomposeRope(patterns);
}
