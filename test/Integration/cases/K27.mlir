// A product of scales stays in f32: ml-explore/mlx#3119.
// RUN: %eval
// RUN: %ptx | FileCheck %s --implicit-check-not=.ftz

// s * (rsqrt(128) * log2(e)); 0x40A3C000 when the scale is held in bf16.
// EVAL @scale(f32 [0x42200000]) = f32 [0x40A338EA]
// CHECK-LABEL: .entry scale
// CHECK: mul.rn.f32
func.func @scale(%s: tensor<?xf32>) -> tensor<?xf32> {
  %d = arith.constant 128.0 : f32
  %log2e = arith.constant 1.44269504 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %s, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.map ins(%s : tensor<?xf32>) outs(%empty : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %r = math.rsqrt %d : f32
      %scale = arith.mulf %r, %log2e : f32
      %p = arith.mulf %in, %scale : f32
      linalg.yield %p : f32
    }
  return %t : tensor<?xf32>
}
