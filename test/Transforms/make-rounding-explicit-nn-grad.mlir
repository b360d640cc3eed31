// RUN: prec-opt %s --prec-make-rounding-explicit | FileCheck %s
// Each gradient of nn, with its points off and on.

// CHECK-LABEL: func @sigmoid(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<?xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.subf %[[V7]], %[[V5]] : f32
// CHECK-NEXT: %[[V9:.*]] = prec.round %[[V8]] : f32 to bf16
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V6]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V11]] : f32 to bf16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.mulf %[[V13]], %[[V5]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V15]] : bf16
func.func @sigmoid(%g: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = nn.sigmoid_grad %g, %y : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// CHECK-LABEL: func @sigmoid_one_rounding(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.subf %[[V7]], %[[V5]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[V6]], %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[V9]], %[[V5]] : f32
// CHECK-NEXT: %[[V11:.*]] = prec.round %[[V10]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V11]] : f16
func.func @sigmoid_one_rounding(%g: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.sigmoid_grad %g, %y points {complement = false, product = false} : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// For f32 the roundings vanish.
// CHECK-LABEL: func @sigmoid_f32(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.subf %[[V5]], %[[V3]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V2]], %[[V6]] : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V7]], %[[V3]] : f32
// CHECK-NEXT: linalg.yield %[[V8]] : f32
func.func @sigmoid_f32(%g: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.sigmoid_grad %g, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @tanh(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V5]], %[[V5]] : f32
// CHECK-NEXT: %[[V8:.*]] = prec.round %[[V7]] : f32 to bf16
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V8]] : bf16 to f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.subf %[[V10]], %[[V9]] : f32
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V11]] : f32 to bf16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.mulf %[[V6]], %[[V13]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V15]] : bf16
func.func @tanh(%g: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.tanh_grad %g, %y : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @tanh_one_rounding(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V5]], %[[V5]] : f32
// CHECK-NEXT: %[[V8:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V9:.*]] = arith.subf %[[V8]], %[[V7]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[V6]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = prec.round %[[V10]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V11]] : bf16
func.func @tanh_one_rounding(%g: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.tanh_grad %g, %y points {square = false, complement = false} : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @silu(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.negf %[[V5]] : f32
// CHECK-NEXT: %[[V9:.*]] = math.exp %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.addf %[[V9]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.divf %[[V7]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V6]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.subf %[[V14]], %[[V12]] : f32
// CHECK-NEXT: %[[V16:.*]] = math.fma %[[V5]], %[[V15]], %[[V14]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V13]], %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = prec.round %[[V17]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V18]] : f16
func.func @silu(%g: tensor<4xf16>, %x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.silu_grad %g, %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func @silu_separate(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.negf %[[V5]] : f32
// CHECK-NEXT: %[[V9:.*]] = math.exp %[[V8]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.addf %[[V9]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.divf %[[V7]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V6]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.subf %[[V14]], %[[V12]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.mulf %[[V5]], %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.addf %[[V16]], %[[V14]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.mulf %[[V13]], %[[V17]] : f32
// CHECK-NEXT: %[[V19:.*]] = prec.round %[[V18]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V19]] : bf16
func.func @silu_separate(%g: tensor<4xbf16>, %x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.silu_grad %g, %x multiply_add separate math <libdevice> : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @gelu(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 0.707106769 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[V5]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = math.erf %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.addf %[[V11]], %[[V7]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V8]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant -5.000000e-01 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.mulf %[[V14]], %[[V5]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.mulf %[[V15]], %[[V5]] : f32
// CHECK-NEXT: %[[V17:.*]] = math.exp %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 0.398942292 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.mulf %[[V17]], %[[V18]] : f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V5]], %[[V19]] : f32
// CHECK-NEXT: %[[V21:.*]] = arith.addf %[[V13]], %[[V20]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V6]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V23]] : bf16
func.func @gelu(%g: tensor<4xbf16>, %x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.gelu_grad %g, %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @gelu_tanh(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 0.797884583 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[V5]], %[[V5]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V10]], %[[V5]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 4.471500e-02 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V12]], %[[V11]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.addf %[[V5]], %[[V13]] : f32
// CHECK-NEXT: %[[V15:.*]] = arith.mulf %[[V9]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = math.tanh %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.addf %[[V16]], %[[V7]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.mulf %[[V8]], %[[V17]] : f32
// CHECK-NEXT: %[[V19:.*]] = arith.constant 0.134144992 : f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V19]], %[[V10]] : f32
// CHECK-NEXT: %[[V21:.*]] = arith.addf %[[V20]], %[[V7]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V9]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.mulf %[[V8]], %[[V5]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V16]], %[[V16]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.subf %[[V7]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = arith.mulf %[[V23]], %[[V25]] : f32
// CHECK-NEXT: %[[V27:.*]] = arith.mulf %[[V26]], %[[V22]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.addf %[[V18]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.mulf %[[V6]], %[[V28]] : f32
// CHECK-NEXT: %[[V30:.*]] = prec.round %[[V29]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V30]] : bf16
func.func @gelu_tanh(%g: tensor<4xbf16>, %x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.gelu_grad %g, %x approximate tanh : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @softplus(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = math.exp %[[V5]] : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V6]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.addf %[[V7]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 2.000000e+01 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.cmpf ogt, %[[V5]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.select %[[V13]], %[[V6]], %[[V11]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V15]] : bf16
func.func @softplus(%g: tensor<4xbf16>, %x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.softplus_grad %g, %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @softplus_beta(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V5]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = math.exp %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[V6]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V12:.*]] = arith.addf %[[V9]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.divf %[[V10]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 3.000000e+01 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.cmpf ogt, %[[V8]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.select %[[V15]], %[[V6]], %[[V13]] : f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V16]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V17]] : f16
func.func @softplus_beta(%g: tensor<4xf16>, %x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.softplus_grad %g, %x beta 2.0 threshold 30.0 : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func @sum(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x?xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V2]] : bf16
func.func @sum(%g: tensor<?x1xbf16>, %n: index) -> tensor<?x?xbf16> {
  %0 = nn.sum_grad %g dim 1 size %n keepdim : tensor<?x1xbf16> to tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @mean(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x4x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 4.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.divf %[[V4]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = prec.round %[[V6]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V7]] : bf16
func.func @mean(%g: tensor<?x64xbf16>) -> tensor<?x4x64xbf16> {
  %0 = nn.mean_grad %g dim 1 : tensor<?x64xbf16> to tensor<?x4x64xbf16>
  return %0 : tensor<?x4x64xbf16>
}

// CHECK-LABEL: func @mean_reciprocal(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.index_cast %[[A1]] : index to i64
// CHECK-NEXT: %[[V6:.*]] = arith.sitofp %[[V5]] : i64 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.divf %[[V7]], %[[V6]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[V4]], %[[V8]] : f32
// CHECK-NEXT: linalg.yield %[[V9]] : f32
func.func @mean_reciprocal(%g: tensor<8xf16>, %n: index) -> tensor<?x8xf32> {
  %0 = nn.mean_grad %g dim 0 size %n divide reciprocal : tensor<8xf16> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func @softmax(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V6]], %[[V5]] : f32
// CHECK-NEXT: %[[V8:.*]] = prec.round %[[V7]] : f32 to bf16
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V8]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V9]] : f32
// CHECK: %[[T10:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<4x8xf32> to tensor<4xf32>
// CHECK: %[[T11:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[T10]] : {{.*}} : tensor<4x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V12:.*]]: bf16, %[[V13:.*]]: bf16, %[[V14:.*]]: f32, %[[V15:.*]]: bf16):
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V13]] : bf16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.mulf %[[V16]], %[[V17]] : f32
// CHECK-NEXT: %[[V19:.*]] = prec.round %[[V18]] : f32 to bf16
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V19]] : bf16 to f32
// CHECK-NEXT: %[[V21:.*]] = arith.negf %[[V17]] : f32
// CHECK-NEXT: %[[V22:.*]] = math.fma %[[V21]], %[[V14]], %[[V20]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V23]] : bf16
func.func @softmax(%g: tensor<4x8xbf16>, %y: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = nn.softmax_grad %g, %y dim 1 : tensor<4x8xbf16> to tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: func @softmax_difference(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<4x8xf64>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f64):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V6]] : f32 to f64
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V5]] : f32 to f64
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[V7]], %[[V8]] : f64
// CHECK-NEXT: linalg.yield %[[V9]] : f64
// CHECK: %[[T10:.*]] = prec.sum %[[T1]] dim 0 <digits [*] steps [0 cascade] from_zero> : tensor<4x8xf64> to tensor<8xf64>
// CHECK: %[[T11:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[T10]] : {{.*}} : tensor<4x8xf16>)
// CHECK-NEXT: ^bb0(%[[V12:.*]]: f16, %[[V13:.*]]: f16, %[[V14:.*]]: f64, %[[V15:.*]]: f16):
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V12]] : f16 to f32
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V13]] : f16 to f32
// CHECK-NEXT: %[[V18:.*]] = prec.round %[[V14]] : f64 to f16
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V18]] : f16 to f32
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V19]] : f32 to f64
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V20]] : f64 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.subf %[[V16]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.mulf %[[V22]], %[[V17]] : f32
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V23]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V24]] : f16
func.func @softmax_difference(%g: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = nn.softmax_grad %g, %y dim 0 form difference accumulate f64 points {product = false, sum = true}
         : tensor<4x8xf16> to tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: func @rms_norm(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : {{.*}} : tensor<?x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<?x8xf32> to tensor<?xf32>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T6]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = math.sqrt %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
// CHECK: %[[T17:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A2]] : {{.*}} : tensor<?x8xf32>)
// CHECK-NEXT: ^bb0(%[[V18:.*]]: bf16, %[[V19:.*]]: bf16, %[[V20:.*]]: f32):
// CHECK-NEXT: %[[V21:.*]] = arith.extf %[[V19]] : bf16 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.mulf %[[V22]], %[[V21]] : f32
// CHECK-NEXT: linalg.yield %[[V23]] : f32
// CHECK: %[[T24:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T17]], %[[A1]] : {{.*}} : tensor<?x8xf32>)
// CHECK-NEXT: ^bb0(%[[V25:.*]]: f32, %[[V26:.*]]: bf16, %[[V27:.*]]: f32):
// CHECK-NEXT: %[[V28:.*]] = arith.extf %[[V26]] : bf16 to f32
// CHECK-NEXT: %[[V29:.*]] = arith.mulf %[[V25]], %[[V28]] : f32
// CHECK-NEXT: linalg.yield %[[V29]] : f32
// CHECK: %[[T30:.*]] = prec.sum %[[T24]] dim 1 <aten_cpu> : tensor<?x8xf32> to tensor<?xf32>
// CHECK: %[[T31:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T30]], %[[T7]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V32:.*]]: f32, %[[V33:.*]]: f32, %[[V34:.*]]: f32):
// CHECK-NEXT: %[[V35:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V36:.*]] = arith.mulf %[[V33]], %[[V33]] : f32
// CHECK-NEXT: %[[V37:.*]] = arith.mulf %[[V36]], %[[V33]] : f32
// CHECK-NEXT: %[[V38:.*]] = arith.constant -5.000000e-01 : f32
// CHECK-NEXT: %[[V39:.*]] = arith.mulf %[[V38]], %[[V32]] : f32
// CHECK-NEXT: %[[V40:.*]] = arith.mulf %[[V39]], %[[V37]] : f32
// CHECK-NEXT: %[[V41:.*]] = arith.divf %[[V40]], %[[V35]] : f32
// CHECK-NEXT: linalg.yield %[[V41]] : f32
// CHECK: %[[T42:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T17]], %[[A1]], %[[T7]], %[[T31]] : {{.*}} : tensor<?x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V43:.*]]: f32, %[[V44:.*]]: bf16, %[[V45:.*]]: f32, %[[V46:.*]]: f32, %[[V47:.*]]: bf16):
// CHECK-NEXT: %[[V48:.*]] = arith.extf %[[V44]] : bf16 to f32
// CHECK-NEXT: %[[V49:.*]] = arith.mulf %[[V43]], %[[V45]] : f32
// CHECK-NEXT: %[[V50:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V51:.*]] = arith.mulf %[[V48]], %[[V50]] : f32
// CHECK-NEXT: %[[V52:.*]] = arith.mulf %[[V46]], %[[V51]] : f32
// CHECK-NEXT: %[[V53:.*]] = arith.addf %[[V49]], %[[V52]] : f32
// CHECK-NEXT: %[[V54:.*]] = prec.round %[[V53]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V54]] : bf16
func.func @rms_norm(%g: tensor<?x8xbf16>, %x: tensor<?x8xbf16>, %w: tensor<8xbf16>) -> tensor<?x8xbf16> {
  %0 = nn.rms_norm_grad %g, %x weight(%w : tensor<8xbf16>) : tensor<?x8xbf16> to tensor<?x8xbf16>
  return %0 : tensor<?x8xbf16>
}

// CHECK-LABEL: func @rms_norm_points(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : {{.*}} : tensor<2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to f16
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V6]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: %[[T8:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<2x8xf32> to tensor<2xf32>
// CHECK: %[[T9:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T8]] : {{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[V10:.*]]: f32, %[[V11:.*]]: f32):
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V10]] : f32 to f16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : f16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V15]], %[[V14]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V13]], %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = prec.round %[[V17]] : f32 to f16
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V18]] : f16 to f32
// CHECK-NEXT: %[[V20:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V20]] : f32 to f16
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V21]] : f16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.addf %[[V19]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V23]] : f32 to f16
// CHECK-NEXT: %[[V25:.*]] = arith.extf %[[V24]] : f16 to f32
// CHECK-NEXT: %[[V26:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = math.sqrt %[[V25]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to f16
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : f16 to f32
// CHECK-NEXT: %[[V30:.*]] = arith.divf %[[V26]], %[[V29]] : f32
// CHECK-NEXT: %[[V31:.*]] = prec.round %[[V30]] : f32 to f16
// CHECK-NEXT: %[[V32:.*]] = arith.extf %[[V31]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V32]] : f32
// CHECK: %[[T33:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A2]] : {{.*}} : tensor<2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V34:.*]]: f16, %[[V35:.*]]: f16, %[[V36:.*]]: f32):
// CHECK-NEXT: %[[V37:.*]] = arith.extf %[[V35]] : f16 to f32
// CHECK-NEXT: %[[V38:.*]] = arith.extf %[[V34]] : f16 to f32
// CHECK-NEXT: %[[V39:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V40:.*]] = arith.addf %[[V37]], %[[V39]] : f32
// CHECK-NEXT: %[[V41:.*]] = prec.round %[[V40]] : f32 to f16
// CHECK-NEXT: %[[V42:.*]] = arith.extf %[[V41]] : f16 to f32
// CHECK-NEXT: %[[V43:.*]] = arith.mulf %[[V38]], %[[V42]] : f32
// CHECK-NEXT: %[[V44:.*]] = prec.round %[[V43]] : f32 to f16
// CHECK-NEXT: %[[V45:.*]] = arith.extf %[[V44]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V45]] : f32
// CHECK: %[[T46:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T33]], %[[A1]] : {{.*}} : tensor<2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V47:.*]]: f32, %[[V48:.*]]: f16, %[[V49:.*]]: f32):
// CHECK-NEXT: %[[V50:.*]] = arith.extf %[[V48]] : f16 to f32
// CHECK-NEXT: %[[V51:.*]] = arith.mulf %[[V47]], %[[V50]] : f32
// CHECK-NEXT: linalg.yield %[[V51]] : f32
// CHECK: %[[T52:.*]] = prec.sum %[[T46]] dim 1 <aten_cpu> : tensor<2x8xf32> to tensor<2xf32>
// CHECK: %[[T53:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T52]], %[[T9]] : {{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[V54:.*]]: f32, %[[V55:.*]]: f32, %[[V56:.*]]: f32):
// CHECK-NEXT: %[[V57:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V58:.*]] = arith.mulf %[[V55]], %[[V55]] : f32
// CHECK-NEXT: %[[V59:.*]] = arith.mulf %[[V58]], %[[V55]] : f32
// CHECK-NEXT: %[[V60:.*]] = arith.constant -5.000000e-01 : f32
// CHECK-NEXT: %[[V61:.*]] = arith.mulf %[[V60]], %[[V54]] : f32
// CHECK-NEXT: %[[V62:.*]] = arith.mulf %[[V61]], %[[V59]] : f32
// CHECK-NEXT: %[[V63:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V64:.*]] = arith.divf %[[V63]], %[[V57]] : f32
// CHECK-NEXT: %[[V65:.*]] = arith.mulf %[[V62]], %[[V64]] : f32
// CHECK-NEXT: linalg.yield %[[V65]] : f32
// CHECK: %[[T66:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T33]], %[[A1]], %[[T9]], %[[T53]] : {{.*}} : tensor<2x8xf16>)
// CHECK-NEXT: ^bb0(%[[V67:.*]]: f32, %[[V68:.*]]: f16, %[[V69:.*]]: f32, %[[V70:.*]]: f32, %[[V71:.*]]: f16):
// CHECK-NEXT: %[[V72:.*]] = arith.extf %[[V68]] : f16 to f32
// CHECK-NEXT: %[[V73:.*]] = arith.mulf %[[V67]], %[[V69]] : f32
// CHECK-NEXT: %[[V74:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V75:.*]] = arith.mulf %[[V72]], %[[V74]] : f32
// CHECK-NEXT: %[[V76:.*]] = arith.mulf %[[V70]], %[[V75]] : f32
// CHECK-NEXT: %[[V77:.*]] = arith.addf %[[V73]], %[[V76]] : f32
// CHECK-NEXT: %[[V78:.*]] = prec.round %[[V77]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V78]] : f16
func.func @rms_norm_points(%g: tensor<2x8xf16>, %x: tensor<2x8xf16>, %w: tensor<8xf16>) -> tensor<2x8xf16> {
  %0 = nn.rms_norm_grad %g, %x weight(%w : tensor<8xf16>) one_plus divide reciprocal
         points {square = true, sum = true, mean = true, eps = true, radicand = true, sqrt = true, rstd = true,
                 weight = true, weighted = true} : tensor<2x8xf16> to tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func @rms_norm_closed(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A1]] : {{.*}} : tensor<8xf64>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f64):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : f32 to f64
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[V5]] : f64
// CHECK-NEXT: linalg.yield %[[V6]] : f64
// CHECK: %[[T7:.*]] = prec.sum %[[T1]] dim 0 <aten_cpu> : tensor<8xf64> to tensor<f64>
// CHECK: %[[T8:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T7]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V9:.*]]: f64, %[[V10:.*]]: f32):
// CHECK-NEXT: %[[V11:.*]] = arith.constant 8.000000e+00 : f64
// CHECK-NEXT: %[[V12:.*]] = arith.divf %[[V9]], %[[V11]] : f64
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V12]] : f64 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.addf %[[V13]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V17:.*]] = math.sqrt %[[V15]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.divf %[[V16]], %[[V17]] : f32
// CHECK-NEXT: linalg.yield %[[V18]] : f32
// CHECK: %[[T19:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V20:.*]]: bf16, %[[V21:.*]]: f32):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V22]] : f32
// CHECK: %[[T23:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T19]], %[[A1]], %[[T8]] : {{.*}} : tensor<8xf64>)
// CHECK-NEXT: ^bb0(%[[V24:.*]]: f32, %[[V25:.*]]: bf16, %[[V26:.*]]: f32, %[[V27:.*]]: f64):
// CHECK-NEXT: %[[V28:.*]] = arith.extf %[[V25]] : bf16 to f32
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : f32 to f64
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V26]] : f32 to f64
// CHECK-NEXT: %[[V31:.*]] = arith.mulf %[[V29]], %[[V30]] : f64
// CHECK-NEXT: %[[V32:.*]] = arith.extf %[[V24]] : f32 to f64
// CHECK-NEXT: %[[V33:.*]] = arith.mulf %[[V32]], %[[V31]] : f64
// CHECK-NEXT: linalg.yield %[[V33]] : f64
// CHECK: %[[T34:.*]] = prec.sum %[[T23]] dim 0 <aten_cpu> : tensor<8xf64> to tensor<f64>
// CHECK: %[[T35:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T34]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V36:.*]]: f64, %[[V37:.*]]: f32):
// CHECK-NEXT: %[[V38:.*]] = prec.round %[[V36]] : f64 to f32
// CHECK-NEXT: %[[V39:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V40:.*]] = arith.divf %[[V38]], %[[V39]] : f32
// CHECK-NEXT: linalg.yield %[[V40]] : f32
// CHECK: %[[T41:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T19]], %[[A1]], %[[T8]], %[[T35]] : {{.*}} : tensor<8xbf16>)
// CHECK-NEXT: ^bb0(%[[V42:.*]]: f32, %[[V43:.*]]: bf16, %[[V44:.*]]: f32, %[[V45:.*]]: f32, %[[V46:.*]]: bf16):
// CHECK-NEXT: %[[V47:.*]] = arith.extf %[[V43]] : bf16 to f32
// CHECK-NEXT: %[[V48:.*]] = arith.mulf %[[V47]], %[[V44]] : f32
// CHECK-NEXT: %[[V49:.*]] = arith.mulf %[[V48]], %[[V45]] : f32
// CHECK-NEXT: %[[V50:.*]] = arith.subf %[[V42]], %[[V49]] : f32
// CHECK-NEXT: %[[V51:.*]] = arith.mulf %[[V44]], %[[V50]] : f32
// CHECK-NEXT: %[[V52:.*]] = prec.round %[[V51]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V52]] : bf16
func.func @rms_norm_closed(%g: tensor<8xbf16>, %x: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = nn.rms_norm_grad %g, %x form closed accumulate f64 : tensor<8xbf16> to tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func @rms_norm_weight(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A1]] : {{.*}} : tensor<?x4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 2 <aten_cpu> : tensor<?x4x8xf32> to tensor<?x4xf32>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T6]] : {{.*}} : tensor<?x4xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = math.sqrt %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
// CHECK: %[[T17:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[T7]] : {{.*}} : tensor<?x4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V18:.*]]: bf16, %[[V19:.*]]: bf16, %[[V20:.*]]: f32, %[[V21:.*]]: f32):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V19]] : bf16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V20]] : f32
// CHECK-NEXT: %[[V25:.*]] = prec.round %[[V24]] : f32 to bf16
// CHECK-NEXT: %[[V26:.*]] = arith.extf %[[V25]] : bf16 to f32
// CHECK-NEXT: %[[V27:.*]] = arith.mulf %[[V22]], %[[V26]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V29]] : f32
// CHECK: %[[T30:.*]] = tensor.collapse_shape %[[T17]] {{.*}} : tensor<?x4x8xf32> into tensor<?x8xf32>
// CHECK: %[[T31:.*]] = prec.sum %[[T30]] dim 0 <digits [*] steps [0 cascade] from_zero> : tensor<?x8xf32> to tensor<8xf32>
// CHECK: %[[T32:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T31]] : {{.*}} : tensor<8xbf16>)
// CHECK-NEXT: ^bb0(%[[V33:.*]]: f32, %[[V34:.*]]: bf16):
// CHECK-NEXT: %[[V35:.*]] = prec.round %[[V33]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V35]] : bf16
func.func @rms_norm_weight(%g: tensor<?x4x8xbf16>, %x: tensor<?x4x8xbf16>) -> tensor<8xbf16> {
  %0 = nn.rms_norm_weight_grad %g, %x points {normalized = true, product = true} : tensor<?x4x8xbf16> to tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func @rms_norm_weight_of_one_row(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A1]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 0 <aten_cpu> : tensor<8xf32> to tensor<f32>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T6]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = math.sqrt %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
