// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_OPS_TD
#define PREC_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "dialects/Prec/PrecAttrs.td"
include "dialects/Prec/PrecBase.td"
include "dialects/Prec/PrecProfileOps.td"

/// Formats that values are computed in, and formats that they are rounded to.
def Prec_WideFloatLike : TypeOrValueSemanticsContainer<
    AnyTypeOf<[F32, F64]>, "f32 or f64, or a vector or tensor of it">;
def Prec_RoundedFloatLike : TypeOrValueSemanticsContainer<
    AnyTypeOf<[BF16, F16, F8E4M3FN, F8E5M2, F32]>,
    "bf16, f16, f8E4M3FN, f8E5M2 or f32, or a vector or tensor of it">;

def Prec_RoundOp : Prec_Op<"round", [Pure, SameOperandsAndResultShape, Elementwise, Scalarizable, Vectorizable, Tensorizable]> {
  let summary = "A mandated rounding point";
  let description = [{
    Rounds each element of the operand to the result's format: bf16, f16, f8E4M3FN or
    f8E5M2 from f32 or f64, or f32 from f64. Subnormal results are kept, a NaN stays a NaN.
    Values beyond the largest finite one round as IEEE 754 says (f8E4M3FN, which has no
    infinity, gives NaN); with `saturate` they give the largest finite value of their sign.

    It folds on constants, and on a value that came exactly from the result's
    format. Nothing else may remove it but a proof.

    Constraints:
    - (C1) The operand's element type is f32 or f64; the result's is bf16, f16, f8E4M3FN,
      f8E5M2 or f32.
    - (C2) The result's type is the operand's with another element type.
    - (C3) The result's format is narrower than the operand's.

    ```mlir
    %1 = prec.round %0 : f32 to bf16
    %3 = prec.round %2 toward_zero saturate : vector<8xf32> to vector<8xf8E4M3FN>
    ```
  }];
  let arguments = (ins Prec_WideFloatLike:$input,
    DefaultValuedAttr<Prec_RoundingMode, "::prec::RoundingMode::nearest_even">:$mode,
    UnitAttr:$saturate);
  let results = (outs Prec_RoundedFloatLike:$result);
  let assemblyFormat = "$input ($mode^)? (`saturate` $saturate^)? attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Prec_MaterializeOp : Prec_Op<"materialize", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "The value must exist in memory in exactly this type";
  let description = [{
    Identity. Fusion stops here: the value is written to memory once and read back.

    ```mlir
    %1 = prec.materialize %0 : tensor<?x64xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Prec_ObserveOp : Prec_Op<"observe", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "Names an intermediate value";
  let description = [{
    Identity. Audits, dumps and comparisons of two programs speak of the value by
    this name. Never changes a bit, never stops fusion.

    Constraints:
    - (C1) The name is not empty.

    ```mlir
    %1 = prec.observe %0 "core_attn_out" : tensor<?x64xbf16>
    ```
  }];
  let arguments = (ins AnyType:$input, StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input $name attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Prec_ApproximateOp : Prec_Op<"approximate", [Pure, Elementwise, Scalarizable, Vectorizable, Tensorizable, AllTypesMatch<["input", "result"]>]> {
  let summary = "An approximate instruction of the target";
  let description = [{
    Below level K, on GPUs. 2^x or 1/x as the hardware's fast instruction gives it:
    only an error bound is specified (of PTX, `ex2.approx.ftz.f32` and
    `rcp.approx.ftz.f32`), no bits; subnormal operands and results are zeros. Made
    only where every value within the bound leads to the same result.

    ```mlir
    %1 = prec.approximate exp2 %0 : vector<8xf32>
    ```
  }];
  let arguments = (ins Prec_HardwareFunction:$function,
    TypeOrValueSemanticsContainer<F32, "f32, or a vector or tensor of it">:$input);
  let results = (outs TypeOrValueSemanticsContainer<F32, "f32, or a vector or tensor of it">:$result);
  let assemblyFormat = "$function $input attr-dict `:` type($input)";
}

def Prec_LookupOp : Prec_Op<"lookup", [Pure, Elementwise, Scalarizable, Vectorizable, Tensorizable, AllTypesMatch<["place", "result"]>]> {
  let summary = "The word of a table at a place";
  let description = [{
    Below level K, on hosts. Each element of the result is the word of the table whose
    place is the low five bits of the operand's element: the table lies in two registers
    of AVX-512, which one instruction looks up for all lanes.

    Constraints:
    - (C1) The table has 32 words.

    ```mlir
    %1 = prec.lookup %0 in [1065353216, 1065307569, ...] : vector<64xi32>
    ```
  }];
  let arguments = (ins TypeOrValueSemanticsContainer<I32, "i32, or a vector or tensor of it">:$place, DenseI32ArrayAttr:$table);
  let results = (outs TypeOrValueSemanticsContainer<I32, "i32, or a vector or tensor of it">:$result);
  let assemblyFormat = "$place `in` $table attr-dict `:` type($place)";
  let hasVerifier = 1;
  let extraClassDeclaration = "static constexpr unsigned kTableSize = 32;";
}

def Prec_SumOp : Prec_Op<"sum", [Pure]> {
  let summary = "Sum over one dimension in a stated order";
  let description = [{
    Level R. Sums the f32 or f64 elements along `dimension` by the tree that `order`
    states; each addition rounds once to the element type. The result drops the
    dimension. The sum of no elements is +0.

    Constraints:
    - (C1) `dimension` is a dimension of the operand.
    - (C2) The result's shape is the operand's without `dimension`.
    - (C3) The result has the operand's element type.
    - (C4) An order without `*` has digits for all elements of the dimension, which
      is static.

    ```mlir
    %1 = prec.sum %0 dim 1 <lanes<8>> : tensor<?x64xf32> to tensor<?xf32>
    ```
  }];
  let arguments = (ins TensorRankOf<[F32, F64], [1,2,3,4,5,6,7,8]>:$input, I64Attr:$dimension, Prec_OrderAttr:$order);
  let results = (outs RankedTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$input `dim` $dimension $order attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
}

def Prec_KernelOp : Prec_Op<"kernel", [IsolatedFromAbove, Pure,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "Operations of level R that run as one kernel";
  let description = [{
    Made by `prec-form-kernels`. The body is level R, unchanged; only its results
    exist in memory. Block arguments stand for the operands: tensors, and scalars
    that sizes depend on. Level R is the same with and without the op around it.
    A GPU runs it by its `schedule`, or, where a call is not as that needs it, by
    `fallback`.

    Constraints:
    - (C1) The name is not empty.
    - (C2) The block arguments have the types of the operands.
    - (C3) `prec.yield` ends the body, with values of the result types.

    ```mlir
    %y = prec.kernel "mix" (%u, %xn) : (tensor<?x4x64xbf16>, tensor<?x4x64xbf16>) -> tensor<?x64xbf16> {
    ^bb0(%a: tensor<?x4x64xbf16>, %b: tensor<?x4x64xbf16>):
      ...
      prec.yield %r : tensor<?x64xbf16>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
    OptionalAttr<Prec_ScheduleAttr>:$schedule,
    OptionalAttr<Prec_ScheduleAttr>:$fallback);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name `(` $inputs `)` attr-dict-with-keyword `:` functional-type($inputs, $results) $body";
  let hasVerifier = 1;
}

def Prec_YieldOp : Prec_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "Ends a kernel's body with its results";
  let description = [{
    Its values have the types of the kernel's results (C3 of `prec.kernel`).
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

#endif // PREC_OPS_TD
