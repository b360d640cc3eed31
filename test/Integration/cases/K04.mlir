// The error of a rounded sum is found by rounded operations: jax-ml/jax#23007, jax-ml/ml_dtypes#167.
// RUN: %eval
// RUN: %ptx | %check

// y - ((x + y) - x); 0 when the chain stays in f32 or x + y - x becomes y.
// EVAL @residual(bf16 [0x40A0, 0x3F80], bf16 [0x3A83, 0x3BC0]) = bf16 [0x3A83, 0xBB00]
// CHECK-LABEL: .entry residual
// CHECK: add.rn.bf16
// CHECK: sub.rn.bf16
// CHECK: sub.rn.bf16
func.func @residual(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %s = arith.addf %x, %y : tensor<?xbf16>
  %t = arith.subf %s, %x : tensor<?xbf16>
  %e = arith.subf %y, %t : tensor<?xbf16>
  return %e : tensor<?xbf16>
}
