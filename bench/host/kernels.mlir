// What bench/host/run.py measures, forward and backward, operation by operation as eager PyTorch runs it: each
// operation on 16-bit values rounds. TYPE is bf16 or f16.

#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
#gate = affine_map<(row, stream, column) -> (row, stream)>
#element = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>

// R(silu(R(d / 4)))
func.func @mix_elementwise(%d: tensor<?x320xTYPE>) -> tensor<?x320xTYPE> {
  %four = arith.constant dense<4.0> : tensor<320xTYPE>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %d, %c0 : tensor<?x320xTYPE>
  %empty = tensor.empty(%rows) : tensor<?x320xTYPE>
  %fours = linalg.broadcast ins(%four : tensor<320xTYPE>) outs(%empty : tensor<?x320xTYPE>) dimensions = [0]
  %t = arith.divf %d, %fours : tensor<?x320xTYPE>
  %a = nn.silu %t : tensor<?x320xTYPE>
  return %a : tensor<?x320xTYPE>
}
func.func @mix_elementwise_backward(%ga: tensor<?x320xTYPE>, %d: tensor<?x320xTYPE>) -> tensor<?x320xTYPE> {
  %four = arith.constant dense<4.0> : tensor<320xTYPE>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %d, %c0 : tensor<?x320xTYPE>
  %empty = tensor.empty(%rows) : tensor<?x320xTYPE>
  %fours = linalg.broadcast ins(%four : tensor<320xTYPE>) outs(%empty : tensor<?x320xTYPE>) dimensions = [0]
  %t = arith.divf %d, %fours : tensor<?x320xTYPE>
  %gt = nn.silu_grad %ga, %t : tensor<?x320xTYPE>
  %gd = arith.divf %gt, %fours : tensor<?x320xTYPE>
  return %gd : tensor<?x320xTYPE>
}

// R(mean over the streams of R(R(sigmoid(u)) * xn))
func.func @mix_and_reduce(%u: tensor<?x4x2560xTYPE>, %xn: tensor<?x4x2560xTYPE>) -> tensor<?x2560xTYPE> {
  %w = nn.sigmoid %u : tensor<?x4x2560xTYPE>
  %p = arith.mulf %w, %xn : tensor<?x4x2560xTYPE>
  %y = nn.mean %p dim 1 : tensor<?x4x2560xTYPE> to tensor<?x2560xTYPE>
  return %y : tensor<?x2560xTYPE>
}
func.func @mix_and_reduce_backward(%gy: tensor<?x2560xTYPE>, %u: tensor<?x4x2560xTYPE>, %xn: tensor<?x4x2560xTYPE>)
    -> (tensor<?x4x2560xTYPE>, tensor<?x4x2560xTYPE>) {
  %w = nn.sigmoid %u : tensor<?x4x2560xTYPE>
  %gp = nn.mean_grad %gy dim 1 : tensor<?x2560xTYPE> to tensor<?x4x2560xTYPE>
  %gw = arith.mulf %gp, %xn : tensor<?x4x2560xTYPE>
  %gxn = arith.mulf %gp, %w : tensor<?x4x2560xTYPE>
  %gu = nn.sigmoid_grad %gw, %w : tensor<?x4x2560xTYPE>
  return %gu, %gxn : tensor<?x4x2560xTYPE>, tensor<?x4x2560xTYPE>
}
// Without the inner roundings: what a compiler makes that does not keep them.
func.func @mix_and_reduce_loose(%u: tensor<?x4x2560xTYPE>, %xn: tensor<?x4x2560xTYPE>) -> tensor<?x2560xTYPE> {
  %uf = arith.extf %u : tensor<?x4x2560xTYPE> to tensor<?x4x2560xf32>
  %xf = arith.extf %xn : tensor<?x4x2560xTYPE> to tensor<?x4x2560xf32>
  %gate = nn.sigmoid %uf : tensor<?x4x2560xf32>
  %p = arith.mulf %gate, %xf : tensor<?x4x2560xf32>
  %y = nn.mean %p dim 1 : tensor<?x4x2560xf32> to tensor<?x2560xf32>
  %r = arith.truncf %y : tensor<?x2560xf32> to tensor<?x2560xTYPE>
  return %r : tensor<?x2560xTYPE>
}

