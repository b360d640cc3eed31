// Products under a cancelling sum are not rounded: jax-ml/jax#40128.
// RUN: %eval
// RUN: %ptx | %check

#all = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// 2^-14, not 0.
// EVAL @dot(bf16 [[0x3F81, 0xBF82]], bf16 [[0x3F81, 0x3F80]]) = f32 [0x38800000]
// CHECK-LABEL: .entry dot
// CHECK-NOT: cvt.rn.bf16
// CHECK: add.rn.f32
func.func @dot(%o: tensor<?x2xbf16>, %g: tensor<?x2xbf16>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %o, %c0 : tensor<?x2xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %d = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%o, %g : tensor<?x2xbf16>, tensor<?x2xbf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %d : tensor<?xf32>
}
