// Ties go to even, and other modes only where asked: hw-native-sys/pypto-lib#844, triton-lang/triton#11217, ROCm/aiter#5151, tile-ai/tilelang#2483.
// RUN: %eval
// RUN: %ptx | %check

// Nearest even; 0x3F83 away from zero, 0x3E89 and 0x43C1 truncated.
// EVAL @narrow(f32 [0x3F828000, 0x3E89CCD5], i32 [387, 387]) = bf16 [0x3F82, 0x3E8A], bf16 [0x3F83, 0x3E8A], bf16 [0x3F82, 0x3E89], bf16 [0x43C2, 0x43C2]
// CHECK-LABEL: .entry narrow
// CHECK-DAG: cvt.rn.bf16
// CHECK-DAG: cvt.rz.bf16
func.func @narrow(%x: tensor<?xf32>, %i: tensor<?xi32>) -> (tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>) {
  %even = prec.round %x : tensor<?xf32> to tensor<?xbf16>
  %away = prec.round %x nearest_away : tensor<?xf32> to tensor<?xbf16>
  %zero = prec.round %x toward_zero : tensor<?xf32> to tensor<?xbf16>
  %int = arith.sitofp %i : tensor<?xi32> to tensor<?xbf16>
  return %even, %away, %zero, %int : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>
}
