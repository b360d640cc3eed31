// RUN: prec-opt %s --prec-make-rounding-explicit | FileCheck %s
// Each nn operation, with its points off and on.

// CHECK-LABEL: func @sigmoid(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.negf %[[V4]] : f32
// CHECK-NEXT: %[[V7:.*]] = math.exp %[[V6]] : f32
// CHECK-NEXT: %[[V8:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V9:.*]] = arith.addf %[[V7]], %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V5]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = prec.round %[[V10]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V11]] : bf16
func.func @sigmoid(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = nn.sigmoid %x : tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// For f32 the roundings vanish.
// CHECK-LABEL: func @sigmoid_f32(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[A0]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V5:.*]] = arith.negf %[[V2]] : f32
// CHECK-NEXT: %[[V6:.*]] = math.exp %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.addf %[[V6]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.divf %[[V4]], %[[V8]] : f32
// CHECK-NEXT: linalg.yield %[[V9]] : f32
func.func @sigmoid_f32(%x: tensor<f32>) -> tensor<f32> {
  %0 = nn.sigmoid %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @silu(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.negf %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = math.exp %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.addf %[[V6]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.divf %[[V4]], %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = prec.round %[[V9]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V10]] : f16
func.func @silu(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.silu %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func @gelu(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V4]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 0.707106769 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V4]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = math.erf %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.addf %[[V9]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.mulf %[[V6]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V12]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V13]] : bf16
func.func @gelu(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.gelu %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @gelu_tanh(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
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
// CHECK-NEXT: linalg.yield %[[V18]] : bf16
func.func @gelu_tanh(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.gelu %x approximate tanh : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @softplus(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = math.exp %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = math.log1p %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 2.000000e+01 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.cmpf ogt, %[[V4]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = arith.select %[[V8]], %[[V4]], %[[V6]] : f32
// CHECK-NEXT: %[[V10:.*]] = prec.round %[[V9]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V10]] : bf16
func.func @softplus(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.softplus %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @softplus_beta(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V4]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:.*]] = math.exp %[[V6]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V8:.*]] = math.log1p %[[V7]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V9:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V8]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = arith.constant 3.000000e+01 : f32
// CHECK-NEXT: %[[V12:.*]] = arith.cmpf ogt, %[[V6]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.select %[[V12]], %[[V4]], %[[V10]] : f32
// CHECK-NEXT: %[[V14:.*]] = prec.round %[[V13]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V14]] : f16
func.func @softplus_beta(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.softplus %x beta 2.0 threshold 30.0 math <libdevice> : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func @tanh(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = math.tanh %[[V4]] {prec.math = #prec.math<fast>} : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V6]] : bf16
func.func @tanh(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.tanh %x math <fast> : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// The default implementation is said by saying nothing.
// CHECK-LABEL: func @exp(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = math.exp %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V6]] : bf16
func.func @exp(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.exp %x math <correctly_rounded> : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @log(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = math.log %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V6]] : bf16
func.func @log(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.log %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @sqrt(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = math.sqrt %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V6]] : bf16
func.func @sqrt(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.sqrt %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @rsqrt(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = math.sqrt %[[V4]] : f32
// CHECK-NEXT: %[[V7:.*]] = arith.divf %[[V5]], %[[V6]] : f32
// CHECK-NEXT: %[[V8:.*]] = prec.round %[[V7]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V8]] : bf16
func.func @rsqrt(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.rsqrt %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @rsqrt_sqrt(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = math.sqrt %[[V4]] : f32
// CHECK-NEXT: %[[V7:.*]] = prec.round %[[V6]] : f32 to f16
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V7]] : f16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.divf %[[V5]], %[[V8]] : f32
// CHECK-NEXT: %[[V10:.*]] = prec.round %[[V9]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V10]] : f16
func.func @rsqrt_sqrt(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.rsqrt %x points {sqrt = true} : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func @rsqrt_function(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = math.rsqrt %[[V4]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V6]] : bf16
func.func @rsqrt_function(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.rsqrt %x rule rsqrt math <libdevice> : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @reciprocal(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.divf %[[V5]], %[[V4]] : f32
// CHECK-NEXT: %[[V7:.*]] = prec.round %[[V6]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V7]] : bf16
func.func @reciprocal(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.reciprocal %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @sum(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T5]] : {{.*}} : tensor<?xbf16>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: bf16):
// CHECK-NEXT: %[[V9:.*]] = prec.round %[[V7]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V9]] : bf16
func.func @sum(%x: tensor<?x64xbf16>) -> tensor<?xbf16> {
  %0 = nn.sum %x dim 1 : tensor<?x64xbf16> to tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// An f32 result of 16-bit elements is the sum before its rounding.
// CHECK-LABEL: func @sum_to_f32(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 0 <sequential> : tensor<?x64xf32> to tensor<64xf32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T5]] : {{.*}} : tensor<1x64xf32>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT: linalg.yield %[[V7]] : f32
func.func @sum_to_f32(%x: tensor<?x64xbf16>) -> tensor<1x64xf32> {
  %0 = nn.sum %x dim 0 keepdim order <sequential> : tensor<?x64xbf16> to tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}

// From f64 to 16 bits is one rounding.
// CHECK-LABEL: func @sum_f64(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<8xf64>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f64):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : f32 to f64
// CHECK-NEXT: linalg.yield %[[V5]] : f64
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 0 <aten_cpu> : tensor<8xf64> to tensor<f64>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T6]] : {{.*}} : tensor<f16>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f64, %[[V9:.*]]: f16):
// CHECK-NEXT: %[[V10:.*]] = prec.round %[[V8]] : f64 to f16
// CHECK-NEXT: linalg.yield %[[V10]] : f16
func.func @sum_f64(%x: tensor<8xf16>) -> tensor<f16> {
  %0 = nn.sum %x dim 0 accumulate f64 : tensor<8xf16> to tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func @mean(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x4x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 1 <digits [*] steps [0 cascade] from_zero> : tensor<?x4x64xf32> to tensor<?x64xf32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T5]] : {{.*}} : tensor<?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: bf16):
// CHECK-NEXT: %[[V9:.*]] = arith.constant 4.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V7]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = prec.round %[[V10]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V11]] : bf16
func.func @mean(%x: tensor<?x4x64xbf16>) -> tensor<?x64xbf16> {
  %0 = nn.mean %x dim 1 : tensor<?x4x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: func @mean_sum(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<3x?xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<3x?xf32> to tensor<3xf32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T5]] : {{.*}} : tensor<3xbf16>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: bf16):
// CHECK-NEXT: %[[V9:.*]] = prec.round %[[V7]] : f32 to bf16
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NEXT: %[[V12:.*]] = arith.sitofp %[[V11]] : i64 to f32
// CHECK-NEXT: %[[V13:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V14:.*]] = arith.divf %[[V13]], %[[V12]] : f32
// CHECK-NEXT: %[[V15:.*]] = arith.mulf %[[V10]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = prec.round %[[V15]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V16]] : bf16
func.func @mean_sum(%x: tensor<3x?xbf16>) -> tensor<3xbf16> {
  %0 = nn.mean %x dim 1 divide reciprocal points {sum = true} : tensor<3x?xbf16> to tensor<3xbf16>
  return %0 : tensor<3xbf16>
}

// CHECK-LABEL: func @mean_f32(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = prec.sum %[[A0]] dim 1 <aten_cpu> : tensor<3x5xf32> to tensor<3xf32>
// CHECK: %[[T2:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T1]] : {{.*}} : tensor<3xf32>)
// CHECK-NEXT: ^bb0(%[[V3:.*]]: f32, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.constant 5.000000e+00 : f32
// CHECK-NEXT: %[[V6:.*]] = arith.divf %[[V3]], %[[V5]] : f32
// CHECK-NEXT: linalg.yield %[[V6]] : f32
func.func @mean_f32(%x: tensor<3x5xf32>) -> tensor<3xf32> {
  %0 = nn.mean %x dim 1 points {sum = true} : tensor<3x5xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @softmax(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[T2:.*]] = linalg.fill ins(%[[T1]] : f32) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[T3:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[A0]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V4:.*]]: bf16, %[[V5:.*]]: f32):
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.maximumf %[[V6]], %[[V5]] : f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: %[[T8:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T3]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V9:.*]]: bf16, %[[V10:.*]]: f32, %[[V11:.*]]: f32):
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V13:.*]] = arith.subf %[[V12]], %[[V10]] : f32
// CHECK-NEXT: %[[V14:.*]] = math.exp %[[V13]] : f32
// CHECK-NEXT: linalg.yield %[[V14]] : f32
// CHECK: %[[T15:.*]] = prec.sum %[[T8]] dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
// CHECK: %[[T16:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T8]], %[[T15]] : {{.*}} : tensor<?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V17:.*]]: f32, %[[V18:.*]]: f32, %[[V19:.*]]: bf16):
// CHECK-NEXT: %[[V20:.*]] = arith.divf %[[V17]], %[[V18]] : f32
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V20]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V21]] : bf16
func.func @softmax(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = nn.softmax %x dim 1 : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: func @softmax_points(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[T2:.*]] = linalg.fill ins(%[[T1]] : f32) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[T3:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[A0]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V4:.*]]: f16, %[[V5:.*]]: f32):
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V4]] : f16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.maximumf %[[V6]], %[[V5]] : f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: %[[T8:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T3]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V9:.*]]: f16, %[[V10:.*]]: f32, %[[V11:.*]]: f32):
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V9]] : f16 to f32
// CHECK-NEXT: %[[V13:.*]] = arith.subf %[[V12]], %[[V10]] : f32
// CHECK-NEXT: %[[V14:.*]] = prec.round %[[V13]] : f32 to f16
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V14]] : f16 to f32
// CHECK-NEXT: %[[V16:.*]] = math.exp %[[V15]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V16]] : f32 to f16
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V18]] : f32
// CHECK: %[[T19:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T8]] : {{.*}} : tensor<?x64xf64>)
// CHECK-NEXT: ^bb0(%[[V20:.*]]: f32, %[[V21:.*]]: f64):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V20]] : f32 to f64
// CHECK-NEXT: linalg.yield %[[V22]] : f64
// CHECK: %[[T23:.*]] = prec.sum %[[T19]] dim 1 <aten_cpu> : tensor<?x64xf64> to tensor<?xf64>
// CHECK: %[[T24:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T8]], %[[T23]] : {{.*}} : tensor<?x64xf16>)
// CHECK-NEXT: ^bb0(%[[V25:.*]]: f32, %[[V26:.*]]: f64, %[[V27:.*]]: f16):
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V26]] : f64 to f16
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : f16 to f32
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V29]] : f32 to f64
// CHECK-NEXT: %[[V31:.*]] = prec.round %[[V30]] : f64 to f32
// CHECK-NEXT: %[[V32:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V33:.*]] = arith.divf %[[V32]], %[[V31]] : f32
// CHECK-NEXT: %[[V34:.*]] = arith.mulf %[[V25]], %[[V33]] : f32
// CHECK-NEXT: %[[V35:.*]] = prec.round %[[V34]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V35]] : f16
func.func @softmax_points(%x: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %0 = nn.softmax %x dim 1 divide reciprocal math <libdevice> accumulate f64
         points {shifted = true, exponential = true, sum = true} : tensor<?x64xf16> to tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// CHECK-LABEL: func @softmax_f64_sum(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[T2:.*]] = linalg.fill ins(%[[T1]] : f32) outs(%{{.*}} : tensor<64xf32>) -> tensor<64xf32>
// CHECK: %[[T3:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<64xf32>)
// CHECK-NEXT: ^bb0(%[[V4:.*]]: bf16, %[[V5:.*]]: f32):
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.maximumf %[[V6]], %[[V5]] : f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: %[[T8:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T3]] : {{.*}} : tensor<2x64xf32>)
// CHECK-NEXT: ^bb0(%[[V9:.*]]: bf16, %[[V10:.*]]: f32, %[[V11:.*]]: f32):
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V13:.*]] = arith.subf %[[V12]], %[[V10]] : f32
// CHECK-NEXT: %[[V14:.*]] = math.exp %[[V13]] : f32
// CHECK-NEXT: linalg.yield %[[V14]] : f32
// CHECK: %[[T15:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T8]] : {{.*}} : tensor<2x64xf64>)
// CHECK-NEXT: ^bb0(%[[V16:.*]]: f32, %[[V17:.*]]: f64):
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V16]] : f32 to f64
// CHECK-NEXT: linalg.yield %[[V18]] : f64
// CHECK: %[[T19:.*]] = prec.sum %[[T15]] dim 0 <digits [*] steps [0 cascade] from_zero> : tensor<2x64xf64> to tensor<64xf64>
// CHECK: %[[T20:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T8]], %[[T19]] : {{.*}} : tensor<2x64xf32>)
// CHECK-NEXT: ^bb0(%[[V21:.*]]: f32, %[[V22:.*]]: f64, %[[V23:.*]]: f32):
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V22]] : f64 to f32
// CHECK-NEXT: %[[V25:.*]] = arith.divf %[[V21]], %[[V24]] : f32
// CHECK-NEXT: linalg.yield %[[V25]] : f32
func.func @softmax_f64_sum(%x: tensor<2x64xbf16>) -> tensor<2x64xf32> {
  %0 = nn.softmax %x dim 0 accumulate f64 : tensor<2x64xbf16> to tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}

