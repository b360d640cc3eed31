// The backward of an expert's activation is one kernel, the probability's row sum included.
// RUN: prec-opt %s --prec-make-rounding-explicit --canonicalize --cse --prec-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @backward
// CHECK: %{{.*}}:3 = prec.kernel "backward"
// CHECK-NOT: prec.kernel
// CHECK: return
func.func @backward(%dy: tensor<?x64xbf16>, %g: tensor<?x64xbf16>, %u: tensor<?x64xbf16>, %p: tensor<?xf32>)
    -> (tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>) {
  %dg, %du, %dp = moe.activation_grad silu %dy, %g up(%u : tensor<?x64xbf16>) probability(%p : tensor<?xf32>)
      : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16> up tensor<?x64xbf16> probability tensor<?xf32>
  return %dg, %du, %dp : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>
}

// Also where gate and up are one tensor, of rows twice as long as those of the sum.
// CHECK-LABEL: func.func @halves
// CHECK: %{{.*}}:2 = prec.kernel "halves"
// CHECK-NOT: prec.kernel
// CHECK: return
func.func @halves(%dy: tensor<?x64xbf16>, %x: tensor<?x128xbf16>, %p: tensor<?xf32>) -> (tensor<?x128xbf16>, tensor<?xf32>) {
  %dx, %dp = moe.activation_grad silu %dy, %x layout halves probability(%p : tensor<?xf32>)
      : tensor<?x64xbf16>, tensor<?x128xbf16> to tensor<?x128xbf16> probability tensor<?xf32>
  return %dx, %dp : tensor<?x128xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @interleaved
// CHECK: %{{.*}}:2 = prec.kernel "interleaved"
// CHECK-NOT: prec.kernel
// CHECK: return
func.func @interleaved(%dy: tensor<?x64xf16>, %x: tensor<?x128xf16>, %p: tensor<?xf16>) -> (tensor<?x128xf16>, tensor<?xf16>) {
  %dx, %dp = moe.activation_grad silu %dy, %x layout interleaved probability(%p : tensor<?xf16>) derivative closed form product
      : tensor<?x64xf16>, tensor<?x128xf16> to tensor<?x128xf16> probability tensor<?xf16>
  return %dx, %dp : tensor<?x128xf16>, tensor<?xf16>
}

// The sum first. Rows of a dynamic length may be too short for the other's threads, and stay apart.
// CHECK-LABEL: func.func @sum_first
// CHECK: %{{.*}}:2 = prec.kernel "sum_first"
// CHECK-NOT: prec.kernel
// CHECK: return
func.func @sum_first(%x: tensor<?x128xf32>) -> (tensor<?xf32>, tensor<?x256xf32>) {
  %s = prec.sum %x dim 1 <sequential> : tensor<?x128xf32> to tensor<?xf32>
  %y = tensor.concat dim(1) %x, %x : (tensor<?x128xf32>, tensor<?x128xf32>) -> tensor<?x256xf32>
  return %s, %y : tensor<?xf32>, tensor<?x256xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-COUNT-2: prec.kernel
// CHECK: return
func.func @dynamic(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %s = prec.sum %x dim 1 <sequential> : tensor<?x?xf32> to tensor<?xf32>
  %y = tensor.concat dim(1) %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s, %y : tensor<?xf32>, tensor<?x?xf32>
}
