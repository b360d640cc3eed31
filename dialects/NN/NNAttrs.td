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
def NN_MultiplyAdd : Prec_EnumAttr<NN_Dialect, NN_MultiplyAddEnum, "multiply_add">;
def NN_SoftmaxGradForm : Prec_EnumAttr<NN_Dialect, NN_SoftmaxGradFormEnum, "softmax_grad_form">;
def NN_LayerNormGradForm : Prec_EnumAttr<NN_Dialect, NN_LayerNormGradFormEnum, "layer_norm_grad_form">;
def NN_NormGradForm : Prec_EnumAttr<NN_Dialect, NN_NormGradFormEnum, "norm_grad_form">;

#endif // NN_ATTRS_TD
