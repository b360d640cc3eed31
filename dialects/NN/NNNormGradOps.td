// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the normalisations.
#ifndef NN_NORM_GRAD_OPS_TD
#define NN_NORM_GRAD_OPS_TD

include "dialects/NN/NNNormOps.td"

/// Both gradients of rms_norm, which compute its r again: the points of r and
/// the forward operation's attributes are here. `pointList` names the others.
class NN_RMSNormGradientOp<string mnemonic, string pointList, dag operands, dag extraArguments,
                           string operandFormat, string extraFormat>
    : NN_NormOp<mnemonic,
        "{{\"square\", Default::Off}, {\"sum\", Default::Off}, {\"mean\", Default::Off}, "
        "{\"eps\", Default::Off}, {\"radicand\", Default::Off}, {\"sqrt\", Default::Off}, "
        "{\"rstd\", Default::Off}, " # pointList # ", {\"result\", Default::ByResultType}}",
        [AllTypesMatch<["gradient", "input"]>]> {
  let arguments = !con(operands, extraArguments, (ins
    DefaultValuedAttr<F32Attr, "1.0e-6f">:$eps,
    Prec_Rule<NN_RsqrtRule, "::prec::nn::RsqrtRule::one_over_sqrt">:$rstd,
    Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide,
    OptionalAttr<Prec_OrderAttr>:$order,
    Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points));
  let assemblyFormat = "$gradient `,` $input " # operandFormat # extraFormat
    # " (`eps` $eps^)? (`rstd` $rstd^)? (`divide` $divide^)? (`order` $order^)?"
    # " (`accumulate` $accumulate^)? (`math` $math^)? (`points` $points^)?"
    # " attr-dict `:` type($input) `to` type($result)";
}

