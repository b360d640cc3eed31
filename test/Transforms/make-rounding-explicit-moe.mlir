// RUN: prec-opt %s --prec-make-rounding-explicit | FileCheck %s
// Each moe operation, with its parts and points off and on.

// CHECK-LABEL: func @activation(
// CHECK: %[[V1:.*]] = tensor.extract_slice %{{.*}}[0, 64] [%{{.*}}, 64] [1, 1] : tensor<?x128xbf16> to tensor<?x64xbf16>
// CHECK: %[[V2:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%{{.*}}, 64] [1, 1] : tensor<?x128xbf16> to tensor<?x64xbf16>
// CHECK: %[[V3:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V4:.*]]: bf16, %[[V5:.*]]: bf16, %[[V6:.*]]: f32, %[[V7:.*]]: bf16):
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V5]] : bf16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V10:.*]] = arith.negf %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = math.exp %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.divf %[[V9]], %[[V13]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to bf16
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V15]] : bf16 to f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V16]], %[[V8]] : f32
// CHECK-NEXT: %[[V18:.*]] = prec.round %[[V17]] : f32 to bf16
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V19]], %[[V6]] : f32
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V20]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V21]] : bf16
func.func @activation(%x: tensor<?x128xbf16>, %p: tensor<?xf32>) -> tensor<?x64xbf16> {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

// Without a probability the product is the result: one rounding.
// CHECK-LABEL: func @product_is_the_result(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.negf %[[V6]] : f32
// CHECK-NEXT: %[[V8:.*]] = math.exp %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.addf %[[V8]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V6]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.mulf %[[V11]], %[[V5]] : f32
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V12]] : f32 to f16
// CHECK-NEXT: %[[V14:.*]] = arith.extf %[[V13]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V13]] : f16
func.func @product_is_the_result(%g: tensor<?x?xf16>, %u: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %h = moe.activation silu %g up(%u : tensor<?x?xf16>) points {silu = false} : tensor<?x?xf16> to tensor<?x?xf16>
  return %h : tensor<?x?xf16>
}

// An f32 result has its points, and no last rounding.
// CHECK-LABEL: func @wide_result(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f16, %[[V5:.*]]: f32):
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V4]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.maximumf %[[V8]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V10]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V11]] : f32 to f16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : f16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.mulf %[[V13]], %[[V7]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to f16
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V15]] : f16 to f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V16]], %[[V6]] : f32
// CHECK-NEXT: linalg.yield %[[V17]] : f32
func.func @wide_result(%g: tensor<8xf16>, %u: tensor<8xf16>, %p: tensor<f16>) -> tensor<8xf32> {
  %h = moe.activation relu_squared %g up(%u : tensor<8xf16>) probability(%p : tensor<f16>) : tensor<8xf16> to tensor<8xf32>
  return %h : tensor<8xf32>
}

// Accumulators of a matrix product.
// CHECK-LABEL: func @accumulators(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32, %[[V4:.*]]: bf16, %[[V5:.*]]: bf16, %[[V6:.*]]: f32, %[[V7:.*]]: bf16):
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V5]] : bf16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V10:.*]] = prec.round %[[V2]] : f32 to bf16
// CHECK-NEXT: %[[V11:.*]] = arith.extf %[[V10]] : bf16 to f32
// CHECK-NEXT: %[[V12:.*]] = arith.addf %[[V11]], %[[V9]] : f32
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V12]] : f32 to bf16
// CHECK-NEXT: %[[V14:.*]] = arith.extf %[[V13]] : bf16 to f32
// CHECK-NEXT: %[[V15:.*]] = arith.addf %[[V3]], %[[V8]] : f32
// CHECK-NEXT: %[[V16:.*]] = prec.round %[[V15]] : f32 to bf16
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V16]] : bf16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.maximumf %[[V14]], %[[V18]] : f32
// CHECK-NEXT: %[[V20:.*]] = prec.round %[[V19]] : f32 to bf16
// CHECK-NEXT: %[[V21:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V21]], %[[V17]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to bf16
// CHECK-NEXT: %[[V24:.*]] = arith.extf %[[V23]] : bf16 to f32
// CHECK-NEXT: %[[V25:.*]] = prec.round %[[V6]] : f32 to bf16
// CHECK-NEXT: %[[V26:.*]] = arith.extf %[[V25]] : bf16 to f32
// CHECK-NEXT: %[[V27:.*]] = arith.mulf %[[V24]], %[[V26]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V28]] : bf16
func.func @accumulators(%g: tensor<8xf32>, %u: tensor<8xf32>, %b: tensor<8xbf16>, %p: tensor<f32>) -> tensor<8xbf16> {
  %h = moe.activation relu %g up(%u : tensor<8xf32>) bias(%b : tensor<8xbf16>) up_bias(%b : tensor<8xbf16>)
         probability(%p : tensor<f32>) points {up_cast = false, probability = true} : tensor<8xf32> to tensor<8xbf16>
  return %h : tensor<8xbf16>
}

