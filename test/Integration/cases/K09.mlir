// An all-reduce rounds its sum before the residual is added: ROCm/aiter#2586, sgl-project/sglang#36143.
// RUN: %eval
// RUN: %ptx | %check

#part = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// bf16(bf16(sum of p in f32) + r); 0x4046 when the sum is not rounded.
// EVAL @reduce_add(bf16 [[0x4081, 0x4008, 0x4094, 0xBE38]], bf16 [0xC0F0]) = bf16 [0x4048]
// CHECK-LABEL: .entry reduce_add
// CHECK: add.rn.f32
// CHECK: add.rn.f32
// CHECK: cvt.rn.bf16
// CHECK: add.rn.bf16
func.func @reduce_add(%p: tensor<?x4xbf16>, %r: tensor<?xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %p, %c0 : tensor<?x4xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#part, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<?x4xbf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %w = arith.extf %in : bf16 to f32
    %a = arith.addf %acc, %w : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %s = arith.truncf %sum : tensor<?xf32> to tensor<?xbf16>
  %out = arith.addf %s, %r : tensor<?xbf16>
  return %out : tensor<?xbf16>
}

// Each hop rounds: another contract, another answer.
// EVAL @reduce_add_hops(bf16 [[0x4081, 0x4008, 0x4094, 0xBE38]], bf16 [0xC0F0]) = bf16 [0x4044]
// CHECK-LABEL: .entry reduce_add_hops
func.func @reduce_add_hops(%p: tensor<?x4xbf16>, %r: tensor<?xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %p, %c0 : tensor<?x4xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty(%rows) : tensor<?xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<?xbf16>) -> tensor<?xbf16>
  %sum = linalg.generic {indexing_maps = [#part, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<?x4xbf16>) outs(%init : tensor<?xbf16>) {
  ^bb0(%in: bf16, %acc: bf16):
    %a = arith.addf %acc, %in : bf16
    linalg.yield %a : bf16
  } -> tensor<?xbf16>
  %out = arith.addf %sum, %r : tensor<?xbf16>
  return %out : tensor<?xbf16>
}