def NN_RMSNormGradOp : NN_RMSNormGradientOp<"rms_norm_grad",
    "{\"weight\", Default::Off}, {\"weighted\", Default::Off}",
    (ins NN_Tensor:$gradient, NN_Tensor:$input, Optional<NN_Tensor>:$weight),
    (ins UnitAttr:$one_plus,
         Prec_Rule<NN_NormGradForm, "::prec::nn::NormGradForm::steps">:$form),
    "(`weight` `(` $weight^ `:` type($weight) `)`)? (`one_plus` $one_plus^)?",
    " (`form` $form^)?"> {
  let summary = "The gradient of rms_norm at its input";
  let description = [{
    r is that of `nn.rms_norm` with the same attributes and points.
    h = R_weighted(g * w'), w' = w, or with `one_plus` R_weight(1 + w); without a
    weight h = g. By `form`

    * `steps` (default), the gradient of each f32 operation in turn:
      e = ((-0.5 * (sum of h * x)) * ((r * r) * r)) / n,
      R_result(h * r + e * (x * 2))
    * `closed`: R_result(r * (h - (x * r) * ((sum of h * (x * r)) / n)))

    All points but `result` are off: PyTorch's own rms_norm, and Gemma's. Hugging
    Face's Llama, which rounds before the weight, is `points {weighted = true}`;
    Transformer Engine is `form closed`. `divide reciprocal` multiplies by 1 / n.

    ```mlir
    %dx = nn.rms_norm_grad %g, %x weight(%w : tensor<64xbf16>)
            : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %q = linalg.generic ... ins(%x)          { extf, mulf }                     // tensor<?x64xf32>
    %s = prec.sum %q dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %r = linalg.generic ... ins(%s)          { divf n, addf eps, sqrt, divf }   // tensor<?xf32>
    %h = linalg.generic ... ins(%g, %w)      { extf, mulf }                     // tensor<?x64xf32>
    %p = linalg.generic ... ins(%h, %x)      { extf, mulf }                     // tensor<?x64xf32>
    %d = prec.sum %p dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %e = linalg.generic ... ins(%d, %r)      { mulf, mulf, mulf, mulf, divf n } // tensor<?xf32>
    %dx = linalg.generic ... ins(%h, %x, %r, %e)
            { extf, mulf, mulf 2, mulf, addf, prec.round }
    ```
  }];
  let extraClassDeclaration = [{
    /// The order of the row's sum: `order`, or PyTorch CPU's for a row.
    ::prec::OrderAttr getEffectiveOrder() {
      if (::prec::OrderAttr order = getOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
    static ::llvm::ArrayRef<::llvm::StringRef> getOperandNames() {
      static constexpr ::llvm::StringRef names[] = {"gradient", "input", "weight"};
      return names;
    }
  }];
}

def NN_RMSNormWeightGradOp : NN_RMSNormGradientOp<"rms_norm_weight_grad",
    "{\"normalized\", Default::Off}, {\"product\", Default::Off}",
    (ins NN_Tensor:$gradient, NN_Tensor:$input),
    (ins OptionalAttr<Prec_OrderAttr>:$rows_order),
    "", " (`rows_order` $rows_order^)?"> {
  let summary = "The gradient of rms_norm at its weight";
  let description = [{
    R_result(sum over the rows of R_product(g * R_normalized(x * r))), r that of
    `nn.rms_norm` with the same attributes and points. The result has the shape of
    the input's last dimensions; the others are the rows, taken as one dimension and
    summed in f32 in `rows_order`, or PyTorch CPU's order of a column. Where the
    result has all dimensions of the input there is no sum.

    All points but `result` are off: PyTorch's own rms_norm, and Gemma's. Hugging
    Face's Llama is `points {normalized = true, product = true}`.

    ```mlir
    %dw = nn.rms_norm_weight_grad %g, %x : tensor<?x64xbf16> to tensor<64xbf16>
    ```
    is at level R
    ```mlir
    %q = linalg.generic ... ins(%x)          { extf, mulf }                     // tensor<?x64xf32>
    %s = prec.sum %q dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %r = linalg.generic ... ins(%s)          { divf n, addf eps, sqrt, divf }   // tensor<?xf32>
    %p = linalg.generic ... ins(%g, %x, %r)  { extf, mulf, mulf }               // tensor<?x64xf32>
    %c = prec.sum %p dim 0 <digits [*] steps [0 cascade] from_zero>
             : tensor<?x64xf32> to tensor<64xf32>
    %dw = linalg.generic ... ins(%c)         { prec.round }
    ```
  }];
  let extraClassDeclaration = [{
    /// The order of the row's sum: `order`, or PyTorch CPU's for a row.
    ::prec::OrderAttr getEffectiveOrder() {
      if (::prec::OrderAttr order = getOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
    /// The order of the sum over the rows.
    ::prec::OrderAttr getEffectiveRowsOrder() {
      if (::prec::OrderAttr order = getRowsOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/false);
    }
  }];
}

/// Both gradients of layer_norm, as NN_RMSNormGradientOp.
class NN_LayerNormGradientOp<string mnemonic, string pointList, dag operands, dag extraArguments,
                             string operandFormat, string extraFormat>
    : NN_NormOp<mnemonic,
        "{{\"mean\", Default::Off}, {\"centered\", Default::Off}, {\"square\", Default::Off}, "
        "{\"variance\", Default::Off}, {\"eps\", Default::Off}, {\"radicand\", Default::Off}, "
        "{\"sqrt\", Default::Off}, {\"rstd\", Default::Off}, {\"saved_mean\", Default::Off}, "
        "{\"normalized\", Default::Off}, " # pointList # ", {\"result\", Default::ByResultType}}",
        [AllTypesMatch<["gradient", "input"]>]> {
  let arguments = !con(operands, extraArguments, (ins
    DefaultValuedAttr<F32Attr, "1.0e-5f">:$eps,
    Prec_Rule<NN_RsqrtRule, "::prec::nn::RsqrtRule::one_over_sqrt">:$rstd,
    Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide,
    OptionalAttr<Prec_OrderAttr>:$order,
    Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points));
  let assemblyFormat = "$gradient `,` $input " # operandFormat # extraFormat
    # " (`eps` $eps^)? (`rstd` $rstd^)? (`divide` $divide^)? (`order` $order^)?"
    # " (`accumulate` $accumulate^)? (`math` $math^)? (`points` $points^)?"
    # " attr-dict `:` type($input) `to` type($result)";
}

def NN_LayerNormGradOp : NN_LayerNormGradientOp<"layer_norm_grad",
    "{\"weighted\", Default::Off}",
    (ins NN_Tensor:$gradient, NN_Tensor:$input, Optional<NN_Tensor>:$weight),
    (ins Prec_Rule<NN_LayerNormGradForm, "::prec::nn::LayerNormGradForm::closed">:$form),
    "(`weight` `(` $weight^ `:` type($weight) `)`)?", " (`form` $form^)?"> {
  let summary = "The gradient of layer_norm at its input";
  let description = [{
    m and r are those of `nn.layer_norm` with the same attributes and points, m then
    rounded at `saved_mean`. h = R_weighted(g * w), without a weight h = g; c = R_centered(x - m). By `form`

    * `closed` (default): y = R_normalized(c * r),
      R_result(r * ((h - (sum of h) / n) - y * ((sum of h * y) / n)))
    * `scaled`, PyTorch's on CUDA: y = c * r,
      R_result((((n * w) * g - y * (sum of (h * c) * r)) - sum of h) * ((1 / n) * r)),
      without a weight n * g

    All points but `result` are off. PyTorch on the CPU, which keeps m and r in 16
    bits, is `points {saved_mean = true, rstd = true}`. `divide reciprocal` multiplies by
    1 / n. The sums follow `order`.

    ```mlir
    %dx = nn.layer_norm_grad %g, %x weight(%w : tensor<64xbf16>)
            : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R what makes m and r in `nn.layer_norm`, and
    ```mlir
    %h = linalg.generic ... ins(%g, %w)           { extf, mulf }                     // tensor<?x64xf32>
    %y = linalg.generic ... ins(%x, %m, %r)       { extf, subf, mulf }               // tensor<?x64xf32>
    %p = linalg.generic ... ins(%h, %y)           { mulf }                           // tensor<?x64xf32>
    %a = prec.sum %h dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %b = prec.sum %p dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %dx = linalg.generic ... ins(%h, %y, %r, %a, %b)
            { divf n, divf n, subf, mulf, subf, mulf, prec.round }
    ```
  }];
  let extraClassDeclaration = [{
    /// The order of the sums: `order`, or PyTorch CPU's for a row.
    ::prec::OrderAttr getEffectiveOrder() {
      if (::prec::OrderAttr order = getOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
    static ::llvm::ArrayRef<::llvm::StringRef> getOperandNames() {
      static constexpr ::llvm::StringRef names[] = {"gradient", "input", "weight"};
      return names;
    }
  }];
}

def NN_LayerNormWeightGradOp : NN_LayerNormGradientOp<"layer_norm_weight_grad",
    "{\"product\", Default::Off}",
    (ins NN_Tensor:$gradient, NN_Tensor:$input),
    (ins OptionalAttr<Prec_OrderAttr>:$rows_order),
    "", " (`rows_order` $rows_order^)?"> {
  let summary = "The gradient of layer_norm at its weight";
  let description = [{
    R_result(sum over the rows of R_product(g * R_normalized(R_centered(x - m) * r))),
    m and r as in `nn.layer_norm_grad`; shape and order of the result as in `nn.rms_norm_weight_grad`. That of the bias is the sum
    of g over the rows, `nn.sum`.

    All points but `result` are off.

    ```mlir
    %dw = nn.layer_norm_weight_grad %g, %x : tensor<?x64xbf16> to tensor<64xbf16>
    ```
    is at level R what makes m and r in `nn.layer_norm`, and
    ```mlir
    %p = linalg.generic ... ins(%g, %x, %m, %r)  { extf, subf, mulf, mulf }          // tensor<?x64xf32>
    %c = prec.sum %p dim 0 <digits [*] steps [0 cascade] from_zero>
             : tensor<?x64xf32> to tensor<64xf32>
    %dw = linalg.generic ... ins(%c)             { prec.round }
    ```
  }];
  let extraClassDeclaration = [{
    /// The order of the rows' sums: `order`, or PyTorch CPU's for a row.
    ::prec::OrderAttr getEffectiveOrder() {
      if (::prec::OrderAttr order = getOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
    /// The order of the sum over the rows.
    ::prec::OrderAttr getEffectiveRowsOrder() {
      if (::prec::OrderAttr order = getRowsOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/false);
    }
  }];
}

#endif // NN_NORM_GRAD_OPS_TD