// CHECK-LABEL: func @clamped(
// CHECK: %[[V1:.*]] = tensor.extract_slice %{{.*}}[1] [8] [2] : tensor<16xbf16> to tensor<8xbf16>
// CHECK: %[[V2:.*]] = tensor.extract_slice %{{.*}}[0] [8] [2] : tensor<16xbf16> to tensor<8xbf16>
// CHECK: %[[V3:.*]] = tensor.extract_slice %{{.*}}[0, 1] [4, 8] [1, 2] : tensor<4x16xbf16> to tensor<4x8xbf16>
// CHECK: %[[V4:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 8] [1, 2] : tensor<4x16xbf16> to tensor<4x8xbf16>
// CHECK: %[[V5:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V6:.*]]: bf16, %[[V7:.*]]: bf16, %[[V8:.*]]: bf16, %[[V9:.*]]: bf16, %[[V10:.*]]: bf16):
// CHECK-NEXT: %[[V11:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V7]] : bf16 to f32
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V8]] : bf16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.extf %[[V6]] : bf16 to f32
// CHECK-NEXT: %[[V15:.*]] = arith.addf %[[V14]], %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = prec.round %[[V15]] : f32 to bf16
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V16]] : bf16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.addf %[[V12]], %[[V11]] : f32
// CHECK-NEXT: %[[V19:.*]] = prec.round %[[V18]] : f32 to bf16
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V19]] : bf16 to f32
// CHECK-NEXT: %[[V21:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V22:.*]] = arith.minimumf %[[V17]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to bf16
// CHECK-NEXT: %[[V24:.*]] = arith.extf %[[V23]] : bf16 to f32
// CHECK-NEXT: %[[MOST:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.maximumf %[[V20]], %[[V25]] : f32
// CHECK-NEXT: %[[V27:.*]] = arith.minimumf %[[V26]], %[[MOST]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : bf16 to f32
// CHECK-NEXT: %[[V30:.*]] = arith.constant 1.702000e+00 : f32
// CHECK-NEXT: %[[V31:.*]] = arith.mulf %[[V30]], %[[V24]] : f32
// CHECK-NEXT: %[[V32:.*]] = prec.round %[[V31]] : f32 to bf16
// CHECK-NEXT: %[[V33:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: %[[V34:.*]] = arith.negf %[[V33]] : f32
// CHECK-NEXT: %[[V35:.*]] = math.exp %[[V34]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V36:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V37:.*]] = arith.addf %[[V35]], %[[V36]] : f32
// CHECK-NEXT: %[[V38:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V39:.*]] = arith.divf %[[V38]], %[[V37]] : f32
// CHECK-NEXT: %[[V40:.*]] = prec.round %[[V39]] : f32 to bf16
// CHECK-NEXT: %[[V41:.*]] = arith.extf %[[V40]] : bf16 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.mulf %[[V24]], %[[V41]] : f32
// CHECK-NEXT: %[[V43:.*]] = prec.round %[[V42]] : f32 to bf16
// CHECK-NEXT: %[[V44:.*]] = arith.extf %[[V43]] : bf16 to f32
// CHECK-NEXT: %[[V45:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V46:.*]] = prec.round %[[V45]] : f32 to bf16
// CHECK-NEXT: %[[V47:.*]] = arith.extf %[[V46]] : bf16 to f32
// CHECK-NEXT: %[[V48:.*]] = arith.addf %[[V29]], %[[V47]] : f32
// CHECK-NEXT: %[[V49:.*]] = prec.round %[[V48]] : f32 to bf16
// CHECK-NEXT: %[[V50:.*]] = arith.extf %[[V49]] : bf16 to f32
// CHECK-NEXT: %[[V51:.*]] = arith.mulf %[[V44]], %[[V50]] : f32
// CHECK-NEXT: %[[V52:.*]] = prec.round %[[V51]] : f32 to bf16
// CHECK-NEXT: %[[V53:.*]] = arith.extf %[[V52]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V52]] : bf16
func.func @clamped(%x: tensor<4x16xbf16>, %b: tensor<16xbf16>) -> tensor<4x8xbf16> {
  %h = moe.activation silu %x layout interleaved bias(%b : tensor<16xbf16>) form product alpha 1.702 limit 7.0 offset 1.0
         math <libdevice> points {offset_scalar = true} : tensor<4x16xbf16> to tensor<4x8xbf16>
  return %h : tensor<4x8xbf16>
}

// The same with every point off: all in f32, one rounding.
// CHECK-LABEL: func @clamped_off(
// CHECK: %[[V1:.*]] = tensor.extract_slice %{{.*}}[1] [8] [2] : tensor<16xf32> to tensor<8xf32>
// CHECK: %[[V2:.*]] = tensor.extract_slice %{{.*}}[0] [8] [2] : tensor<16xf32> to tensor<8xf32>
// CHECK: %[[V3:.*]] = tensor.extract_slice %{{.*}}[0, 1] [4, 8] [1, 2] : tensor<4x16xbf16> to tensor<4x8xbf16>
// CHECK: %[[V4:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 8] [1, 2] : tensor<4x16xbf16> to tensor<4x8xbf16>
// CHECK: %[[V5:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V6:.*]]: bf16, %[[V7:.*]]: bf16, %[[V8:.*]]: f32, %[[V9:.*]]: f32, %[[V10:.*]]: bf16):
// CHECK-NEXT: %[[V11:.*]] = arith.extf %[[V7]] : bf16 to f32
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V6]] : bf16 to f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V12]], %[[V8]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.addf %[[V11]], %[[V9]] : f32
// CHECK-NEXT: %[[V15:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V16:.*]] = arith.minimumf %[[V13]], %[[V15]] : f32
// CHECK-NEXT: %[[MOST:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V17:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V18:.*]] = arith.maximumf %[[V14]], %[[V17]] : f32
// CHECK-NEXT: %[[V19:.*]] = arith.minimumf %[[V18]], %[[MOST]] : f32
// CHECK-NEXT: %[[V20:.*]] = arith.constant 1.702000e+00 : f32
// CHECK-NEXT: %[[V21:.*]] = arith.mulf %[[V20]], %[[V16]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.negf %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = math.exp %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V25:.*]] = arith.addf %[[V23]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = arith.divf %[[V26]], %[[V25]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.mulf %[[V16]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V30:.*]] = arith.addf %[[V19]], %[[V29]] : f32
// CHECK-NEXT: %[[V31:.*]] = arith.mulf %[[V28]], %[[V30]] : f32
// CHECK-NEXT: %[[V32:.*]] = prec.round %[[V31]] : f32 to bf16
// CHECK-NEXT: %[[V33:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V32]] : bf16
func.func @clamped_off(%x: tensor<4x16xbf16>, %b: tensor<16xf32>) -> tensor<4x8xbf16> {
  %h = moe.activation silu %x layout interleaved bias(%b : tensor<16xf32>) form product alpha 1.702 limit 7.0 offset 1.0
         points {bias = false, clamp = false, scaled = false, sigmoid = false, silu = false, offset = false}
         : tensor<4x16xbf16> to tensor<4x8xbf16>
  return %h : tensor<4x8xbf16>
}

// CHECK-LABEL: func @alpha_in_quotient(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 1.702000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[V4]] : f32
// CHECK-NEXT: %[[V7:.*]] = prec.round %[[V6]] : f32 to bf16
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V7]] : bf16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.negf %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = math.exp %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V12:.*]] = arith.addf %[[V10]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.divf %[[V4]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = prec.round %[[V13]] : f32 to bf16
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V14]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V14]] : bf16
func.func @alpha_in_quotient(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %h = moe.activation silu %x alpha 1.702 : tensor<4xbf16> to tensor<4xbf16>
  return %h : tensor<4xbf16>
}

