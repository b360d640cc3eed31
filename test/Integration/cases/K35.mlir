// An f16 fused multiply-add rounds once: llvm/llvm-project#98389, #128450, #171904.
// RUN: %eval
// RUN: %ptx | FileCheck %s --implicit-check-not=.ftz

// 0x3000 and 0x7902 through f32.
// EVAL @fused(f16 [0x520B, 0x5D00], f16 [0x00E9, 0x5802], f16 [0x2FF6, 0x0001]) = f16 [0x3001, 0x7903]
// CHECK-LABEL: .entry fused
func.func @fused(%a: tensor<?xf16>, %b: tensor<?xf16>, %c: tensor<?xf16>) -> tensor<?xf16> {
  %r = math.fma %a, %b, %c : tensor<?xf16>
  return %r : tensor<?xf16>
}
