// RUN: prec-run %s --function=beside --engine=host --random=1 --check | FileCheck %s --check-prefixes=CHECK,BESIDE
// RUN: prec-run %s --function=beside --engine=ptx --random=1 --check | FileCheck %s --check-prefixes=CHECK,BESIDE
// RUN: prec-run %s --function=alone --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --function=alone --engine=ptx --random=1 --check | FileCheck %s
// RUN: prec-run %s --function=open --engine=host --random=1 --shape=a=3x32 --check | FileCheck %s
// RUN: prec-run %s --function=open --engine=ptx --random=1 --shape=a=3x32 --check | FileCheck %s

// What a sum over rows makes, transposed, is no result beside those that are not.
// CHECK: t: 96 elements, 0 mismatches
// CHECK: y: 96 elements, 0 mismatches
// BESIDE: p: 96 elements, 0 mismatches
func.func @beside(%a: tensor<3x32xbf16>)
    -> (tensor<32x3xf32> {prec.name = "t"}, tensor<3x32xf32> {prec.name = "y"}, tensor<3x32xbf16> {prec.name = "p"}) {
  %p = arith.mulf %a, %a : tensor<3x32xbf16>
  %y = nn.rms_norm %p order <sequential> : tensor<3x32xbf16> to tensor<3x32xf32>
  %e = tensor.empty() : tensor<32x3xf32>
  %t = linalg.transpose ins(%y : tensor<3x32xf32>) outs(%e : tensor<32x3xf32>) permutation = [1, 0]
  return %t, %y, %p : tensor<32x3xf32>, tensor<3x32xf32>, tensor<3x32xbf16>
}
func.func @alone(%a: tensor<3x32xbf16>) -> (tensor<32x3xf32> {prec.name = "t"}, tensor<3x32xf32> {prec.name = "y"}) {
  %y = nn.rms_norm %a order <sequential> : tensor<3x32xbf16> to tensor<3x32xf32>
  %e = tensor.empty() : tensor<32x3xf32>
  %t = linalg.transpose ins(%y : tensor<3x32xf32>) outs(%e : tensor<32x3xf32>) permutation = [1, 0]
  return %t, %y : tensor<32x3xf32>, tensor<3x32xf32>
}
func.func @open(%a: tensor<?x?xbf16> {prec.name = "a"}) -> (tensor<?x?xf32> {prec.name = "t"}, tensor<?x?xf32> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xbf16>
  %n = tensor.dim %a, %c1 : tensor<?x?xbf16>
  %y = nn.rms_norm %a order <sequential> : tensor<?x?xbf16> to tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %t = linalg.transpose ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %t, %y : tensor<?x?xf32>, tensor<?x?xf32>
}
