// A fused multiply-add that the program asks for stays one: pytorch/pytorch#175309, #176866, #176797.
// RUN: %eval
// RUN: %ptx | FileCheck %s --implicit-check-not=.ftz

// fma(a, b, c); 0 as a multiply and an add.
// EVAL @fused(f32 [0x3F800800], f32 [0x3F800800], f32 [0xBF801000]) = f32 [0x33800000]
// CHECK-LABEL: .entry fused
// CHECK-NOT: mul.rn.f32
// CHECK: fma.rn.f32
func.func @fused(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %r = math.fma %a, %b, %c : tensor<?xf32>
  return %r : tensor<?xf32>
}
