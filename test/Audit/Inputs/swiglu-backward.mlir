#all = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>
// s = sigmoid(g), si = g * s, go = grad * p, f32 inside:
// dg = R((go * u) * (s + si * (1 - s))), du = R(go * si), and the products (grad * si) * u
func.func private @elements(%gu: tensor<?x2048xbf16>, %p: tensor<?xf32>, %grad: tensor<?x1024xbf16>)
    -> (tensor<?x2048xbf16>, tensor<?x1024xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %gu, %c0 : tensor<?x2048xbf16>
  %g = tensor.extract_slice %gu[0, 0] [%rows, 1024] [1, 1] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  %u = tensor.extract_slice %gu[0, 1024] [%rows, 1024] [1, 1] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  %narrow = tensor.empty(%rows) : tensor<?x1024xbf16>
  %wide = tensor.empty(%rows) : tensor<?x1024xf32>
  %dg, %du, %dp = linalg.generic {indexing_maps = [#all, #all, #row, #all, #all, #all, #all],
                                  iterator_types = ["parallel", "parallel"]}
      ins(%g, %u, %p, %grad : tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?xf32>, tensor<?x1024xbf16>)
      outs(%narrow, %narrow, %wide : tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?x1024xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32, %d: bf16, %o0: bf16, %o1: bf16, %o2: f32):
    %one = arith.constant 1.0 : f32
    %gf = arith.extf %a : bf16 to f32
    %uf = arith.extf %b : bf16 to f32
    %yf = arith.extf %d : bf16 to f32
    %n = arith.negf %gf : f32
    %e = math.exp %n : f32
    %e1 = arith.addf %one, %e : f32
    %s = arith.divf %one, %e1 : f32
    %si = arith.mulf %gf, %s : f32
    %go = arith.mulf %yf, %c : f32
    %gou = arith.mulf %go, %uf : f32
    %os = arith.subf %one, %s : f32
    %sos = arith.mulf %si, %os : f32
    %ssos = arith.addf %s, %sos : f32
    %dgf = arith.mulf %gou, %ssos : f32
    %duf = arith.mulf %go, %si : f32
    %ysi = arith.mulf %yf, %si : f32
    %dpe = arith.mulf %ysi, %uf : f32
    %dgr = arith.truncf %dgf : f32 to bf16
    %dur = arith.truncf %duf : f32 to bf16
    linalg.yield %dgr, %dur, %dpe : bf16, bf16, f32
  } -> (tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?x1024xf32>)
  %dgu = tensor.concat dim(1) %dg, %du : (tensor<?x1024xbf16>, tensor<?x1024xbf16>) -> tensor<?x2048xbf16>
  return %dgu, %dp : tensor<?x2048xbf16>, tensor<?x1024xf32>
}
func.func @swiglu_backward_cuda(%gu: tensor<?x2048xbf16> {prec.name = "gu"}, %p: tensor<?xf32> {prec.name = "p"},
                                %grad: tensor<?x1024xbf16> {prec.name = "grad"})
    -> (tensor<?x2048xbf16> {prec.name = "dgu"}, tensor<?xf32> {prec.name = "dp"}) {
  %dgu, %products = call @elements(%gu, %p, %grad) : (tensor<?x2048xbf16>, tensor<?xf32>, tensor<?x1024xbf16>)
      -> (tensor<?x2048xbf16>, tensor<?x1024xf32>)
  %dp = prec.sum %products dim 1 <digits [8, 32, *] steps [0 sequential, 1 halving, 2 sequential] from_zero>
      : tensor<?x1024xf32> to tensor<?xf32>
  return %dgu, %dp : tensor<?x2048xbf16>, tensor<?xf32>
}
func.func @swiglu_backward_triton(%gu: tensor<?x2048xbf16> {prec.name = "gu"}, %p: tensor<?xf32> {prec.name = "p"},
                                  %grad: tensor<?x1024xbf16> {prec.name = "grad"})
    -> (tensor<?x2048xbf16> {prec.name = "dgu"}, tensor<?xf32> {prec.name = "dp"}) {
  %dgu, %products = call @elements(%gu, %p, %grad) : (tensor<?x2048xbf16>, tensor<?xf32>, tensor<?x1024xbf16>)
      -> (tensor<?x2048xbf16>, tensor<?x1024xf32>)
  %dp = prec.sum %products dim 1 <digits [8, 32, 4] steps [0 adjacent, 1 halving, 2 halving]>
      : tensor<?x1024xf32> to tensor<?xf32>
  return %dgu, %dp : tensor<?x2048xbf16>, tensor<?xf32>
}
