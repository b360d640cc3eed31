// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a token's experts.
#ifndef MOE_COMBINE_OP_TD
#define MOE_COMBINE_OP_TD

include "dialects/MoE/MoEBase.td"

def MoE_CombineOp : MoE_Op<"combine",
    "{{\"bias\", Default::On}, {\"weight\", Default::On}, {\"term\", Default::On}, "
    "{\"accumulate\", Default::On}, {\"sum\", Default::On}, {\"scaled\", Default::On}, "
    "{\"shared_gate\", Default::On}, {\"shared\", Default::On}, {\"combined\", Default::On}, "
    "{\"result\", Default::ByResultType}}",
    ["sequence", "order", "accumulate", "math"], [AttrSizedOperandSegments]> {
  let summary = "Weighted sum of a token's expert outputs, in a stated order";
  let description = [{
    For slot j of a token, z_j is its expert's output: row j of the token's terms, or
    row `indices`[token, j] of them. A slot whose index is not that of a row, -1 say,
    was dropped and contributes nothing, whatever its weight.

    t_j = R_term(R_bias(z_j + b) * R_weight(w_j))

    a = +0; for each slot in order a = R_accumulate(a + t_j); s = R_sum(a)

    then, for those that there are, s = R_scaled(s * scale),
    s = R_combined(s + R_shared(R_shared_gate(sigmoid(logit)) * shared)), and
    y = R_result(s + residual), the last of them R_result.

    The order is that of the slots, or with `by` ascending in the keys (the expert
    ids: ascending expert; any ranks: a given order), equal keys in order of the slots;
    `sequence slots` has keys and leaves them alone, as an engine's profile may ask for.
    With `order` the slots are the elements of that sum, a dropped one being -0, and
    the point `accumulate` is off. All points are on: Hugging Face's eager sum, by
    expert id. `accumulate f64` adds in f64; the sum is then rounded to f32 unless it
    is the result.

    ```mlir
    %y = moe.combine %z weights(%w : tensor<?x8xf32>) indices(%i : tensor<?x8xi32>)
           points {weight = false, term = false, accumulate = false}
           : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %rows = tensor.dim %z, %c0
    %padded = tensor.concat dim(0) %z, %none       // a row of -0 for those dropped
    %a = linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%i, %w) outs(%zero) {
    ^bb0(%in: i32, %in_0: f32, %acc: f32):
      %0 = arith.index_cast %in : i32 to index
      %1 = arith.cmpi ult, %0, %rows : index
      %2 = arith.select %1, %0, %rows : index
      %3 = arith.select %1, %in_0, %zero : f32     // -0 * +0 adds nothing
      %4 = linalg.index 1 : index
      %5 = tensor.extract %padded[%2, %4] : tensor<?x64xbf16>
      %6 = arith.extf %5 : bf16 to f32
      %7 = arith.mulf %6, %3 : f32
      %8 = arith.addf %acc, %7 : f32
      linalg.yield %8 : f32
    }
    %y = linalg.generic ... ins(%a) { prec.round }
    ```
  }];
  let arguments = (ins MoE_Tensor:$terms, Optional<MoE_Tensor>:$weights,
    Optional<MoE_Indices>:$indices, Optional<MoE_Indices>:$keys,
    Optional<MoE_Tensor>:$bias, Optional<MoE_Tensor>:$shared,
    Optional<MoE_Tensor>:$shared_logit, Optional<MoE_Tensor>:$residual,
    OptionalAttr<F32Attr>:$scale,
    Prec_Rule<MoE_Sequence, "::prec::moe::Sequence::keys">:$sequence,
    OptionalAttr<Prec_OrderAttr>:$order,
    Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs MoE_Tensor:$result);
  let extraClassDeclaration = [{
    /// Whether the slots are added in the order of keys.
    bool isByKeys() {
      return getKeys() && getSequence() == ::prec::moe::Sequence::keys;
    }
    static ::llvm::ArrayRef<::llvm::StringRef> getOperandNames() {
      static constexpr ::llvm::StringRef names[] = {
          "terms", "weights", "indices", "keys", "bias", "shared", "shared_logit", "residual"};
      return names;
    }
  }];
  let assemblyFormat = [{
    $terms (`weights` `(` $weights^ `:` type($weights) `)`)?
    (`indices` `(` $indices^ `:` type($indices) `)`)?
    (`by` `(` $keys^ `:` type($keys) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`shared` `(` $shared^ `:` type($shared) `)`)?
    (`shared_logit` `(` $shared_logit^ `:` type($shared_logit) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    (`scale` $scale^)? (`sequence` $sequence^)? (`order` $order^)? (`accumulate` $accumulate^)?
    (`math` $math^)? (`points` $points^)? attr-dict `:` type($terms) `to` type($result)
  }];
}

#endif // MOE_COMBINE_OP_TD
