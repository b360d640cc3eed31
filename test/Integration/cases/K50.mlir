// x * sigmoid(x) is not x * (1 - sigmoid(-x)): skyzh/tiny-llm#164.
// RUN: %eval
// RUN: %ptx | FileCheck %s '--implicit-check-not={{(add|sub|mul|fma|cvt|div)[.][a-z0-9.]*ftz}}' '--implicit-check-not={{(sin|cos|lg2|tanh|div|sqrt|rsqrt)[.]approx}}'

// Each step in bf16, for x = -7 and -4: the first formula, and the second.
// EVAL @silu(bf16 [0xC0E0, 0xC080]) = bf16 [0xBBD1, 0xBD93], bf16 [0x8000, 0xBDA0]
// CHECK-LABEL: .entry silu
func.func @silu(%x: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %s = nn.sigmoid %x : tensor<?xbf16>
  %r = arith.mulf %x, %s : tensor<?xbf16>
  %neg = arith.negf %x : tensor<?xbf16>
  %t = nn.sigmoid %neg : tensor<?xbf16>
  %one = arith.constant 1.0 : bf16
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %u = linalg.map ins(%x, %t : tensor<?xbf16>, tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %sig: bf16, %o: bf16) {
      %d = arith.subf %one, %sig : bf16
      %p = arith.mulf %in, %d : bf16
      linalg.yield %p : bf16
    }
  return %r, %u : tensor<?xbf16>, tensor<?xbf16>
}
