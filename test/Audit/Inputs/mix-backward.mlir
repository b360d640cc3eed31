#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
// gp = R(g / 4), w = R(sigmoid(u)): gxn = R(gp * w), gu = R(R(R(gp * xn) * R(1 - w)) * w)
func.func @mix_backward(%g: tensor<?x2560xbf16> {prec.name = "g"}, %u: tensor<?x4x2560xbf16> {prec.name = "u"},
                        %xn: tensor<?x4x2560xbf16> {prec.name = "xn"})
    -> (tensor<?x4x2560xbf16> {prec.name = "gu"}, tensor<?x4x2560xbf16> {prec.name = "gxn"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %u, %c0 : tensor<?x4x2560xbf16>
  %w = nn.sigmoid %u : tensor<?x4x2560xbf16>
  %empty = tensor.empty(%rows) : tensor<?x4x2560xbf16>
  %gu, %gxn = linalg.generic {indexing_maps = [#column, #all, #all, #all, #all],
                              iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %w, %xn : tensor<?x2560xbf16>, tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>)
      outs(%empty, %empty : tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>) {
  ^bb0(%ge: bf16, %we: bf16, %xe: bf16, %o0: bf16, %o1: bf16):
    %quarter = arith.constant 0.25 : bf16
    %one = arith.constant 1.0 : bf16
    %gp = arith.mulf %ge, %quarter : bf16
    %gw = arith.mulf %gp, %xe : bf16
    %om = arith.subf %one, %we : bf16
    %t = arith.mulf %gw, %om : bf16
    %0 = arith.mulf %t, %we : bf16
    %1 = arith.mulf %gp, %we : bf16
    linalg.yield %0, %1 : bf16, bf16
  } -> (tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>)
  return %gu, %gxn : tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>
}
