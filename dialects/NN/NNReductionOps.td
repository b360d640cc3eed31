// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over one dimension, and what is built of one.
#ifndef NN_REDUCTION_OPS_TD
#define NN_REDUCTION_OPS_TD

include "dialects/NN/NNBase.td"

class NN_ReductionOp<string mnemonic, string pointList, dag extraArguments,
                     string extraFormat> : NN_Op<mnemonic, pointList> {
  let arguments = !con(
      (ins NN_Tensor:$input, I64Attr:$dimension), extraArguments,
      (ins OptionalAttr<Prec_OrderAttr>:$order,
           Prec_Rule<NN_Accumulate, "::prec::nn::Accumulate::f32">:$accumulate,
           OptionalAttr<DictionaryAttr>:$points));
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$input `dim` $dimension " # extraFormat
      # " (`order` $order^)? (`accumulate` $accumulate^)? (`points` $points^)?"
      # " attr-dict `:` type($input) `to` type($result)";
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
             getInput().getType().getRank() - 1;
    }
  }];
}

def NN_SumOp : NN_ReductionOp<"sum", "{{\"result\", Default::ByResultType}}",
    (ins UnitAttr:$keepdim), "(`keepdim` $keepdim^)?"> {
  let summary = "R_result(sum of x over one dimension)";
  let description = [{
    The elements are widened to f32 (`accumulate f64`: to f64) and added in `order`,
    each addition rounding once to that format.

    ```mlir
    %y = nn.sum %x dim 1 : tensor<?x64xbf16> to tensor<?xbf16>
    ```
    is at level R
    ```mlir
    %0 = linalg.generic ... ins(%x)  { extf }         // tensor<?x64xf32>
    %1 = prec.sum %0 dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %y = linalg.generic ... ins(%1)  { prec.round }   // tensor<?xbf16>
    ```
  }];
}

def NN_MeanOp : NN_ReductionOp<"mean",
    "{{\"sum\", Default::Off}, {\"result\", Default::ByResultType}}",
    (ins UnitAttr:$keepdim,
         Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide),
    "(`keepdim` $keepdim^)? (`divide` $divide^)?"> {
  let summary = "R_result(R_sum(sum of x) / n)";
  let description = [{
    `divide quotient` (default): the sum over n. `divide reciprocal`: the sum times
    1/n, which is rounded to the sum's format first. Point `sum` is off.

    ```mlir
    %y = nn.mean %x dim 1 : tensor<?x4x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %0 = linalg.generic ... ins(%x)  { extf }                // tensor<?x4x64xf32>
    %1 = prec.sum %0 dim 1 <digits [*] steps [0 cascade] from_zero>
             : tensor<?x4x64xf32> to tensor<?x64xf32>
    %y = linalg.generic ... ins(%1)  { divf 4.0, prec.round }
    ```
  }];
}

def NN_SoftmaxOp : NN_ReductionOp<"softmax",
    "{{\"shifted\", Default::Off}, {\"exponential\", Default::Off}, "
    "{\"sum\", Default::Off}, {\"result\", Default::ByResultType}}",
    (ins Prec_Rule<NN_Divide, "::prec::nn::Divide::quotient">:$divide,
         OptionalAttr<Prec_MathAttr>:$math),
    "(`divide` $divide^)? (`math` $math^)?"> {
  let summary = "Softmax over one dimension";
  let description = [{
    e = R_exponential(exp(R_shifted(x - max x))), s = R_sum(sum of e),
    y = R_result(e / s), or with `divide reciprocal` R_result(e * (1 / s)), 1 / s
    rounded to f32. A NaN makes its whole row NaN. A sum in f64 is rounded to f32
    before it divides. All points but `result` are off.

    ```mlir
    %y = nn.softmax %x dim 1 : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %m = linalg.generic ... ins(%x)          { extf, maximumf }      // tensor<?xf32>
    %e = linalg.generic ... ins(%x, %m)      { extf, subf, exp }     // tensor<?x64xf32>
    %s = prec.sum %e dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
    %y = linalg.generic ... ins(%e, %s)      { divf, prec.round }    // tensor<?x64xbf16>
    ```
  }];
}

#endif // NN_REDUCTION_OPS_TD
