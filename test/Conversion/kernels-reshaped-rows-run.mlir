// RUN: prec-run %s --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --engine=ptx --random=1 --check | FileCheck %s

// CHECK: c: 12 elements, 0 mismatches
// CHECK: s: 12 elements, 0 mismatches
// CHECK: t: 12 elements, 0 mismatches
func.func @reshaped_rows(%x: tensor<3x4x200xf32>)
    -> (tensor<12xf32> {prec.name = "c"}, tensor<3x4xf32> {prec.name = "s"}, tensor<4x3xf32> {prec.name = "t"}) {
  %s = nn.sum %x dim 2 : tensor<3x4x200xf32> to tensor<3x4xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %t = linalg.transpose ins(%s : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
  return %c, %s, %t : tensor<12xf32>, tensor<3x4xf32>, tensor<4x3xf32>
}
