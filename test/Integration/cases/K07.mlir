// The operands' casts stand: pytorch/pytorch#182131, #183761, #185337.
// RUN: %eval
// RUN: %ptx | %check

// f16(x) + f16(z); 0xAE66 and 0x3ECD when the casts are skipped.
// EVAL @cast_add(f32 [0x3ECCCCCD, 0x400CCCCD], f32 [0xBF000000, 0xBF000000]) = f16 [0xAE68, 0x3ECC]
// CHECK-LABEL: .entry cast_add
// CHECK: cvt.rn.f16
// CHECK: add.rn
func.func @cast_add(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf16> {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf16>
  %b = arith.truncf %z : tensor<?xf32> to tensor<?xf16>
  %r = arith.addf %a, %b : tensor<?xf16>
  return %r : tensor<?xf16>
}
