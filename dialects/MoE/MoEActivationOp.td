// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands between an expert's two matrix products.
#ifndef MOE_ACTIVATION_OP_TD
#define MOE_ACTIVATION_OP_TD

include "dialects/MoE/MoEBase.td"

def MoE_ActivationOp : MoE_Op<"activation",
    "{{\"gate_cast\", Default::On}, {\"up_cast\", Default::On}, {\"bias\", Default::On}, "
    "{\"clamp\", Default::On}, {\"scaled\", Default::On}, {\"sigmoid\", Default::On}, "
    "{\"silu\", Default::On}, {\"offset_scalar\", Default::Off}, {\"offset\", Default::On}, "
    "{\"product\", Default::On}, {\"probability\", Default::Off}, "
    "{\"result\", Default::ByResultType}}",
    ["form", "math"], [AttrSizedOperandSegments]> {
  let summary = "Gated activation of an expert, times the token's probability";
  let description = [{
    g = R_gate_cast(gate), u = R_up_cast(up); with a bias g = R_bias(g + b), and u
    likewise; with a limit g = R_clamp(min(g, limit)), u = R_clamp(min(max(u, -limit),
    limit))

    a = R_silu(function(g)), by name the point of every function

    v = R_product(a * R_offset(u + R_offset_scalar(offset)))

    y = R_result(v * R_probability(p))

    with `silu` x / (1 + exp(-R_scaled(alpha * x))), or with `form product`
    x * R_sigmoid(1 / (1 + exp(-R_scaled(alpha * x)))); `gelu` and `gelu_tanh` as in
    `nn.gelu`; `relu_squared` max(x, 0) * max(x, 0); `relu` max(x, 0). What the
    operation lacks (up, bias, limit, alpha, offset, probability) is absent from the
    formula with its points. All points but `offset_scalar` and `probability` are on:
    eager PyTorch, and Megatron's without a compiled fuser.

    Gate and up are one tensor with a `layout`, `halves` (gate first) or
    `interleaved` (gate at even places), or the input and `up`. Without either there
    is no up, and v is a.

    ```mlir
    %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>)
           : tensor<?x128xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %g = tensor.extract_slice %x[0, 0] [%n, 64] [1, 1]
    %u = tensor.extract_slice %x[0, 64] [%n, 64] [1, 1]
    %h = linalg.generic ... ins(%g, %u, %p) {
    ^bb0(%in: bf16, %in_0: bf16, %in_1: f32, %out: bf16):
      %0 = arith.extf %in : bf16 to f32
      %1 = arith.negf %0 : f32
      %2 = math.exp %1 : f32
      %3 = arith.addf %2, %one : f32
      %4 = arith.divf %0, %3 : f32
      %5 = prec.round %4 : f32 to bf16        // silu
      %6 = arith.extf %5 : bf16 to f32
      %7 = arith.extf %in_0 : bf16 to f32
      %8 = arith.mulf %6, %7 : f32
      %9 = prec.round %8 : f32 to bf16        // product
      %10 = arith.extf %9 : bf16 to f32
      %11 = arith.mulf %10, %in_1 : f32
      %12 = prec.round %11 : f32 to bf16      // result
      linalg.yield %12 : bf16
    }
    ```
  }];
  let arguments = (ins MoE_Tensor:$input, Optional<MoE_Tensor>:$up,
    Optional<MoE_Tensor>:$bias, Optional<MoE_Tensor>:$up_bias,
    Optional<MoE_Tensor>:$probability,
    MoE_Function:$function,
    OptionalAttr<MoE_Layout>:$layout,
    Prec_Rule<MoE_SiluForm, "::prec::moe::SiluForm::quotient">:$form,
    OptionalAttr<F32Attr>:$alpha,
    OptionalAttr<F32Attr>:$limit,
    OptionalAttr<F32Attr>:$offset,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $function $input (`up` `(` $up^ `:` type($up) `)`)? (`layout` $layout^)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`up_bias` `(` $up_bias^ `:` type($up_bias) `)`)?
    (`probability` `(` $probability^ `:` type($probability) `)`)?
    (`form` $form^)? (`alpha` $alpha^)? (`limit` $limit^)? (`offset` $offset^)?
    (`math` $math^)? (`points` $points^)? attr-dict `:` type($input) `to` type($result)
  }];
  let extraClassDeclaration = [{
    static ::llvm::ArrayRef<::llvm::StringRef> getOperandNames() {
      static constexpr ::llvm::StringRef names[] = {"input", "up", "bias", "up_bias", "probability"};
      return names;
    }
    /// Whether there is an up to multiply with.
    bool isGated() { return getUp() || getLayout(); }
  }];
}

#endif // MOE_ACTIVATION_OP_TD
