// A weight gradient's 16-bit products are summed in f32: linkedin/Liger-Kernel#950.
// RUN: %eval
// RUN: %ptx | %check

#all = affine_map<(r, c) -> (r, c)>
#column = affine_map<(r, c) -> (c)>

// One row of 256 * 1 and eight of 1 * 1: 264, not 256.
// EVAL @weight_gradient(bf16 [[0x4380], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80]], bf16 [[0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80], [0x3F80]]) = f32 [0x43840000]
// CHECK-LABEL: .entry weight_gradient
// CHECK: mul.rn.bf16
// CHECK: add.rn.f32
func.func @weight_gradient(%dy: tensor<9x1xbf16>, %xhat: tensor<9x1xbf16>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
  %dw = linalg.generic {indexing_maps = [#all, #all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%dy, %xhat : tensor<9x1xbf16>, tensor<9x1xbf16>) outs(%init : tensor<1xf32>) {
  ^bb0(%g: bf16, %x: bf16, %acc: f32):
    %p = arith.mulf %g, %x : bf16
    %w = arith.extf %p : bf16 to f32
    %a = arith.addf %acc, %w : f32
    linalg.yield %a : f32
  } -> tensor<1xf32>
  return %dw : tensor<1xf32>
}
