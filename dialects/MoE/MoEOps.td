// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole dialect, for tablegen.
include "dialects/MoE/MoEActivationOp.td"
include "dialects/MoE/MoEActivationGradOp.td"
include "dialects/MoE/MoECombineOp.td"
include "dialects/MoE/MoECombineGradOp.td"
include "dialects/MoE/MoERouterOp.td"
