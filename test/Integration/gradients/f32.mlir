// Golden case gr.17x4x64.f32, from c = 2 * sigmoid(i / 4) on, which PyTorch computes with an exp of its own: the gradients of h and i.

#all = affine_map<(r, s, h) -> (r, s, h)>
#row = affine_map<(r, s, h) -> (r, s)>
#weight = affine_map<(r, s, h) -> (s, h)>
#rows = affine_map<(r, s) -> (r, s)>

func.func @write_back(%gout: tensor<17x4x64xf32> {prec.name = "gout"}, %c: tensor<17x4xf32> {prec.name = "c"},
                      %gc: tensor<17x4xf32> {prec.name = "gc"})
    -> (tensor<17x64xf32> {prec.name = "gh"}, tensor<17x4xf32> {prec.name = "gi"}) {
  %streams = tensor.empty() : tensor<17x4x64xf32>
  %products = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gout, %c : tensor<17x4x64xf32>, tensor<17x4xf32>) outs(%streams : tensor<17x4x64xf32>) {
  ^bb0(%g: f32, %ce: f32, %out: f32):
    %0 = arith.mulf %g, %ce : f32
    linalg.yield %0 : f32
  } -> tensor<17x4x64xf32>
  %gh = nn.sum %products dim 1 : tensor<17x4x64xf32> to tensor<17x64xf32>
  %half = arith.constant dense<0.5> : tensor<17x4xf32>
  %two = arith.constant dense<2.0> : tensor<17x4xf32>
  %four = arith.constant dense<4.0> : tensor<17x4xf32>
  %s = arith.mulf %c, %half : tensor<17x4xf32>
  %gs = arith.mulf %gc, %two : tensor<17x4xf32>
  %gq = nn.sigmoid_grad %gs, %s : tensor<17x4xf32>
  %gi = arith.divf %gq, %four : tensor<17x4xf32>
  return %gh, %gi : tensor<17x64xf32>, tensor<17x4xf32>
}

// The gradient at x of the gated residual's norm and write-back. In f32 a cast to f32
// is no operation, so autograd adds three gradients of x: the write-back's, that of x * r, and that of x * x.

func.func @gx(%gout: tensor<17x4x64xf32> {prec.name = "gout"}, %gxn: tensor<17x4x64xf32> {prec.name = "gxn"},
              %x: tensor<17x4x64xf32> {prec.name = "x"}, %w: tensor<4x64xf32> {prec.name = "w"})
    -> (tensor<17x4x64xf32> {prec.name = "gx"}) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %minus_half = arith.constant -0.5 : f32
  %count = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %rows = tensor.empty() : tensor<17x4xf32>
  %empty = tensor.empty() : tensor<17x4x64xf32>
  %squares = arith.mulf %x, %x : tensor<17x4x64xf32>
  %sum = nn.sum %squares dim 2 : tensor<17x4x64xf32> to tensor<17x4xf32>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<17x4xf32>) outs(%rows : tensor<17x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %mean = arith.divf %in, %count : f32
    %radicand = arith.addf %mean, %eps : f32
    %sqrt = math.sqrt %radicand : f32
    %0 = arith.divf %one, %sqrt : f32
    linalg.yield %0 : f32
  } -> tensor<17x4xf32>
  %h = linalg.generic {indexing_maps = [#all, #weight, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gxn, %w : tensor<17x4x64xf32>, tensor<4x64xf32>) outs(%empty : tensor<17x4x64xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %plus = arith.addf %weight, %one : f32
    %0 = arith.mulf %in, %plus : f32
    linalg.yield %0 : f32
  } -> tensor<17x4x64xf32>
  %products = arith.mulf %h, %x : tensor<17x4x64xf32>
  %gr = nn.sum %products dim 2 : tensor<17x4x64xf32> to tensor<17x4xf32>
  %gx = linalg.generic {indexing_maps = [#all, #all, #all, #row, #row, #all],
                        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gout, %h, %x, %r, %gr : tensor<17x4x64xf32>, tensor<17x4x64xf32>, tensor<17x4x64xf32>, tensor<17x4xf32>,
                                   tensor<17x4xf32>) outs(%empty : tensor<17x4x64xf32>) {
  ^bb0(%g: f32, %he: f32, %xe: f32, %re: f32, %gre: f32, %out: f32):
    %direct = arith.mulf %he, %re : f32
    %half = arith.mulf %minus_half, %gre : f32
    %square = arith.mulf %re, %re : f32
    %cube = arith.mulf %square, %re : f32
    %scaled = arith.mulf %half, %cube : f32
    %e = arith.divf %scaled, %count : f32
    %twice = arith.mulf %xe, %two : f32
    %through = arith.mulf %e, %twice : f32
    %first = arith.addf %g, %direct : f32
    %0 = arith.addf %first, %through : f32
    linalg.yield %0 : f32
  } -> tensor<17x4x64xf32>
  return %gx : tensor<17x4x64xf32>
}
