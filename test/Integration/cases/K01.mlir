// A chain of 16-bit operations keeps its inner roundings: llvm/llvm-project#95346, #93443, pytorch/pytorch#176565, openxla/xla#41605.
// RUN: %eval
// RUN: %ptx | %check

// bf16(bf16(x*y) + z); 0x400D when the inner rounding is dropped.
// EVAL @mul_add(bf16 [0x3F8D], bf16 [0x3F8B], bf16 [0x3F80]) = bf16 [0x400C]
// CHECK-LABEL: .entry mul_add
// CHECK: mul.rn.bf16
// CHECK: add.rn.bf16
func.func @mul_add(%x: tensor<?xbf16>, %y: tensor<?xbf16>, %z: tensor<?xbf16>) -> tensor<?xbf16> {
  %p = arith.mulf %x, %y : tensor<?xbf16>
  %r = arith.addf %p, %z : tensor<?xbf16>
  return %r : tensor<?xbf16>
}

// Narrow and widen is not the identity, though both casts allow contraction.
// EVAL @round_trip(f32 [0xC02934C2, 0x3F808000, 0x3F808001]) = f32 [0xC0290000, 0x3F800000, 0x3F810000], f32 [0xC0294000, 0x3F808000, 0x3F808000]
// CHECK-LABEL: .entry round_trip
// CHECK-DAG: cvt.rn.bf16
// CHECK-DAG: cvt.rn.f16
func.func @round_trip(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %b = arith.truncf %x fastmath<contract> : tensor<?xf32> to tensor<?xbf16>
  %xb = arith.extf %b fastmath<contract> : tensor<?xbf16> to tensor<?xf32>
  %h = arith.truncf %x fastmath<contract> : tensor<?xf32> to tensor<?xf16>
  %xh = arith.extf %h fastmath<contract> : tensor<?xf16> to tensor<?xf32>
  return %xb, %xh : tensor<?xf32>, tensor<?xf32>
}

// A value that is stored rounded is used rounded.
// EVAL @two_users(f32 [0xC02934C2]) = bf16 [0xC029], f32 [0xC0A90000]
// CHECK-LABEL: .entry two_users
// CHECK: cvt.rn.bf16
func.func @two_users(%x: tensor<?xf32>) -> (tensor<?xbf16>, tensor<?xf32>) {
  %b = arith.truncf %x fastmath<contract> : tensor<?xf32> to tensor<?xbf16>
  %xb = arith.extf %b fastmath<contract> : tensor<?xbf16> to tensor<?xf32>
  %r = arith.addf %xb, %xb : tensor<?xf32>
  return %b, %r : tensor<?xbf16>, tensor<?xf32>
}
