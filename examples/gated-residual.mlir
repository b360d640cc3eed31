// The gated residual of a hyper-connected transformer: four residual streams are
// mixed into one by learned gates, and the block's output is written back to all.
// Written operation by operation, as eager PyTorch runs it: every operation on
// bf16 tensors rounds its result.
//
// The element type and the hidden size stand in the types only:
//   sed 's/bf16/f16/g; s/2560/64/g' gated-residual.mlir

#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
#gate = affine_map<(row, stream, column) -> (row, stream)>

// xn = R((x * r) * (1 + w)), r = 1 / sqrt(mean(x * x) + 1e-6), a weight for each stream.
func.func @normalize(%x: tensor<?x4x2560xbf16> {prec.name = "x"}, %w: tensor<4x2560xbf16> {prec.name = "w"})
    -> (tensor<?x4x2560xbf16> {prec.name = "xn"}) {
  %xn = nn.rms_norm %x weight(%w : tensor<4x2560xbf16>) one_plus : tensor<?x4x2560xbf16> to tensor<?x4x2560xbf16>
  return %xn : tensor<?x4x2560xbf16>
}

// a = R(silu(R(d / 4)))
func.func @mix_elementwise(%d: tensor<?x?xbf16> {prec.name = "d"}) -> (tensor<?x?xbf16> {prec.name = "a"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4.0 : bf16
  %rows = tensor.dim %d, %c0 : tensor<?x?xbf16>
  %columns = tensor.dim %d, %c1 : tensor<?x?xbf16>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xbf16>
  %t = linalg.map ins(%d : tensor<?x?xbf16>) outs(%empty : tensor<?x?xbf16>)
    (%in: bf16, %out: bf16) {
      %q = arith.divf %in, %four : bf16
      linalg.yield %q : bf16
    }
  %a = nn.silu %t : tensor<?x?xbf16>
  return %a : tensor<?x?xbf16>
}

// y = R(mean over the streams of R(R(sigmoid(u)) * xn))
func.func @mix_and_reduce(%u: tensor<?x4x2560xbf16> {prec.name = "u"}, %xn: tensor<?x4x2560xbf16> {prec.name = "xn"})
    -> (tensor<?x2560xbf16> {prec.name = "y"}) {
  %gate = nn.sigmoid %u : tensor<?x4x2560xbf16>
  %p = arith.mulf %gate, %xn : tensor<?x4x2560xbf16>
  %y = nn.mean %p dim 1 : tensor<?x4x2560xbf16> to tensor<?x2560xbf16>
  return %y : tensor<?x2560xbf16>
}

// out = R(x + R(h * c)), c = R(2 * R(sigmoid(R(i / 4))))
func.func @write_back(%x: tensor<?x4x2560xbf16> {prec.name = "x"}, %h: tensor<?x2560xbf16> {prec.name = "h"},
                      %i: tensor<?x4xbf16> {prec.name = "i"}) -> (tensor<?x4x2560xbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : bf16
  %four = arith.constant 4.0 : bf16
  %rows = tensor.dim %x, %c0 : tensor<?x4x2560xbf16>
  %gates = tensor.empty(%rows) : tensor<?x4xbf16>
  %q = linalg.map ins(%i : tensor<?x4xbf16>) outs(%gates : tensor<?x4xbf16>)
    (%in: bf16, %out: bf16) {
      %0 = arith.divf %in, %four : bf16
      linalg.yield %0 : bf16
    }
  %s = nn.sigmoid %q : tensor<?x4xbf16>
  %streams = tensor.empty(%rows) : tensor<?x4x2560xbf16>
  %out = linalg.generic {indexing_maps = [#all, #column, #gate, #all],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %s : tensor<?x4x2560xbf16>, tensor<?x2560xbf16>, tensor<?x4xbf16>)
      outs(%streams : tensor<?x4x2560xbf16>) {
  ^bb0(%xe: bf16, %he: bf16, %se: bf16, %o: bf16):
    %c = arith.mulf %se, %two : bf16
    %m = arith.mulf %he, %c : bf16
    %r = arith.addf %xe, %m : bf16
    linalg.yield %r : bf16
  } -> tensor<?x4x2560xbf16>
  return %out : tensor<?x4x2560xbf16>
}
