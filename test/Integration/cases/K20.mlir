// 1 + weight is taken in f32: linkedin/Liger-Kernel#1462, NVIDIA/TransformerEngine#1690, vllm-project/vllm#29810, #53203.
// RUN: %eval
// RUN: %ptx | %check

// 1 + w, and bf16(xhat * (1 + w)); 0x41840000, 0x3F800000 and 0x41C9, 0x3FC0 when the sum is rounded.
// EVAL @scale(f32 [0x3FC00000, 0x3FC00000], bf16 [0x417D, 0x3B80]) = f32 [0x41868000, 0x3F808000], bf16 [0x41CA, 0x3FC1]
// CHECK-LABEL: .entry scale
// CHECK: add.rn.f32
// CHECK: mul.rn.f32
// CHECK: cvt.rn.bf16
func.func @scale(%xhat: tensor<?xf32>, %w: tensor<?xbf16>) -> (tensor<?xf32>, tensor<?xbf16>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %w, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.map ins(%w : tensor<?xbf16>) outs(%empty : tensor<?xf32>)
    (%in: bf16, %o: f32) {
      %x = arith.extf %in : bf16 to f32
      %a = arith.addf %one, %x : f32
      linalg.yield %a : f32
    }
  %p = arith.mulf %xhat, %s : tensor<?xf32>
  %y = arith.truncf %p : tensor<?xf32> to tensor<?xbf16>
  return %s, %y : tensor<?xf32>, tensor<?xbf16>
}
