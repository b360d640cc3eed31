#all = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>
// out = R(R(R(silu(g)) * u) * p), g and u the halves of gu
func.func @swiglu(%gu: tensor<?x2048xbf16> {prec.name = "gu"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x1024xbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %gu, %c0 : tensor<?x2048xbf16>
  %g = tensor.extract_slice %gu[0, 0] [%rows, 1024] [1, 1] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  %u = tensor.extract_slice %gu[0, 1024] [%rows, 1024] [1, 1] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  %s = nn.silu %g : tensor<?x1024xbf16>
  %su = arith.mulf %s, %u : tensor<?x1024xbf16>
  %empty = tensor.empty(%rows) : tensor<?x1024xbf16>
  %out = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%su, %p : tensor<?x1024xbf16>, tensor<?xf32>) outs(%empty : tensor<?x1024xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %w = arith.extf %a : bf16 to f32
    %q = arith.mulf %w, %b : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x1024xbf16>
  return %out : tensor<?x1024xbf16>
}

// out = R((silu(g) * u) * p), f32 inside
func.func @swiglu_f32(%gu: tensor<?x2048xbf16> {prec.name = "gu"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x1024xbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %gu, %c0 : tensor<?x2048xbf16>
  %g = tensor.extract_slice %gu[0, 0] [%rows, 1024] [1, 1] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  %u = tensor.extract_slice %gu[0, 1024] [%rows, 1024] [1, 1] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
  %empty = tensor.empty(%rows) : tensor<?x1024xbf16>
  %out = linalg.generic {indexing_maps = [#all, #all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u, %p : tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?xf32>) outs(%empty : tensor<?x1024xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32, %o: bf16):
    %one = arith.constant 1.0 : f32
    %ga = arith.extf %a : bf16 to f32
    %ub = arith.extf %b : bf16 to f32
    %n = arith.negf %ga : f32
    %e = math.exp %n : f32
    %d = arith.addf %one, %e : f32
    %s = arith.divf %ga, %d : f32
    %su = arith.mulf %s, %ub : f32
    %sup = arith.mulf %su, %c : f32
    %r = arith.truncf %sup : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x1024xbf16>
  return %out : tensor<?x1024xbf16>
}
