// A multiply and an add do not become one operation: modular/modular#6159.
// RUN: %eval
// RUN: %ptx | %check

// bf16(bf16(x*y) + z); 0x3880 with one rounding. The casts are written out, in linalg.
// EVAL @mul_add(bf16 [0x3F81], bf16 [0x3F81], bf16 [0xBF82]) = bf16 [0x0000]
// CHECK-LABEL: .entry mul_add
// CHECK: mul.rn.bf16
// CHECK: add.rn.bf16
func.func @mul_add(%x: tensor<?xbf16>, %y: tensor<?xbf16>, %z: tensor<?xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x, %y, %z : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%a: bf16, %b: bf16, %c: bf16, %o: bf16) {
      %af = arith.extf %a : bf16 to f32
      %bf = arith.extf %b : bf16 to f32
      %p = arith.mulf %af, %bf fastmath<contract> : f32
      %pb = arith.truncf %p : f32 to bf16
      %pf = arith.extf %pb : bf16 to f32
      %cf = arith.extf %c : bf16 to f32
      %s = arith.addf %pf, %cf fastmath<contract> : f32
      %sb = arith.truncf %s : f32 to bf16
      linalg.yield %sb : bf16
    }
  return %r : tensor<?xbf16>
}
