// Functions keep subnormals: pytorch/pytorch#125557, #185878, #188546, #195007.
// RUN: %eval
// RUN: %ptx | FileCheck %s --implicit-check-not=.ftz --implicit-check-not=.approx

// exp2(-127), exp2(-149); expm1(x) of the smallest subnormal; -log1p(exp(-88)). All 0 where they are flushed.
// EVAL @functions(f32 [0xC2FE0000, 0xC3150000], bf16 [0x8001, 0x8001], f32 [0xC2B00000, 0xC2B00000]) = f32 [0x00400000, 0x00000001], bf16 [0x8001, 0x8001], f32 [0x8041EDC4, 0x8041EDC4]
// CHECK-LABEL: .entry functions
func.func @functions(%x: tensor<?xf32>, %h: tensor<?xbf16>, %l: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>) {
  %e = math.exp2 %x : tensor<?xf32>
  %m = math.expm1 %h : tensor<?xbf16>
  %el = math.exp %l : tensor<?xf32>
  %ll = math.log1p %el : tensor<?xf32>
  %nl = arith.negf %ll : tensor<?xf32>
  return %e, %m, %nl : tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>
}
