#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
#gate = affine_map<(row, stream, column) -> (row, stream)>
// out = R(x + R(h * c))
func.func @write_back(%x: tensor<?x4x2560xbf16> {prec.name = "x"}, %h: tensor<?x2560xbf16> {prec.name = "h"},
                      %c: tensor<?x4xbf16> {prec.name = "c"}) -> (tensor<?x4x2560xbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4x2560xbf16>
  %empty = tensor.empty(%rows) : tensor<?x4x2560xbf16>
  %out = linalg.generic {indexing_maps = [#all, #column, #gate, #all],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %c : tensor<?x4x2560xbf16>, tensor<?x2560xbf16>, tensor<?x4xbf16>)
      outs(%empty : tensor<?x4x2560xbf16>) {
  ^bb0(%xe: bf16, %he: bf16, %ce: bf16, %o: bf16):
    %m = arith.mulf %he, %ce : bf16
    %r = arith.addf %xe, %m : bf16
    linalg.yield %r : bf16
  } -> tensor<?x4x2560xbf16>
  return %out : tensor<?x4x2560xbf16>
}
