// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse --prec-schedule-kernels=target=host --convert-kernels-to-host --prec-canonicalize --cse --split-input-file | FileCheck %s

#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>

// Two kernels over the rows of %g: one loop. The second one's sum has 16 of PyTorch's 32 accumulators in a register.
// CHECK-LABEL: func.func @both(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.store {{.*}}%arg3
// CHECK:           scf.for {{.*}} iter_args
// CHECK:             vector.load {{.*}} vector<16xf32>
// CHECK:             vector.extract_strided_slice {{.*}} : vector<16xf32> to vector<8xf32>
// CHECK:             memref.store {{.*}}%arg4
// CHECK:         return
func.func @both(%g: tensor<?x4x2560xf32>, %h: tensor<?x2560xf32>, %c: tensor<?x4x2560xf32>) -> (tensor<?x2560xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %g, %c0 : tensor<?x4x2560xf32>
  %empty = tensor.empty(%rows) : tensor<?x4x2560xf32>
  %gh = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %h : tensor<?x4x2560xf32>, tensor<?x2560xf32>) outs(%empty : tensor<?x4x2560xf32>) {
  ^bb0(%ge: f32, %he: f32, %o: f32):
    %b = arith.mulf %ge, %he : f32
    linalg.yield %b : f32
  } -> tensor<?x4x2560xf32>
  %gc = arith.mulf %g, %c : tensor<?x4x2560xf32>
  %0 = nn.sum %gc dim 1 : tensor<?x4x2560xf32> to tensor<?x2560xf32>
  %1 = nn.sum %gh dim 2 : tensor<?x4x2560xf32> to tensor<?x4xf32>
  return %0, %1 : tensor<?x2560xf32>, tensor<?x4xf32>
}

// -----

// The second kernel reads what the first one writes; it stays behind it.
// CHECK-LABEL: func.func @chain(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           vector.store {{.*}}%[[FIRST:arg[0-9]]]
// CHECK:         }
// CHECK-NEXT:  }
// CHECK:         scf.for
// CHECK:           vector.load {{.*}}%[[FIRST]]
// CHECK:         return
func.func @chain(%x: tensor<?x2560xf32>, %w: tensor<2560xf32>) -> (tensor<?x2560xf32>, tensor<?x2560xf32>) {
  %0 = nn.rms_norm %x weight(%w : tensor<2560xf32>) : tensor<?x2560xf32> to tensor<?x2560xf32>
  %1 = prec.materialize %0 : tensor<?x2560xf32>
  %2 = arith.addf %x, %1 : tensor<?x2560xf32>
  %3 = nn.softmax %2 dim 1 : tensor<?x2560xf32> to tensor<?x2560xf32>
  return %1, %3 : tensor<?x2560xf32>, tensor<?x2560xf32>
}
