// A division by a constant stays one: pytorch/pytorch#179719, triton-lang/triton#11901, apache/tvm#13182.
// RUN: %eval
// RUN: %ptx | %check

// x/3 and y/10; 0x3FD55556 and 0x3F666667 as products.
// EVAL @quotient(f32 [0x40A00000], f32 [0x41100000]) = f32 [0x3FD55555], f32 [0x3F666666]
// CHECK-LABEL: .entry quotient
// CHECK: div.rn.f32
// CHECK: div.rn.f32
func.func @quotient(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %three = arith.constant 3.0 : f32
  %ten = arith.constant 10.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %e1 = tensor.empty(%m) : tensor<?xf32>
  %q0 = linalg.map ins(%x : tensor<?xf32>) outs(%e0 : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %q = arith.divf %in, %three : f32
      linalg.yield %q : f32
    }
  %q1 = linalg.map ins(%y : tensor<?xf32>) outs(%e1 : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %q = arith.divf %in, %ten : f32
      linalg.yield %q : f32
    }
  return %q0, %q1 : tensor<?xf32>, tensor<?xf32>
}
