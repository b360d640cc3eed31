// Logits are widened before the temperature divides them: radixark/miles#1554.
// RUN: %eval
// RUN: %ptx | %check

// f32(l) / 0.7f; 17.875 when the quotient is rounded.
// EVAL @temperature(bf16 [0x4148]) = f32 [0x418EDB6E]
// CHECK-LABEL: .entry temperature
// CHECK: div.rn.f32
func.func @temperature(%l: tensor<?xbf16>) -> tensor<?xf32> {
  %c = arith.constant 0.7 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %l, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.map ins(%l : tensor<?xbf16>) outs(%empty : tensor<?xf32>)
    (%in: bf16, %o: f32) {
      %w = arith.extf %in : bf16 to f32
      %q = arith.divf %w, %c : f32
      linalg.yield %q : f32
    }
  return %z : tensor<?xf32>
}
