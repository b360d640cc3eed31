// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -prec-expand-math | FileCheck %s
// RUN: prec-opt %s -prec-expand-math | FileCheck %s --check-prefix=NONE
// RUN: prec-opt %s -prec-expand-math=slow-f64 | FileCheck %s --check-prefixes=NONE,SLOW

// Nothing of the math dialect stays but IEEE operations, and nothing may be
// contracted or reassociated.
// NONE-NOT: math.{{(exp|exp2|expm1|log|log2|log10|log1p|tanh|erf|sin|cos|rsqrt|fpowi) %[a-z0-9]+ :}}
// NONE-NOT: fastmath

// CHECK-LABEL: func @rsqrt
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[ROOT:.*]] = math.sqrt %[[X]] : f32
// CHECK: %[[ESTIMATE:.*]] = arith.divf %[[ONE]], %[[ROOT]] : f32
// CHECK: %[[Y:.*]] = arith.extf %[[ESTIMATE]] : f32 to f64
// CHECK: %[[D:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[D]], %[[Y]] : f64
// CHECK: %[[MINUS:.*]] = arith.negf %[[PRODUCT]] : f64
// CHECK: %[[ERROR:.*]] = math.fma %[[MINUS]], %[[Y]], %{{.*}} : f64
// CHECK: %[[STEP:.*]] = math.fma %[[ERROR]], %{{.*}}, %{{.*}} : f64
// CHECK: %[[SCALED:.*]] = arith.mulf %[[Y]], %[[ERROR]] : f64
// CHECK: %[[REFINED:.*]] = math.fma %[[SCALED]], %[[STEP]], %[[Y]] : f64
// CHECK: %[[RESULT:.*]] = arith.truncf %[[REFINED]] : f64 to f32
// CHECK: %[[NUMBER:.*]] = arith.cmpf oeq, %[[RESULT]], %[[RESULT]] : f32
// CHECK: arith.select %[[NUMBER]], %[[RESULT]], %[[ESTIMATE]] : f32
// Without f64: the estimate, and one step with the errors of products.
// SLOW-LABEL: func @rsqrt
// SLOW-SAME: (%[[X:.*]]: f32)
// SLOW-NOT: f64
// SLOW: %[[ROOT:.*]] = math.sqrt %[[X]] : f32
// SLOW: %[[Y:.*]] = arith.divf %{{.*}}, %[[ROOT]] : f32
// SLOW: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// SLOW: %[[MINUS:.*]] = arith.negf %[[PRODUCT]] : f32
// SLOW: math.fma %[[X]], %[[Y]], %[[MINUS]] : f32
// SLOW-LABEL: func @exp
// SLOW-NOT: f64
// SLOW: return
func.func @rsqrt(%x: f32) -> f32 {
  %0 = math.rsqrt %x : f32
  return %0 : f32
}

// Vectors of any shape: the same operations on vectors.
// CHECK-LABEL: func @exp
// CHECK-COUNT-2: arith.select {{.*}} : vector<2x8xi1>, vector<2x8xf32>
// CHECK: arith.extf {{.*}} : vector<2x8xf32> to vector<2x8xf64>
// CHECK-COUNT-12: math.fma {{.*}} : vector<2x8xf64>
// CHECK: arith.truncf {{.*}} : vector<2x8xf64> to vector<2x8xf32>
func.func @exp(%x: vector<2x8xf32>) -> vector<2x8xf32> {
  %0 = math.exp %x : vector<2x8xf32>
  return %0 : vector<2x8xf32>
}

// CHECK-LABEL: func @zero_rank_and_scalable
// CHECK: math.fma {{.*}} : vector<f64>
// CHECK: math.fma {{.*}} : vector<[4]xf64>
func.func @zero_rank_and_scalable(%x: vector<f32>, %y: vector<[4]xf32>) -> (vector<f32>, vector<[4]xf32>) {
  %0 = math.tanh %x : vector<f32>
  %1 = math.tanh %y : vector<[4]xf32>
  return %0, %1 : vector<f32>, vector<[4]xf32>
}

