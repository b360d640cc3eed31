// A literal that the program narrows: pytorch/pytorch#185484, #185605, #173987.
// RUN: %eval
// RUN: %ptx | %check

// bf16(x + bf16(9.99)); 0xBD94 with the f32 literal.
// EVAL @threshold(bf16 [0xC121]) = bf16 [0xBD80]
// CHECK-LABEL: .entry threshold
// CHECK: add.rn
func.func @threshold(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %c = arith.constant 9.99 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %o: bf16) {
      %narrow = arith.truncf %c : f32 to bf16
      %s = arith.addf %in, %narrow : bf16
      linalg.yield %s : bf16
    }
  return %r : tensor<?xbf16>
}
