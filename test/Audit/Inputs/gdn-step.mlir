#skv = affine_map<(h, k, v) -> (h, k, v)>
#sk = affine_map<(h, k, v) -> (h, k)>
#sv = affine_map<(h, k, v) -> (h, v)>
#sh = affine_map<(h, k, v) -> (h)>
#v = affine_map<(h, v) -> (h, v)>
#h = affine_map<(h, v) -> (h)>
// S1 = S * exp(g), d = (v - sum_k S1 * k) * beta, S = S1 + k * d, o = R(sum_k S * q); every f32 operation rounds.
func.func @gdn_step(%S: tensor<?x128x128xf32> {prec.name = "S"}, %q: tensor<?x128xf32> {prec.name = "q"},
                    %k: tensor<?x128xf32> {prec.name = "k"}, %v: tensor<?x128xbf16> {prec.name = "v"},
                    %g: tensor<?xf32> {prec.name = "g"}, %beta: tensor<?xbf16> {prec.name = "beta"})
    -> (tensor<?x128x128xf32> {prec.name = "S_out"}, tensor<?x128xbf16> {prec.name = "o"}) {
  %c0 = arith.constant 0 : index
  %heads = tensor.dim %S, %c0 : tensor<?x128x128xf32>
  %state = tensor.empty(%heads) : tensor<?x128x128xf32>
  %row = tensor.empty(%heads) : tensor<?x128xf32>
  %narrow = tensor.empty(%heads) : tensor<?x128xbf16>
  %S1, %P1 = linalg.generic {indexing_maps = [#skv, #sk, #sh, #skv, #skv], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%S, %k, %g : tensor<?x128x128xf32>, tensor<?x128xf32>, tensor<?xf32>)
      outs(%state, %state : tensor<?x128x128xf32>, tensor<?x128x128xf32>) {
  ^bb0(%s: f32, %ke: f32, %ge: f32, %o0: f32, %o1: f32):
    %e = math.exp %ge : f32
    %0 = arith.mulf %s, %e : f32
    %1 = arith.mulf %0, %ke : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x128x128xf32>, tensor<?x128x128xf32>)
  %kv = prec.sum %P1 dim 1 <digits [8, *] steps [1 sequential, 0 sequential] from_zero>
      : tensor<?x128x128xf32> to tensor<?x128xf32>
  %d = linalg.generic {indexing_maps = [#v, #v, #h, #v], iterator_types = ["parallel", "parallel"]}
      ins(%v, %kv, %beta : tensor<?x128xbf16>, tensor<?x128xf32>, tensor<?xbf16>) outs(%row : tensor<?x128xf32>) {
  ^bb0(%ve: bf16, %kve: f32, %be: bf16, %o: f32):
    %vf = arith.extf %ve : bf16 to f32
    %bf = arith.extf %be : bf16 to f32
    %0 = arith.subf %vf, %kve : f32
    %1 = arith.mulf %0, %bf : f32
    linalg.yield %1 : f32
  } -> tensor<?x128xf32>
  %S2, %P2 = linalg.generic {indexing_maps = [#skv, #sk, #sk, #sv, #skv, #skv],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%S1, %k, %q, %d : tensor<?x128x128xf32>, tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x128xf32>)
      outs(%state, %state : tensor<?x128x128xf32>, tensor<?x128x128xf32>) {
  ^bb0(%s: f32, %ke: f32, %qe: f32, %de: f32, %o0: f32, %o1: f32):
    %0 = arith.mulf %ke, %de : f32
    %1 = arith.addf %s, %0 : f32
    %2 = arith.mulf %1, %qe : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<?x128x128xf32>, tensor<?x128x128xf32>)
  %sq = prec.sum %P2 dim 1 <digits [8, *] steps [1 sequential, 0 sequential] from_zero>
      : tensor<?x128x128xf32> to tensor<?x128xf32>
  %o = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel", "parallel"]}
      ins(%sq : tensor<?x128xf32>) outs(%narrow : tensor<?x128xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x128xbf16>
  return %S2, %o : tensor<?x128x128xf32>, tensor<?x128xbf16>
}
// The same, summed as Triton does: 8 rows of a thread as a tree, then 4 groups of lanes, then 4 warps.
func.func @gdn_step_triton(%S: tensor<?x128x128xf32> {prec.name = "S"}, %q: tensor<?x128xf32> {prec.name = "q"},
                           %k: tensor<?x128xf32> {prec.name = "k"}, %v: tensor<?x128xbf16> {prec.name = "v"},
                           %g: tensor<?xf32> {prec.name = "g"}, %beta: tensor<?xbf16> {prec.name = "beta"})
    -> (tensor<?x128x128xf32> {prec.name = "S_out"}, tensor<?x128xbf16> {prec.name = "o"}) {
  %c0 = arith.constant 0 : index
  %heads = tensor.dim %S, %c0 : tensor<?x128x128xf32>
  %state = tensor.empty(%heads) : tensor<?x128x128xf32>
  %row = tensor.empty(%heads) : tensor<?x128xf32>
  %narrow = tensor.empty(%heads) : tensor<?x128xbf16>
  %S1, %P1 = linalg.generic {indexing_maps = [#skv, #sk, #sh, #skv, #skv], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%S, %k, %g : tensor<?x128x128xf32>, tensor<?x128xf32>, tensor<?xf32>)
      outs(%state, %state : tensor<?x128x128xf32>, tensor<?x128x128xf32>) {
  ^bb0(%s: f32, %ke: f32, %ge: f32, %o0: f32, %o1: f32):
    %e = math.exp %ge : f32
    %0 = arith.mulf %s, %e : f32
    %1 = arith.mulf %0, %ke : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x128x128xf32>, tensor<?x128x128xf32>)
  %kv = prec.sum %P1 dim 1 <digits [4, 4, 8] steps [2 adjacent, 0 halving, 1 halving]>
      : tensor<?x128x128xf32> to tensor<?x128xf32>
  %d = linalg.generic {indexing_maps = [#v, #v, #h, #v], iterator_types = ["parallel", "parallel"]}
      ins(%v, %kv, %beta : tensor<?x128xbf16>, tensor<?x128xf32>, tensor<?xbf16>) outs(%row : tensor<?x128xf32>) {
  ^bb0(%ve: bf16, %kve: f32, %be: bf16, %o: f32):
    %vf = arith.extf %ve : bf16 to f32
    %bf = arith.extf %be : bf16 to f32
    %0 = arith.subf %vf, %kve : f32
    %1 = arith.mulf %0, %bf : f32
    linalg.yield %1 : f32
  } -> tensor<?x128xf32>
  %S2, %P2 = linalg.generic {indexing_maps = [#skv, #sk, #sk, #sv, #skv, #skv],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%S1, %k, %q, %d : tensor<?x128x128xf32>, tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x128xf32>)
      outs(%state, %state : tensor<?x128x128xf32>, tensor<?x128x128xf32>) {
  ^bb0(%s: f32, %ke: f32, %qe: f32, %de: f32, %o0: f32, %o1: f32):
    %0 = arith.mulf %ke, %de : f32
    %1 = arith.addf %s, %0 : f32
    %2 = arith.mulf %1, %qe : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<?x128x128xf32>, tensor<?x128x128xf32>)
  %sq = prec.sum %P2 dim 1 <digits [4, 4, 8] steps [2 adjacent, 0 halving, 1 halving]>
      : tensor<?x128x128xf32> to tensor<?x128xf32>
  %o = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel", "parallel"]}
      ins(%sq : tensor<?x128xf32>) outs(%narrow : tensor<?x128xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x128xbf16>
  return %S2, %o : tensor<?x128x128xf32>, tensor<?x128xbf16>
}
