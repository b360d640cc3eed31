// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enums of MoEEnums.td as attributes: `form product` in an operation,
// `form = #moe<silu_form product>` in a profile.
#ifndef MOE_ATTRS_TD
#define MOE_ATTRS_TD

include "dialects/MoE/MoEDialect.td"
include "dialects/MoE/MoEEnums.td"
include "dialects/Prec/PrecAttrs.td"

def MoE_Function : Prec_EnumAttr<MoE_Dialect, MoE_FunctionEnum, "function">;
def MoE_Layout : Prec_EnumAttr<MoE_Dialect, MoE_LayoutEnum, "layout">;
def MoE_SiluForm : Prec_EnumAttr<MoE_Dialect, MoE_SiluFormEnum, "silu_form">;
def MoE_Sequence : Prec_EnumAttr<MoE_Dialect, MoE_SequenceEnum, "sequence">;
def MoE_Derivative : Prec_EnumAttr<MoE_Dialect, MoE_DerivativeEnum, "derivative">;
def MoE_Pack : Prec_EnumAttr<MoE_Dialect, MoE_PackEnum, "pack">;
def MoE_Scoring : Prec_EnumAttr<MoE_Dialect, MoE_ScoringEnum, "scoring">;
def MoE_GroupScore : Prec_EnumAttr<MoE_Dialect, MoE_GroupScoreEnum, "group_score">;
def MoE_Masked : Prec_EnumAttr<MoE_Dialect, MoE_MaskedEnum, "masked">;

#endif // MOE_ATTRS_TD
