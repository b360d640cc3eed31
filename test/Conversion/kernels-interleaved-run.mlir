// Results whose elements come from two sources in turn: each source's are computed together, in vectors.

// RUN: prec-opt %s --prec-make-rounding-explicit --prec-form-kernels --prec-schedule-kernels=target=gpu \
// RUN:   --convert-kernels-to-gpu | FileCheck %s
// RUN: prec-run %s --engine=ptx --function=pairs --random=5 --check --shape=x=3x512 | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --engine=host --function=pairs --random=5 --check --shape=x=3x512 | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --engine=ptx --function=shifted --random=5 --check --shape=x=3x512 | FileCheck %s --check-prefix=SHIFTED
// RUN: prec-run %s --engine=host --function=shifted --random=5 --check --shape=x=3x512 | FileCheck %s --check-prefix=SHIFTED
// SAME: 3072 elements, 0 mismatches
// SHIFTED: 3078 elements, 0 mismatches

// CHECK-LABEL: gpu.func @pairs(
// CHECK:         vector.load %{{.*}} : memref<?xbf16>, vector<4xbf16>
// CHECK:         arith.negf {{.*}} : vector<4xf32>
// CHECK:         vector.shuffle {{.*}} [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xbf16>, vector<4xbf16>
// CHECK:         vector.store {{.*}} : memref<?xbf16>, vector<8xbf16>
func.func @pairs(%x: tensor<?x512xbf16> {prec.name = "x"}) -> (tensor<?x1024xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %minus = arith.negf %x : tensor<?x512xbf16>
  %a = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 512, 1] : tensor<?x512xbf16> into tensor<?x512x1xbf16>
  %b = tensor.expand_shape %minus [[0], [1, 2]] output_shape [%n, 512, 1] : tensor<?x512xbf16> into tensor<?x512x1xbf16>
  %both = tensor.concat dim(2) %b, %a : (tensor<?x512x1xbf16>, tensor<?x512x1xbf16>) -> tensor<?x512x2xbf16>
  %y = tensor.collapse_shape %both [[0], [1, 2]] : tensor<?x512x2xbf16> into tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}

// Vectors that begin with either source: one element at a time.
// CHECK-LABEL: gpu.func @shifted(
// CHECK-NOT:     vector.store
// CHECK:         memref.store
func.func @shifted(%x: tensor<?x512xbf16> {prec.name = "x"}) -> (tensor<?x1026xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %zero = arith.constant 0.0 : bf16
  %minus = arith.negf %x : tensor<?x512xbf16>
  %a = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 512, 1] : tensor<?x512xbf16> into tensor<?x512x1xbf16>
  %b = tensor.expand_shape %minus [[0], [1, 2]] output_shape [%n, 512, 1] : tensor<?x512xbf16> into tensor<?x512x1xbf16>
  %both = tensor.concat dim(2) %b, %a : (tensor<?x512x1xbf16>, tensor<?x512x1xbf16>) -> tensor<?x512x2xbf16>
  %flat = tensor.collapse_shape %both [[0], [1, 2]] : tensor<?x512x2xbf16> into tensor<?x1024xbf16>
  %y = tensor.pad %flat low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<?x1024xbf16> to tensor<?x1026xbf16>
  return %y : tensor<?x1026xbf16>
}
