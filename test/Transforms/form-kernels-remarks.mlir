// RUN: prec-opt %s --prec-form-kernels --split-input-file --remarks-filter=prec-.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="its rows are not its consumer's"
func.func @other_rows(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64xf32> {
  %s = prec.sum %x dim 1 <sequential> : tensor<64x64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %t = prec.sum %0 dim 1 <sequential> : tensor<64x64xf32> to tensor<64xf32>
  return %t : tensor<64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Sums of rows and of columns meet.
// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="other rows than its consumer's"
func.func @both(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = prec.sum %x dim 1 <sequential> : tensor<64x64xf32> to tensor<64xf32>
  %c = prec.sum %x dim 0 <sequential> : tensor<64x64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %c : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="columns too long for registers"
func.func @long_columns(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c = prec.sum %x dim 0 <sequential> : tensor<?x64xf32> to tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<64xf32>) outs(%x : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.subf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="a body reads it at places of its own"
func.func @captured(%x: tensor<8x64xf32>, %i: tensor<8xindex>) -> tensor<8xf32> {
  %s = prec.sum %x dim 1 <sequential> : tensor<8x64xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: index, %o: f32):
    %1 = tensor.extract %s[%a] : tensor<8xf32>
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Each sum needs the one before it: kernels of four.
// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="too many reductions in sequence"
// CHECK-NOT: [Missed]
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @chain(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %s1 = prec.sum %x dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %x1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s1 : tensor<?xf32>) outs(%x : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  %s2 = prec.sum %x1 dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %x2 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s2 : tensor<?xf32>) outs(%x1 : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  %s3 = prec.sum %x2 dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %x3 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s3 : tensor<?xf32>) outs(%x2 : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  %s4 = prec.sum %x3 dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %x4 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s4 : tensor<?xf32>) outs(%x3 : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  %s5 = prec.sum %x4 dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %x5 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s5 : tensor<?xf32>) outs(%x4 : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  %s6 = prec.sum %x5 dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %x6 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s6 : tensor<?xf32>) outs(%x5 : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %x6 : tensor<?x64xf32>
}

// -----

#row = affine_map<(i) -> (i)>

// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="a scalar is taken from it"
func.func @scalar(%x: tensor<8x64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %c3 = arith.constant 3 : index
  %s = prec.sum %x dim 1 <sequential> : tensor<8x64xf32> to tensor<8xf32>
  %v = tensor.extract %s[%c3] : tensor<8xf32>
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %v : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// What nobody uses of a sum gives the second result no rows.
// CHECK: [Missed] fuse | Category:prec-form-kernels | Reason="other rows than the results' before it"
func.func @no_rows(%x: tensor<3x32xf32>) -> (tensor<3x32xf32>, tensor<32x3xf32>) {
  %e = tensor.empty() : tensor<32x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x32xf32>) outs(%e : tensor<32x3xf32>) permutation = [1, 0]
  %s = prec.sum %t dim 0 <sequential> : tensor<32x3xf32> to tensor<3xf32>
  %ey = tensor.empty() : tensor<3x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<3x32xf32>, tensor<3xf32>) outs(%ey : tensor<3x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x32xf32>
  return %y, %t : tensor<3x32xf32>, tensor<32x3xf32>
}
