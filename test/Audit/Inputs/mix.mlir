// y = R((((p0 + p1) + p2) + p3) / 4), p_s = R(R(sigmoid(u_s)) * xn_s)
func.func @mix(%u: tensor<?x4x2560xbf16> {prec.name = "u"}, %xn: tensor<?x4x2560xbf16> {prec.name = "xn"})
    -> (tensor<?x2560xbf16> {prec.name = "y"}) {
  %gate = nn.sigmoid %u : tensor<?x4x2560xbf16>
  %p = arith.mulf %gate, %xn : tensor<?x4x2560xbf16>
  %y = nn.mean %p dim 1 order <sequential> : tensor<?x4x2560xbf16> to tensor<?x2560xbf16>
  return %y : tensor<?x2560xbf16>
}