// CHECK-LABEL: func @rms_norm(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T6]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = math.sqrt %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
// CHECK: %[[T17:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T7]], %[[A1]] : {{.*}} : tensor<?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V18:.*]]: bf16, %[[V19:.*]]: f32, %[[V20:.*]]: bf16, %[[V21:.*]]: bf16):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V19]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.mulf %[[V24]], %[[V22]] : f32
// CHECK-NEXT: %[[V26:.*]] = prec.round %[[V25]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V26]] : bf16
func.func @rms_norm(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>) -> tensor<?x64xbf16> {
  %0 = nn.rms_norm %x weight(%w : tensor<64xbf16>) : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: func @rms_norm_two_roundings(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T6]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = math.sqrt %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
// CHECK: %[[T17:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T7]], %[[A1]] : {{.*}} : tensor<?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V18:.*]]: bf16, %[[V19:.*]]: f32, %[[V20:.*]]: bf16, %[[V21:.*]]: bf16):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V19]] : f32
// CHECK-NEXT: %[[V25:.*]] = prec.round %[[V24]] : f32 to bf16
// CHECK-NEXT: %[[V26:.*]] = arith.extf %[[V25]] : bf16 to f32
// CHECK-NEXT: %[[V27:.*]] = arith.mulf %[[V26]], %[[V22]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V28]] : bf16
func.func @rms_norm_two_roundings(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>) -> tensor<?x64xbf16> {
  %0 = nn.rms_norm %x weight(%w : tensor<64xbf16>) points {normalized = true} : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// One weight a stream, added to one.
// CHECK-LABEL: func @rms_norm_one_plus(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x4x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 2 <aten_cpu> : tensor<?x4x64xf32> to tensor<?x4xf32>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T6]] : {{.*}} : tensor<?x4xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = math.sqrt %[[V13]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V14]], %[[V15]] : f32
// CHECK-NEXT: linalg.yield %[[V16]] : f32
// CHECK: %[[T17:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]], %[[T7]], %[[A1]] : {{.*}} : tensor<?x4x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V18:.*]]: bf16, %[[V19:.*]]: f32, %[[V20:.*]]: bf16, %[[V21:.*]]: bf16):
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V18]] : bf16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V19]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.addf %[[V22]], %[[V25]] : f32
// CHECK-NEXT: %[[V27:.*]] = arith.mulf %[[V24]], %[[V26]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V28]] : bf16
func.func @rms_norm_one_plus(%x: tensor<?x4x64xbf16>, %w: tensor<4x64xbf16>) -> tensor<?x4x64xbf16> {
  %0 = nn.rms_norm %x weight(%w : tensor<4x64xbf16>) one_plus : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  return %0 : tensor<?x4x64xbf16>
}

