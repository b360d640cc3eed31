// The mixture-of-experts combine: NVIDIA/TensorRT-LLM#16778, vllm-project/vllm#15045, ml-explore/mlx-lm#938, sgl-project/sglang#39351.
// RUN: %eval
// RUN: %ptx | %check

#all = affine_map<(r, k) -> (r, k)>
#row = affine_map<(r, k) -> (r)>

// f32 weights and sum, no fused multiply-add (0x3FAAED92 with it), one rounding.
// EVAL @combine(f32 [[0x3F547AE1, 0x3F608312, 0x3F7BE76D, 0x3E322D0E]], bf16 [[0xC0A0, 0xBF60, 0x40B4, 0x4084]]) = f32 [0x3FAAED93], bf16 [0x3FAB]
// CHECK-LABEL: .entry combine
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: cvt.rn.bf16
func.func @combine(%w: tensor<?x4xf32>, %y: tensor<?x4xbf16>) -> (tensor<?xf32>, tensor<?xbf16>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %y, %c0 : tensor<?x4xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w, %y : tensor<?x4xf32>, tensor<?x4xbf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%weight: f32, %in: bf16, %acc: f32):
    %x = arith.extf %in : bf16 to f32
    %p = arith.mulf %weight, %x : f32
    %a = arith.addf %acc, %p : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %r = arith.truncf %sum : tensor<?xf32> to tensor<?xbf16>
  return %sum, %r : tensor<?xf32>, tensor<?xbf16>
}

// Each term is rounded.
// EVAL @combine_rounded_terms(f32 [[0x3F547AE1, 0x3F608312, 0x3F7BE76D, 0x3E322D0E]], bf16 [[0xC0A0, 0xBF60, 0x40B4, 0x4084]]) = bf16 [0x3FAA]
// CHECK-LABEL: .entry combine_rounded_terms
func.func @combine_rounded_terms(%w: tensor<?x4xf32>, %y: tensor<?x4xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %y, %c0 : tensor<?x4xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w, %y : tensor<?x4xf32>, tensor<?x4xbf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%weight: f32, %in: bf16, %acc: f32):
    %x = arith.extf %in : bf16 to f32
    %p = arith.mulf %weight, %x : f32
    %t = arith.truncf %p : f32 to bf16
    %tf = arith.extf %t : bf16 to f32
    %a = arith.addf %acc, %tf : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %r = arith.truncf %sum : tensor<?xf32> to tensor<?xbf16>
  return %r : tensor<?xbf16>
}

// 256 and seven ones: 264 in f32, 256 in a bf16 accumulator.
// EVAL @sums(bf16 [[0x4380, 0x3F80, 0x3F80, 0x3F80, 0x3F80, 0x3F80, 0x3F80, 0x3F80]]) = bf16 [0x4384], bf16 [0x4380]
// CHECK-LABEL: .entry sums
func.func @sums(%y: tensor<?x8xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %y, %c0 : tensor<?x8xbf16>
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : bf16
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %empty16 = tensor.empty(%rows) : tensor<?xbf16>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %init16 = linalg.fill ins(%zero16 : bf16) outs(%empty16 : tensor<?xbf16>) -> tensor<?xbf16>
  %wide, %narrow = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x8xbf16>) outs(%init, %init16 : tensor<?xf32>, tensor<?xbf16>) {
  ^bb0(%in: bf16, %acc: f32, %acc16: bf16):
    %x = arith.extf %in : bf16 to f32
    %a = arith.addf %acc, %x : f32
    %a16 = arith.addf %acc16, %in : bf16
    linalg.yield %a, %a16 : f32, bf16
  } -> (tensor<?xf32>, tensor<?xbf16>)
  %r = arith.truncf %wide : tensor<?xf32> to tensor<?xbf16>
  return %r, %narrow : tensor<?xbf16>, tensor<?xbf16>
}

// As one operation: promoted, with bf16 weights, with rounded terms, with rounded sums; the f32 sum itself.
// EVAL @engines(f32 [[0x3F547AE1, 0x3F608312, 0x3F7BE76D, 0x3E322D0E]], bf16 [[[0xC0A0], [0xBF60], [0x40B4], [0x4084]]]) = bf16 [[0x3FAB]], bf16 [[0x3FAC]], bf16 [[0x3FAA]], bf16 [[0x3FA8]], f32 [[0x3FAAED93]]
// CHECK-LABEL: .entry engines
func.func @engines(%w: tensor<?x4xf32>, %y: tensor<?x4x1xbf16>)
    -> (tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xf32>) {
  %0 = moe.combine %y weights(%w : tensor<?x4xf32>) points {weight = false, term = false, accumulate = false}
         : tensor<?x4x1xbf16> to tensor<?x1xbf16>
  %1 = moe.combine %y weights(%w : tensor<?x4xf32>) points {term = false, accumulate = false}
         : tensor<?x4x1xbf16> to tensor<?x1xbf16>
  %2 = moe.combine %y weights(%w : tensor<?x4xf32>) points {weight = false, accumulate = false}
         : tensor<?x4x1xbf16> to tensor<?x1xbf16>
  %3 = moe.combine %y weights(%w : tensor<?x4xf32>) points {weight = false, term = false}
         : tensor<?x4x1xbf16> to tensor<?x1xbf16>
  %4 = moe.combine %y weights(%w : tensor<?x4xf32>) points {weight = false, term = false, accumulate = false, sum = false}
         : tensor<?x4x1xbf16> to tensor<?x1xf32>
  return %0, %1, %2, %3, %4 : tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xf32>
}
