// Rounding before or after the weight: huggingface/transformers#29402, sgl-project/sglang#2258, linkedin/Liger-Kernel#89, #92.
// RUN: %eval
// RUN: %ptx | %check

// bf16(bf16(xh) * w) and bf16(xh * w), from one graph.
// EVAL @two_families(f32 [0x40039581], bf16 [0x3F78]) = bf16 [0x4000], bf16 [0x3FFF]
// CHECK-LABEL: .entry two_families
// CHECK: cvt.rn.bf16
// CHECK: cvt.rn.bf16
// CHECK: cvt.rn.bf16
func.func @two_families(%xh: tensor<?xf32>, %w: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %b = arith.truncf %xh : tensor<?xf32> to tensor<?xbf16>
  %l = arith.mulf %b, %w : tensor<?xbf16>
  %wf = arith.extf %w : tensor<?xbf16> to tensor<?xf32>
  %p = arith.mulf %xh, %wf : tensor<?xf32>
  %g = arith.truncf %p : tensor<?xf32> to tensor<?xbf16>
  return %l, %g : tensor<?xbf16>, tensor<?xbf16>
}
