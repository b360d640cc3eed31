// Rows of z by number, which nothing bounds.
func.func @rows(%z: tensor<4x8xf32> {prec.name = "z"}, %map: tensor<16xi32> {prec.name = "map"}) -> (tensor<16x8xf32> {prec.name = "y"}) {
  %y = tensor.generate {
  ^bb0(%i: index, %j: index):
    %row = tensor.extract %map[%i] : tensor<16xi32>
    %k = arith.index_cast %row : i32 to index
    %e = tensor.extract %z[%k, %j] : tensor<4x8xf32>
    tensor.yield %e : f32
  } : tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}
