// A literal that stays in f32: pytorch/pytorch#186818.
// RUN: %eval
// RUN: %ptx | %check

// bf16(x * 0.1f); 0x3DCF with a bf16 literal.
// EVAL @scale(bf16 [0x3F81]) = bf16 [0x3DCE]
// CHECK-LABEL: .entry scale
// CHECK: mul.rn.f32
// CHECK: cvt.rn.bf16
func.func @scale(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %c = arith.constant 0.1 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %o: bf16) {
      %w = arith.extf %in : bf16 to f32
      %p = arith.mulf %w, %c : f32
      %b = arith.truncf %p : f32 to bf16
      linalg.yield %b : bf16
    }
  return %r : tensor<?xbf16>
}
