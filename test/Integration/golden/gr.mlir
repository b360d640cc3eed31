// The gate of the gated residual's write-back by itself, golden case
// gr.ROWSx4xHIDDEN.TYPE's c. Its other outputs run on examples/gated-residual.mlir.

// c = R(2 * R(sigmoid(R(i / 4))))
func.func @c(%i: tensor<?x4xTYPE>) -> tensor<?x4xTYPE> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2.0 : TYPE
  %four = arith.constant 4.0 : TYPE
  %n = tensor.dim %i, %zero : tensor<?x4xTYPE>
  %empty = tensor.empty(%n) : tensor<?x4xTYPE>
  %q = linalg.map ins(%i : tensor<?x4xTYPE>) outs(%empty : tensor<?x4xTYPE>)
    (%in: TYPE, %out: TYPE) {
      %0 = arith.divf %in, %four : TYPE
      linalg.yield %0 : TYPE
    }
  %s = nn.sigmoid %q : tensor<?x4xTYPE>
  %c = linalg.map ins(%s : tensor<?x4xTYPE>) outs(%empty : tensor<?x4xTYPE>)
    (%in: TYPE, %out: TYPE) {
      %0 = arith.mulf %in, %two : TYPE
      linalg.yield %0 : TYPE
    }
  return %c : tensor<?x4xTYPE>
}
