// RUN: prec-opt %s --split-input-file --prec-promote-moe="activation=true combine=true" --remarks-filter=prec-.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// CHECK: [Analysis] alone | Category:prec-promote-moe | missing="activation's gradient", what=activation
func.func @forward(%x: tensor<?x128xbf16>) -> tensor<?x64xbf16> {
  %0 = moe.activation silu %x layout halves : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

// CHECK: [Analysis] alone | Category:prec-promote-moe | missing=combination, what="combination's gradient"
func.func @gradient(%dy: tensor<?x64xf16>, %z: tensor<?x8x64xf16>, %p: tensor<?x8xf32>) -> (tensor<?x8x64xf16>, tensor<?x8xf32>) {
  %0:2 = moe.combine_grad %dy, %z weights(%p : tensor<?x8xf32>)
           : tensor<?x64xf16>, tensor<?x8x64xf16> to tensor<?x8x64xf16> weights tensor<?x8xf32>
  return %0#0, %0#1 : tensor<?x8x64xf16>, tensor<?x8xf32>
}
