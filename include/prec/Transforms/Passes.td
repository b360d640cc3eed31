// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TRANSFORMS_PASSES_TD
#define PREC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MakeRoundingExplicitPass : Pass<"prec-make-rounding-explicit"> {
  let summary = "Say every rounding: level M to level R";
  let description = [{
    Overview: each operation of `arith` and `math` on bf16 or f16 (scalars, vectors,
    tensors, and the bodies of linalg operations) means the f32 operation on the
    widened operands, then one rounding. This pass writes that down:

    ```mlir
    %1 = arith.mulf %a, %b : bf16
    %2 = arith.addf %1, %c : bf16
    ```

    becomes

    ```mlir
    %0 = arith.extf %a : bf16 to f32
    ...
    %3 = arith.mulf %0, %1 : f32
    %4 = prec.round %3 : f32 to bf16
    %5 = arith.extf %4 : bf16 to f32
    %6 = arith.addf %5, %2 : f32
    %7 = prec.round %6 : f32 to bf16
    ```

    `arith.truncf` becomes `prec.round`, directly from its operand's type. Operations
    whose result is exact (negf, minimum and maximum, absf, floor, ...) are done in f32
    and rounded only where their 16-bit value is needed. Named linalg operations except
    fill, broadcast and transpose become `linalg.generic`. Tensors keep their types.
    Operations of the nn dialect become the `linalg.generic` and `prec.sum` that their
    formula says, with a `prec.round` at each of their points that is on.

    Where one f32 step would round twice, the steps differ: `math.fma` on 16 bits and
    integers of more than 24 bits go through f64, rounded to odd; a small constant
    `math.fpowi` of a 16-bit value is exact in f64, then rounds to f32 and to 16 bits.

    Preconditions: floats are bf16, f16, f32, f64, and f8E4M3FN or f8E5M2 as storage
    (only casts compute on them).

    Caveats: fast-math flags are dropped, of f32 and f64 operations as well: a flag
    that lets a later pass drop a rounding contradicts level R. Operations that level
    R cannot express (for instance `vector.reduction` on bf16) are errors, as
    `prec-verify-explicit` reports them.
  }];
  let dependentDialects = [
    "::prec::PrecDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def VerifyExplicitPass : Pass<"prec-verify-explicit"> {
  let summary = "Check that every rounding is explicit (level R)";
  let description = [{
    One error for each operation that level R does not allow: arithmetic in a 16-bit
    or 8-bit format, `arith.truncf`, fast-math flags, named linalg operations and
    composite operations, types that are no format of ours. Changes nothing.
  }];
}

#endif // PREC_TRANSFORMS_PASSES_TD
