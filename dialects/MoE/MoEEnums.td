// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules by which engines differ, other than where they round.
#ifndef MOE_ENUMS_TD
#define MOE_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class MoE_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::prec::moe";
  let genSpecializedAttr = 0; // the attributes are in MoEAttrs.td
}

def MoE_FunctionEnum : MoE_Enum<"Function", "the function of the gate", [
    I32EnumAttrCase<"silu", 0>, I32EnumAttrCase<"gelu", 1>,
    I32EnumAttrCase<"gelu_tanh", 2>, I32EnumAttrCase<"relu_squared", 3>,
    I32EnumAttrCase<"relu", 4>]>;

// halves: the first half of the last dimension is the gate.  interleaved: the
// even elements are.
def MoE_LayoutEnum : MoE_Enum<"Layout", "how one tensor holds gate and up", [
    I32EnumAttrCase<"halves", 0>, I32EnumAttrCase<"interleaved", 1>]>;

// quotient: x / (1 + exp(-x)).  product: x * (1 / (1 + exp(-x))).
def MoE_SiluFormEnum : MoE_Enum<"SiluForm", "what silu is", [
    I32EnumAttrCase<"quotient", 0>, I32EnumAttrCase<"product", 1>]>;

// slots: 0, 1, ...  keys: ascending in the keys, equal ones in order of the slots.
def MoE_SequenceEnum : MoE_Enum<"Sequence", "the order in which slots are added", [
    I32EnumAttrCase<"slots", 0>, I32EnumAttrCase<"keys", 1>]>;

// steps: that of each operation in turn.  chain: written out, operation by
// operation.  closed: in one expression.
def MoE_DerivativeEnum : MoE_Enum<"Derivative", "how the gradient of a gate is put together", [
    I32EnumAttrCase<"steps", 0>, I32EnumAttrCase<"chain", 1>,
    I32EnumAttrCase<"closed", 2>]>;

// add: each part is added to zeros, which makes -0 to +0.  add_f32: before it is
// rounded.
def MoE_PackEnum : MoE_Enum<"Pack", "how one tensor of two gradients is made", [
    I32EnumAttrCase<"concat", 0>, I32EnumAttrCase<"add", 1>,
    I32EnumAttrCase<"add_f32", 2>]>;

// softmax_of_top: the softmax of the logits that are selected.
def MoE_ScoringEnum : MoE_Enum<"Scoring", "what a router makes of logits", [
    I32EnumAttrCase<"softmax", 0>, I32EnumAttrCase<"sigmoid", 1>,
    I32EnumAttrCase<"softmax_of_top", 2>]>;

def MoE_GroupScoreEnum : MoE_Enum<"GroupScore", "what a group of experts is ranked by", [
    I32EnumAttrCase<"largest", 0>, I32EnumAttrCase<"top2_sum", 1>]>;

// What a score outside the selected groups becomes.
def MoE_MaskedEnum : MoE_Enum<"Masked", "the score of an expert that is left out", [
    I32EnumAttrCase<"minus_infinity", 0>, I32EnumAttrCase<"zero", 1>]>;

#endif // MOE_ENUMS_TD
