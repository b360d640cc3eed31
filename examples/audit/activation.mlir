// The gated activation of a mixture of experts, weighted by the router: how often
// it rounds on the way is the engine's choice (--profile).
func.func @activation(%gu: tensor<?x2048xbf16> {prec.name = "gu"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x1024xbf16> {prec.name = "out"}) {
  %0 = moe.activation silu %gu layout halves probability(%p : tensor<?xf32>)
      : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  return %0 : tensor<?x1024xbf16>
}
