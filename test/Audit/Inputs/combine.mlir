#all = affine_map<(token, k, column) -> (token, k, column)>
#entry = affine_map<(token, k, column) -> (token, k)>
#out = affine_map<(token, column) -> (token, column)>
// out = R(((0 + z0 * p0) + ...) + z7 * p7), f32 inside; z_k is row map[k] of z.
func.func @combine(%z: tensor<?x2048xbf16> {prec.name = "z"}, %map: tensor<?x8xi32> {prec.name = "map"},
                   %p: tensor<?x8xf32> {prec.name = "p"}) -> (tensor<?x2048xbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %map, %c0 : tensor<?x8xi32>
  %empty = tensor.empty(%tokens) : tensor<?x8x2048xf32>
  %products = linalg.generic {indexing_maps = [#entry, #entry, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%map, %p : tensor<?x8xi32>, tensor<?x8xf32>) outs(%empty : tensor<?x8x2048xf32>) {
  ^bb0(%m: i32, %w: f32, %o: f32):
    %row = arith.index_cast %m : i32 to index
    %column = linalg.index 2 : index
    %e = tensor.extract %z[%row, %column] : tensor<?x2048xbf16>
    %f = arith.extf %e : bf16 to f32
    %r = arith.mulf %f, %w : f32
    linalg.yield %r : f32
  } -> tensor<?x8x2048xf32>
  %sum = prec.sum %products dim 1 <digits [*] steps [0 sequential] from_zero> : tensor<?x8x2048xf32> to tensor<?x2048xf32>
  %rounded = tensor.empty(%tokens) : tensor<?x2048xbf16>
  %out = linalg.generic {indexing_maps = [#out, #out], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x2048xf32>) outs(%rounded : tensor<?x2048xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x2048xbf16>
  return %out : tensor<?x2048xbf16>
}
