// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of the sum of a token's experts.
#ifndef MOE_COMBINE_GRAD_OP_TD
#define MOE_COMBINE_GRAD_OP_TD

include "dialects/MoE/MoEBase.td"

def MoE_CombineGradOp : MoE_Op<"combine_grad",
    "{{\"weight\", Default::On}, {\"scaled\", Default::On}, {\"product\", Default::On}, "
    "{\"result\", Default::ByResultType}}",
    ["order"], [AttrSizedOperandSegments]> {
  let summary = "Gradients of the weighted sum of expert outputs: of these and of the weights";
  let description = [{
    dy is the gradient of `moe.combine`'s result, z_j and w_j its slots' terms and
    weights. e = R_scaled(dy * scale), or dy without a scale

    dz_j = R_result(e * R_weight(w_j)), or R_result(e) without weights

    dw_j = R_result(sum over the last dimension of R_product(e * z_j))

    Where the weights have f32 elements the products are f32 and the point `product`
    is absent. Roundings of the partial sums, and their order, change no gradient.

    Where the terms are rows that `indices` name, a row's gradient comes from the slot
    that names it: `slots` holds, for each row, token * k + slot. A row whose number
    is not that of a slot, -1 say, gets +0, and so does the weight of a dropped slot.
    The gradient of a residual is dy, that of a shared expert one of nn operations.

    The defaults are eager autograd's; the f32 combination's are `points
    {weight = false, product = false}`.

    ```mlir
    %dz, %dw = moe.combine_grad %dy, %z weights(%w : tensor<?x8xf32>)
           : tensor<?x64xbf16>, tensor<?x8x64xbf16> to tensor<?x8x64xbf16> weights tensor<?x8xf32>
    ```
    is at level R
    ```mlir
    %dz = linalg.generic ... ins(%dy, %w) { extf, mulf, prec.round }  // tensor<?x8x64xbf16>
    %p = linalg.generic ... ins(%dy, %z)  { extf, mulf }              // tensor<?x8x64xf32>
    %dw = prec.sum %p dim 2 <aten_cpu> : tensor<?x8x64xf32> to tensor<?x8xf32>
    ```
  }];
  let arguments = (ins MoE_Tensor:$gradient, MoE_Tensor:$terms, Optional<MoE_Tensor>:$weights,
    Optional<MoE_Indices>:$indices, Optional<MoE_Indices>:$slots,
    OptionalAttr<F32Attr>:$scale,
    OptionalAttr<Prec_OrderAttr>:$order,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs MoE_Tensor:$terms_gradient, Optional<MoE_Tensor>:$weights_gradient);
  let assemblyFormat = [{
    $gradient `,` $terms (`weights` `(` $weights^ `:` type($weights) `)`)?
    (`indices` `(` $indices^ `:` type($indices) `)`)?
    (`slots` `(` $slots^ `:` type($slots) `)`)? (`scale` $scale^)? (`order` $order^)?
    (`points` $points^)? attr-dict `:` type($gradient) `,` type($terms)
    `to` type($terms_gradient) (`weights` type($weights_gradient)^)?
  }];
  let extraClassDeclaration = [{
    static ::llvm::ArrayRef<::llvm::StringRef> getOperandNames() {
      static constexpr ::llvm::StringRef names[] = {"gradient", "terms", "weights", "indices", "slots"};
      return names;
    }
    /// The order of the weights' gradients' sums; PyTorch CPU's for a row
    /// unless said.
    ::prec::OrderAttr getEffectiveOrder() {
      ::prec::OrderAttr order = getOrderAttr();
      return order ? order : ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
  }];
}

#endif // MOE_COMBINE_GRAD_OP_TD
