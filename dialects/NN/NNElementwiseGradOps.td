// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the elementwise functions: of the gradient of the result and of
// what the forward pass saved, its input or its output.
#ifndef NN_ELEMENTWISE_GRAD_OPS_TD
#define NN_ELEMENTWISE_GRAD_OPS_TD

include "dialects/NN/NNBase.td"

/// `extraArguments` stand between the operands and `points`, with the assembly
/// `extraFormat`; `saved` is the second operand.
class NN_ElementwiseGradOp<string mnemonic, string pointList, dag saved, string savedName,
                           dag extraArguments = (ins), string extraFormat = "">
    : NN_Op<mnemonic, pointList, [SameOperandsAndResultType]> {
  let arguments = !con((ins NN_Tensor:$gradient), saved, extraArguments,
                       (ins OptionalAttr<DictionaryAttr>:$points));
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$gradient `,` $" # savedName # " " # extraFormat
      # " (`points` $points^)? attr-dict `:` type($gradient)";
}

/// The gradient at an output `y` that the forward pass saved.
class NN_GradOfOutputOp<string mnemonic, string pointList>
    : NN_ElementwiseGradOp<mnemonic, pointList, (ins NN_Tensor:$output), "output">;

/// The gradient at an input `x` that the forward pass saved.
class NN_GradOfInputOp<string mnemonic, dag extraArguments, string extraFormat>
    : NN_ElementwiseGradOp<mnemonic, "{{\"result\", Default::ByResultType}}",
          (ins NN_Tensor:$input), "input",
          !con(extraArguments, (ins OptionalAttr<Prec_MathAttr>:$math)),
          extraFormat # " (`math` $math^)?">;

def NN_SigmoidGradOp : NN_GradOfOutputOp<"sigmoid_grad",
    "{{\"complement\", Default::On}, {\"product\", Default::On}, "
    "{\"result\", Default::ByResultType}}"> {
  let summary = "R_result(R_product(g * R_complement(1 - y)) * y)";
  let description = [{
    `y` is the sigmoid. Both points are on: PyTorch's CUDA kernel, and its CPU kernel
    for f16, compute in the element type. Its CPU kernel for bf16 rounds once:
    `points {complement = false, product = false}`.

    ```mlir
    %dx = nn.sigmoid_grad %g, %y : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %2 = arith.subf %one, %y : f32
    %3 = prec.round %2 : f32 to bf16
    %4 = arith.extf %3 : bf16 to f32
    %5 = arith.mulf %g, %4 : f32
    %6 = prec.round %5 : f32 to bf16
    %7 = arith.extf %6 : bf16 to f32
    %8 = arith.mulf %7, %y : f32
    %9 = prec.round %8 : f32 to bf16
    ```
  }];
}

def NN_TanhGradOp : NN_GradOfOutputOp<"tanh_grad",
    "{{\"square\", Default::On}, {\"complement\", Default::On}, "
    "{\"result\", Default::ByResultType}}"> {
  let summary = "R_result(g * R_complement(1 - R_square(y * y)))";
  let description = [{
    `y` is the tanh. Both points are on as in PyTorch's CUDA kernel; its CPU kernel
    rounds once: `points {complement = false, square = false}`.

    ```mlir
    %dx = nn.tanh_grad %g, %y points {complement = false, square = false} : tensor<?xf16>
    ```
    has at level R the body
    ```mlir
    %2 = arith.mulf %y, %y : f32
    %3 = arith.subf %one, %2 : f32
    %4 = arith.mulf %g, %3 : f32
    %5 = prec.round %4 : f32 to f16
    ```
  }];
}

def NN_SiluGradOp : NN_GradOfInputOp<"silu_grad",
    (ins Prec_Rule<NN_MultiplyAdd, "::prec::nn::MultiplyAdd::fused">:$multiply_add),
    "(`multiply_add` $multiply_add^)?"> {
  let summary = "R_result((g * s) * fma(x, 1 - s, 1)), s = 1 / (1 + exp(-x))";
  let description = [{
    One kernel in f32 with one rounding, in PyTorch on CPU and CUDA. The compilers of
    both contract 1 + x * (1 - s), so it is an fma; `multiply_add separate` rounds
    the product.

    ```mlir
    %dx = nn.silu_grad %g, %x : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %2 = arith.negf %x : f32
    %3 = math.exp %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.divf %one, %4 : f32
    %6 = arith.mulf %g, %5 : f32
    %7 = arith.subf %one, %5 : f32
    %8 = math.fma %x, %7, %one : f32
    %9 = arith.mulf %6, %8 : f32
    %10 = prec.round %9 : f32 to bf16
    ```
  }];
}

def NN_GeluGradOp : NN_GradOfInputOp<"gelu_grad",
    (ins DefaultValuedAttr<NN_Approximation, "::prec::nn::Approximation::none">:$approximate),
    "(`approximate` $approximate^)?"> {
  let summary = "The gradient of gelu";
  let description = [{
    `approximate none` (default): R_result(g * (d + x * p)),
    d = 0.5 * (1 + erf(x * c)), p = exp((-0.5 * x) * x) * a, c = f32(sqrt(1/2)),
    a = f32(1/sqrt(2 pi)).

    `approximate tanh`: R_result(g * (0.5 * (1 + t) + ((0.5 * x) * (1 - t * t)) * i)),
    t = tanh(b * (x + k * ((x * x) * x))), i = b * (1 + f32(3 * k) * (x * x)),
    b = f32(sqrt(2/pi)), k = f32(0.044715).

    ```mlir
    %dx = nn.gelu_grad %g, %x : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %2 = arith.mulf %x, %c : f32
    %3 = math.erf %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %half, %4 : f32
    %6 = arith.mulf %minus_half, %x : f32
    %7 = arith.mulf %6, %x : f32
    %8 = math.exp %7 : f32
    %9 = arith.mulf %8, %a : f32
    %10 = arith.mulf %x, %9 : f32
    %11 = arith.addf %5, %10 : f32
    %12 = arith.mulf %g, %11 : f32
    %13 = prec.round %12 : f32 to bf16
    ```
  }];
}

def NN_SoftplusGradOp : NN_GradOfInputOp<"softplus_grad",
    (ins DefaultValuedAttr<F32Attr, "1.0f">:$beta,
         DefaultValuedAttr<F32Attr, "20.0f">:$threshold),
    "(`beta` $beta^)? (`threshold` $threshold^)?"> {
  let summary = "R_result(x * beta > threshold ? g : (g * z) / (z + 1)), z = exp(x * beta)";
  let description = [{
    ```mlir
    %dx = nn.softplus_grad %g, %x : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %2 = math.exp %x : f32
    %3 = arith.mulf %g, %2 : f32
    %4 = arith.addf %2, %one : f32
    %5 = arith.divf %3, %4 : f32
    %6 = arith.cmpf ogt, %x, %threshold : f32
    %7 = arith.select %6, %g, %5 : f32
    %8 = prec.round %7 : f32 to bf16
    ```
  }];
  let hasVerifier = 1;
}

#endif // NN_ELEMENTWISE_GRAD_OPS_TD
