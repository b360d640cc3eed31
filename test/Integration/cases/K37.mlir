// What ptxas may contract is not written: NVlabs/cuda-oxide#315, triton-lang/triton#2495, facebookexperimental/triton#2315.
// RUN: %eval
// RUN: %ptx | %check

// a*b + c in two operations; 0x33800000 and 0x3880 in one.
// EVAL @mul_add(f32 [0x3F800800], f32 [0x3F800800], f32 [0xBF801000], bf16 [0x3F81], bf16 [0x3F81], bf16 [0xBF82]) = f32 [0x00000000], bf16 [0x0000]
// CHECK-LABEL: .entry mul_add
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
func.func @mul_add(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>,
                   %x: tensor<?xbf16>, %y: tensor<?xbf16>, %z: tensor<?xbf16>) -> (tensor<?xf32>, tensor<?xbf16>) {
  %p = arith.mulf %a, %b fastmath<contract> : tensor<?xf32>
  %r = arith.addf %p, %c fastmath<contract> : tensor<?xf32>
  %q = arith.mulf %x, %y fastmath<contract> : tensor<?xbf16>
  %s = arith.addf %q, %z fastmath<contract> : tensor<?xbf16>
  return %r, %s : tensor<?xf32>, tensor<?xbf16>
}
