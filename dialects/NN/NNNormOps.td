// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations over the last dimension.
#ifndef NN_NORM_OPS_TD
#define NN_NORM_OPS_TD

include "dialects/NN/NNBase.td"

class NN_NormOp<string mnemonic, string pointList, list<Trait> traits = []>
    : NN_Op<mnemonic, pointList, traits> {
  let results = (outs NN_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The order of the sums: `order`, or PyTorch CPU's for a row.
    ::prec::OrderAttr getEffectiveOrder() {
      if (::prec::OrderAttr order = getOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), /*alongLast=*/true);
    }
  }];
}

def NN_RMSNormOp : NN_NormOp<"rms_norm",
    "{{\"square\", Default::Off}, {\"sum\", Default::Off}, {\"mean\", Default::Off}, "
    "{\"eps\", Default::Off}, {\"radicand\", Default::Off}, {\"sqrt\", Default::Off}, "
    "{\"rstd\", Default::Off}, {\"normalized\", Default::Off}, "
    "{\"weight\", Default::Off}, {\"result\", Default::ByResultType}}"> {
  let summary = "Root-mean-square normalisation over the last dimension";
  let description = [{
    m = R_mean(R_sum(sum of R_square(x * x)) / n)

    r = R_rstd(1 / R_sqrt(sqrt(R_radicand(m + R_eps(eps)))))

    y = R_result(R_normalized(x * r) * w'), w' = w, or with `one_plus` R_weight(1 + w)

    All points but `result` are off: PyTorch's own rms_norm (2.15), Gemma's (with
    `one_plus`). The two roundings of Hugging Face's Llama are
    `points {normalized = true}`; an eps rounded to the element type is
    `points {eps = true}`. `rstd rsqrt` takes the function instead of the quotient,
    `divide reciprocal` multiplies the sum by 1/n. Without a weight y is
    R_result(R_normalized(x * r)). `eps` is an f32 number, 1e-6 unless given.

    The weight has the shape of the input's last dimensions, one or more (a weight
    4x64 of an input ?x4x64 is one weight a stream), and the input's element type
    or f32.

    ```mlir
    %y = nn.rms_norm %x weight(%w : tensor<64xbf16>) points {normalized = true}
           : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %q = linalg.generic ... ins(%x)          { extf, mulf }                    // tensor<?x64xf32>
    %s = prec.sum %q dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %r = linalg.generic ... ins(%s)          { divf n, addf eps, sqrt, divf }  // tensor<?xf32>
    %y = linalg.generic ... ins(%x, %r, %w)  { extf, mulf, prec.round, extf, mulf, prec.round }
    ```
  }];
  let arguments = (ins NN_Tensor:$input, Optional<NN_Tensor>:$weight,
    UnitAttr:$one_plus,
    DefaultValuedAttr<F32Attr, "1.0e-6f">:$eps,
    Prec_Rule<NN_RsqrtRule, "::prec::nn::RsqrtRule::one_over_sqrt">:$rstd,
    Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide,
    OptionalAttr<Prec_OrderAttr>:$order,
    Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points);
  let assemblyFormat = [{
    $input (`weight` `(` $weight^ `:` type($weight) `)`)? (`one_plus` $one_plus^)?
    (`eps` $eps^)? (`rstd` $rstd^)? (`divide` $divide^)? (`order` $order^)?
    (`accumulate` $accumulate^)? (`math` $math^)? (`points` $points^)?
    attr-dict `:` type($input) `to` type($result)
  }];
}

def NN_LayerNormOp : NN_NormOp<"layer_norm",
    "{{\"mean\", Default::Off}, {\"centered\", Default::Off}, {\"square\", Default::Off}, "
    "{\"variance\", Default::Off}, {\"eps\", Default::Off}, {\"radicand\", Default::Off}, "
    "{\"sqrt\", Default::Off}, {\"rstd\", Default::Off}, {\"normalized\", Default::Off}, "
    "{\"scaled\", Default::Off}, {\"result\", Default::ByResultType}}",
    [AttrSizedOperandSegments]> {
  let summary = "Layer normalisation over the last dimension";
  let description = [{
    m = R_mean(sum of x / n), c = R_centered(x - m)

    v = R_variance(sum of R_square(c * c) / n)

    r = R_rstd(1 / R_sqrt(sqrt(R_radicand(v + R_eps(eps)))))

    and by `form`

    * `shift_fma` (default): y = R_result(fma(fma(x, r, -(m * r)), w, b))
    * `center`: y = R_result(R_scaled(R_normalized(c * r) * w) + b)
    * `center_fma`: y = R_result(fma(R_normalized(c * r), w, b))

    A missing weight or bias drops its multiplication or addition (and the fma that
    it is half of). Moments are computed in `accumulate`'s format and then rounded
    to f32; all else is f32. All points but `result` are off. `eps` is an f32
    number, 1e-5 unless given. Weight and bias are shaped and typed as in
    `nn.rms_norm`.

    ```mlir
    %y = nn.layer_norm %x weight(%w : tensor<64xbf16>) bias(%b : tensor<64xbf16>)
           : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %0 = linalg.generic ... ins(%x)      { extf }                 // tensor<?x64xf32>
    %1 = prec.sum %0 dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %m = linalg.generic ... ins(%1)      { divf n }               // tensor<?xf32>
    %2 = linalg.generic ... ins(%x, %m)  { extf, subf, mulf }     // tensor<?x64xf32>
    %3 = prec.sum %2 dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %r = linalg.generic ... ins(%3)      { divf n, addf eps, sqrt, divf }
    %y = linalg.generic ... ins(%x, %m, %r, %w, %b)
           { extf, mulf, negf, fma, fma, prec.round }
    ```
  }];
  let arguments = (ins NN_Tensor:$input, Optional<NN_Tensor>:$weight,
    Optional<NN_Tensor>:$bias,
    DefaultValuedAttr<F32Attr, "1.0e-5f">:$eps,
    Prec_Rule<NN_LayerNormForm, "::prec::nn::LayerNormForm::shift_fma">:$form,
    Prec_Rule<NN_RsqrtRule, "::prec::nn::RsqrtRule::one_over_sqrt">:$rstd,
    Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide,
    OptionalAttr<Prec_OrderAttr>:$order,
    Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
    OptionalAttr<Prec_MathAttr>:$math,
    OptionalAttr<DictionaryAttr>:$points);
  let assemblyFormat = [{
    $input (`weight` `(` $weight^ `:` type($weight) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? (`eps` $eps^)? (`form` $form^)?
    (`rstd` $rstd^)? (`divide` $divide^)? (`order` $order^)?
    (`accumulate` $accumulate^)? (`math` $math^)? (`points` $points^)?
    attr-dict `:` type($input) `to` type($result)
  }];
}

#endif // NN_NORM_OPS_TD