// CHECK-LABEL: func @every_function
// SLOW-LABEL: func @every_function
// SLOW-NOT: f64
// Sine and cosine take a product of integers.
// SLOW-COUNT-4: arith.mului_extended
// SLOW-NOT: f64
// SLOW: return
func.func @every_function(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.exp2 %0 : f32
  %2 = math.expm1 %1 : f32
  %3 = math.log %2 : f32
  %4 = math.log2 %3 : f32
  %5 = math.log10 %4 : f32
  %6 = math.log1p %5 : f32
  %7 = math.tanh %6 : f32
  %8 = math.erf %7 : f32
  %9 = math.sin %8 : f32
  %10 = math.cos %9 : f32
  %11 = math.rsqrt %10 {prec.math = #prec.math<correctly_rounded>} : f32
  return %11 : f32
}

// CHECK-LABEL: func @powers
// CHECK-SAME: (%[[X:.*]]: f32, %[[V:.*]]: vector<4xf32>)
func.func @powers(%x: f32, %v: vector<4xf32>) -> (f32, f32, vector<4xf32>) {
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i64
  %three = arith.constant dense<3> : vector<4xi32>
  // CHECK: %[[D:.*]] = arith.extf %[[X]] : f32 to f64
  // CHECK: %[[SQUARE:.*]] = arith.mulf %[[D]], %[[D]] : f64
  // CHECK: %[[FIRST:.*]] = arith.truncf %[[SQUARE]] : f64 to f32
  %0 = math.fpowi %x, %two : f32, i32
  // CHECK: %[[SECOND:.*]] = arith.constant 1.000000e+00 : f32
  %1 = math.fpowi %x, %zero : f32, i64
  // SLOW-LABEL: func @power
  // SLOW-NOT: f64
  // SLOW: return
  // A cube has 72 bits: two f64, made one by rounding to odd.
  // CHECK: %[[SQUARES:.*]] = arith.mulf {{.*}} : vector<4xf64>
  // CHECK: %[[CUBE:.*]] = arith.mulf %[[SQUARES]], {{.*}} : vector<4xf64>
  // CHECK: %[[MINUS:.*]] = arith.negf %[[CUBE]] : vector<4xf64>
  // CHECK: math.fma %[[SQUARES]], %{{.*}}, %[[MINUS]] : vector<4xf64>
  // CHECK: %[[ODD:.*]] = arith.select %{{.*}}, %{{.*}}, %[[CUBE]] : vector<4xi1>, vector<4xf64>
  // CHECK: %[[THIRD:.*]] = arith.truncf %[[ODD]] : vector<4xf64> to vector<4xf32>
  %2 = math.fpowi %v, %three : vector<4xf32>, vector<4xi32>
  // CHECK: return %[[FIRST]], %[[SECOND]], %[[THIRD]]
  return %0, %1, %2 : f32, f32, vector<4xf32>
}

// Another implementation, operations that are IEEE's already, and integers.
// CHECK-LABEL: func @left_alone
func.func @left_alone(%x: f32, %d: f64, %i: i32) -> (f32, f64, i32, i1) {
  // CHECK: math.exp {{.*}}prec.math = #prec.math<libdevice>
  %0 = math.exp %x {prec.math = #prec.math<libdevice>} : f32
  // CHECK: math.powf {{.*}}prec.math = #prec.math<fast>
  %1 = math.powf %0, %x {prec.math = #prec.math<fast>} : f32
  // CHECK: math.sqrt %{{.*}} : f32
  %2 = math.sqrt %1 : f32
  // CHECK: math.fma %{{.*}} : f64
  %3 = math.fma %d, %d, %d : f64
  // CHECK: math.roundeven %{{.*}} : f64
  %4 = math.roundeven %3 : f64
  // CHECK: math.absf %{{.*}} : f64
  %5 = math.absf %4 : f64
  // CHECK: math.ctpop %{{.*}} : i32
  %6 = math.ctpop %i : i32
  // CHECK: math.isnan %{{.*}} : f32
  %7 = math.isnan %x : f32
  return %2, %5, %6, %7 : f32, f64, i32, i1
}
