// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which experts a token goes to.
#ifndef MOE_ROUTER_OP_TD
#define MOE_ROUTER_OP_TD

include "dialects/MoE/MoEBase.td"

def MoE_RouterOp : MoE_Op<"router",
    "{{\"logit\", Default::Off}, {\"shifted\", Default::Off}, {\"exponential\", Default::Off}, "
    "{\"sum\", Default::Off}, {\"score\", Default::Off}, {\"bias\", Default::Off}, "
    "{\"biased\", Default::Off}, {\"group_score\", Default::Off}, {\"total\", Default::Off}, "
    "{\"normalized\", Default::Off}, {\"result\", Default::ByResultType}}",
    ["masked", "divide", "order", "total_order", "math"]> {
  let summary = "Scores, top-k selection and weights of the selected experts";
  let description = [{
    l = R_logit(logit). Scores of all experts: `softmax`
    s = R_score(R_exponential(exp(R_shifted(l - max l))) / R_sum(sum of those)),
    `sigmoid` s = R_score(1 / (1 + exp(-l))), `softmax_of_top` s = l.

    Experts are selected by c = R_biased(s + R_bias(b)), or s without a bias: the top_k
    largest, in descending order; of equal ones the lower index first. +0 and -0 are
    equal, a NaN is larger than all numbers, and all NaNs are equal.

    With `groups` experts [0, E/groups), ... are groups, ranked in the same way by
    their `largest` c or by R_group_score(the sum of their two largest); c of an
    expert outside the best `top_groups` becomes what `masked` says.

    Weights, in the same order: w = s of the selected; `softmax_of_top`:
    w = R_score(the softmax of the selected l, as above). With `renormalize`
    w = R_normalized(w / R_total(sum of w + epsilon)); without an epsilon nothing is
    added. With `scale` w = w * scale. The last of them is rounded to the weights' type:
    R_result.

    `divide reciprocal` multiplies by 1 / R_sum(...) where a softmax divides. Sums follow
    `order` (over experts) and `total_order` (over the selected);
    without, PyTorch CPU's. All points but `result` are off: Hugging Face's and Megatron's
    routers in f32.

    ```mlir
    %w, %i = moe.router %logits softmax top_k 8 renormalize
               : tensor<?x128xbf16> to tensor<?x8xbf16>, tensor<?x8xi32>
    ```
    is at level R
    ```mlir
    %m = linalg.generic ... ins(%logits)       { extf, maximumf }        // tensor<?xf32>
    %e = linalg.generic ... ins(%logits, %m)   { extf, subf, exp }
    %s = prec.sum %e dim 1 <aten_cpu> : tensor<?x128xf32> to tensor<?xf32>
    %t:8 = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%logits, %m, %s)
             { the score as an integer that compares like it, the index below it;
               maxsi, minsi through the eight largest so far }           // tensor<?xi64>
    %i = linalg.generic ... ins(%t#0, ..., %t#7)  { the index }          // tensor<?x8xi32>
    %v = linalg.generic ... ins(%i, %m, %s)    { the score at the index } // tensor<?x8xf32>
    %n = prec.sum %v dim 1 <aten_cpu> : tensor<?x8xf32> to tensor<?xf32>
    %w = linalg.generic ... ins(%v, %n)        { divf, prec.round }
    ```
  }];
  let arguments = (ins MoE_Tensor:$logits, Optional<MoE_Tensor>:$bias,
    MoE_Scoring:$scoring,
    I64Attr:$top_k,
    UnitAttr:$renormalize,
    OptionalAttr<F32Attr>:$epsilon,
    OptionalAttr<F32Attr>:$scale,
    OptionalAttr<I64Attr>:$groups,
    OptionalAttr<I64Attr>:$top_groups,
    DefaultValuedAttr<MoE_GroupScore, "::prec::moe::GroupScore::largest">:$group_score,
    Prec_Rule<MoE_Masked, "::prec::moe::Masked::minus_infinity">:$masked,
    Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide,
    OptionalAttr<Prec_OrderAttr>:$order,
    OptionalAttr<Prec_OrderAttr>:$total_order,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs MoE_Tensor:$weights, MoE_Indices:$indices);
  let assemblyFormat = [{
    $logits (`bias` `(` $bias^ `:` type($bias) `)`)? $scoring `top_k` $top_k
    (`renormalize` $renormalize^)? (`epsilon` $epsilon^)? (`scale` $scale^)?
    (`groups` $groups^)? (`top_groups` $top_groups^)? (`group_score` $group_score^)?
    (`masked` $masked^)? (`divide` $divide^)? (`order` $order^)? (`total_order` $total_order^)?
    (`math` $math^)? (`points` $points^)?
    attr-dict `:` type($logits) `to` type($weights) `,` type($indices)
  }];
  let extraClassDeclaration = [{
    /// The orders of the two sums; PyTorch CPU's for a row unless said.
    ::prec::OrderAttr getEffectiveOrder() {
      ::prec::OrderAttr order = getOrderAttr();
      return order ? order : ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
    ::prec::OrderAttr getEffectiveTotalOrder() {
      ::prec::OrderAttr order = getTotalOrderAttr();
      return order ? order : ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
  }];
}

#endif // MOE_ROUTER_OP_TD