// CHECK: %[[T17:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]], %[[T7]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V18:.*]]: bf16, %[[V19:.*]]: bf16, %[[V20:.*]]: f32, %[[V21:.*]]: f32):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V19]] : bf16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V20]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.mulf %[[V22]], %[[V24]] : f32
// CHECK-NEXT: linalg.yield %[[V25]] : f32
// CHECK: %[[T26:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T17]] : {{.*}} : tensor<8xbf16>)
// CHECK-NEXT: ^bb0(%[[V27:.*]]: f32, %[[V28:.*]]: bf16):
// CHECK-NEXT: %[[V29:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V29]] : bf16
func.func @rms_norm_weight_of_one_row(%g: tensor<8xbf16>, %x: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = nn.rms_norm_weight_grad %g, %x : tensor<8xbf16> to tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// What makes m and r is layer_norm's.
// CHECK-LABEL: func @layer_norm(
// CHECK-SAME: %[[G:[a-z0-9]+]]: {{[^,)]+}}, %[[X:[a-z0-9]+]]: {{[^,)]+}}, %[[W:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: prec.sum %{{.*}} dim 1 <aten_cpu>
// CHECK: %[[M:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK: prec.sum %{{.*}} dim 1 <aten_cpu>
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK: %[[H:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[W]] : {{.*}} : tensor<?x8xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[M]], %[[R]] : {{.*}} : tensor<?x8xf32>)
// CHECK-NEXT: ^bb0(%[[V0:.*]]: bf16, %[[V1:.*]]: f32, %[[V2:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[V3:.*]] = arith.extf %[[V0]] : bf16 to f32
// CHECK-NEXT: %[[V4:.*]] = arith.subf %[[V3]], %[[V1]] : f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V2]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[H]], %[[Y]] : {{.*}} : tensor<?x8xf32>)
// CHECK: %[[A:.*]] = prec.sum %[[H]] dim 1 <aten_cpu> : tensor<?x8xf32> to tensor<?xf32>
// CHECK: %[[B:.*]] = prec.sum %[[P]] dim 1 <aten_cpu> : tensor<?x8xf32> to tensor<?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[R]], %[[A]], %[[B]], %[[H]] : {{.*}} : tensor<?x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V6:.*]]: f32, %[[V7:.*]]: f32, %[[V8:.*]]: f32, %[[V9:.*]]: f32, %[[V10:.*]]: f32, %{{.*}}: bf16):
// CHECK-NEXT: %[[N:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[N]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.subf %[[V10]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.divf %[[V9]], %[[N]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.mulf %[[V6]], %[[V13]] : f32
// CHECK-NEXT: %[[V15:.*]] = arith.subf %[[V12]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.mulf %[[V7]], %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V16]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V17]] : bf16
func.func @layer_norm(%g: tensor<?x8xbf16>, %x: tensor<?x8xbf16>, %w: tensor<8xbf16>) -> tensor<?x8xbf16> {
  %0 = nn.layer_norm_grad %g, %x weight(%w : tensor<8xbf16>) : tensor<?x8xbf16> to tensor<?x8xbf16>
  return %0 : tensor<?x8xbf16>
}

