// Kernels whose accesses depend on the launch: sizes that may be multiples of a
// vector or not, memory that may be aligned or not. TYPE is bf16 or f16.

#element = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>
#column = affine_map<(row, column) -> (column)>

// R(R(x * p) * w)
func.func @scale(%x: tensor<?x?xTYPE> {prec.name = "x"}, %p: tensor<?xTYPE> {prec.name = "p"}, %w: tensor<?xTYPE> {prec.name = "w"})
    -> (tensor<?x?xTYPE> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xTYPE>
  %columns = tensor.dim %x, %c1 : tensor<?x?xTYPE>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xTYPE>
  %y = linalg.generic {indexing_maps = [#element, #row, #column, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %p, %w : tensor<?x?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>) outs(%empty : tensor<?x?xTYPE>) {
  ^bb0(%xe: TYPE, %pe: TYPE, %we: TYPE, %o: TYPE):
    %m = arith.mulf %xe, %pe : TYPE
    %r = arith.mulf %m, %we : TYPE
    linalg.yield %r : TYPE
  } -> tensor<?x?xTYPE>
  return %y : tensor<?x?xTYPE>
}

// One index over all elements.
func.func @add(%x: tensor<?x?xTYPE> {prec.name = "x"}, %w: tensor<?x?xTYPE> {prec.name = "w"}) -> (tensor<?x?xTYPE> {prec.name = "y"}) {
  %y = arith.addf %x, %w : tensor<?x?xTYPE>
  return %y : tensor<?x?xTYPE>
}

// Gate and up side by side, in rows of a size that is known.
func.func @interleaved(%x: tensor<?xTWICExTYPE> {prec.name = "x"}) -> (tensor<?xINNERxTYPE> {prec.name = "y"}) {
  %y = moe.activation silu %x layout interleaved : tensor<?xTWICExTYPE> to tensor<?xINNERxTYPE>
  return %y : tensor<?xINNERxTYPE>
}

// A team for a row.
func.func @norm(%x: tensor<?xINNERxTYPE> {prec.name = "x"}, %w: tensor<INNERxTYPE> {prec.name = "w"}) -> (tensor<?xINNERxTYPE> {prec.name = "y"}) {
  %y = nn.rms_norm %x weight(%w : tensor<INNERxTYPE>) : tensor<?xINNERxTYPE> to tensor<?xINNERxTYPE>
  return %y : tensor<?xINNERxTYPE>
}
