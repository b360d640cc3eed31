// RUN: prec-opt %s --prec-form-kernels --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Elementwise operations become one kernel; sizes that must agree are checked.
// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[U:.*]]: tensor<?x64xbf16> {prec.name = "u"}, %[[X:.*]]: tensor<?x64xbf16>
// CHECK-DAG:     %[[DU:.*]] = tensor.dim %[[U]]
// CHECK-DAG:     %[[DX:.*]] = tensor.dim %[[X]]
// CHECK:         %[[EQ:.*]] = arith.cmpi eq, %[[DX]], %[[DU]] : index
// CHECK:         cf.assert %[[EQ]], "dimension 0 of argument 1 must equal dimension 0 of argument 0 (u)"
// CHECK:         %[[K:.*]] = prec.kernel "chain"(%{{.*}}) : {{.*}} -> tensor<?x64xbf16> {
// CHECK:           math.exp
// CHECK:           arith.mulf
// CHECK:           prec.yield %{{.*}} : tensor<?x64xbf16>
// CHECK:         return %[[K]]
func.func @chain(%u: tensor<?x64xbf16> {prec.name = "u"}, %x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %u, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%n) : tensor<?x64xbf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u : tensor<?x64xbf16>) outs(%e : tensor<?x64xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %1 = arith.extf %a : bf16 to f32
    %2 = math.exp %1 : f32
    %3 = prec.round %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<?x64xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %x : tensor<?x64xbf16>, tensor<?x64xbf16>) outs(%e : tensor<?x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %5 = prec.round %3 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<?x64xbf16>
  return %4 : tensor<?x64xbf16>
}

// -----

