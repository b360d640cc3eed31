// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotary position embedding.
#ifndef NN_ROPE_OPS_TD
#define NN_ROPE_OPS_TD

include "dialects/NN/NNBase.td"

def NN_RopeOp : NN_Op<"rope",
    "{{\"product\", Default::On}, {\"result\", Default::ByResultType}}"> {
  let summary = "Rotary position embedding, halves rotated";
  let description = [{
    y = R_result(R_product(x * cos) + R_product(rotate(x) * sin)), where rotate(x) is
    the second half of the last dimension, negated, followed by the first half.

    Point `product` is on: Hugging Face's three roundings. Off, it is the single
    rounding of engines that rotate in f32. `cos` and `sin` have the shape of the
    input's last dimensions, one or more, and the input's element type or f32.

    ```mlir
    %y = nn.rope %x cos(%c : tensor<?x64xbf16>) sin(%s : tensor<?x64xbf16>)
           : tensor<1x2x?x64xbf16> to tensor<1x2x?x64xbf16>
    ```
    is at level R
    ```mlir
    %lo = tensor.extract_slice %x[0, 0, 0, 0] [1, 2, %d, 32] [1, 1, 1, 1]
    %hi = tensor.extract_slice %x[0, 0, 0, 32] [1, 2, %d, 32] [1, 1, 1, 1]
    %0 = linalg.generic ... ins(%hi)  { extf, negf }      // tensor<1x2x?x32xf32>
    %1 = linalg.generic ... ins(%lo)  { extf }            // tensor<1x2x?x32xf32>
    %r = tensor.concat dim(3) %0, %1                      // tensor<1x2x?x64xf32>
    %y = linalg.generic ... ins(%x, %c, %r, %s)
           { extf, mulf, prec.round, extf, mulf, prec.round, addf, prec.round }
    ```
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$cos, NN_Tensor:$sin,
    OptionalAttr<DictionaryAttr>:$points);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `cos` `(` $cos `:` type($cos) `)` `sin` `(` $sin `:` type($sin) `)`
    (`points` $points^)? attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
}

#endif // NN_ROPE_OPS_TD
