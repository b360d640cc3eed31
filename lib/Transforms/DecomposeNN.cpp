// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/DecomposeNN.h"

#include "DecomposeNNBuilder.h"

void prec::populateDecomposeNNPatterns(mlir::RewritePatternSet &patterns) {
  nn::populateDecomposeElementwise(patterns);
  nn::populateDecomposeReductions(patterns);
  nn::populateDecomposeNorms(patterns);
  nn::populateDecomposeRope(patterns);
}