// CHECK-LABEL: func @rms_norm_points(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: %[[V6:.*]] = prec.round %[[V5]] : f32 to f16
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V6]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK: %[[T8:.*]] = prec.sum %[[T1]] dim 1 <sequential> : tensor<2x8xf32> to tensor<2xf32>
// CHECK: %[[T9:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T8]] : {{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[V10:.*]]: f32, %[[V11:.*]]: f32):
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V10]] : f32 to f16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : f16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.divf %[[V13]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = prec.round %[[V15]] : f32 to f16
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V16]] : f16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[V19:.*]] = prec.round %[[V18]] : f32 to f16
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V19]] : f16 to f32
// CHECK-NEXT: %[[V21:.*]] = arith.addf %[[V17]], %[[V20]] : f32
// CHECK-NEXT: %[[V22:.*]] = prec.round %[[V21]] : f32 to f16
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V22]] : f16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V25:.*]] = math.sqrt %[[V23]] : f32
// CHECK-NEXT: %[[V26:.*]] = prec.round %[[V25]] : f32 to f16
// CHECK-NEXT: %[[V27:.*]] = arith.extf %[[V26]] : f16 to f32
// CHECK-NEXT: %[[V28:.*]] = arith.divf %[[V24]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = prec.round %[[V28]] : f32 to f16
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V29]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V30]] : f32
// CHECK: %[[T31:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T9]], %[[A1]] : {{.*}} : tensor<2x8xf16>)
// CHECK-NEXT: ^bb0(%[[V32:.*]]: f16, %[[V33:.*]]: f32, %[[V34:.*]]: f32, %[[V35:.*]]: f16):
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V32]] : f16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.mulf %[[V36]], %[[V33]] : f32
// CHECK-NEXT: %[[V38:.*]] = prec.round %[[V37]] : f32 to f16
// CHECK-NEXT: %[[V39:.*]] = arith.extf %[[V38]] : f16 to f32
// CHECK-NEXT: %[[V40:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V41:.*]] = arith.addf %[[V34]], %[[V40]] : f32
// CHECK-NEXT: %[[V42:.*]] = prec.round %[[V41]] : f32 to f16
// CHECK-NEXT: %[[V43:.*]] = arith.extf %[[V42]] : f16 to f32
// CHECK-NEXT: %[[V44:.*]] = arith.mulf %[[V39]], %[[V43]] : f32
// CHECK-NEXT: %[[V45:.*]] = prec.round %[[V44]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V45]] : f16
func.func @rms_norm_points(%x: tensor<2x8xf16>, %w: tensor<8xf32>) -> tensor<2x8xf16> {
  %0 = nn.rms_norm %x weight(%w : tensor<8xf32>) one_plus eps 1.0e-5 order <sequential>
         points {square = true, sum = true, mean = true, eps = true, radicand = true, sqrt = true,
                 rstd = true, normalized = true, weight = true} : tensor<2x8xf16> to tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func @rms_norm_f64(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<8xf64>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f64):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : f32 to f64
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[V5]] : f64
// CHECK-NEXT: linalg.yield %[[V6]] : f64
// CHECK: %[[T7:.*]] = prec.sum %[[T1]] dim 0 <aten_cpu> : tensor<8xf64> to tensor<f64>
// CHECK: %[[T8:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T7]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V9:.*]]: f64, %[[V10:.*]]: f32):
// CHECK-NEXT: %[[V11:.*]] = arith.constant 8.000000e+00 : f64
// CHECK-NEXT: %[[V12:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[V13:.*]] = arith.divf %[[V12]], %[[V11]] : f64
// CHECK-NEXT: %[[V14:.*]] = arith.mulf %[[V9]], %[[V13]] : f64
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f64 to f32
// CHECK-NEXT: %[[V16:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-NEXT: %[[V17:.*]] = arith.addf %[[V15]], %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = math.rsqrt %[[V17]] {prec.math = #prec.math<libdevice>} : f32
// CHECK-NEXT: linalg.yield %[[V18]] : f32
// CHECK: %[[T19:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[T8]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V20:.*]]: bf16, %[[V21:.*]]: f32, %[[V22:.*]]: f32):
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V23]], %[[V21]] : f32
// CHECK-NEXT: linalg.yield %[[V24]] : f32
func.func @rms_norm_f64(%x: tensor<8xbf16>) -> tensor<8xf32> {
  %0 = nn.rms_norm %x rstd rsqrt divide reciprocal accumulate f64 math <libdevice> : tensor<8xbf16> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @layer_norm(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T5]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT: %[[V9:.*]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V7]], %[[V9]] : f32
