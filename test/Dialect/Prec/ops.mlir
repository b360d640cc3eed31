// RUN: prec-opt %s | prec-opt | FileCheck %s

// CHECK-LABEL: func @ops
func.func @ops(%x: f32, %t: tensor<?x64xf32>) -> (bf16, tensor<?xf32>) {
  // CHECK: prec.round %{{.*}} : f32 to bf16
  %0 = prec.round %x : f32 to bf16
  // CHECK: prec.round %{{.*}} toward_zero saturate : f32 to f8E4M3FN
  %1 = prec.round %x toward_zero saturate : f32 to f8E4M3FN
  // CHECK: prec.sum %{{.*}} dim 1 <lanes<8>> : tensor<?x64xf32> to tensor<?xf32>
  %2 = prec.sum %t dim 1 <lanes<8>> : tensor<?x64xf32> to tensor<?xf32>
  // CHECK: digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero
  %3 = prec.sum %t dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<?x64xf32> to tensor<?xf32>
  // CHECK: prec.kernel "k"(%{{.*}}) : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %4 = prec.kernel "k"(%t) : (tensor<?x64xf32>) -> tensor<?x64xf32> {
  ^bb0(%a: tensor<?x64xf32>):
    prec.yield %a : tensor<?x64xf32>
  }
  return %0, %2 : bf16, tensor<?xf32>
}
