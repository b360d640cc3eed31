// A division is correctly rounded: triton-lang/triton#10661, #10073.
// RUN: %eval
// RUN: %ptx | %check

// 0x40A00001 with an approximate divide.
// EVAL @quotient(f32 [0x40960000], f32 [0x3F700000]) = f32 [0x40A00000]
// CHECK-LABEL: .entry quotient
// CHECK: div.rn.f32
func.func @quotient(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %q = arith.divf %x, %y : tensor<?xf32>
  return %q : tensor<?xf32>
}