// CHECK-NEXT: linalg.yield %[[V10]] : f32
// CHECK: %[[T11:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T6]] : {{.*}} : tensor<?x64xf32>)
// CHECK-NEXT: ^bb0(%[[V12:.*]]: bf16, %[[V13:.*]]: f32, %[[V14:.*]]: f32):
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V16:.*]] = arith.subf %[[V15]], %[[V13]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V16]], %[[V16]] : f32
// CHECK-NEXT: linalg.yield %[[V17]] : f32
// CHECK: %[[T18:.*]] = prec.sum %[[T11]] dim 1 <aten_cpu> : tensor<?x64xf32> to tensor<?xf32>
// CHECK: %[[T19:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T18]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V20:.*]]: f32, %[[V21:.*]]: f32):
// CHECK-NEXT: %[[V22:.*]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[V23:.*]] = arith.divf %[[V20]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[V25:.*]] = arith.addf %[[V23]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = math.sqrt %[[V25]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.divf %[[V26]], %[[V27]] : f32
// CHECK-NEXT: linalg.yield %[[V28]] : f32
// CHECK: %[[T29:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T6]], %[[T19]], %[[A1]], %[[A2]] : {{.*}} : tensor<?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V30:.*]]: bf16, %[[V31:.*]]: f32, %[[V32:.*]]: f32, %[[V33:.*]]: bf16, %[[V34:.*]]: bf16, %[[V35:.*]]: bf16):
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V30]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.extf %[[V34]] : bf16 to f32
// CHECK-NEXT: %[[V38:.*]] = arith.extf %[[V33]] : bf16 to f32
// CHECK-NEXT: %[[V39:.*]] = arith.mulf %[[V31]], %[[V32]] : f32
// CHECK-NEXT: %[[V40:.*]] = arith.negf %[[V39]] : f32
// CHECK-NEXT: %[[V41:.*]] = math.fma %[[V36]], %[[V32]], %[[V40]] : f32
// CHECK-NEXT: %[[V42:.*]] = math.fma %[[V41]], %[[V38]], %[[V37]] : f32
// CHECK-NEXT: %[[V43:.*]] = prec.round %[[V42]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V43]] : bf16
func.func @layer_norm(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>, %b: tensor<64xbf16>) -> tensor<?x64xbf16> {
  %0 = nn.layer_norm %x weight(%w : tensor<64xbf16>) bias(%b : tensor<64xbf16>) : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: func @layer_norm_points(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<2x8xf32> to tensor<2xf32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T5]] : {{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT: %[[V9:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V7]], %[[V9]] : f32
// CHECK-NEXT: %[[V11:.*]] = prec.round %[[V10]] : f32 to f16
// CHECK-NEXT: %[[V12:.*]] = arith.extf %[[V11]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V12]] : f32
// CHECK: %[[T13:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T6]] : {{.*}} : tensor<2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V14:.*]]: f16, %[[V15:.*]]: f32, %[[V16:.*]]: f32):
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V14]] : f16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.subf %[[V17]], %[[V15]] : f32
// CHECK-NEXT: %[[V19:.*]] = prec.round %[[V18]] : f32 to f16
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V19]] : f16 to f32
// CHECK-NEXT: %[[V21:.*]] = arith.mulf %[[V20]], %[[V20]] : f32
// CHECK-NEXT: %[[V22:.*]] = prec.round %[[V21]] : f32 to f16
// CHECK-NEXT: %[[V23:.*]] = arith.extf %[[V22]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V23]] : f32
// CHECK: %[[T24:.*]] = prec.sum %[[T13]] dim 1 <aten_cpu> : tensor<2x8xf32> to tensor<2xf32>
// CHECK: %[[T25:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T24]] : {{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[V26:.*]]: f32, %[[V27:.*]]: f32):
// CHECK-NEXT: %[[V28:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V29:.*]] = arith.divf %[[V26]], %[[V28]] : f32
// CHECK-NEXT: %[[V30:.*]] = prec.round %[[V29]] : f32 to f16
// CHECK-NEXT: %[[V31:.*]] = arith.extf %[[V30]] : f16 to f32
// CHECK-NEXT: %[[V32:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[V33:.*]] = prec.round %[[V32]] : f32 to f16
// CHECK-NEXT: %[[V34:.*]] = arith.extf %[[V33]] : f16 to f32
// CHECK-NEXT: %[[V35:.*]] = arith.addf %[[V31]], %[[V34]] : f32
// CHECK-NEXT: %[[V36:.*]] = prec.round %[[V35]] : f32 to f16
// CHECK-NEXT: %[[V37:.*]] = arith.extf %[[V36]] : f16 to f32
// CHECK-NEXT: %[[V38:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V39:.*]] = math.sqrt %[[V37]] : f32
// CHECK-NEXT: %[[V40:.*]] = prec.round %[[V39]] : f32 to f16
// CHECK-NEXT: %[[V41:.*]] = arith.extf %[[V40]] : f16 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.divf %[[V38]], %[[V41]] : f32
// CHECK-NEXT: %[[V43:.*]] = prec.round %[[V42]] : f32 to f16
// CHECK-NEXT: %[[V44:.*]] = arith.extf %[[V43]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V44]] : f32
// CHECK: %[[T45:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T6]], %[[T25]], %[[A1]], %[[A2]] : {{.*}} : tensor<2x8xf16>)
// CHECK-NEXT: ^bb0(%[[V46:.*]]: f16, %[[V47:.*]]: f32, %[[V48:.*]]: f32, %[[V49:.*]]: f16, %[[V50:.*]]: f16, %[[V51:.*]]: f16):
// CHECK-NEXT: %[[V52:.*]] = arith.extf %[[V46]] : f16 to f32
// CHECK-NEXT: %[[V53:.*]] = arith.extf %[[V50]] : f16 to f32
// CHECK-NEXT: %[[V54:.*]] = arith.extf %[[V49]] : f16 to f32
// CHECK-NEXT: %[[V55:.*]] = arith.subf %[[V52]], %[[V47]] : f32
// CHECK-NEXT: %[[V56:.*]] = prec.round %[[V55]] : f32 to f16
// CHECK-NEXT: %[[V57:.*]] = arith.extf %[[V56]] : f16 to f32
// CHECK-NEXT: %[[V58:.*]] = arith.mulf %[[V57]], %[[V48]] : f32
// CHECK-NEXT: %[[V59:.*]] = prec.round %[[V58]] : f32 to f16
// CHECK-NEXT: %[[V60:.*]] = arith.extf %[[V59]] : f16 to f32
// CHECK-NEXT: %[[V61:.*]] = arith.mulf %[[V60]], %[[V54]] : f32
// CHECK-NEXT: %[[V62:.*]] = prec.round %[[V61]] : f32 to f16
// CHECK-NEXT: %[[V63:.*]] = arith.extf %[[V62]] : f16 to f32
// CHECK-NEXT: %[[V64:.*]] = arith.addf %[[V63]], %[[V53]] : f32
// CHECK-NEXT: %[[V65:.*]] = prec.round %[[V64]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V65]] : f16
func.func @layer_norm_points(%x: tensor<2x8xf16>, %w: tensor<8xf16>, %b: tensor<8xf16>) -> tensor<2x8xf16> {
  %0 = nn.layer_norm %x weight(%w : tensor<8xf16>) bias(%b : tensor<8xf16>) form center
         points {mean = true, centered = true, square = true, variance = true, eps = true, radicand = true,
                 sqrt = true, rstd = true, normalized = true, scaled = true} : tensor<2x8xf16> to tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func @layer_norm_center_fma(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : {{.*}} : tensor<2x8xf64>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f64):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V4]] : f32 to f64
