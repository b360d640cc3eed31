// A residual that is stored rounded, and the norm that reads it: vllm-project/vllm-omni#6878, #7572; vllm-project/vllm#52104.
// RUN: %eval
// RUN: %ptx | FileCheck %s --implicit-check-not=.ftz --implicit-check-not='{{(mul|add|sub|fma)[.]f32}}'

#row = affine_map<(r, c) -> (r, c)>
#sum = affine_map<(r, c) -> (r)>

// Contract A: the norm reads the rounded residual.
// EVAL @norm_of_rounded(bf16 [[0xC030, 0x3EA8]], bf16 [[0xC169, 0xC215]]) = bf16 [[0xC18A, 0xC214]], bf16 [[0xBF19, 0xBFA4]]
// CHECK-LABEL: .entry norm_of_rounded
// CHECK: cvt.rn.bf16
func.func @norm_of_rounded(%x: tensor<?x2xbf16>, %r: tensor<?x2xbf16>) -> (tensor<?x2xbf16>, tensor<?x2xbf16>) {
  %xf = arith.extf %x : tensor<?x2xbf16> to tensor<?x2xf32>
  %rf = arith.extf %r : tensor<?x2xbf16> to tensor<?x2xf32>
  %s = arith.addf %xf, %rf : tensor<?x2xf32>
  %res = arith.truncf %s : tensor<?x2xf32> to tensor<?x2xbf16>
  %v = arith.extf %res : tensor<?x2xbf16> to tensor<?x2xf32>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %v, %c0 : tensor<?x2xf32>
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%v : tensor<?x2xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %q = arith.mulf %in, %in : f32
    %a = arith.addf %acc, %q : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %out = tensor.empty(%rows) : tensor<?x2xbf16>
  %y = linalg.generic {indexing_maps = [#row, #sum, #row], iterator_types = ["parallel", "parallel"]}
      ins(%v, %sum : tensor<?x2xf32>, tensor<?xf32>) outs(%out : tensor<?x2xbf16>) {
  ^bb0(%in: f32, %total: f32, %o: bf16):
    %mean = arith.divf %total, %two : f32
    %m = arith.addf %mean, %eps : f32
    %rstd = math.rsqrt %m : f32
    %n = arith.mulf %in, %rstd : f32
    %b = arith.truncf %n : f32 to bf16
    linalg.yield %b : bf16
  } -> tensor<?x2xbf16>
  return %res, %y : tensor<?x2xbf16>, tensor<?x2xbf16>
}

// Contract B: the norm reads the sum.
// EVAL @norm_of_sum(bf16 [[0xC030, 0x3EA8]], bf16 [[0xC169, 0xC215]]) = bf16 [[0xC18A, 0xC214]], bf16 [[0xBF1A, 0xBFA4]]
// CHECK-LABEL: .entry norm_of_sum
func.func @norm_of_sum(%x: tensor<?x2xbf16>, %r: tensor<?x2xbf16>) -> (tensor<?x2xbf16>, tensor<?x2xbf16>) {
  %xf = arith.extf %x : tensor<?x2xbf16> to tensor<?x2xf32>
  %rf = arith.extf %r : tensor<?x2xbf16> to tensor<?x2xf32>
  %s = arith.addf %xf, %rf : tensor<?x2xf32>
  %res = arith.truncf %s : tensor<?x2xf32> to tensor<?x2xbf16>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %s, %c0 : tensor<?x2xf32>
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<?x2xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %q = arith.mulf %in, %in : f32
    %a = arith.addf %acc, %q : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %out = tensor.empty(%rows) : tensor<?x2xbf16>
  %y = linalg.generic {indexing_maps = [#row, #sum, #row], iterator_types = ["parallel", "parallel"]}
      ins(%s, %sum : tensor<?x2xf32>, tensor<?xf32>) outs(%out : tensor<?x2xbf16>) {
  ^bb0(%in: f32, %total: f32, %o: bf16):
    %mean = arith.divf %total, %two : f32
    %m = arith.addf %mean, %eps : f32
    %rstd = math.rsqrt %m : f32
    %n = arith.mulf %in, %rstd : f32
    %b = arith.truncf %n : f32 to bf16
    linalg.yield %b : bf16
  } -> tensor<?x2xbf16>
  return %res, %y : tensor<?x2xbf16>, tensor<?x2xbf16>
}
