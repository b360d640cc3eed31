// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enums of NNEnums.td as attributes: `divide reciprocal` in an operation,
// `divide = #nn<divide reciprocal>` in a profile.
#ifndef NN_ATTRS_TD
#define NN_ATTRS_TD

include "dialects/NN/NNDialect.td"
include "dialects/NN/NNEnums.td"
include "dialects/Prec/PrecAttrs.td"

def NN_Approximation : Prec_EnumAttr<NN_Dialect, NN_ApproximationEnum, "approximation">;
def NN_Accumulate : Prec_EnumAttr<NN_Dialect, NN_AccumulateEnum, "accumulate">;
def NN_Divide : Prec_EnumAttr<NN_Dialect, NN_DivideEnum, "divide">;
def NN_RsqrtRule : Prec_EnumAttr<NN_Dialect, NN_RsqrtRuleEnum, "rsqrt_rule">;
def NN_LayerNormForm : Prec_EnumAttr<NN_Dialect, NN_LayerNormFormEnum, "layer_norm_form">;

#endif // NN_ATTRS_TD