// CHECK-NEXT: linalg.yield %[[V5]] : f64
// CHECK: %[[T6:.*]] = prec.sum %[[T1]] dim 1 <aten_cpu> : tensor<2x8xf64> to tensor<2xf64>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T6]] : {{.*}} : tensor<2xf64>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f64, %[[V9:.*]]: f64):
// CHECK-NEXT: %[[V10:.*]] = arith.constant 8.000000e+00 : f64
// CHECK-NEXT: %[[V11:.*]] = arith.divf %[[V8]], %[[V10]] : f64
// CHECK-NEXT: linalg.yield %[[V11]] : f64
// CHECK: %[[T12:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T7]] : {{.*}} : tensor<2x8xf64>)
// CHECK-NEXT: ^bb0(%[[V13:.*]]: f16, %[[V14:.*]]: f64, %[[V15:.*]]: f64):
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V13]] : f16 to f32
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V16]] : f32 to f64
// CHECK-NEXT: %[[V18:.*]] = arith.subf %[[V17]], %[[V14]] : f64
// CHECK-NEXT: %[[V19:.*]] = arith.mulf %[[V18]], %[[V18]] : f64
// CHECK-NEXT: linalg.yield %[[V19]] : f64
// CHECK: %[[T20:.*]] = prec.sum %[[T12]] dim 1 <aten_cpu> : tensor<2x8xf64> to tensor<2xf64>
// CHECK: %[[T21:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T20]] : {{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[V22:.*]]: f64, %[[V23:.*]]: f32):
// CHECK-NEXT: %[[V24:.*]] = arith.constant 8.000000e+00 : f64
// CHECK-NEXT: %[[V25:.*]] = arith.divf %[[V22]], %[[V24]] : f64
// CHECK-NEXT: %[[V26:.*]] = prec.round %[[V25]] : f64 to f32
// CHECK-NEXT: %[[V27:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[V28:.*]] = arith.addf %[[V26]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V30:.*]] = math.sqrt %[[V28]] : f32
// CHECK-NEXT: %[[V31:.*]] = arith.divf %[[V29]], %[[V30]] : f32
// CHECK-NEXT: linalg.yield %[[V31]] : f32
// CHECK: %[[T32:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T7]], %[[T21]], %[[A1]], %[[A2]] : {{.*}} : tensor<2x8xf16>)
// CHECK-NEXT: ^bb0(%[[V33:.*]]: f16, %[[V34:.*]]: f64, %[[V35:.*]]: f32, %[[V36:.*]]: f16, %[[V37:.*]]: f32, %[[V38:.*]]: f16):
// CHECK-NEXT: %[[V39:.*]] = arith.extf %[[V33]] : f16 to f32
// CHECK-NEXT: %[[V40:.*]] = arith.extf %[[V36]] : f16 to f32
// CHECK-NEXT: %[[V41:.*]] = prec.round %[[V34]] : f64 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.subf %[[V39]], %[[V41]] : f32
// CHECK-NEXT: %[[V43:.*]] = arith.mulf %[[V42]], %[[V35]] : f32
// CHECK-NEXT: %[[V44:.*]] = math.fma %[[V43]], %[[V40]], %[[V37]] : f32
// CHECK-NEXT: %[[V45:.*]] = prec.round %[[V44]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V45]] : f16
func.func @layer_norm_center_fma(%x: tensor<2x8xf16>, %w: tensor<8xf16>, %b: tensor<8xf32>) -> tensor<2x8xf16> {
  %0 = nn.layer_norm %x weight(%w : tensor<8xf16>) bias(%b : tensor<8xf32>) form center_fma accumulate f64
         : tensor<2x8xf16> to tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func @layer_norm_weight_only(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 0 <aten_cpu> : tensor<8xf32> to tensor<f32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T5]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT: %[[V9:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V7]], %[[V9]] : f32
// CHECK-NEXT: linalg.yield %[[V10]] : f32
// CHECK: %[[T11:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[T6]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V12:.*]]: bf16, %[[V13:.*]]: f32, %[[V14:.*]]: f32):
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V16:.*]] = arith.subf %[[V15]], %[[V13]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V16]], %[[V16]] : f32
// CHECK-NEXT: linalg.yield %[[V17]] : f32
// CHECK: %[[T18:.*]] = prec.sum %[[T11]] dim 0 <aten_cpu> : tensor<8xf32> to tensor<f32>
// CHECK: %[[T19:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T18]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V20:.*]]: f32, %[[V21:.*]]: f32):
// CHECK-NEXT: %[[V22:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V23:.*]] = arith.divf %[[V20]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[V25:.*]] = arith.addf %[[V23]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = math.sqrt %[[V25]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.divf %[[V26]], %[[V27]] : f32
// CHECK-NEXT: linalg.yield %[[V28]] : f32
// CHECK: %[[T29:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[T6]], %[[T19]], %[[A1]] : {{.*}} : tensor<8xbf16>)
// CHECK-NEXT: ^bb0(%[[V30:.*]]: bf16, %[[V31:.*]]: f32, %[[V32:.*]]: f32, %[[V33:.*]]: bf16, %[[V34:.*]]: bf16):
// CHECK-NEXT: %[[V35:.*]] = arith.extf %[[V30]] : bf16 to f32
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V33]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.mulf %[[V31]], %[[V32]] : f32
// CHECK-NEXT: %[[V38:.*]] = arith.negf %[[V37]] : f32
// CHECK-NEXT: %[[V39:.*]] = math.fma %[[V35]], %[[V32]], %[[V38]] : f32
// CHECK-NEXT: %[[V40:.*]] = arith.mulf %[[V39]], %[[V36]] : f32
// CHECK-NEXT: %[[V41:.*]] = prec.round %[[V40]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V41]] : bf16
func.func @layer_norm_weight_only(%x: tensor<8xbf16>, %w: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = nn.layer_norm %x weight(%w : tensor<8xbf16>) : tensor<8xbf16> to tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func @layer_norm_bias_only(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: f32):
// CHECK-NEXT: %[[V4:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK: %[[T5:.*]] = prec.sum %[[T1]] dim 0 <aten_cpu> : tensor<8xf32> to tensor<f32>
// CHECK: %[[T6:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T5]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT: %[[V9:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V10:.*]] = arith.divf %[[V7]], %[[V9]] : f32
// CHECK-NEXT: linalg.yield %[[V10]] : f32
// CHECK: %[[T11:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[T6]] : {{.*}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[V12:.*]]: bf16, %[[V13:.*]]: f32, %[[V14:.*]]: f32):
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V16:.*]] = arith.subf %[[V15]], %[[V13]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V16]], %[[V16]] : f32
// CHECK-NEXT: linalg.yield %[[V17]] : f32
// CHECK: %[[T18:.*]] = prec.sum %[[T11]] dim 0 <aten_cpu> : tensor<8xf32> to tensor<f32>
// CHECK: %[[T19:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[T18]] : {{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[V20:.*]]: f32, %[[V21:.*]]: f32):
// CHECK-NEXT: %[[V22:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-NEXT: %[[V23:.*]] = arith.divf %[[V20]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[V25:.*]] = arith.addf %[[V23]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = math.sqrt %[[V25]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.divf %[[V26]], %[[V27]] : f32
// CHECK-NEXT: linalg.yield %[[V28]] : f32
// CHECK: %[[T29:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[T6]], %[[T19]], %[[A1]] : {{.*}} : tensor<8xbf16>)
// CHECK-NEXT: ^bb0(%[[V30:.*]]: bf16, %[[V31:.*]]: f32, %[[V32:.*]]: f32, %[[V33:.*]]: bf16, %[[V34:.*]]: bf16):
// CHECK-NEXT: %[[V35:.*]] = arith.extf %[[V30]] : bf16 to f32
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V33]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.subf %[[V35]], %[[V31]] : f32
// CHECK-NEXT: %[[V38:.*]] = arith.mulf %[[V37]], %[[V32]] : f32
// CHECK-NEXT: %[[V39:.*]] = arith.addf %[[V38]], %[[V36]] : f32
// CHECK-NEXT: %[[V40:.*]] = prec.round %[[V39]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V40]] : bf16
func.func @layer_norm_bias_only(%x: tensor<8xbf16>, %b: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = nn.layer_norm %x bias(%b : tensor<8xbf16>) form center : tensor<8xbf16> to tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func @rope(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = tensor.extract_slice %[[A0]][0, 0, 0] [2, %{{.*}}, 32] [1, 1, 1] : tensor<2x?x64xbf16> to tensor<2x?x32xbf16>
// CHECK: %[[T2:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[T1]] : {{.*}} : tensor<2x?x32xf32>)
// CHECK-NEXT: ^bb0(%[[V3:.*]]: bf16, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = tensor.extract_slice %[[A0]][0, 0, 32] [2, %{{.*}}, 32] [1, 1, 1] : tensor<2x?x64xbf16> to tensor<2x?x32xbf16>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[T6]] : {{.*}} : tensor<2x?x32xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: bf16, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V8]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.negf %[[V10]] : f32
// CHECK-NEXT: linalg.yield %[[V11]] : f32
// CHECK: %[[T12:.*]] = tensor.concat dim(2) %[[T7]], %[[T2]] : (tensor<2x?x32xf32>, tensor<2x?x32xf32>) -> tensor<2x?x64xf32>
// CHECK: %[[T13:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[T12]], %[[A2]] : {{.*}} : tensor<2x?x64xbf16>)
// CHECK-NEXT: ^bb0(%[[V14:.*]]: bf16, %[[V15:.*]]: bf16, %[[V16:.*]]: f32, %[[V17:.*]]: bf16, %[[V18:.*]]: bf16):
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V17]] : bf16 to f32
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V15]] : bf16 to f32
// CHECK-NEXT: %[[V21:.*]] = arith.extf %[[V14]] : bf16 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V21]], %[[V20]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to bf16
// CHECK-NEXT: %[[V24:.*]] = arith.extf %[[V23]] : bf16 to f32
// CHECK-NEXT: %[[V25:.*]] = arith.mulf %[[V16]], %[[V19]] : f32
// CHECK-NEXT: %[[V26:.*]] = prec.round %[[V25]] : f32 to bf16
// CHECK-NEXT: %[[V27:.*]] = arith.extf %[[V26]] : bf16 to f32
// CHECK-NEXT: %[[V28:.*]] = arith.addf %[[V24]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = prec.round %[[V28]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V29]] : bf16
func.func @rope(%x: tensor<2x?x64xbf16>, %c: tensor<?x64xbf16>, %s: tensor<?x64xbf16>) -> tensor<2x?x64xbf16> {
  %0 = nn.rope %x cos(%c : tensor<?x64xbf16>) sin(%s : tensor<?x64xbf16>) : tensor<2x?x64xbf16> to tensor<2x?x64xbf16>
  return %0 : tensor<2x?x64xbf16>
}

