// Exact cancellation survives: pytorch/pytorch#115435, #122260.
// RUN: %eval
// RUN: %ptx | %check

// x*c + (-x)*c; 0x3C435000 with a fused multiply-add.
// EVAL @cancel(f32 [0x3E99999A]) = f32 [0x00000000]
// CHECK-LABEL: .entry cancel
// CHECK: mul.rn.f32
// CHECK: mul.rn.f32
// CHECK: {{add|sub}}.rn.f32
func.func @cancel(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 1.0e6 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.map ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %p = arith.mulf %in, %c : f32
      %neg = arith.negf %in : f32
      %q = arith.mulf %neg, %c : f32
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }
  return %r : tensor<?xf32>
}