// CHECK-LABEL: func @gelu_tanh(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V4]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V7]], %[[V4]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 0.797884583 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 4.471500e-02 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V10]], %[[V8]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.addf %[[V4]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V9]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = math.tanh %[[V13]] : f32
// CHECK-NEXT: %[[V15:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V16:.*]] = arith.addf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V6]], %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = prec.round %[[V17]] : f32 to bf16
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V18]] : bf16
func.func @gelu_tanh(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %h = moe.activation gelu_tanh %x : tensor<4xbf16> to tensor<4xbf16>
  return %h : tensor<4xbf16>
}

// For f32 the roundings vanish.
// CHECK-LABEL: func @activation_f32(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V2]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 0.707106769 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V2]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = math.erf %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.addf %[[V9]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.mulf %[[V6]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V12]], %[[V3]] : f32
// CHECK-NEXT: linalg.yield %[[V13]] : f32
func.func @activation_f32(%g: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %h = moe.activation gelu %g up(%u : tensor<4xf32>) : tensor<4xf32> to tensor<4xf32>
  return %h : tensor<4xf32>
}

// CHECK-LABEL: func @combine(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: bf16, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V2]] : f32 to bf16
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V6]] : bf16 to f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V5]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = prec.round %[[V8]] : f32 to bf16
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.addf %[[V4]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V11]] : f32 to bf16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V13]] : f32
// CHECK: %[[V14:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V15:.*]]: f32, %[[V16:.*]]: bf16):
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V15]] : f32 to bf16
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V17]] : bf16
func.func @combine(%z: tensor<?x8x64xbf16>, %w: tensor<?x8xf32>) -> tensor<?x64xbf16> {
  %y = moe.combine %z weights(%w : tensor<?x8xf32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func @combine_off(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V6]], %[[V5]] : f32
// CHECK-NEXT: %[[V8:.*]] = arith.addf %[[V4]], %[[V7]] : f32
// CHECK-NEXT: linalg.yield %[[V8]] : f32
// CHECK: %[[V9:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V10:.*]]: f32, %[[V11:.*]]: f16):
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V10]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V12]] : f16
func.func @combine_off(%z: tensor<?x8x64xf16>, %w: tensor<?x8xf16>) -> tensor<?x64xf16> {
  %y = moe.combine %z weights(%w : tensor<?x8xf16>) points {term = false, accumulate = false, sum = false}
         : tensor<?x8x64xf16> to tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// Each slot's place, the slot at each place, the sum in that order.
// CHECK-LABEL: func @combine_by(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: i64, %[[V3:.*]]: i64, %[[V4:.*]]: i32):
// CHECK-NEXT: %[[V5:.*]] = arith.cmpi slt, %[[V3]], %[[V2]] : i64
// CHECK-NEXT: %[[V6:.*]] = arith.cmpi eq, %[[V3]], %[[V2]] : i64
// CHECK-NEXT: %[[V7:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[V8:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V9:.*]] = arith.cmpi ult, %[[V7]], %[[V8]] : index
// CHECK-NEXT: %[[V10:.*]] = arith.andi %[[V6]], %[[V9]] : i1
// CHECK-NEXT: %[[V11:.*]] = arith.ori %[[V5]], %[[V10]] : i1
// CHECK-NEXT: %[[V12:.*]] = arith.extui %[[V11]] : i1 to i32
// CHECK-NEXT: %[[V13:.*]] = arith.addi %[[V4]], %[[V12]] : i32
// CHECK-NEXT: linalg.yield %[[V13]] : i32
// CHECK: %[[V14:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V15:.*]]: i32, %[[V16:.*]]: i32):
// CHECK-NEXT: %[[V17:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V18:.*]] = arith.index_cast %[[V17]] : index to i32
// CHECK-NEXT: %[[V19:.*]] = arith.cmpi eq, %[[V15]], %[[V18]] : i32
// CHECK-NEXT: %[[V20:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[V21:.*]] = arith.index_cast %[[V20]] : index to i32
// CHECK-NEXT: %[[V22:.*]] = arith.select %[[V19]], %[[V21]], %[[V16]] : i32
// CHECK-NEXT: linalg.yield %[[V22]] : i32
// CHECK: %[[V23:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V24:.*]]: i32, %[[V25:.*]]: f32):
// CHECK-NEXT: %[[V26:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[V27:.*]] = arith.index_cast %[[V24]] : i32 to index
// CHECK-NEXT: %[[V28:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V29:.*]] = tensor.extract %{{.*}}[%[[V26]], %[[V27]], %[[V28]]] : tensor<?x8x64xbf16>
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V29]] : bf16 to f32
// CHECK-NEXT: %[[V31:.*]] = arith.addf %[[V25]], %[[V30]] : f32
// CHECK-NEXT: %[[V32:.*]] = prec.round %[[V31]] : f32 to bf16
// CHECK-NEXT: %[[V33:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V33]] : f32
// CHECK: %[[V34:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V35:.*]]: f32, %[[V36:.*]]: bf16):
// CHECK-NEXT: %[[V37:.*]] = prec.round %[[V35]] : f32 to bf16
// CHECK-NEXT: %[[V38:.*]] = arith.extf %[[V37]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V37]] : bf16
func.func @combine_by(%z: tensor<?x8x64xbf16>, %k: tensor<?x8xi64>) -> tensor<?x64xbf16> {
  %y = moe.combine %z by(%k : tensor<?x8xi64>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// A row behind the last one for dropped slots; they add -0.
// CHECK-LABEL: func @combine_rows(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: bf16, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.addf %[[V2]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = prec.round %[[V6]] : f32 to bf16
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V7]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V8]] : f32
// CHECK: %[[V9:.*]] = tensor.concat dim(0) %[[V1]], %{{.*}} : (tensor<?x64xf32>, tensor<1x64xf32>) -> tensor<?x64xf32>
// CHECK: %[[V10:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V11:.*]]: f32, %[[V12:.*]]: i32, %[[V13:.*]]: f32):
// CHECK-NEXT: %[[V14:.*]] = arith.index_cast %[[V12]] : i32 to index
// CHECK-NEXT: %[[V15:.*]] = arith.cmpi ult, %[[V14]], %{{.*}} : index
// CHECK-NEXT: %[[V16:.*]] = arith.select %[[V15]], %[[V14]], %{{.*}} : index
// CHECK-NEXT: %[[V17:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V18:.*]] = arith.select %[[V15]], %[[V11]], %[[V17]] : f32
// CHECK-NEXT: %[[V19:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V20:.*]] = tensor.extract %[[V9]][%[[V16]], %[[V19]]] : tensor<?x64xf32>
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V18]] : f32 to bf16
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V21]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.mulf %[[V20]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V23]] : f32 to bf16
// CHECK-NEXT: %[[V25:.*]] = arith.extf %[[V24]] : bf16 to f32
// CHECK-NEXT: %[[V26:.*]] = arith.addf %[[V13]], %[[V25]] : f32
// CHECK-NEXT: %[[V27:.*]] = prec.round %[[V26]] : f32 to bf16
// CHECK-NEXT: %[[V28:.*]] = arith.extf %[[V27]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V28]] : f32
// CHECK: %[[V29:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V30:.*]]: f32, %[[V31:.*]]: bf16):
// CHECK-NEXT: %[[V32:.*]] = prec.round %[[V30]] : f32 to bf16
// CHECK-NEXT: %[[V33:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V32]] : bf16
func.func @combine_rows(%z: tensor<?x64xf32>, %w: tensor<?x8xf32>, %i: tensor<?x8xi32>, %b: tensor<64xbf16>) -> tensor<?x64xbf16> {
  %y = moe.combine %z weights(%w : tensor<?x8xf32>) indices(%i : tensor<?x8xi32>) bias(%b : tensor<64xbf16>)
         : tensor<?x64xf32> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func @combine_rows_by(
// CHECK: %[[V1:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<?x64xbf16>, tensor<1x64xbf16>) -> tensor<?x64xbf16>
// CHECK: %[[V2:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V3:.*]]: i32, %[[V4:.*]]: i32, %[[V5:.*]]: i32):
// CHECK-NEXT: %[[V6:.*]] = arith.cmpi slt, %[[V4]], %[[V3]] : i32
// CHECK-NEXT: %[[V7:.*]] = arith.cmpi eq, %[[V4]], %[[V3]] : i32
// CHECK-NEXT: %[[V8:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[V9:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V10:.*]] = arith.cmpi ult, %[[V8]], %[[V9]] : index
// CHECK-NEXT: %[[V11:.*]] = arith.andi %[[V7]], %[[V10]] : i1
// CHECK-NEXT: %[[V12:.*]] = arith.ori %[[V6]], %[[V11]] : i1
// CHECK-NEXT: %[[V13:.*]] = arith.extui %[[V12]] : i1 to i32
// CHECK-NEXT: %[[V14:.*]] = arith.addi %[[V5]], %[[V13]] : i32
// CHECK-NEXT: linalg.yield %[[V14]] : i32
// CHECK: %[[V15:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V16:.*]]: i32, %[[V17:.*]]: i32):
// CHECK-NEXT: %[[V18:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V19:.*]] = arith.index_cast %[[V18]] : index to i32
// CHECK-NEXT: %[[V20:.*]] = arith.cmpi eq, %[[V16]], %[[V19]] : i32
// CHECK-NEXT: %[[V21:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[V22:.*]] = arith.index_cast %[[V21]] : index to i32
// CHECK-NEXT: %[[V23:.*]] = arith.select %[[V20]], %[[V22]], %[[V17]] : i32
// CHECK-NEXT: linalg.yield %[[V23]] : i32
// CHECK: %[[V24:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V25:.*]]: i32, %[[V26:.*]]: f32):
// CHECK-NEXT: %[[V27:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[V28:.*]] = arith.index_cast %[[V25]] : i32 to index
// CHECK-NEXT: %[[V29:.*]] = tensor.extract %{{.*}}[%[[V27]], %[[V28]]] : tensor<?x2xf32>
// CHECK-NEXT: %[[V30:.*]] = tensor.extract %{{.*}}[%[[V27]], %[[V28]]] : tensor<?x2xi32>
// CHECK-NEXT: %[[V31:.*]] = arith.index_cast %[[V30]] : i32 to index
// CHECK-NEXT: %[[V32:.*]] = arith.cmpi ult, %[[V31]], %{{.*}} : index
// CHECK-NEXT: %[[V33:.*]] = arith.select %[[V32]], %[[V31]], %{{.*}} : index
// CHECK-NEXT: %[[V34:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V35:.*]] = arith.select %[[V32]], %[[V29]], %[[V34]] : f32
// CHECK-NEXT: %[[V36:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V37:.*]] = tensor.extract %[[V1]][%[[V33]], %[[V36]]] : tensor<?x64xbf16>
// CHECK-NEXT: %[[V38:.*]] = arith.extf %[[V37]] : bf16 to f32
// CHECK-NEXT: %[[V39:.*]] = arith.mulf %[[V38]], %[[V35]] : f32
// CHECK-NEXT: %[[V40:.*]] = prec.round %[[V39]] : f32 to bf16
// CHECK-NEXT: %[[V41:.*]] = arith.extf %[[V40]] : bf16 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.addf %[[V26]], %[[V41]] : f32
// CHECK-NEXT: %[[V43:.*]] = prec.round %[[V42]] : f32 to bf16
// CHECK-NEXT: %[[V44:.*]] = arith.extf %[[V43]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V44]] : f32
// CHECK: %[[V45:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V46:.*]]: f32, %[[V47:.*]]: bf16):
// CHECK-NEXT: %[[V48:.*]] = prec.round %[[V46]] : f32 to bf16
// CHECK-NEXT: %[[V49:.*]] = arith.extf %[[V48]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V48]] : bf16
func.func @combine_rows_by(%z: tensor<?x64xbf16>, %w: tensor<?x2xf32>, %i: tensor<?x2xi32>) -> tensor<?x64xbf16> {
  %y = moe.combine %z weights(%w : tensor<?x2xf32>) indices(%i : tensor<?x2xi32>) by(%i : tensor<?x2xi32>)
         points {weight = false} : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func @combine_order(
// CHECK: %[[V1:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<?x64xbf16>, tensor<1x64xbf16>) -> tensor<?x64xbf16>
// CHECK: %[[V2:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V3:.*]]: i32, %[[V4:.*]]: f64):
// CHECK-NEXT: %[[V5:.*]] = arith.index_cast %[[V3]] : i32 to index
// CHECK-NEXT: %[[V6:.*]] = arith.cmpi ult, %[[V5]], %{{.*}} : index
// CHECK-NEXT: %[[V7:.*]] = arith.select %[[V6]], %[[V5]], %{{.*}} : index
// CHECK-NEXT: %[[V8:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[V9:.*]] = tensor.extract %[[V1]][%[[V7]], %[[V8]]] : tensor<?x64xbf16>
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.extf %[[V10]] : f32 to f64
// CHECK-NEXT: linalg.yield %[[V11]] : f64
// CHECK: %[[V12:.*]] = prec.sum %[[V2]] dim 1 <lanes<4>> : tensor<?x8x64xf64> to tensor<?x64xf64>
// CHECK: %[[V13:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V14:.*]]: f64, %[[V15:.*]]: f32):
// CHECK-NEXT: %[[V16:.*]] = prec.round %[[V14]] : f64 to f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
func.func @combine_order(%z: tensor<?x64xbf16>, %i: tensor<?x8xi32>) -> tensor<?x64xf32> {
  %y = moe.combine %z indices(%i : tensor<?x8xi32>) order <lanes<4>> accumulate f64 points {accumulate = false, sum = false}
         : tensor<?x64xbf16> to tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: func @combine_finish(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.addf %[[V3]], %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to bf16
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V6]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: %[[V8:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V9:.*]]: f32, %[[V10:.*]]: bf16, %[[V11:.*]]: bf16, %[[V12:.*]]: bf16, %[[V13:.*]]: bf16):
// CHECK-NEXT: %[[V14:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V11]] : bf16 to f32
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V10]] : bf16 to f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V9]] : f32 to bf16
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : bf16 to f32
// CHECK-NEXT: %[[V19:.*]] = arith.constant 2.500000e+00 : f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V18]], %[[V19]] : f32
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V20]] : f32 to bf16
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V21]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.negf %[[V15]] : f32
// CHECK-NEXT: %[[V24:.*]] = math.exp %[[V23]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.addf %[[V24]], %[[V25]] : f32
// CHECK-NEXT: %[[V27:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V28:.*]] = arith.divf %[[V27]], %[[V26]] : f32
// CHECK-NEXT: %[[V29:.*]] = prec.round %[[V28]] : f32 to bf16
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V29]] : bf16 to f32
// CHECK-NEXT: %[[V31:.*]] = arith.mulf %[[V30]], %[[V16]] : f32
// CHECK-NEXT: %[[V32:.*]] = prec.round %[[V31]] : f32 to bf16
// CHECK-NEXT: %[[V33:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: %[[V34:.*]] = arith.addf %[[V22]], %[[V33]] : f32
// CHECK-NEXT: %[[V35:.*]] = prec.round %[[V34]] : f32 to bf16
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V35]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.addf %[[V36]], %[[V14]] : f32
// CHECK-NEXT: %[[V38:.*]] = prec.round %[[V37]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V38]] : bf16
func.func @combine_finish(%z: tensor<?x2x64xbf16>, %s: tensor<?x64xbf16>, %l: tensor<?x1xbf16>, %r: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %y = moe.combine %z shared(%s : tensor<?x64xbf16>) shared_logit(%l : tensor<?x1xbf16>) residual(%r : tensor<?x64xbf16>) scale 2.5
         : tensor<?x2x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func @combine_finish_off(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f64):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : f32 to f64
// CHECK-NEXT: %[[V6:.*]] = arith.addf %[[V3]], %[[V5]] : f64
// CHECK-NEXT: linalg.yield %[[V6]] : f64
// CHECK: %[[V7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f64, %[[V9:.*]]: bf16, %[[V10:.*]]: f32, %[[V11:.*]]: bf16):
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V8]] : f64 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 2.500000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.mulf %[[V13]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.negf %[[V10]] : f32
// CHECK-NEXT: %[[V17:.*]] = math.exp %[[V16]] {prec.math = #prec.math<fast>} : f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.addf %[[V17]], %[[V18]] : f32
// CHECK-NEXT: %[[V20:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V21:.*]] = arith.divf %[[V20]], %[[V19]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V21]], %[[V12]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.addf %[[V15]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V23]] : f32 to bf16
// CHECK-NEXT: %[[V25:.*]] = arith.extf %[[V24]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V24]] : bf16
func.func @combine_finish_off(%z: tensor<?x2x64xbf16>, %s: tensor<?x64xbf16>, %l: tensor<?xf32>) -> tensor<?x64xbf16> {
  %y = moe.combine %z shared(%s : tensor<?x64xbf16>) shared_logit(%l : tensor<?xf32>) scale 2.5 accumulate f64 math <fast>
         points {accumulate = false, sum = false, scaled = false, shared_gate = false, shared = false}
         : tensor<?x2x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func @router(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[V5:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V6:.*]]: f32, %[[V7:.*]]: f32):
// CHECK-NEXT: %[[V8:.*]] = arith.maximumf %[[V6]], %[[V7]] : f32
// CHECK-NEXT: linalg.yield %[[V8]] : f32
// CHECK: %[[V9:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V10:.*]]: f32, %[[V11:.*]]: f32, %[[V12:.*]]: f32):
// CHECK-NEXT: %[[V13:.*]] = arith.subf %[[V10]], %[[V11]] : f32
// CHECK-NEXT: %[[V14:.*]] = math.exp %[[V13]] : f32
// CHECK-NEXT: linalg.yield %[[V14]] : f32
// CHECK: %[[V15:.*]] = prec.sum %[[V9]] dim 1 <aten_cpu> : tensor<?x128xf32> to tensor<?xf32>
// CHECK: %[[V16:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V17:.*]]: f32, %[[V18:.*]]: f32, %[[V19:.*]]: f32, %[[V20:.*]]: i64, %[[V21:.*]]: i64):
// CHECK-NEXT: %[[V22:.*]] = arith.subf %[[V17]], %[[V18]] : f32
// CHECK-NEXT: %[[V23:.*]] = math.exp %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.divf %[[V23]], %[[V19]] : f32
// CHECK-NEXT: %[[V25:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V26:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = arith.addf %[[V24]], %[[V26]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.cmpf uno, %[[V27]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.bitcast %[[V27]] : f32 to i32
// CHECK-NEXT: %[[V30:.*]] = arith.constant 2143289344 : i32
// CHECK-NEXT: %[[V31:.*]] = arith.select %[[V28]], %[[V30]], %[[V29]] : i32
// CHECK-NEXT: %[[V32:.*]] = arith.constant 31 : i32
// CHECK-NEXT: %[[V33:.*]] = arith.shrsi %[[V31]], %[[V32]] : i32
// CHECK-NEXT: %[[V34:.*]] = arith.constant 2147483647 : i32
// CHECK-NEXT: %[[V35:.*]] = arith.andi %[[V33]], %[[V34]] : i32
// CHECK-NEXT: %[[V36:.*]] = arith.xori %[[V31]], %[[V35]] : i32
// CHECK-NEXT: %[[V37:.*]] = arith.extsi %[[V36]] : i32 to i64
// CHECK-NEXT: %[[V38:.*]] = arith.constant 32 : i64
// CHECK-NEXT: %[[V39:.*]] = arith.shli %[[V37]], %[[V38]] : i64
// CHECK-NEXT: %[[V40:.*]] = arith.index_cast %[[V25]] : index to i64
// CHECK-NEXT: %[[V41:.*]] = arith.constant 4294967295 : i64
// CHECK-NEXT: %[[V42:.*]] = arith.xori %[[V40]], %[[V41]] : i64
// CHECK-NEXT: %[[V43:.*]] = arith.ori %[[V39]], %[[V42]] : i64
// CHECK-NEXT: %[[V44:.*]] = arith.maxsi %[[V20]], %[[V43]] : i64
// CHECK-NEXT: %[[V45:.*]] = arith.minsi %[[V20]], %[[V43]] : i64
// CHECK-NEXT: %[[V46:.*]] = arith.maxsi %[[V21]], %[[V45]] : i64
// CHECK-NEXT: %[[V47:.*]] = arith.minsi %[[V21]], %[[V45]] : i64
// CHECK-NEXT: linalg.yield %[[V44]], %[[V46]] : i64, i64
// CHECK: %[[V48:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V49:.*]]: i64, %[[V50:.*]]: i64, %[[V51:.*]]: i32):
// CHECK-NEXT: %[[V52:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V53:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V54:.*]] = arith.cmpi eq, %[[V52]], %[[V53]] : index
// CHECK-NEXT: %[[V55:.*]] = arith.select %[[V54]], %[[V49]], %[[V50]] : i64
// CHECK-NEXT: %[[V56:.*]] = arith.trunci %[[V55]] : i64 to i32
// CHECK-NEXT: %[[V57:.*]] = arith.constant -1 : i32
// CHECK-NEXT: %[[V58:.*]] = arith.xori %[[V56]], %[[V57]] : i32
// CHECK-NEXT: linalg.yield %[[V58]] : i32
// CHECK: %[[V59:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V60:.*]]: i32, %[[V61:.*]]: f32, %[[V62:.*]]: f32, %[[V63:.*]]: f32):
// CHECK-NEXT: %[[V64:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[V65:.*]] = arith.index_cast %[[V60]] : i32 to index
// CHECK-NEXT: %[[V66:.*]] = tensor.extract %[[V1]][%[[V64]], %[[V65]]] : tensor<?x128xf32>
// CHECK-NEXT: %[[V67:.*]] = arith.subf %[[V66]], %[[V61]] : f32
// CHECK-NEXT: %[[V68:.*]] = math.exp %[[V67]] : f32
// CHECK-NEXT: %[[V69:.*]] = arith.divf %[[V68]], %[[V62]] : f32
// CHECK-NEXT: linalg.yield %[[V69]] : f32
// CHECK: %[[V70:.*]] = prec.sum %[[V59]] dim 1 <aten_cpu> : tensor<?x2xf32> to tensor<?xf32>
// CHECK: %[[V71:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V72:.*]]: f32, %[[V73:.*]]: f32, %[[V74:.*]]: bf16):
// CHECK-NEXT: %[[V75:.*]] = arith.divf %[[V72]], %[[V73]] : f32
// CHECK-NEXT: %[[V76:.*]] = prec.round %[[V75]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V76]] : bf16
func.func @router(%l: tensor<?x128xbf16>) -> (tensor<?x2xbf16>, tensor<?x2xi32>) {
  %w, %i = moe.router %l softmax top_k 2 renormalize : tensor<?x128xbf16> to tensor<?x2xbf16>, tensor<?x2xi32>
  return %w, %i : tensor<?x2xbf16>, tensor<?x2xi32>
}

// CHECK-LABEL: func @router_points(
// CHECK: cf.assert %{{.*}}, "moe.router: fewer experts than top_k"
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = prec.round %[[V2]] : f32 to bf16
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[V6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT: %[[V9:.*]] = arith.maximumf %[[V7]], %[[V8]] : f32
// CHECK-NEXT: linalg.yield %[[V9]] : f32
// CHECK: %[[V10:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V11:.*]]: f32, %[[V12:.*]]: f32, %[[V13:.*]]: f32):
// CHECK-NEXT: %[[V14:.*]] = arith.subf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to bf16
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V15]] : bf16 to f32
// CHECK-NEXT: %[[V17:.*]] = math.exp %[[V16]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V18:.*]] = prec.round %[[V17]] : f32 to bf16
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V19]] : f32
// CHECK: %[[V20:.*]] = prec.sum %[[V10]] dim 1 <sequential> : tensor<?x?xf32> to tensor<?xf32>
// CHECK: %[[V21:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V22:.*]]: f32, %[[V23:.*]]: f32, %[[V24:.*]]: f32, %[[V25:.*]]: f32, %[[V26:.*]]: i64):
// CHECK-NEXT: %[[V27:.*]] = arith.subf %[[V22]], %[[V24]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : bf16 to f32
// CHECK-NEXT: %[[V30:.*]] = math.exp %[[V29]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V31:.*]] = prec.round %[[V30]] : f32 to bf16
// CHECK-NEXT: %[[V32:.*]] = arith.extf %[[V31]] : bf16 to f32
// CHECK-NEXT: %[[V33:.*]] = prec.round %[[V25]] : f32 to bf16
// CHECK-NEXT: %[[V34:.*]] = arith.extf %[[V33]] : bf16 to f32
// CHECK-NEXT: %[[V35:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V36:.*]] = arith.divf %[[V35]], %[[V34]] : f32
// CHECK-NEXT: %[[V37:.*]] = arith.mulf %[[V32]], %[[V36]] : f32
// CHECK-NEXT: %[[V38:.*]] = prec.round %[[V37]] : f32 to bf16
// CHECK-NEXT: %[[V39:.*]] = arith.extf %[[V38]] : bf16 to f32
// CHECK-NEXT: %[[V40:.*]] = prec.round %[[V23]] : f32 to bf16
// CHECK-NEXT: %[[V41:.*]] = arith.extf %[[V40]] : bf16 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.addf %[[V39]], %[[V41]] : f32
// CHECK-NEXT: %[[V43:.*]] = prec.round %[[V42]] : f32 to bf16
// CHECK-NEXT: %[[V44:.*]] = arith.extf %[[V43]] : bf16 to f32
// CHECK-NEXT: %[[V45:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V46:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V47:.*]] = arith.addf %[[V44]], %[[V46]] : f32
// CHECK-NEXT: %[[V48:.*]] = arith.cmpf uno, %[[V47]], %[[V47]] : f32
// CHECK-NEXT: %[[V49:.*]] = arith.bitcast %[[V47]] : f32 to i32
// CHECK-NEXT: %[[V50:.*]] = arith.constant 2143289344 : i32
// CHECK-NEXT: %[[V51:.*]] = arith.select %[[V48]], %[[V50]], %[[V49]] : i32
// CHECK-NEXT: %[[V52:.*]] = arith.constant 31 : i32
// CHECK-NEXT: %[[V53:.*]] = arith.shrsi %[[V51]], %[[V52]] : i32
// CHECK-NEXT: %[[V54:.*]] = arith.constant 2147483647 : i32
// CHECK-NEXT: %[[V55:.*]] = arith.andi %[[V53]], %[[V54]] : i32
// CHECK-NEXT: %[[V56:.*]] = arith.xori %[[V51]], %[[V55]] : i32
// CHECK-NEXT: %[[V57:.*]] = arith.extsi %[[V56]] : i32 to i64
// CHECK-NEXT: %[[V58:.*]] = arith.constant 32 : i64
// CHECK-NEXT: %[[V59:.*]] = arith.shli %[[V57]], %[[V58]] : i64
// CHECK-NEXT: %[[V60:.*]] = arith.index_cast %[[V45]] : index to i64
// CHECK-NEXT: %[[V61:.*]] = arith.constant 4294967295 : i64
// CHECK-NEXT: %[[V62:.*]] = arith.xori %[[V60]], %[[V61]] : i64
// CHECK-NEXT: %[[V63:.*]] = arith.ori %[[V59]], %[[V62]] : i64
// CHECK-NEXT: %[[V64:.*]] = arith.maxsi %[[V26]], %[[V63]] : i64
// CHECK-NEXT: %[[V65:.*]] = arith.minsi %[[V26]], %[[V63]] : i64
// CHECK-NEXT: linalg.yield %[[V64]] : i64
// CHECK: %[[V66:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V67:.*]]: i64, %[[V68:.*]]: i64):
// CHECK-NEXT: %[[V69:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V70:.*]] = arith.trunci %[[V67]] : i64 to i32
// CHECK-NEXT: %[[V71:.*]] = arith.constant -1 : i32
// CHECK-NEXT: %[[V72:.*]] = arith.xori %[[V70]], %[[V71]] : i32
// CHECK-NEXT: %[[V73:.*]] = arith.extui %[[V72]] : i32 to i64
// CHECK-NEXT: linalg.yield %[[V73]] : i64
// CHECK: %[[V74:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V75:.*]]: i64, %[[V76:.*]]: f32, %[[V77:.*]]: f32, %[[V78:.*]]: f32):
// CHECK-NEXT: %[[V79:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[V80:.*]] = arith.index_cast %[[V75]] : i64 to index
// CHECK-NEXT: %[[V81:.*]] = tensor.extract %[[V1]][%[[V79]], %[[V80]]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V82:.*]] = arith.subf %[[V81]], %[[V76]] : f32
// CHECK-NEXT: %[[V83:.*]] = prec.round %[[V82]] : f32 to bf16
// CHECK-NEXT: %[[V84:.*]] = arith.extf %[[V83]] : bf16 to f32
// CHECK-NEXT: %[[V85:.*]] = math.exp %[[V84]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V86:.*]] = prec.round %[[V85]] : f32 to bf16
// CHECK-NEXT: %[[V87:.*]] = arith.extf %[[V86]] : bf16 to f32
// CHECK-NEXT: %[[V88:.*]] = prec.round %[[V77]] : f32 to bf16
// CHECK-NEXT: %[[V89:.*]] = arith.extf %[[V88]] : bf16 to f32
// CHECK-NEXT: %[[V90:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V91:.*]] = arith.divf %[[V90]], %[[V89]] : f32
// CHECK-NEXT: %[[V92:.*]] = arith.mulf %[[V87]], %[[V91]] : f32
// CHECK-NEXT: %[[V93:.*]] = prec.round %[[V92]] : f32 to bf16
// CHECK-NEXT: %[[V94:.*]] = arith.extf %[[V93]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V94]] : f32
// CHECK: %[[V95:.*]] = prec.sum %[[V74]] dim 1 <sequential> : tensor<?x1xf32> to tensor<?xf32>
// CHECK: %[[V96:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V97:.*]]: f32, %[[V98:.*]]: f32, %[[V99:.*]]: bf16):
// CHECK-NEXT: %[[V100:.*]] = arith.constant 9.99999968E-21 : f32
// CHECK-NEXT: %[[V101:.*]] = arith.addf %[[V98]], %[[V100]] : f32
// CHECK-NEXT: %[[V102:.*]] = prec.round %[[V101]] : f32 to bf16
// CHECK-NEXT: %[[V103:.*]] = arith.extf %[[V102]] : bf16 to f32
// CHECK-NEXT: %[[V104:.*]] = arith.divf %[[V97]], %[[V103]] : f32
// CHECK-NEXT: %[[V105:.*]] = prec.round %[[V104]] : f32 to bf16
// CHECK-NEXT: %[[V106:.*]] = arith.extf %[[V105]] : bf16 to f32
// CHECK-NEXT: %[[V107:.*]] = arith.constant 2.500000e+00 : f32
// CHECK-NEXT: %[[V108:.*]] = arith.mulf %[[V106]], %[[V107]] : f32
// CHECK-NEXT: %[[V109:.*]] = prec.round %[[V108]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V109]] : bf16
func.func @router_points(%l: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x1xbf16>, tensor<?x1xi64>) {
  %w, %i = moe.router %l bias(%b : tensor<?xf32>) softmax top_k 1 renormalize epsilon 1.0e-20 scale 2.5 divide reciprocal
             order <sequential> total_order <sequential> math <libdevice>
             points {logit = true, shifted = true, exponential = true, sum = true, score = true, bias = true, biased = true,
                     total = true, normalized = true} : tensor<?x?xf32> to tensor<?x1xbf16>, tensor<?x1xi64>
  return %w, %i : tensor<?x1xbf16>, tensor<?x1xi64>
}