// Without a weight; the mean that the forward kept is of no account for the deviation.
// CHECK-LABEL: func @layer_norm_scaled(
// CHECK-COUNT-2: prec.sum
// CHECK: ^bb0(%[[V0:.*]]: f16, %[[V1:.*]]: f32, %[[V2:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[V3:.*]] = arith.extf %[[V0]] : f16 to f32
// CHECK-NEXT: %[[V4:.*]] = prec.round %[[V1]] : f32 to f16
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : f16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.subf %[[V3]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V6]], %[[V2]] : f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: ^bb0(%[[V8:.*]]: f32, %{{.*}}: f16, %{{.*}}: f32, %[[V9:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[V10:.*]] = arith.subf
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.mulf %[[V11]], %[[V9]] : f32
// CHECK-NEXT: linalg.yield %[[V12]] : f32
// CHECK: ^bb0(%[[V13:.*]]: f32, %[[V14:.*]]: f32, %[[V15:.*]]: f32, %[[V16:.*]]: f32, %[[V17:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : f16 to f32
// CHECK-NEXT: %[[N:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.mulf %[[N]], %[[V18]] : f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V13]], %[[V16]] : f32
// CHECK-NEXT: %[[V21:.*]] = arith.subf %[[V19]], %[[V20]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.subf %[[V21]], %[[V15]] : f32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V23:.*]] = arith.divf %[[ONE]], %[[N]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V14]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.mulf %[[V22]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = prec.round %[[V25]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V26]] : f16
func.func @layer_norm_scaled(%g: tensor<2x8xf16>, %x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %0 = nn.layer_norm_grad %g, %x form scaled points {saved_mean = true} : tensor<2x8xf16> to tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func @layer_norm_weight(
// CHECK-COUNT-2: prec.sum %{{.*}} dim 2 <aten_cpu>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} : tensor<?x4x8xf32>)
// CHECK: %[[V0:.*]] = arith.subf
// CHECK-NEXT: %[[V1:.*]] = arith.mulf %[[V0]], %{{.*}} : f32
// CHECK-NEXT: %[[V2:.*]] = prec.round %[[V1]] : f32 to bf16
// CHECK-NEXT: %[[V3:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %{{.*}}, %[[V3]] : f32
// CHECK-NEXT: prec.round %[[V4]] : f32 to bf16
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1], [2]] : tensor<?x4x8xf32> into tensor<?x8xf32>
// CHECK: prec.sum %[[C]] dim 0 <digits [*] steps [0 cascade] from_zero> : tensor<?x8xf32> to tensor<8xf32>
// CHECK: prec.round %{{.*}} : f32 to bf16
func.func @layer_norm_weight(%g: tensor<?x4x8xbf16>, %x: tensor<?x4x8xbf16>) -> tensor<8xbf16> {
  %0 = nn.layer_norm_weight_grad %g, %x points {normalized = true, product = true} : tensor<?x4x8xbf16> to tensor<8xbf16>
  return %0 : tensor<8xbf16>
}
