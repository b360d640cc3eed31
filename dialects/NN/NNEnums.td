// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules by which engines differ, other than where they round.
#ifndef NN_ENUMS_TD
#define NN_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class NN_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::prec::nn";
  let genSpecializedAttr = 0; // the attributes are in NNAttrs.td
}

def NN_ApproximationEnum : NN_Enum<"Approximation", "which formula of gelu", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"tanh", 1>]>;

def NN_AccumulateEnum : NN_Enum<"Accumulate", "the format in which a sum is taken", [
    I32EnumAttrCase<"f32", 0>, I32EnumAttrCase<"f64", 1>]>;

// quotient: s / n.  reciprocal: s * (1 / n), 1 / n rounded to the sum's format.
def NN_DivideEnum : NN_Enum<"Divide", "how a sum is divided by its count", [
    I32EnumAttrCase<"quotient", 0>, I32EnumAttrCase<"reciprocal", 1>]>;

// one_over_sqrt: 1 / sqrt(x), two f32 roundings.  rsqrt: the function itself.
def NN_RsqrtRuleEnum : NN_Enum<"RsqrtRule", "what a reciprocal square root is", [
    I32EnumAttrCase<"one_over_sqrt", 0>, I32EnumAttrCase<"rsqrt", 1>]>;

def NN_LayerNormFormEnum : NN_Enum<"LayerNormForm", "how layer_norm applies its statistics", [
    I32EnumAttrCase<"shift_fma", 0>, I32EnumAttrCase<"center", 1>,
    I32EnumAttrCase<"center_fma", 2>]>;

// fused: one rounding, an fma.  separate: a product and a sum, each rounded.
def NN_MultiplyAddEnum : NN_Enum<"MultiplyAdd", "how a multiplication and an addition round", [
    I32EnumAttrCase<"fused", 0>, I32EnumAttrCase<"separate", 1>]>;

def NN_SoftmaxGradFormEnum : NN_Enum<"SoftmaxGradForm", "how softmax_grad applies its sum", [
    I32EnumAttrCase<"product_fma", 0>, I32EnumAttrCase<"difference", 1>]>;

def NN_NormGradFormEnum : NN_Enum<"NormGradForm", "how a norm's gradient is put together", [
    I32EnumAttrCase<"steps", 0>, I32EnumAttrCase<"closed", 1>]>;

def NN_LayerNormGradFormEnum : NN_Enum<"LayerNormGradForm", "how layer_norm's gradient is put together", [
    I32EnumAttrCase<"closed", 0>, I32EnumAttrCase<"scaled", 1>]>;

#endif // NN_ENUMS_TD
