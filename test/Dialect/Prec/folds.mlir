// RUN: prec-opt %s -canonicalize -split-input-file | FileCheck %s

// Constants round once, by the stated mode.
// CHECK-LABEL: func @constants
func.func @constants() -> (bf16, bf16, bf16, f16, f8E4M3FN, f8E4M3FN, f32, bf16) {
  // 1 + 2^-8, half way
  %half = arith.constant 1.00390625 : f32
  %big = arith.constant 1.0e+30 : f32
  // f64 to bf16 through f32 would give 1.0
  %double = arith.constant 0x3FF010000044B830 : f64
  // CHECK-DAG: %[[EVEN:.+]] = arith.constant 1.000000e+00 : bf16
  // CHECK-DAG: %[[UP:.+]] = arith.constant 1.007810e+00 : bf16
  // CHECK-DAG: %[[INF:.+]] = arith.constant 0x7C00 : f16
  // CHECK-DAG: %[[NAN:.+]] = arith.constant 0x7F : f8E4M3FN
  // CHECK-DAG: %[[MAX:.+]] = arith.constant 4.480000e+02 : f8E4M3FN
  // CHECK-DAG: %[[F32:.+]] = arith.constant 1.00390625 : f32
  %0 = prec.round %half : f32 to bf16
  %1 = prec.round %half upward : f32 to bf16
  %2 = prec.round %half nearest_away : f32 to bf16
  %3 = prec.round %big : f32 to f16
  %4 = prec.round %big : f32 to f8E4M3FN
  %5 = prec.round %big saturate : f32 to f8E4M3FN
  %6 = prec.round %double : f64 to f32
  %7 = prec.round %double : f64 to bf16
  // CHECK: return %[[EVEN]], %[[UP]], %[[UP]], %[[INF]], %[[NAN]], %[[MAX]], %[[F32]], %[[UP]]
  return %0, %1, %2, %3, %4, %5, %6, %7 : bf16, bf16, bf16, f16, f8E4M3FN, f8E4M3FN, f32, bf16
}

// A NaN stays one, whatever its payload.
// CHECK-LABEL: func @nans
// CHECK-DAG: arith.constant 0x7FC0 : bf16
// CHECK-DAG: arith.constant 0xFFC0 : bf16
func.func @nans() -> (bf16, bf16) {
  %0 = arith.constant 0x7F800001 : f32
  %1 = arith.constant 0xFF800001 : f32
  %2 = prec.round %0 : f32 to bf16
  %3 = prec.round %1 : f32 to bf16
  return %2, %3 : bf16, bf16
}

// CHECK-LABEL: func @dense
// CHECK-DAG: arith.constant dense<[1.000000e+00, 1.000980e-01]> : tensor<2xbf16>
// CHECK-DAG: arith.constant dense<1.000980e-01> : vector<4xbf16>
func.func @dense() -> (tensor<2xbf16>, vector<4xbf16>) {
  %0 = arith.constant dense<[1.0, 0.1]> : tensor<2xf32>
  %1 = arith.constant dense<0.1> : vector<4xf64>
  %2 = prec.round %0 : tensor<2xf32> to tensor<2xbf16>
  %3 = prec.round %1 : vector<4xf64> to vector<4xbf16>
  return %2, %3 : tensor<2xbf16>, vector<4xbf16>
}

// A value that came exactly from the format is that value.
// CHECK-LABEL: func @identity
// CHECK-SAME: (%[[A:.+]]: bf16, %[[X:.+]]: f32)
func.func @identity(%a: bf16, %x: f32) -> (bf16, bf16, bf16, f32) {
  %0 = arith.extf %a : bf16 to f32
  %1 = prec.round %0 toward_zero : f32 to bf16
  %2 = arith.extf %0 : f32 to f64
  %3 = prec.round %2 : f64 to bf16
  %4 = prec.round %x : f32 to bf16
  %5 = arith.extf %4 : bf16 to f32
  %6 = prec.round %5 : f32 to bf16
  %7 = prec.round %2 : f64 to f32
  // CHECK: %[[W:.+]] = arith.extf %[[A]] : bf16 to f32
  // CHECK: %[[R:.+]] = prec.round %[[X]] : f32 to bf16
  // CHECK: return %[[A]], %[[A]], %[[R]], %[[W]]
  return %1, %3, %6, %7 : bf16, bf16, bf16, f32
}

// Nothing else folds: another format, saturation (of infinities), arithmetic.
// CHECK-LABEL: func @kept
// CHECK-COUNT-5: prec.round
func.func @kept(%a: bf16, %x: f32) -> (f16, bf16, bf16, f32) {
  %0 = arith.extf %a : bf16 to f32
  %1 = prec.round %0 : f32 to f16
  %2 = prec.round %0 saturate : f32 to bf16
  %3 = arith.negf %0 : f32
  %4 = prec.round %3 : f32 to bf16
  %5 = prec.round %x : f32 to f16
  %6 = arith.extf %5 fastmath<contract> : f16 to f32
  %7 = prec.round %6 : f32 to bf16
  %8 = arith.extf %7 fastmath<contract> : bf16 to f32
  return %1, %2, %4, %8 : f16, bf16, bf16, f32
}
