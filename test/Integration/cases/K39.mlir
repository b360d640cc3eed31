// f8 in one rounding, ties to even: triton-lang/triton#2583, #11753; pytorch/ao#1912; pytorch/pytorch#178817.
// RUN: %eval
// RUN: %ptx | %check

// 0x38 for the first through f16, 0x3D for the first e5m2 with ties up. 464 is e4m3's last tie; beyond it NaN, or the largest value where the program saturates.
// EVAL @narrow(f32 [0x3F880001, 0x43E80000, 0x43E84000], f32 [0x3F900000, 0x3F900001, 0x00000000]) = f8E4M3FN [0x39, 0x7E, 0x7F], f8E4M3FN [0x39, 0x7E, 0x7E], f8E5M2 [0x3C, 0x3D, 0x00]
// CHECK-LABEL: .entry narrow
func.func @narrow(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf8E4M3FN>, tensor<?xf8E4M3FN>, tensor<?xf8E5M2>) {
  %a = prec.round %x : tensor<?xf32> to tensor<?xf8E4M3FN>
  %s = prec.round %x saturate : tensor<?xf32> to tensor<?xf8E4M3FN>
  %b = prec.round %y : tensor<?xf32> to tensor<?xf8E5M2>
  return %a, %s, %b : tensor<?xf8E4M3FN>, tensor<?xf8E4M3FN>, tensor<?xf8E5M2>
}
