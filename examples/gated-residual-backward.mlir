// The backward of gated-residual.mlir, as eager PyTorch's autograd runs it: each
// operation of the forward gives one of the backward, which rounds its result, and
// the gradients of a value that is used more than once are added in 16 bits, those
// of its last use first. The gradients of the projections are matrix products; they
// stand between these functions and come in as arguments.
//
// The rounding points are PyTorch's on CUDA. Its CPU kernel rounds the gradient of a
// bf16 sigmoid once, and that of an f16 sigmoid as CUDA does.

#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
#gate = affine_map<(row, stream, column) -> (row, stream)>

// Of out = R(x + R(h * c)), c = R(2 * R(sigmoid(R(i / 4)))): the gradients of h, c
// and i. That of x is gout, which @normalize_combine adds.
func.func @write_back(%gout: tensor<?x4x2560xbf16> {prec.name = "gout"}, %h: tensor<?x2560xbf16> {prec.name = "h"},
                      %i: tensor<?x4xbf16> {prec.name = "i"})
    -> (tensor<?x2560xbf16> {prec.name = "gh"}, tensor<?x4xbf16> {prec.name = "gc"},
        tensor<?x4xbf16> {prec.name = "gi"}) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : bf16
  %four = arith.constant 4.0 : bf16
  %rows = tensor.dim %gout, %c0 : tensor<?x4x2560xbf16>
  %gates = tensor.empty(%rows) : tensor<?x4xbf16>
  %streams = tensor.empty(%rows) : tensor<?x4x2560xbf16>
  %q = linalg.map ins(%i : tensor<?x4xbf16>) outs(%gates : tensor<?x4xbf16>)
    (%in: bf16, %out: bf16) {
      %0 = arith.divf %in, %four : bf16
      linalg.yield %0 : bf16
    }
  %s = nn.sigmoid %q : tensor<?x4xbf16>

  // gh = R(sum over the streams of R(gout * c))
  %gmc = linalg.generic {indexing_maps = [#all, #gate, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gout, %s : tensor<?x4x2560xbf16>, tensor<?x4xbf16>) outs(%streams : tensor<?x4x2560xbf16>) {
  ^bb0(%g: bf16, %se: bf16, %out: bf16):
    %c = arith.mulf %se, %two : bf16
    %0 = arith.mulf %g, %c : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x4x2560xbf16>
  %gh = nn.sum %gmc dim 1 : tensor<?x4x2560xbf16> to tensor<?x2560xbf16>

  // gc = R(sum over the columns of R(gout * h))
  %gmh = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gout, %h : tensor<?x4x2560xbf16>, tensor<?x2560xbf16>) outs(%streams : tensor<?x4x2560xbf16>) {
  ^bb0(%g: bf16, %he: bf16, %out: bf16):
    %0 = arith.mulf %g, %he : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x4x2560xbf16>
  %gc = nn.sum %gmh dim 2 : tensor<?x4x2560xbf16> to tensor<?x4xbf16>

  // gi = R(sigmoid's gradient of R(2 * gc), / 4)
  %gs = linalg.map ins(%gc : tensor<?x4xbf16>) outs(%gates : tensor<?x4xbf16>)
    (%in: bf16, %out: bf16) {
      %0 = arith.mulf %in, %two : bf16
      linalg.yield %0 : bf16
    }
  %gq = nn.sigmoid_grad %gs, %s : tensor<?x4xbf16>
  %gi = linalg.map ins(%gq : tensor<?x4xbf16>) outs(%gates : tensor<?x4xbf16>)
    (%in: bf16, %out: bf16) {
      %0 = arith.divf %in, %four : bf16
      linalg.yield %0 : bf16
    }
  return %gh, %gc, %gi : tensor<?x2560xbf16>, tensor<?x4xbf16>, tensor<?x4xbf16>
}

// Of y = R(mean over the streams of R(w * xn)), w = R(sigmoid(u)): the gradients of
// u and, of this use of it, xn.
func.func @mix_and_reduce(%gy: tensor<?x2560xbf16> {prec.name = "gy"}, %u: tensor<?x4x2560xbf16> {prec.name = "u"},
                          %xn: tensor<?x4x2560xbf16> {prec.name = "xn"})
    -> (tensor<?x4x2560xbf16> {prec.name = "gu"}, tensor<?x4x2560xbf16> {prec.name = "gxn_mul"}) {
  %w = nn.sigmoid %u : tensor<?x4x2560xbf16>
  %gp = nn.mean_grad %gy dim 1 : tensor<?x2560xbf16> to tensor<?x4x2560xbf16>
  %gw = arith.mulf %gp, %xn : tensor<?x4x2560xbf16>
  %gxn_mul = arith.mulf %gp, %w : tensor<?x4x2560xbf16>
  %gu = nn.sigmoid_grad %gw, %w : tensor<?x4x2560xbf16>
  return %gu, %gxn_mul : tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>
}

// Of a = R(silu(R(d / 4))): the gradient of d.
func.func @mix_elementwise(%ga: tensor<?x?xbf16> {prec.name = "ga"}, %d: tensor<?x?xbf16> {prec.name = "d"})
    -> (tensor<?x?xbf16> {prec.name = "gd"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4.0 : bf16
  %rows = tensor.dim %d, %c0 : tensor<?x?xbf16>
  %columns = tensor.dim %d, %c1 : tensor<?x?xbf16>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xbf16>
  %t = linalg.map ins(%d : tensor<?x?xbf16>) outs(%empty : tensor<?x?xbf16>)
    (%in: bf16, %out: bf16) {
      %0 = arith.divf %in, %four : bf16
      linalg.yield %0 : bf16
    }
  %gt = nn.silu_grad %ga, %t : tensor<?x?xbf16>
  %gd = linalg.map ins(%gt : tensor<?x?xbf16>) outs(%empty : tensor<?x?xbf16>)
    (%in: bf16, %out: bf16) {
      %0 = arith.divf %in, %four : bf16
      linalg.yield %0 : bf16
    }
  return %gd : tensor<?x?xbf16>
}

// Of xn, which the write-back's gate, the mix and the projection down use, and of the
// norm that made it: the gradients of x and of the norm's weight. gxn_inj and
// gxn_down are those of the projections.
func.func @normalize_combine(%gxn_inj: tensor<?x4x2560xbf16> {prec.name = "gxn_inj"},
                             %gxn_mul: tensor<?x4x2560xbf16> {prec.name = "gxn_mul"},
                             %gxn_down: tensor<?x4x2560xbf16> {prec.name = "gxn_down"},
                             %x: tensor<?x4x2560xbf16> {prec.name = "x"}, %w: tensor<4x2560xbf16> {prec.name = "w"},
                             %gout: tensor<?x4x2560xbf16> {prec.name = "gout"})
    -> (tensor<?x4x2560xbf16> {prec.name = "gxn"}, tensor<?x4x2560xbf16> {prec.name = "gx"},
        tensor<4x2560xbf16> {prec.name = "gw"}) {
  %two_uses = arith.addf %gxn_inj, %gxn_mul : tensor<?x4x2560xbf16>
  %gxn = arith.addf %two_uses, %gxn_down : tensor<?x4x2560xbf16>
  %gnorm = nn.rms_norm_grad %gxn, %x weight(%w : tensor<4x2560xbf16>) one_plus
             : tensor<?x4x2560xbf16> to tensor<?x4x2560xbf16>
  %gx = arith.addf %gout, %gnorm : tensor<?x4x2560xbf16>
  %gw = nn.rms_norm_weight_grad %gxn, %x : tensor<?x4x2560xbf16> to tensor<4x2560xbf16>
  return %gxn, %gx, %gw : tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>, tensor<4x2560xbf16>
}

// The same of the last mixer, which writes nothing back.
func.func @normalize(%gxn_mul: tensor<?x4x2560xbf16> {prec.name = "gxn_mul"},
                     %gxn_down: tensor<?x4x2560xbf16> {prec.name = "gxn_down"},
                     %x: tensor<?x4x2560xbf16> {prec.name = "x"}, %w: tensor<4x2560xbf16> {prec.name = "w"})
    -> (tensor<?x4x2560xbf16> {prec.name = "gxn"}, tensor<?x4x2560xbf16> {prec.name = "gx"},
        tensor<4x2560xbf16> {prec.name = "gw"}) {
  %gxn = arith.addf %gxn_mul, %gxn_down : tensor<?x4x2560xbf16>
  %gx = nn.rms_norm_grad %gxn, %x weight(%w : tensor<4x2560xbf16>) one_plus
          : tensor<?x4x2560xbf16> to tensor<?x4x2560xbf16>
  %gw = nn.rms_norm_weight_grad %gxn, %x : tensor<?x4x2560xbf16> to tensor<4x2560xbf16>
  return %gxn, %gx, %gw : tensor<?x4x2560xbf16>, tensor<?x4x2560xbf16>, tensor<4x2560xbf16>
}
