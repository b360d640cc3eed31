// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise functions of one tensor.
#ifndef NN_ELEMENTWISE_OPS_TD
#define NN_ELEMENTWISE_OPS_TD

include "dialects/NN/NNBase.td"

/// `extraArguments` stand between the operand and the common attributes, with
/// the assembly `extraFormat`.
class NN_UnaryOp<string mnemonic, string pointList, dag extraArguments = (ins),
                 string extraFormat = "">
    : NN_Op<mnemonic, pointList, [SameOperandsAndResultType]> {
  let arguments = !con((ins NN_Tensor:$input), extraArguments,
                       (ins OptionalAttr<DictionaryAttr>:$points));
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$input " # extraFormat
      # " (`points` $points^)? attr-dict `:` type($input)";
}

/// A function that `math` chooses the implementation of.
class NN_MathOp<string mnemonic, string pointList = "{{\"result\", Default::ByResultType}}",
                dag extraArguments = (ins), string extraFormat = "">
    : NN_UnaryOp<mnemonic, pointList,
                 !con(extraArguments, (ins OptionalAttr<Prec_MathAttr>:$math)),
                 extraFormat # " (`math` $math^)?">;

def NN_SigmoidOp : NN_MathOp<"sigmoid"> {
  let summary = "R_result(1 / (1 + exp(-x)))";
  let description = [{
    ```mlir
    %y = nn.sigmoid %x : tensor<?x64xbf16>
    ```
    is at level R
    ```mlir
    %y = linalg.generic ... ins(%x) outs(%empty) {
    ^bb0(%in: bf16, %out: bf16):
      %0 = arith.extf %in : bf16 to f32
      %1 = arith.negf %0 : f32
      %2 = math.exp %1 : f32
      %3 = arith.addf %2, %one : f32
      %4 = arith.divf %one, %3 : f32
      %5 = prec.round %4 : f32 to bf16
      linalg.yield %5 : bf16
    }
    ```
  }];
}

def NN_SiluOp : NN_MathOp<"silu"> {
  let summary = "R_result(x / (1 + exp(-x)))";
  let description = [{
    One quotient, not x times a sigmoid: `x * nn.sigmoid(x)` is another function.

    ```mlir
    %y = nn.silu %x : tensor<4x?xf16>
    ```
    has at level R the body
    ```mlir
    %1 = arith.negf %0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.divf %0, %3 : f32
    %5 = prec.round %4 : f32 to f16
    ```
  }];
}

def NN_GeluOp : NN_MathOp<"gelu", "{{\"result\", Default::ByResultType}}",
    (ins DefaultValuedAttr<NN_Approximation, "::prec::nn::Approximation::none">:$approximate),
    "(`approximate` $approximate^)?"> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `approximate none` (default): R_result((x * 0.5) * (1 + erf(x * c))),
    c = f32(sqrt(1/2)).

    `approximate tanh`: R_result((0.5 * x) * (1 + tanh(b * (x + k * ((x * x) * x))))),
    b = f32(sqrt(2/pi)), k = f32(0.044715).

    ```mlir
    %y = nn.gelu %x approximate tanh : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.mulf %1, %0 : f32
    %3 = arith.mulf %k, %2 : f32
    %4 = arith.addf %0, %3 : f32
    %5 = arith.mulf %b, %4 : f32
    %6 = math.tanh %5 : f32
    %7 = arith.addf %6, %one : f32
    %8 = arith.mulf %half, %0 : f32
    %9 = arith.mulf %8, %7 : f32
    %10 = prec.round %9 : f32 to bf16
    ```
  }];
}

def NN_SoftplusOp : NN_MathOp<"softplus", "{{\"result\", Default::ByResultType}}",
    (ins DefaultValuedAttr<F32Attr, "1.0f">:$beta,
         DefaultValuedAttr<F32Attr, "20.0f">:$threshold),
    "(`beta` $beta^)? (`threshold` $threshold^)?"> {
  let summary = "R_result(x * beta > threshold ? x : log1p(exp(x * beta)) / beta)";
  let description = [{
    With the default beta of 1, the product and the quotient are identities and are
    absent from level R.

    ```mlir
    %y = nn.softplus %x : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %1 = math.exp %0 : f32
    %2 = math.log1p %1 : f32
    %3 = arith.cmpf ogt, %0, %threshold : f32
    %4 = arith.select %3, %0, %2 : f32
    %5 = prec.round %4 : f32 to bf16
    ```
  }];
  let hasVerifier = 1;
}

def NN_TanhOp : NN_MathOp<"tanh"> {
  let summary = "R_result(tanh(x))";
  let description = [{
    ```mlir
    %y = nn.tanh %x : tensor<?xbf16>   // R: extf, math.tanh, prec.round
    ```
  }];
}

def NN_ExpOp : NN_MathOp<"exp"> {
  let summary = "R_result(exp(x))";
  let description = [{
    ```mlir
    %y = nn.exp %x math <libdevice> : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %1 = math.exp %0 {prec.math = #prec.math<libdevice>} : f32
    %2 = prec.round %1 : f32 to bf16
    ```
  }];
}

def NN_LogOp : NN_MathOp<"log"> {
  let summary = "R_result(log(x))";
  let description = [{
    ```mlir
    %y = nn.log %x : tensor<?xf16>   // R: extf, math.log, prec.round
    ```
  }];
}

def NN_SqrtOp : NN_UnaryOp<"sqrt", "{{\"result\", Default::ByResultType}}"> {
  let summary = "R_result(sqrt(x))";
  let description = [{
    The IEEE square root, so there is no choice of implementation.

    ```mlir
    %y = nn.sqrt %x : tensor<?xf16>   // R: extf, math.sqrt, prec.round
    ```
  }];
}

def NN_RsqrtOp : NN_MathOp<"rsqrt",
    "{{\"sqrt\", Default::Off}, {\"result\", Default::ByResultType}}",
    (ins Prec_Rule<NN_RsqrtRule, "::prec::nn::RsqrtRule::one_over_sqrt">:$rule),
    "(`rule` $rule^)?"> {
  let summary = "Reciprocal square root";
  let description = [{
    `rule one_over_sqrt` (default): R_result(1 / R_sqrt(sqrt(x))), point `sqrt` off.
    `rule rsqrt`: R_result(rsqrt(x)), the function named by `math`.

    ```mlir
    %y = nn.rsqrt %x points {sqrt = true} : tensor<?xbf16>
    ```
    has at level R the body
    ```mlir
    %1 = math.sqrt %0 : f32
    %2 = prec.round %1 : f32 to bf16
    %3 = arith.extf %2 : bf16 to f32
    %4 = arith.divf %one, %3 : f32
    %5 = prec.round %4 : f32 to bf16
    ```
  }];
  let hasVerifier = 1;
}

def NN_ReciprocalOp : NN_UnaryOp<"reciprocal", "{{\"result\", Default::ByResultType}}"> {
  let summary = "R_result(1 / x)";
  let description = [{
    ```mlir
    %y = nn.reciprocal %x : tensor<?xbf16>   // R: extf, arith.divf, prec.round
    ```
  }];
}

#endif // NN_ELEMENTWISE_OPS_TD
