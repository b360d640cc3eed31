// Forward and backward are promoted together: where an activation or a combination cannot be, neither is its gradient.
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true on-unsupported=warn" --remarks-filter=prec-.* --remark-policy=all -o %t.mlir 2>%t.txt
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// REMARK-NOT: [Passed]
// REMARK-NOT: alone |

// CHECK-LABEL: func @operations
// CHECK:         moe.activation silu %{{.*}} layout halves : tensor
// CHECK:         moe.activation_grad silu %{{.*}} layout halves : tensor
// CHECK:         return
// REMARK-DAG:  warning: cannot promote this activation to f32: its result is quantized to 'f8E5M2'
// REMARK-DAG:  what="activation's gradient", why="its activation cannot be promoted"
func.func @operations(%x: tensor<8x128xf16>, %dy: tensor<8x64xf16>) -> (tensor<8x64xf8E5M2>, tensor<8x128xf16>) {
  %h = moe.activation silu %x layout halves : tensor<8x128xf16> to tensor<8x64xf16>
  %q = arith.truncf %h : tensor<8x64xf16> to tensor<8x64xf8E5M2>
  %dx = moe.activation_grad silu %dy, %x layout halves : tensor<8x64xf16>, tensor<8x128xf16> to tensor<8x128xf16>
  return %q, %dx : tensor<8x64xf8E5M2>, tensor<8x128xf16>
}

// CHECK-LABEL: func @combinations
// CHECK:         moe.combine_grad %{{.*}} weights(%{{.*}} : tensor<8x2xf32>) : tensor
// CHECK:         return
// REMARK-DAG:  warning: cannot promote this combination to f32: expected router probabilities in f32 but got 'f16'
// REMARK-DAG:  what="combination's gradient", why="its combination cannot be promoted"
func.func @combinations(%z: tensor<8x2x64xf16>, %p: tensor<8x2xf16>, %w: tensor<8x2xf32>, %dy: tensor<8x64xf16>)
    -> (tensor<8x64xf16>, tensor<8x2x64xf16>, tensor<8x2xf32>) {
  %y = moe.combine %z weights(%p : tensor<8x2xf16>) : tensor<8x2x64xf16> to tensor<8x64xf16>
  %dz, %dw = moe.combine_grad %dy, %z weights(%w : tensor<8x2xf32>) : tensor<8x64xf16>, tensor<8x2x64xf16> to tensor<8x2x64xf16> weights tensor<8x2xf32>
  return %y, %dz, %dw : tensor<8x64xf16>, tensor<8x2x64xf16>, tensor<8x2xf32>
}

// Written out.
// CHECK-LABEL: func @written
// CHECK:         nn.silu
// CHECK:         nn.silu_grad
// CHECK-NOT:     linalg.generic
// CHECK:         return
// REMARK-DAG:  warning: cannot promote this activation to f32: its result is quantized to 'f8E4M3FN'
// REMARK-DAG:  what="activation's gradient", why="its activation cannot be promoted"
func.func @written(%g: tensor<8x64xbf16>, %u: tensor<8x64xbf16>, %dy: tensor<8x64xbf16>)
    -> (tensor<8x64xf8E4M3FN>, tensor<8x64xbf16>, tensor<8x64xbf16>) {
  %s = nn.silu %g : tensor<8x64xbf16>
  %m = arith.mulf %s, %u : tensor<8x64xbf16>
  %q = arith.truncf %m : tensor<8x64xbf16> to tensor<8x64xf8E4M3FN>
  %du = arith.mulf %dy, %s : tensor<8x64xbf16>
  %c = arith.mulf %dy, %u : tensor<8x64xbf16>
  %dg = nn.silu_grad %c, %g : tensor<8x64xbf16>
  return %q, %dg, %du : tensor<8x64xf8E4M3FN>, tensor<8x64xbf16>, tensor<8x64xbf16>
}
