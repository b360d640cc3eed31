// result = bf16(x * w), row by row; the two must have as many columns.
func.func @scale(%x: tensor<?x?xbf16> {prec.name = "x"}, %w: tensor<?xbf16> {prec.name = "w"})
    -> (tensor<?x?xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %columns = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %weights = tensor.dim %w, %c0 : tensor<?xbf16>
  %agree = arith.cmpi eq, %columns, %weights : index
  cf.assert %agree, "mismatched size for broadcast"
  %e = tensor.empty(%rows, %columns) : tensor<?x?xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<?x?xbf16>, tensor<?xbf16>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %p = arith.mulf %a, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}
