// Gated DeltaNet's decode step on heads of KEY x VALUE: the state decays, gives back what it holds under the key,
// takes up the difference to the value, and is asked with the query. TYPE is bf16, f16 or f32, ORDER an order of sums.

#state = affine_map<(i, k, v) -> (i, k, v)>
#head = affine_map<(i, k, v) -> (i)>
#key = affine_map<(i, k, v) -> (i, k)>
#value = affine_map<(i, k, v) -> (i, v)>
#rows = affine_map<(i, v) -> (i)>
#all = affine_map<(i, v) -> (i, v)>

func.func @gdn_step(%s: tensor<?xKEYxVALUExf32> {prec.name = "s"}, %g: tensor<?xf32> {prec.name = "g"},
                    %beta: tensor<?xf32> {prec.name = "beta"}, %k: tensor<?xKEYxf32> {prec.name = "k"},
                    %q: tensor<?xKEYxf32> {prec.name = "q"}, %v: tensor<?xVALUExTYPE> {prec.name = "v"})
    -> (tensor<?xKEYxVALUExf32> {prec.name = "s_new"}, tensor<?xVALUExTYPE> {prec.name = "o"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %s, %c0 : tensor<?xKEYxVALUExf32>
  %e = tensor.empty(%n) : tensor<?xKEYxVALUExf32>
  %ev = tensor.empty(%n) : tensor<?xVALUExf32>
  %eo = tensor.empty(%n) : tensor<?xVALUExTYPE>
  %decay = nn.exp %g : tensor<?xf32>
  %s1 = linalg.generic {indexing_maps = [#state, #head, #state], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %decay : tensor<?xKEYxVALUExf32>, tensor<?xf32>) outs(%e : tensor<?xKEYxVALUExf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?xKEYxVALUExf32>
  %sk = linalg.generic {indexing_maps = [#state, #key, #state], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1, %k : tensor<?xKEYxVALUExf32>, tensor<?xKEYxf32>) outs(%e : tensor<?xKEYxVALUExf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?xKEYxVALUExf32>
  %kv = nn.sum %sk dim 1 order <ORDER> : tensor<?xKEYxVALUExf32> to tensor<?xVALUExf32>
  %delta = linalg.generic {indexing_maps = [#all, #all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%v, %kv, %beta : tensor<?xVALUExTYPE>, tensor<?xVALUExf32>, tensor<?xf32>) outs(%ev : tensor<?xVALUExf32>) {
  ^bb0(%a: TYPE, %b: f32, %c: f32, %o: f32):
    %wide = arith.extf %a : TYPE to f32
    %0 = arith.subf %wide, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<?xVALUExf32>
  %new = linalg.generic {indexing_maps = [#state, #key, #value, #state], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1, %k, %delta : tensor<?xKEYxVALUExf32>, tensor<?xKEYxf32>, tensor<?xVALUExf32>) outs(%e : tensor<?xKEYxVALUExf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.mulf %b, %c : f32
    %1 = arith.addf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xKEYxVALUExf32>
  %sq = linalg.generic {indexing_maps = [#state, #key, #state], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%new, %q : tensor<?xKEYxVALUExf32>, tensor<?xKEYxf32>) outs(%e : tensor<?xKEYxVALUExf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?xKEYxVALUExf32>
  %o32 = nn.sum %sq dim 1 order <ORDER> : tensor<?xKEYxVALUExf32> to tensor<?xVALUExf32>
  %o = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%o32 : tensor<?xVALUExf32>) outs(%eo : tensor<?xVALUExTYPE>) {
  ^bb0(%a: f32, %b: TYPE):
    %narrow = arith.truncf %a : f32 to TYPE
    linalg.yield %narrow : TYPE
  } -> tensor<?xVALUExTYPE>
  return %new, %o : tensor<?xKEYxVALUExf32>, tensor<?xVALUExTYPE>
}
