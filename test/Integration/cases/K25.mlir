// A saved mask does not flip: pytorch/pytorch#185517, #186875.
// RUN: %eval
// RUN: %ptx | %check

// d = bf16(-x + bf16(1.7)), and where(d >= 0, -1/2, 0): the mask is false when d stays in f32.
// EVAL @margin(bf16 [0x3FDA, 0x3FDA]) = bf16 [0x0000, 0x0000], bf16 [0xBF00, 0xBF00]
// CHECK-LABEL: .entry margin
// CHECK: setp
func.func @margin(%x: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %c = arith.constant 1.7 : bf16
  %zero = arith.constant 0.0 : bf16
  %half = arith.constant -0.5 : bf16
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %d = linalg.map ins(%x : tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %o: bf16) {
      %neg = arith.negf %in : bf16
      %s = arith.addf %neg, %c : bf16
      linalg.yield %s : bf16
    }
  %g = linalg.map ins(%d : tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %o: bf16) {
      %mask = arith.cmpf oge, %in, %zero : bf16
      %s = arith.select %mask, %half, %zero : bf16
      linalg.yield %s : bf16
    }
  return %d, %g : tensor<?xbf16>, tensor<?xbf16>
}
