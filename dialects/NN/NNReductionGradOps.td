// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the sums and of softmax.
#ifndef NN_REDUCTION_GRAD_OPS_TD
#define NN_REDUCTION_GRAD_OPS_TD

include "dialects/NN/NNReductionOps.td"

/// Every element of the result along `dimension` is made of one of the gradient.
class NN_ExpandingGradOp<string mnemonic, dag extraArguments = (ins), string extraFormat = "">
    : NN_Op<mnemonic, "{{\"result\", Default::ByResultType}}"> {
  let arguments = !con((ins NN_Tensor:$gradient, I64Attr:$dimension,
                            Optional<Index>:$size, UnitAttr:$keepdim),
                       extraArguments, (ins OptionalAttr<DictionaryAttr>:$points));
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$gradient `dim` $dimension (`size` $size^)? (`keepdim` $keepdim^)? "
      # extraFormat # " (`points` $points^)? attr-dict `:` type($gradient) `to` type($result)";
  let hasVerifier = 1;
}

def NN_SumGradOp : NN_ExpandingGradOp<"sum_grad"> {
  let summary = "R_result(g), the same along the dimension";
  let description = [{
    `size` is the number of summed elements; it is given where the result's type
    does not tell it. With `keepdim` the gradient has 1 in the place of the
    dimension, else it lacks it. Exact.

    ```mlir
    %dx = nn.sum_grad %g dim 1 : tensor<?xbf16> to tensor<?x64xbf16>
    ```
    is at level R a linalg.generic that reads g by the map (d0, d1) -> (d0).
  }];
}

def NN_MeanGradOp : NN_ExpandingGradOp<"mean_grad",
    (ins Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide),
    "(`divide` $divide^)?"> {
  let summary = "R_result(g / n), the same along the dimension";
  let description = [{
    n is the size of the dimension, given as in `nn.sum_grad`. `divide quotient`
    (default) divides by n, PyTorch's CPU kernel; `divide reciprocal` multiplies by
    1 / n, which is rounded to f32 first, its CUDA kernel.

    ```mlir
    %dp = nn.mean_grad %g dim 1 : tensor<?x64xbf16> to tensor<?x4x64xbf16>
    ```
    has at level R the body
    ```mlir
    %1 = arith.divf %0, %four : f32
    %2 = prec.round %1 : f32 to bf16
    ```
  }];
}

def NN_SoftmaxGradOp : NN_Op<"softmax_grad",
    "{{\"product\", Default::On}, {\"sum\", Default::Off}, "
    "{\"result\", Default::ByResultType}}",
    [AllTypesMatch<["gradient", "output"]>]> {
  let summary = "The gradient of softmax over one dimension";
  let description = [{
    `y` is the softmax. p = R_product(g * y), s = R_sum(sum of p), and by `form`

    * `product_fma` (default): R_result(fma(-y, s, p))
    * `difference`: R_result((g - s) * y)

    The default is PyTorch's on CUDA, which stores the products in 16 bits. Its CPU
    kernel is `form difference points {product = false}` (2.6: `sum = true` too).

    ```mlir
    %dx = nn.softmax_grad %g, %y dim 1 form difference points {product = false}
            : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %p = linalg.generic ... ins(%g, %y)      { extf, mulf }                  // tensor<?x64xf32>
    %s = prec.sum %p dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %dx = linalg.generic ... ins(%g, %y, %s) { extf, subf, mulf, prec.round }
    ```
  }];
  let arguments = (ins NN_Tensor:$gradient, NN_Tensor:$output, I64Attr:$dimension,
    Prec_Rule<NN_SoftmaxGradForm, "::prec::nn::SoftmaxGradForm::product_fma">:$form,
    OptionalAttr<Prec_OrderAttr>:$order,
    Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $gradient `,` $output `dim` $dimension (`form` $form^)? (`order` $order^)?
    (`accumulate` $accumulate^)? (`points` $points^)?
    attr-dict `:` type($gradient) `to` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The order of the sum: `order`, or PyTorch CPU's for this dimension.
    ::prec::OrderAttr getEffectiveOrder() {
      if (::prec::OrderAttr order = getOrderAttr())
        return order;
      return ::prec::nn::getDefaultOrder(getContext(), isAlongRows());
    }
    /// Whether the sum is along the last dimension.
    bool isAlongRows() {
      return static_cast<int64_t>(getDimension()) ==
             getGradient().getType().getRank() - 1;
    }
  }];
}

#endif // NN_REDUCTION_GRAD_OPS_TD
