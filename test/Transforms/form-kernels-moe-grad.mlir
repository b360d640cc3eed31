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