// CHECK-LABEL: func @router_softmax_of_top(
// CHECK: %[[V1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[V5:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V6:.*]]: f32, %[[V7:.*]]: i64, %[[V8:.*]]: i64):
// CHECK-NEXT: %[[V9:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V10:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.addf %[[V6]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.cmpf uno, %[[V11]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.bitcast %[[V11]] : f32 to i32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 2143289344 : i32
// CHECK-NEXT: %[[V15:.*]] = arith.select %[[V12]], %[[V14]], %[[V13]] : i32
// CHECK-NEXT: %[[V16:.*]] = arith.constant 31 : i32
// CHECK-NEXT: %[[V17:.*]] = arith.shrsi %[[V15]], %[[V16]] : i32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 2147483647 : i32
// CHECK-NEXT: %[[V19:.*]] = arith.andi %[[V17]], %[[V18]] : i32
// CHECK-NEXT: %[[V20:.*]] = arith.xori %[[V15]], %[[V19]] : i32
// CHECK-NEXT: %[[V21:.*]] = arith.extsi %[[V20]] : i32 to i64
// CHECK-NEXT: %[[V22:.*]] = arith.constant 32 : i64
// CHECK-NEXT: %[[V23:.*]] = arith.shli %[[V21]], %[[V22]] : i64
// CHECK-NEXT: %[[V24:.*]] = arith.index_cast %[[V9]] : index to i64
// CHECK-NEXT: %[[V25:.*]] = arith.constant 4294967295 : i64
// CHECK-NEXT: %[[V26:.*]] = arith.xori %[[V24]], %[[V25]] : i64
// CHECK-NEXT: %[[V27:.*]] = arith.ori %[[V23]], %[[V26]] : i64
// CHECK-NEXT: %[[V28:.*]] = arith.maxsi %[[V7]], %[[V27]] : i64
// CHECK-NEXT: %[[V29:.*]] = arith.minsi %[[V7]], %[[V27]] : i64
// CHECK-NEXT: %[[V30:.*]] = arith.maxsi %[[V8]], %[[V29]] : i64
// CHECK-NEXT: %[[V31:.*]] = arith.minsi %[[V8]], %[[V29]] : i64
// CHECK-NEXT: linalg.yield %[[V28]], %[[V30]] : i64, i64
// CHECK: %[[V32:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V33:.*]]: i64, %[[V34:.*]]: i64, %[[V35:.*]]: i32):
// CHECK-NEXT: %[[V36:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V37:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V38:.*]] = arith.cmpi eq, %[[V36]], %[[V37]] : index
// CHECK-NEXT: %[[V39:.*]] = arith.select %[[V38]], %[[V33]], %[[V34]] : i64
// CHECK-NEXT: %[[V40:.*]] = arith.trunci %[[V39]] : i64 to i32
// CHECK-NEXT: %[[V41:.*]] = arith.constant -1 : i32
// CHECK-NEXT: %[[V42:.*]] = arith.xori %[[V40]], %[[V41]] : i32
// CHECK-NEXT: linalg.yield %[[V42]] : i32
// CHECK: %[[V43:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V44:.*]]: i32, %[[V45:.*]]: f32):
// CHECK-NEXT: %[[V46:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[V47:.*]] = arith.index_cast %[[V44]] : i32 to index
// CHECK-NEXT: %[[V48:.*]] = tensor.extract %[[V1]][%[[V46]], %[[V47]]] : tensor<?x8xf32>
// CHECK-NEXT: linalg.yield %[[V48]] : f32
// CHECK: %[[V49:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[V50:.*]]: f32, %[[V51:.*]]: f32):
// CHECK-NEXT: %[[V52:.*]] = arith.maximumf %[[V50]], %[[V51]] : f32
// CHECK-NEXT: linalg.yield %[[V52]] : f32
// CHECK: %[[V53:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V54:.*]]: f32, %[[V55:.*]]: f32, %[[V56:.*]]: f32):
// CHECK-NEXT: %[[V57:.*]] = arith.subf %[[V54]], %[[V55]] : f32
// CHECK-NEXT: %[[V58:.*]] = math.exp %[[V57]] : f32
// CHECK-NEXT: linalg.yield %[[V58]] : f32
// CHECK: %[[V59:.*]] = prec.sum %[[V53]] dim 1 <aten_cpu> : tensor<?x2xf32> to tensor<?xf32>
// CHECK: %[[V60:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[V61:.*]]: f32, %[[V62:.*]]: f32, %[[V63:.*]]: f32, %[[V64:.*]]: bf16):
// CHECK-NEXT: %[[V65:.*]] = arith.subf %[[V61]], %[[V62]] : f32
// CHECK-NEXT: %[[V66:.*]] = math.exp %[[V65]] : f32
// CHECK-NEXT: %[[V67:.*]] = arith.divf %[[V66]], %[[V63]] : f32
// CHECK-NEXT: %[[V68:.*]] = prec.round %[[V67]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V68]] : bf16
func.func @router_softmax_of_top(%l: tensor<?x8xbf16>) -> (tensor<?x2xbf16>, tensor<?x2xi32>) {
  %w, %i = moe.router %l softmax_of_top top_k 2 : tensor<?x8xbf16> to tensor<?x2xbf16>, tensor<?x2xi32>
  return %w, %i : tensor<?x2xbf16>, tensor<?x2xi32>
}
