// A quotient by a square root is not a product with a reciprocal one: openxla/xla#40844, #40862.
// RUN: %eval
// RUN: %ptx | %check

// 1/sqrt(6) and 3/sqrt(2); 0x3ED105EC and 0x4007C3B6 through rsqrt.
// EVAL @quotient(f32 [0x3F800000, 0x40400000], f32 [0x40C00000, 0x40000000]) = f32 [0x3ED105EB, 0x4007C3B7]
// CHECK-LABEL: .entry quotient
// CHECK: sqrt.rn.f32
// CHECK: div.rn.f32
func.func @quotient(%x: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %s = math.sqrt %b : tensor<?xf32>
  %q = arith.divf %x, %s : tensor<?xf32>
  return %q : tensor<?xf32>
}

// 1/sqrt(3) in f64: 0.5773502691896258.
// EVAL @quotient_f64(f64 [0x3FF0000000000000], f64 [0x4008000000000000]) = f64 [0x3FE279A74590331D]
// CHECK-LABEL: .entry quotient_f64
// CHECK: sqrt.rn.f64
// CHECK: div.rn.f64
func.func @quotient_f64(%x: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %s = math.sqrt %b : tensor<?xf64>
  %q = arith.divf %x, %s : tensor<?xf64>
  return %q : tensor<?xf64>
}
