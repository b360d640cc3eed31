// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole dialect, for tablegen.
include "dialects/NN/NNElementwiseOps.td"
include "dialects/NN/NNReductionOps.td"
include "dialects/NN/NNNormOps.td"
include "dialects/NN/NNRopeOps.td"
include "dialects/NN/NNElementwiseGradOps.td"
include "dialects/NN/NNReductionGradOps.td"
include "dialects/NN/NNNormGradOps.td"