// CHECK-LABEL: func @rope_one_rounding(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = tensor.extract_slice %[[A0]][0] [4] [1] : tensor<8xf16> to tensor<4xf16>
// CHECK: %[[T2:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T1]] : {{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[V3:.*]]: f16, %[[V4:.*]]: f32):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK: %[[T6:.*]] = tensor.extract_slice %[[A0]][4] [4] [1] : tensor<8xf16> to tensor<4xf16>
// CHECK: %[[T7:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T6]] : {{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[V8:.*]]: f16, %[[V9:.*]]: f32):
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V8]] : f16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.negf %[[V10]] : f32
// CHECK-NEXT: linalg.yield %[[V11]] : f32
// CHECK: %[[T12:.*]] = tensor.concat dim(0) %[[T7]], %[[T2]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
// CHECK: %[[T13:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]], %[[T12]], %[[A2]] : {{.*}} : tensor<8xf16>)
// CHECK-NEXT: ^bb0(%[[V14:.*]]: f16, %[[V15:.*]]: f32, %[[V16:.*]]: f32, %[[V17:.*]]: f32, %[[V18:.*]]: f16):
// CHECK-NEXT: %[[V19:.*]] = arith.extf %[[V14]] : f16 to f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V19]], %[[V15]] : f32
// CHECK-NEXT: %[[V21:.*]] = arith.mulf %[[V16]], %[[V17]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.addf %[[V20]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V23]] : f16
func.func @rope_one_rounding(%x: tensor<8xf16>, %c: tensor<8xf32>, %s: tensor<8xf32>) -> tensor<8xf16> {
  %0 = nn.rope %x cos(%c : tensor<8xf32>) sin(%s : tensor<8xf32>) points {product = false} : tensor<8xf16> to tensor<8xf16>
  return %0 : tensor<8xf16>
}
