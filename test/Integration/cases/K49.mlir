// sqrt(|x*x|) is not |x|: jax-ml/jax#37919.
// RUN: %eval
// RUN: %ptx | %check

// Overflow in f32 and f16 and underflow in f16 stay.
// EVAL @root(f32 [0x7F7FFFFF, 0x3F800000], f16 [0x5CB0, 0x0400]) = f32 [0x7F800000, 0x3F800000], f16 [0x7C00, 0x0000]
// CHECK-LABEL: .entry root
// CHECK-DAG: sqrt.rn.f32
// CHECK-DAG: cvt.rn.f16
func.func @root(%x: tensor<?xf32>, %h: tensor<?xf16>) -> (tensor<?xf32>, tensor<?xf16>) {
  %q = arith.mulf %x, %x : tensor<?xf32>
  %a = math.absf %q : tensor<?xf32>
  %s = math.sqrt %a : tensor<?xf32>
  %qh = arith.mulf %h, %h : tensor<?xf16>
  %ah = math.absf %qh : tensor<?xf16>
  %sh = math.sqrt %ah : tensor<?xf16>
  return %s, %sh : tensor<?xf32>, tensor<?xf16>
}
