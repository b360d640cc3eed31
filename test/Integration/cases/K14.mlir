// silu * up * probability in f32 with one rounding, and its neighbours: radixark/Megatron-LM#68, #77; PaddlePaddle/PaddleFleet#1419.
// RUN: %eval
// RUN: %ptx | FileCheck %s '--implicit-check-not={{(add|sub|mul|fma|cvt|div)[.][a-z0-9.]*ftz}}' '--implicit-check-not={{(sin|cos|lg2|tanh|div|sqrt|rsqrt)[.]approx}}'

// EVAL @one_rounding(bf16 [0x408E], bf16 [0xBFF0], f32 [0x3D71A9FC]) = bf16 [0xBEF8]
// CHECK-LABEL: .entry one_rounding
// CHECK: cvt.rn.bf16
func.func @one_rounding(%g: tensor<?xbf16>, %u: tensor<?xbf16>, %p: tensor<?xf32>) -> tensor<?xbf16> {
  %gf = arith.extf %g : tensor<?xbf16> to tensor<?xf32>
  %uf = arith.extf %u : tensor<?xbf16> to tensor<?xf32>
  %s = nn.silu %gf : tensor<?xf32>
  %h = arith.mulf %s, %uf : tensor<?xf32>
  %r = arith.mulf %h, %p : tensor<?xf32>
  %b = arith.truncf %r : tensor<?xf32> to tensor<?xbf16>
  return %b : tensor<?xbf16>
}

// The product is rounded before the probability.
// EVAL @rounded_product(bf16 [0x408E], bf16 [0xBFF0], f32 [0x3D71A9FC]) = bf16 [0xBEF9]
// CHECK-LABEL: .entry rounded_product
// CHECK: cvt.rn.bf16
// CHECK: cvt.rn.bf16
func.func @rounded_product(%g: tensor<?xbf16>, %u: tensor<?xbf16>, %p: tensor<?xf32>) -> tensor<?xbf16> {
  %gf = arith.extf %g : tensor<?xbf16> to tensor<?xf32>
  %uf = arith.extf %u : tensor<?xbf16> to tensor<?xf32>
  %s = nn.silu %gf : tensor<?xf32>
  %h = arith.mulf %s, %uf : tensor<?xf32>
  %hb = arith.truncf %h : tensor<?xf32> to tensor<?xbf16>
  %hf = arith.extf %hb : tensor<?xbf16> to tensor<?xf32>
  %r = arith.mulf %hf, %p : tensor<?xf32>
  %b = arith.truncf %r : tensor<?xf32> to tensor<?xbf16>
  return %b : tensor<?xbf16>
}

// Every step is rounded; with the probability rounded too, the errors cancel.
// EVAL @all_rounded(bf16 [0x408E], bf16 [0xBFF0], f32 [0x3D71A9FC]) = bf16 [0xBEF7], bf16 [0xBEF8]
// CHECK-LABEL: .entry all_rounded
// CHECK: cvt.rn.bf16
// CHECK: cvt.rn.bf16
// CHECK: cvt.rn.bf16
func.func @all_rounded(%g: tensor<?xbf16>, %u: tensor<?xbf16>, %p: tensor<?xf32>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %s = nn.silu %g : tensor<?xbf16>
  %h = arith.mulf %s, %u : tensor<?xbf16>
  %hf = arith.extf %h : tensor<?xbf16> to tensor<?xf32>
  %r = arith.mulf %hf, %p : tensor<?xf32>
  %b = arith.truncf %r : tensor<?xf32> to tensor<?xbf16>
  %pb = arith.truncf %p : tensor<?xf32> to tensor<?xbf16>
  %bb = arith.mulf %h, %pb : tensor<?xbf16>
  return %b, %bb : tensor<?xbf16>, tensor<?xbf16>
}

// All as one operation.
// EVAL @engines(bf16 [[0x408E, 0xBFF0]], f32 [0x3D71A9FC]) = bf16 [[0xBEF8]], bf16 [[0xBEF9]], bf16 [[0xBEF7]], bf16 [[0xBEF8]]
// CHECK-LABEL: .entry engines
func.func @engines(%x: tensor<?x2xbf16>, %p: tensor<?xf32>)
    -> (tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>) {
  %0 = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) points {silu = false, product = false}
         : tensor<?x2xbf16> to tensor<?x1xbf16>
  %1 = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) points {silu = false}
         : tensor<?x2xbf16> to tensor<?x1xbf16>
  %2 = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x2xbf16> to tensor<?x1xbf16>
  %3 = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) points {probability = true}
         : tensor<?x2xbf16> to tensor<?x1xbf16>
  return %0, %1, %2, %3 : tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>
}
