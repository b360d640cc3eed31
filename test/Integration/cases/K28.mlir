// A routing score stays in f32, or another expert is chosen: NVIDIA/TensorRT-LLM#13328, flagos-ai/FlagGems#5469, sgl-project/sglang#40149, #33764.
// RUN: %eval
// RUN: %ptx | %check

#all = affine_map<(r, e) -> (r, e)>
#row = affine_map<(r, e) -> (r)>

// argmax(s + b): expert 1; expert 0 with a bf16 bias.
// EVAL @route(f32 [[0x3F000000, 0x3EFFBE77]], f32 [[0x3F800000, 0x3F8020C5]]) = i32 [1]
// CHECK-LABEL: .entry route
// CHECK: add.rn.f32
func.func @route(%s: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %s, %c0 : tensor<?x2xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %emptyi = tensor.empty(%rows) : tensor<?xi32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %initi = linalg.fill ins(%none : i32) outs(%emptyi : tensor<?xi32>) -> tensor<?xi32>
  %best:2 = linalg.generic {indexing_maps = [#all, #all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s, %b : tensor<?x2xf32>, tensor<?x2xf32>) outs(%init, %initi : tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%score: f32, %bias: f32, %acc: f32, %index: i32):
    %v = arith.addf %score, %bias : f32
    %e = linalg.index 1 : index
    %i = arith.index_cast %e : index to i32
    %more = arith.cmpf ogt, %v, %acc : f32
    %nv = arith.select %more, %v, %acc : f32
    %ni = arith.select %more, %i, %index : i32
    linalg.yield %nv, %ni : f32, i32
  } -> (tensor<?xf32>, tensor<?xi32>)
  return %best#1 : tensor<?xi32>
}

// As one operation; what it selects by is the logit itself.
// EVAL @router(f32 [[0x3F000000, 0x3EFFBE77]]) = i32 [[1]]
// CHECK-LABEL: .entry router
func.func @router(%s: tensor<?x2xf32>) -> tensor<?x1xi32> {
  %b = arith.constant dense<[1.0, 1.001]> : tensor<2xf32>
  %w, %i = moe.router %s bias(%b : tensor<2xf32>) softmax_of_top top_k 1 : tensor<?x2xf32> to tensor<?x1xf32>, tensor<?x1xi32>
  return %i : tensor<?x1xi32>
}
