// The sign of zero: pytorch/pytorch#189799, #196031.
// RUN: %eval
// RUN: %ptx | %check

// 1/(x+0) of -0 is +inf (x+0 is not x); -x of +0 is -0 (not 0-x).
// EVAL @zeros(f32 [0x80000000, 0x00000000]) = f32 [0x7F800000, 0x7F800000], f32 [0x00000000, 0x80000000], f32 [0x00000000, 0x00000000]
// CHECK-LABEL: .entry zeros
// CHECK-DAG: add.rn.f32
// CHECK-DAG: {{div|rcp}}.rn.f32
// CHECK-DAG: neg.f32
// CHECK-DAG: sub.rn.f32
func.func @zeros(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.map ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %s = arith.addf %in, %zero : f32
      %q = arith.divf %one, %s : f32
      linalg.yield %q : f32
    }
  %neg = arith.negf %x : tensor<?xf32>
  %sub = linalg.map ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %s = arith.subf %zero, %in : f32
      linalg.yield %s : f32
    }
  return %r, %neg, %sub : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
