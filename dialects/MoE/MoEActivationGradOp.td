// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of a gated activation.
#ifndef MOE_ACTIVATION_GRAD_OP_TD
#define MOE_ACTIVATION_GRAD_OP_TD

include "dialects/MoE/MoEBase.td"

def MoE_ActivationGradOp : MoE_Op<"activation_grad",
    "{{\"probability\", Default::Off}, {\"weighted\", Default::On}, {\"bias\", Default::On}, "
    "{\"clamp\", Default::On}, {\"scaled\", Default::On}, {\"chained\", Default::On}, "
    "{\"sigmoid\", Default::On}, {\"silu\", Default::On}, {\"offset_scalar\", Default::Off}, "
    "{\"offset\", Default::On}, {\"product\", Default::On}, {\"activated\", Default::On}, "
    "{\"complement\", Default::On}, {\"inner\", Default::On}, {\"slope\", Default::On}, "
    "{\"gated\", Default::On}, {\"sloped\", Default::On}, {\"term\", Default::On}, "
    "{\"result\", Default::ByResultType}}",
    ["derivative", "form", "pack", "order", "rows_order", "math"],
    [AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "Gradients of a gated activation: of gate, up and probability";
  let description = [{
    dy is the gradient of `moe.activation`'s result; g, u, p its operands, g and u with
    their biases and clamped to the limit as there.

    d = R_weighted(dy * R_probability(p)), or dy without a probability

    a = R_silu(function(g)), o = R_offset(u + R_offset_scalar(offset))

    dg by `derivative`

    * `steps` (default), the gradient of each operation in turn:
      R_result(function'(R_activated(d * o), g)), function' that of `nn.silu_grad`,
      `nn.gelu_grad`; relu_squared c * (2 * g), 0 unless g > 0; relu c, 0 unless g > 0
    * `chain`, of silu, the derivative written out:
      s = R_sigmoid(1 / (1 + exp(-g))), l = R_slope(1 + R_inner(g * R_complement(1 - s))),
      R_result(R_sloped(R_gated(d * s) * l) * o)
    * `closed`, of silu: R_result((d * o) * (s + a * (1 - s))), s = 1 / (1 + exp(-g))

    With an `alpha` s is of h = R_scaled(alpha * g); `chain` has h in place of g in l,
    `closed` has alpha * (a * (1 - s)), and `steps` is autograd's of g * s:
    c = R_activated(d * o), s = R_sigmoid(...),
    z = R_sloped(R_slope(R_inner(c * g) * R_complement(1 - s)) * s),
    R_result(R_gated(c * s) + R_chained(z * alpha))

    du = R_result(d * a)

    dp = R_result(sum over the last dimension of R_term(dy * R_product(a * o))), with
    `closed` of R_term((dy * a) * o)

    With a limit dg is 0 where the gate is above it, du where up is outside +-limit.
    The gradient of a bias, where it is asked for, is R_result(sum over the rows of the
    input's or up's gradient), the rows being one dimension that is summed in f32 in
    `rows_order`, or PyTorch CPU's order of a column.
    Where the probability has f32 elements products with it are f32 and the point
    `term` is absent. Without an up d * o is d, and a is v.

    With a layout dg and du are one tensor, as the input is. `pack concat` (default)
    puts them side by side; `pack add` adds the two to zeros, as autograd does for
    slices: -0 becomes +0. `pack add_f32` does so before R_result, as autograd of slices
    of an input that was cast to f32.

    The defaults are eager autograd's. Megatron's own backward with f32 probabilities
    is `derivative chain points {weighted = false, gated = false, sloped = false}`; the
    f32 one is `derivative closed form product` with the points off.

    ```mlir
    %dx, %dp = moe.activation_grad silu %dy, %x layout halves probability(%p : tensor<?xf32>)
           : tensor<?x64xbf16>, tensor<?x128xbf16> to tensor<?x128xbf16> probability tensor<?xf32>
    ```
    is at level R one linalg.generic for each of dg, du and the summands of dp, a
    tensor.concat of dg and du, and a prec.sum.
  }];
  let arguments = (ins MoE_Tensor:$gradient, MoE_Tensor:$input, Optional<MoE_Tensor>:$up,
    Optional<MoE_Tensor>:$bias, Optional<MoE_Tensor>:$up_bias,
    Optional<MoE_Tensor>:$probability,
    MoE_Function:$function,
    OptionalAttr<MoE_Layout>:$layout,
    Prec_Rule<MoE_Derivative, "::prec::moe::Derivative::steps">:$derivative,
    Prec_Rule<MoE_SiluForm, "::prec::moe::SiluForm::quotient">:$form,
    Prec_Rule<MoE_Pack, "::prec::moe::Pack::concat">:$pack,
    OptionalAttr<F32Attr>:$alpha,
    OptionalAttr<F32Attr>:$limit,
    OptionalAttr<F32Attr>:$offset,
    OptionalAttr<Prec_OrderAttr>:$order,
    OptionalAttr<Prec_OrderAttr>:$rows_order,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs MoE_Tensor:$input_gradient, Optional<MoE_Tensor>:$up_gradient,
    Optional<MoE_Tensor>:$bias_gradient, Optional<MoE_Tensor>:$up_bias_gradient,
    Optional<MoE_Tensor>:$probability_gradient);
  let assemblyFormat = [{
    $function $gradient `,` $input (`up` `(` $up^ `:` type($up) `)`)? (`layout` $layout^)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`up_bias` `(` $up_bias^ `:` type($up_bias) `)`)?
    (`probability` `(` $probability^ `:` type($probability) `)`)?
    (`derivative` $derivative^)? (`form` $form^)? (`pack` $pack^)? (`alpha` $alpha^)? (`limit` $limit^)?
    (`offset` $offset^)? (`order` $order^)? (`rows_order` $rows_order^)? (`math` $math^)? (`points` $points^)?
    attr-dict `:` type($gradient) `,` type($input) `to` type($input_gradient)
    (`up` type($up_gradient)^)? (`bias` type($bias_gradient)^)? (`up_bias` type($up_bias_gradient)^)?
    (`probability` type($probability_gradient)^)?
  }];
  let extraClassDeclaration = [{
    static ::llvm::ArrayRef<::llvm::StringRef> getOperandNames() {
      static constexpr ::llvm::StringRef names[] = {"gradient", "input", "up", "bias", "up_bias", "probability"};
      return names;
    }
    /// Whether there is an up to multiply with.
    bool isGated() { return getUp() || getLayout(); }
    /// The order of the probability gradient's sum; PyTorch CPU's for a row
    /// unless said.
    ::prec::OrderAttr getEffectiveOrder() {
      ::prec::OrderAttr order = getOrderAttr();
      return order ? order : ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
    /// The order of the sums over the rows; PyTorch CPU's for a column unless
    /// said.
    ::prec::OrderAttr getEffectiveRowsOrder() {
      ::prec::OrderAttr order = getRowsOrderAttr();
      return order ? order : ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/false);
    }
  }];
}

#endif // MOE_ACTIVATION_GRAD_OP_TD