// The program's own check is enough.
// CHECK-LABEL: func @checked(
// CHECK:         cf.assert %{{.*}}, "rows"
// CHECK-NOT:     cf.assert
func.func @checked(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %m, %n : index
  cf.assert %ok, "rows"
  %0 = arith.addf %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A row is read by its sum and by what uses the sum: one kernel.
// CHECK-LABEL: func @long_reduction(
// CHECK:         prec.kernel "long_reduction"(%{{.*}}) : (tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK:           prec.sum
// CHECK:           math.rsqrt
// CHECK:           arith.mulf
// CHECK-NOT:     prec.kernel
func.func @long_reduction(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %s = prec.sum %x dim 1 <lanes<8>> : tensor<8x64xf32> to tensor<8xf32>
  %r = math.rsqrt %s : tensor<8xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A short one does not.
// CHECK-LABEL: func @short_reduction(
// CHECK:         prec.kernel "short_reduction"(%{{.*}}) : (tensor<64x4xf32>) -> tensor<64x4xf32>
// CHECK-NOT:     prec.kernel
func.func @short_reduction(%x: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %s = prec.sum %x dim 1 <sequential> : tensor<64x4xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x4xf32>, tensor<64xf32>) outs(%e : tensor<64x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x4xf32>
  return %0 : tensor<64x4xf32>
}

// -----

// Fusion stops at prec.materialize, not at prec.observe.
// CHECK-LABEL: func @materialize(
// CHECK:         %[[M:.*]] = prec.kernel "materialize_0"
// CHECK:           prec.observe
// CHECK:           prec.materialize
// CHECK:         %[[N:.*]] = prec.kernel "materialize_1"(%[[M]])
// CHECK:         return %[[N]]
func.func @materialize(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.negf %x : tensor<8xf32>
  %1 = prec.observe %0 "negated" : tensor<8xf32>
  %2 = math.absf %1 : tensor<8xf32>
  %3 = prec.materialize %2 : tensor<8xf32>
  %4 = arith.addf %3, %3 : tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// Sums of rows and results that are rows, from one source, are one kernel.
// CHECK-LABEL: func @shared(
// CHECK:         prec.kernel "shared"(%{{.*}}) : (tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x64xf32>)
// CHECK-NOT:     prec.kernel
func.func @shared(%x: tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x64xf32>) {
  %n = arith.negf %x : tensor<8x64xf32>
  %e = math.exp %n : tensor<8x64xf32>
  %0 = prec.sum %e dim 1 <sequential> : tensor<8x64xf32> to tensor<8xf32>
  %1 = prec.sum %n dim 1 <sequential> : tensor<8x64xf32> to tensor<8xf32>
  %2 = arith.mulf %e, %e : tensor<8x64xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8x64xf32>
}

// -----

// What several kernels need: computed in each when cheap, in memory when dear.
// CHECK-LABEL: func @several(
// CHECK:         prec.kernel "several_0"(%{{.*}}) : (tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK:           arith.negf
// CHECK:           math.exp
// CHECK:         prec.kernel "several_1"(%{{.*}}, %{{.*}}) : {{.*}} -> tensor<64x8xf32>
// CHECK-NOT:       math.exp
// CHECK:           arith.negf
// CHECK:         prec.kernel "several_2"(%{{.*}}) : {{.*}} -> tensor<4x64xf32>
// CHECK-NOT:       math.exp
func.func @several(%x: tensor<8x64xf32>) -> (tensor<64x8xf32>, tensor<4x64xf32>) {
  %n = arith.negf %x : tensor<8x64xf32>
  %e = math.exp %n : tensor<8x64xf32>
  %0 = arith.addf %e, %n : tensor<8x64xf32>
  %i = tensor.empty() : tensor<64x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<8x64xf32>) outs(%i : tensor<64x8xf32>) permutation = [1, 0]
  %2 = tensor.extract_slice %e[0, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
  return %1, %2 : tensor<64x8xf32>, tensor<4x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A sum's rows stay within one kernel, and so do a stored sum and a stored
// summand (a residual, its norm and the norm's factor).
// CHECK-LABEL: func @residual(
// CHECK:         %[[K:.*]]:3 = prec.kernel "residual"(%{{.*}}) : {{.*}} -> (tensor<?x64xf32>, tensor<?x1xf32>, tensor<?x64xf32>)
// CHECK-NOT:     prec.kernel
// CHECK:         return %[[K]]#0, %[[K]]#2, %[[K]]#1
func.func @residual(%x: tensor<?x64xf32>, %r: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %z = arith.addf %x, %r : tensor<?x64xf32>
  %q = arith.mulf %z, %z : tensor<?x64xf32>
  %s = prec.sum %q dim 1 <lanes<8>> : tensor<?x64xf32> to tensor<?xf32>
  %k = tensor.expand_shape %s [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %f = math.rsqrt %k : tensor<?x1xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i, 0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %f : tensor<?x64xf32>, tensor<?x1xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %z, %y, %f : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x1xf32>
}

// -----

// Columns short enough for a thread's registers.
// CHECK-LABEL: func @columns(
// CHECK:         prec.kernel "columns"(%{{.*}}) : {{.*}} -> (tensor<?x32x64xf32>, tensor<?x64xf32>)
// CHECK-NOT:     prec.kernel
func.func @columns(%x: tensor<?x32x64xf32>) -> (tensor<?x32x64xf32>, tensor<?x64xf32>) {
  %s = prec.sum %x dim 1 <sequential> : tensor<?x32x64xf32> to tensor<?x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x64xf32>) outs(%x : tensor<?x32x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.subf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x32x64xf32>
  %2 = prec.sum %0 dim 1 <sequential> : tensor<?x32x64xf32> to tensor<?x64xf32>
  return %0, %2 : tensor<?x32x64xf32>, tensor<?x64xf32>
}

// -----

// Results of one shape share a kernel.
// CHECK-LABEL: func @two(
// CHECK:         %[[K:.*]]:2 = prec.kernel "two"(%{{.*}}) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK:         return %[[K]]#0, %[[K]]#1
func.func @two(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = math.exp %x : tensor<8xf32>
  %1 = arith.negf %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// An argument that is returned, and a result that is returned twice, is copied.
// CHECK-LABEL: func @copies(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK:         %[[K:.*]] = prec.kernel "copies_0"(%[[X]])
// CHECK:         %[[C0:.*]] = prec.kernel "copies_1"(%[[X]])
// CHECK:         %[[C1:.*]] = prec.kernel "copies_2"(%[[K]])
// CHECK:         return %[[C0]], %[[K]], %[[C1]]
func.func @copies(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = arith.negf %x : tensor<8xf32>
  return %x, %0, %0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Sizes at the function's level are sizes of arguments.
// CHECK-LABEL: func @sizes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK:         tensor.dim %[[X]]
// CHECK:         arith.muli
// CHECK:         cf.assert {{.*}} "a computed size must equal dimension 0 of argument 1"
// CHECK:         prec.kernel "sizes"
func.func @sizes(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = arith.addf %0, %y : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// Functions without tensors are none of our business.
// CHECK-LABEL: func @scalar(
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    return
func.func @scalar(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// -----

// What a sum gives is a result as it is, reshaped and transposed: three ways to
// go over the rows.
// CHECK-LABEL: func.func @reshaped_rows
// CHECK-COUNT-3: prec.kernel
// CHECK: return
func.func @reshaped_rows(%x: tensor<3x4x200xf32>) -> (tensor<12xf32>, tensor<3x4xf32>, tensor<4x3xf32>) {
  %s = prec.sum %x dim 2 <sequential> : tensor<3x4x200xf32> to tensor<3x4xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %t = linalg.transpose ins(%s : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
  return %c, %s, %t : tensor<12xf32>, tensor<3x4xf32>, tensor<4x3xf32>
}