// R(x + R(h * c))
func.func @write_back(%x: tensor<?x4x2560xTYPE>, %h: tensor<?x2560xTYPE>, %c: tensor<?x4xTYPE>) -> tensor<?x4x2560xTYPE> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4x2560xTYPE>
  %empty = tensor.empty(%rows) : tensor<?x4x2560xTYPE>
  %out = linalg.generic {indexing_maps = [#all, #column, #gate, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %c : tensor<?x4x2560xTYPE>, tensor<?x2560xTYPE>, tensor<?x4xTYPE>) outs(%empty : tensor<?x4x2560xTYPE>) {
  ^bb0(%xe: TYPE, %he: TYPE, %ce: TYPE, %o: TYPE):
    %m = arith.mulf %he, %ce : TYPE
    %r = arith.addf %xe, %m : TYPE
    linalg.yield %r : TYPE
  } -> tensor<?x4x2560xTYPE>
  return %out : tensor<?x4x2560xTYPE>
}
func.func @write_back_loose(%x: tensor<?x4x2560xTYPE>, %h: tensor<?x2560xTYPE>, %c: tensor<?x4xTYPE>) -> tensor<?x4x2560xTYPE> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4x2560xTYPE>
  %empty = tensor.empty(%rows) : tensor<?x4x2560xTYPE>
  %out = linalg.generic {indexing_maps = [#all, #column, #gate, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %c : tensor<?x4x2560xTYPE>, tensor<?x2560xTYPE>, tensor<?x4xTYPE>) outs(%empty : tensor<?x4x2560xTYPE>) {
  ^bb0(%xe: TYPE, %he: TYPE, %ce: TYPE, %o: TYPE):
    %xw = arith.extf %xe : TYPE to f32
    %hw = arith.extf %he : TYPE to f32
    %cw = arith.extf %ce : TYPE to f32
    %m = arith.mulf %hw, %cw : f32
    %s = arith.addf %xw, %m : f32
    %r = arith.truncf %s : f32 to TYPE
    linalg.yield %r : TYPE
  } -> tensor<?x4x2560xTYPE>
  return %out : tensor<?x4x2560xTYPE>
}
// R(sum over the streams of R(g * c)), R(sum over the columns of R(g * h))
func.func @write_back_backward(%g: tensor<?x4x2560xTYPE>, %h: tensor<?x2560xTYPE>, %c: tensor<?x4xTYPE>)
    -> (tensor<?x2560xTYPE>, tensor<?x4xTYPE>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %g, %c0 : tensor<?x4x2560xTYPE>
  %empty = tensor.empty(%rows) : tensor<?x4x2560xTYPE>
  %gc, %gh = linalg.generic {indexing_maps = [#all, #column, #gate, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %h, %c : tensor<?x4x2560xTYPE>, tensor<?x2560xTYPE>, tensor<?x4xTYPE>)
      outs(%empty, %empty : tensor<?x4x2560xTYPE>, tensor<?x4x2560xTYPE>) {
  ^bb0(%ge: TYPE, %he: TYPE, %ce: TYPE, %o0: TYPE, %o1: TYPE):
    %a = arith.mulf %ge, %ce : TYPE
    %b = arith.mulf %ge, %he : TYPE
    linalg.yield %a, %b : TYPE, TYPE
  } -> (tensor<?x4x2560xTYPE>, tensor<?x4x2560xTYPE>)
  %dh = nn.sum %gc dim 1 : tensor<?x4x2560xTYPE> to tensor<?x2560xTYPE>
  %dc = nn.sum %gh dim 2 : tensor<?x4x2560xTYPE> to tensor<?x4xTYPE>
  return %dh, %dc : tensor<?x2560xTYPE>, tensor<?x4xTYPE>
}

// R(R(R(silu(g)) * u) * p), p f32 or 16 bits
func.func @activation_p32(%gu: tensor<?x5632xTYPE>, %p: tensor<?xf32>) -> tensor<?x2816xTYPE> {
  %y = moe.activation silu %gu layout halves probability(%p : tensor<?xf32>) : tensor<?x5632xTYPE> to tensor<?x2816xTYPE>
  return %y : tensor<?x2816xTYPE>
}
func.func @activation_p32_loose(%gu: tensor<?x5632xTYPE>, %p: tensor<?xf32>) -> tensor<?x2816xTYPE> {
  %y = moe.activation silu %gu layout halves probability(%p : tensor<?xf32>) points {silu = false, product = false}
         : tensor<?x5632xTYPE> to tensor<?x2816xTYPE>
  return %y : tensor<?x2816xTYPE>
}
func.func @activation_p16(%gu: tensor<?x5632xTYPE>, %p: tensor<?xTYPE>) -> tensor<?x2816xTYPE> {
  %y = moe.activation silu %gu layout halves probability(%p : tensor<?xTYPE>) : tensor<?x5632xTYPE> to tensor<?x2816xTYPE>
  return %y : tensor<?x2816xTYPE>
}
func.func @activation_p32_backward(%dy: tensor<?x2816xTYPE>, %gu: tensor<?x5632xTYPE>, %p: tensor<?xf32>)
    -> (tensor<?x5632xTYPE>, tensor<?xf32>) {
  %dgu, %dp = moe.activation_grad silu %dy, %gu layout halves probability(%p : tensor<?xf32>)
      : tensor<?x2816xTYPE>, tensor<?x5632xTYPE> to tensor<?x5632xTYPE> probability tensor<?xf32>
  return %dgu, %dp : tensor<?x5632xTYPE>, tensor<?xf32>
}
func.func @activation_p16_backward(%dy: tensor<?x2816xTYPE>, %gu: tensor<?x5632xTYPE>, %p: tensor<?xTYPE>)
    -> (tensor<?x5632xTYPE>, tensor<?xTYPE>) {
  %dgu, %dp = moe.activation_grad silu %dy, %gu layout halves probability(%p : tensor<?xTYPE>)
      : tensor<?x2816xTYPE>, tensor<?x5632xTYPE> to tensor<?x5632xTYPE> probability tensor<?xTYPE>
  return %dgu, %dp : tensor<?x5632xTYPE>, tensor<?xTYPE>
}

// The sum of R(z * w) over the 8 slots of a token, rounded after each, ...
func.func @combine(%z: tensor<?x8x2048xTYPE>, %w: tensor<?x8xTYPE>) -> tensor<?x2048xTYPE> {
  %y = moe.combine %z weights(%w : tensor<?x8xTYPE>) : tensor<?x8x2048xTYPE> to tensor<?x2048xTYPE>
  return %y : tensor<?x2048xTYPE>
}
func.func @combine_loose(%z: tensor<?x8x2048xTYPE>, %w: tensor<?x8xTYPE>) -> tensor<?x2048xTYPE> {
  %y = moe.combine %z weights(%w : tensor<?x8xTYPE>) points {term = false, accumulate = false}
         : tensor<?x8x2048xTYPE> to tensor<?x2048xTYPE>
  return %y : tensor<?x2048xTYPE>
}
func.func @combine_backward(%dy: tensor<?x2048xTYPE>, %z: tensor<?x8x2048xTYPE>, %w: tensor<?x8xTYPE>)
    -> (tensor<?x8x2048xTYPE>, tensor<?x8xTYPE>) {
  %dz, %dw = moe.combine_grad %dy, %z weights(%w : tensor<?x8xTYPE>)
      : tensor<?x2048xTYPE>, tensor<?x8x2048xTYPE> to tensor<?x8x2048xTYPE> weights tensor<?x8xTYPE>
  return %dz, %dw : tensor<?x8x2048xTYPE>, tensor<?x8xTYPE>
}

// R(R(R(o * r) * w) * silu(z)), the gate in f32
func.func @gated_norm(%o: tensor<?x128xTYPE>, %z: tensor<?x128xTYPE>, %w: tensor<128xTYPE>) -> tensor<?x128xTYPE> {
  %n = nn.rms_norm %o weight(%w : tensor<128xTYPE>) points {normalized = true} : tensor<?x128xTYPE> to tensor<?x128xTYPE>
  %n32 = arith.extf %n : tensor<?x128xTYPE> to tensor<?x128xf32>
  %z32 = arith.extf %z : tensor<?x128xTYPE> to tensor<?x128xf32>
  %s = nn.silu %z32 : tensor<?x128xf32>
  %p = arith.mulf %n32, %s : tensor<?x128xf32>
  %y = arith.truncf %p : tensor<?x128xf32> to tensor<?x128xTYPE>
  return %y : tensor<?x128xTYPE>
}
// The gradients at o and z.
func.func @gated_norm_backward(%g: tensor<?x128xTYPE>, %o: tensor<?x128xTYPE>, %z: tensor<?x128xTYPE>, %w: tensor<128xTYPE>)
    -> (tensor<?x128xTYPE>, tensor<?x128xTYPE>) {
  %n = nn.rms_norm %o weight(%w : tensor<128xTYPE>) points {normalized = true} : tensor<?x128xTYPE> to tensor<?x128xTYPE>
  %n32 = arith.extf %n : tensor<?x128xTYPE> to tensor<?x128xf32>
  %z32 = arith.extf %z : tensor<?x128xTYPE> to tensor<?x128xf32>
  %g32 = arith.extf %g : tensor<?x128xTYPE> to tensor<?x128xf32>
  %s = nn.silu %z32 : tensor<?x128xf32>
  %gn32 = arith.mulf %g32, %s : tensor<?x128xf32>
  %gn = arith.truncf %gn32 : tensor<?x128xf32> to tensor<?x128xTYPE>
  %go = nn.rms_norm_grad %gn, %o weight(%w : tensor<128xTYPE>) points {weighted = true} : tensor<?x128xTYPE> to tensor<?x128xTYPE>
  %gs = arith.mulf %g32, %n32 : tensor<?x128xf32>
  %gz32 = nn.silu_grad %gs, %z32 : tensor<?x128xf32>
  %gz = arith.truncf %gz32 : tensor<?x128xf32> to tensor<?x128xTYPE>
  return %go, %gz : tensor<?x128xTYPE>, tensor<?x128xTYPE>
}

// R(R(x * r) * w)
func.func @rms_norm(%x: tensor<?x4096xTYPE>, %w: tensor<4096xTYPE>) -> tensor<?x4096xTYPE> {
  %y = nn.rms_norm %x weight(%w : tensor<4096xTYPE>) points {normalized = true} : tensor<?x4096xTYPE> to tensor<?x4096xTYPE>
  return %y : tensor<?x4096xTYPE>
}
func.func @rms_norm_loose(%x: tensor<?x4096xTYPE>, %w: tensor<4096xTYPE>) -> tensor<?x4096xTYPE> {
  %y = nn.rms_norm %x weight(%w : tensor<4096xTYPE>) points {normalized = false} : tensor<?x4096xTYPE> to tensor<?x4096xTYPE>
  return %y : tensor<?x4096xTYPE>
}
func.func @rms_norm_backward(%g: tensor<?x4096xTYPE>, %x: tensor<?x4096xTYPE>, %w: tensor<4096xTYPE>) -> tensor<?x4096xTYPE> {
  %gx = nn.rms_norm_grad %g, %x weight(%w : tensor<4096xTYPE>) points {weighted = true} : tensor<?x4096xTYPE> to tensor<?x4096xTYPE>
  return %gx : tensor<?x4096xTYPE>
}

// R(R(x * cos) + R(rotate(x) * sin))
func.func @rope(%x: tensor<32x?x128xTYPE>, %cos: tensor<?x128xTYPE>, %sin: tensor<?x128xTYPE>) -> tensor<32x?x128xTYPE> {
  %y = nn.rope %x cos(%cos : tensor<?x128xTYPE>) sin(%sin : tensor<?x128xTYPE>) : tensor<32x?x128xTYPE> to tensor<32x?x128xTYPE>
  return %y : tensor<32x?x128xTYPE>
}
func.func @rope_loose(%x: tensor<32x?x128xTYPE>, %cos: tensor<?x128xTYPE>, %sin: tensor<?x128xTYPE>) -> tensor<32x?x128xTYPE> {
  %y = nn.rope %x cos(%cos : tensor<?x128xTYPE>) sin(%sin : tensor<?x128xTYPE>) points {product = false}
         : tensor<32x?x128xTYPE> to tensor<32x?x128xTYPE>
  return %y : tensor<32x?x128xTYPE>
}
// R(R(g * cos) + turned back(R(g * sin)))
func.func @rope_backward(%g: tensor<32x?x128xTYPE>, %cos: tensor<?x128xTYPE>, %sin: tensor<?x128xTYPE>) -> tensor<32x?x128xTYPE> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %g, %c1 : tensor<32x?x128xTYPE>
  %empty = tensor.empty(%n) : tensor<32x?x128xTYPE>
  %c = linalg.broadcast ins(%cos : tensor<?x128xTYPE>) outs(%empty : tensor<32x?x128xTYPE>) dimensions = [0]
  %s = linalg.broadcast ins(%sin : tensor<?x128xTYPE>) outs(%empty : tensor<32x?x128xTYPE>) dimensions = [0]
  %a = arith.mulf %g, %c : tensor<32x?x128xTYPE>
  %b = arith.mulf %g, %s : tensor<32x?x128xTYPE>
  %low = tensor.extract_slice %b[0, 0, 0] [32, %n, 64] [1, 1, 1] : tensor<32x?x128xTYPE> to tensor<32x?x64xTYPE>
  %high = tensor.extract_slice %b[0, 0, 64] [32, %n, 64] [1, 1, 1] : tensor<32x?x128xTYPE> to tensor<32x?x64xTYPE>
  %minus = arith.negf %low : tensor<32x?x64xTYPE>
  %turned = tensor.concat dim(2) %high, %minus : (tensor<32x?x64xTYPE>, tensor<32x?x64xTYPE>) -> tensor<32x?x128xTYPE>
  %gx = arith.addf %a, %turned : tensor<32x?x128xTYPE>
  return %gx : tensor<32x?x128xTYPE>
}
