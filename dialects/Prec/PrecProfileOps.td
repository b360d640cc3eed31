// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an engine rounds, as text.
#ifndef PREC_PROFILE_OPS_TD
#define PREC_PROFILE_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/Prec/PrecAttrs.td"
include "dialects/Prec/PrecBase.td"

def Prec_AlongEnum : I32EnumAttr<"Along", "the dimension of a sum", [
    I32EnumAttrCase<"rows", 0>, I32EnumAttrCase<"columns", 1>]> {
  let cppNamespace = "::prec";
  let genSpecializedAttr = 0;
}
def Prec_Along : Prec_EnumAttr<Prec_Dialect, Prec_AlongEnum, "along">;

def Prec_ProfileOp : Prec_Op<"profile", [Symbol, IsolatedFromAbove, NoRegionArguments,
    NoTerminator, SingleBlock]> {
  let summary = "How an engine rounds";
  let description = [{
    A list of `prec.rule`s about composite operations. `prec-apply-profile` reads them
    from the top: each that matches an operation overrides, setting by setting and point
    by point, what the rules before it said. `extends` puts the rules of another profile
    first. What no rule says is the operation's own default; what an operation says
    itself, no profile changes.

    A profile is no part of the program's meaning: `prec-make-rounding-explicit` erases it.

    Constraints:
    - (C1) A profile does not extend itself.
    - (C2) It holds only rules.

    ```mlir
    prec.profile @mine extends @vllm "vLLM with Gemma's norms only" {
      prec.rule "nn.rms_norm" {points = {normalized = false}}
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<FlatSymbolRefAttr>:$base,
    OptionalAttr<StrAttr>:$summary);
  let regions = (region MaxSizedRegion<1>:$rules);
  let assemblyFormat = [{
    $sym_name (`extends` $base^)? ($summary^)? attr-dict-with-keyword $rules
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Prec_RuleOp : Prec_Op<"rule", [HasParent<"ProfileOp">]> {
  let summary = "How an engine rounds in one operation";
  let description = [{
    Speaks of operations named `target` (with the `RoundingPointOpInterface`):
    of those whose points round to one of the types after `for`; `along rows` only of
    those whose sums are along the last dimension, `along columns` of the others;
    and with `where` of those with these attributes and operands (`true`: is there,
    `false`: is not). Its settings are a dictionary: `points`, which are on and off, and any of the
    operation's rules.

    Constraints:
    - (C1) The operation has rounding points.
    - (C2) `points` names points of the operation other than `result`, with `true` or `false`.
    - (C3) The other settings are rules of the operation, with values that it takes.
    - (C4) `where` names attributes of the operation that are no settings, or
      operands, with `true` or `false`.
    - (C5) The types are bf16, f16 or f32.

    ```mlir
    prec.rule "nn.mean" {divide = #nn<divide reciprocal>}
    prec.rule "nn.mean" along rows {order = #prec.order<lanes<8>>}
    prec.rule "nn.rms_norm" for [bf16] where {one_plus = false} {points = {normalized = true}}
    ```
  }];
  let arguments = (ins StrAttr:$target, OptionalAttr<TypeArrayAttr>:$types,
    OptionalAttr<Prec_Along>:$along, OptionalAttr<DictionaryAttr>:$where,
    DictionaryAttr:$settings);
  let assemblyFormat = [{
    custom<RuleOperation>($target) (`for` $types^)? (`along` $along^)?
    (`where` $where^)? $settings attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

#endif // PREC_PROFILE_OPS_TD
