// RUN: sed -e "s/TYPE/bf16/g; s/HIDDEN/64/g; s/LOWRANK/8/g" %s | prec-opt --prec-make-rounding-explicit --prec-verify-explicit -o /dev/null
// RUN: sed -e "s/TYPE/f16/g; s/HIDDEN/64/g; s/LOWRANK/8/g" %s | prec-opt --prec-make-rounding-explicit --prec-verify-explicit -o /dev/null
// Golden cases gr.ROWSx4xHIDDEN.TYPE and grspec.TYPE: the steps of the gated
// residual, each from its recorded inputs. HIDDEN is 64 or 2560, LOWRANK the
// last dimension of d, TYPE bf16 or f16.

#rows = affine_map<(r, s, h) -> (r, s, h)>
#gates = affine_map<(r, s, h) -> (r, s)>
#streams = affine_map<(r, s, h) -> (r, h)>
#pairs = affine_map<(r, k) -> (r, k)>

func.func @xn(%x: tensor<?x4xHIDDENxTYPE>, %w: tensor<4xHIDDENxTYPE>) -> tensor<?x4xHIDDENxTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<4xHIDDENxTYPE>) one_plus
         : tensor<?x4xHIDDENxTYPE> to tensor<?x4xHIDDENxTYPE>
  return %0 : tensor<?x4xHIDDENxTYPE>
}

// silu(d / 4)
func.func @a(%d: tensor<?xLOWRANKxTYPE>) -> tensor<?xLOWRANKxTYPE> {
  %zero = arith.constant 0 : index
  %four = arith.constant 4.0 : TYPE
  %n = tensor.dim %d, %zero : tensor<?xLOWRANKxTYPE>
  %empty = tensor.empty(%n) : tensor<?xLOWRANKxTYPE>
  %0 = linalg.generic {indexing_maps = [#pairs, #pairs], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<?xLOWRANKxTYPE>) outs(%empty : tensor<?xLOWRANKxTYPE>) {
  ^bb0(%in: TYPE, %out: TYPE):
    %1 = arith.divf %in, %four : TYPE
    linalg.yield %1 : TYPE
  } -> tensor<?xLOWRANKxTYPE>
  %2 = nn.silu %0 : tensor<?xLOWRANKxTYPE>
  return %2 : tensor<?xLOWRANKxTYPE>
}

// The mean over the streams of sigmoid(u) * xn.
func.func @y(%u: tensor<?x4xHIDDENxTYPE>, %xn: tensor<?x4xHIDDENxTYPE>) -> tensor<?xHIDDENxTYPE> {
  %0 = nn.sigmoid %u : tensor<?x4xHIDDENxTYPE>
  %1 = arith.mulf %0, %xn : tensor<?x4xHIDDENxTYPE>
  %2 = nn.mean %1 dim 1 : tensor<?x4xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %2 : tensor<?xHIDDENxTYPE>
}

// c = 2 * sigmoid(i / 4) and x + h * c.
func.func @out(%x: tensor<?x4xHIDDENxTYPE>, %h: tensor<?xHIDDENxTYPE>, %i: tensor<?x4xTYPE>)
    -> (tensor<?x4xTYPE>, tensor<?x4xHIDDENxTYPE>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2.0 : TYPE
  %four = arith.constant 4.0 : TYPE
  %n = tensor.dim %x, %zero : tensor<?x4xHIDDENxTYPE>
  %gates = tensor.empty(%n) : tensor<?x4xTYPE>
  %rows = tensor.empty(%n) : tensor<?x4xHIDDENxTYPE>
  %0 = linalg.generic {indexing_maps = [#pairs, #pairs], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<?x4xTYPE>) outs(%gates : tensor<?x4xTYPE>) {
  ^bb0(%in: TYPE, %out: TYPE):
    %1 = arith.divf %in, %four : TYPE
    linalg.yield %1 : TYPE
  } -> tensor<?x4xTYPE>
  %2 = nn.sigmoid %0 : tensor<?x4xTYPE>
  %c = linalg.generic {indexing_maps = [#pairs, #pairs], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<?x4xTYPE>) outs(%gates : tensor<?x4xTYPE>) {
  ^bb0(%in: TYPE, %out: TYPE):
    %3 = arith.mulf %in, %two : TYPE
    linalg.yield %3 : TYPE
  } -> tensor<?x4xTYPE>
  %y = linalg.generic {indexing_maps = [#rows, #streams, #gates, #rows], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %c : tensor<?x4xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>, tensor<?x4xTYPE>)
      outs(%rows : tensor<?x4xHIDDENxTYPE>) {
  ^bb0(%residual: TYPE, %block: TYPE, %gate: TYPE, %out: TYPE):
    %4 = arith.mulf %block, %gate : TYPE
    %5 = arith.addf %residual, %4 : TYPE
    linalg.yield %5 : TYPE
  } -> tensor<?x4xHIDDENxTYPE>
  return %c, %y : tensor<?x4xTYPE>, tensor<?x4xHIDDENxTYPE>
}
