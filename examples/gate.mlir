// A gated activation in bf16, two operations: each rounds its result.
func.func @gate(%g: tensor<?xbf16> {prec.name = "g"}, %u: tensor<?xbf16> {prec.name = "u"})
    -> (tensor<?xbf16> {prec.name = "h"}) {
  %s = nn.silu %g : tensor<?xbf16>
  %h = arith.mulf %s, %u : tensor<?xbf16>
  return %h : tensor<?xbf16>
}
