// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -prec-expand-math -split-input-file | FileCheck %s

// One 16-bit value, one rounding to 16 bits: a short f32 sequence. Its polynomial
// has five steps; the reduction has one; adding 1 goes with the scaling,
// and the sign with the constants.
// CHECK-LABEL: func @sigmoid
// CHECK-SAME: (%[[X:.*]]: vector<16xbf16>)
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]]
// CHECK: arith.cmpf olt, %{{.*}}, %[[WIDE]]
// CHECK-NOT: f64
// CHECK-COUNT-8: math.fma {{.*}} : vector<16xf32>
// CHECK-NOT: math.
// CHECK: arith.divf
// CHECK: prec.round
func.func @sigmoid(%x: vector<16xbf16>) -> vector<16xbf16> {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.negf %0 : vector<16xf32>
  %2 = math.exp %1 : vector<16xf32>
  %3 = arith.addf %2, %one : vector<16xf32>
  %4 = arith.divf %one, %3 : vector<16xf32>
  %5 = prec.round %4 : vector<16xf32> to vector<16xbf16>
  return %5 : vector<16xbf16>
}

// -----

// Two functions, a comparison and a select, in f32 both.
// CHECK-LABEL: func @softplus
// CHECK-NOT: f64
// CHECK: prec.round
func.func @softplus(%x: bf16) -> bf16 {
  %limit = arith.constant 20.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp %0 : f32
  %2 = math.log1p %1 : f32
  %3 = arith.cmpf ogt, %0, %limit : f32
  %4 = arith.select %3, %0, %2 : f32
  %5 = prec.round %4 : f32 to bf16
  return %5 : bf16
}

// -----

// No sequence has the right bits where 1 + erf(x) cancels.
// CHECK-LABEL: func @gelu
// CHECK: f64
func.func @gelu(%x: f16) -> f16 {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %0 = arith.extf %x : f16 to f32
  %1 = math.erf %0 : f32
  %2 = arith.addf %1, %one : f32
  %3 = arith.mulf %0, %half : f32
  %4 = arith.mulf %3, %2 : f32
  %5 = prec.round %4 : f32 to f16
  return %5 : f16
}

// -----

// The argument depends on two values.
// CHECK-LABEL: func @two_arguments
// CHECK: math.fma {{.*}} : f64
func.func @two_arguments(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.extf %y : bf16 to f32
  %2 = arith.subf %0, %1 : f32
  %3 = math.exp %2 : f32
  %4 = prec.round %3 : f32 to bf16
  return %4 : bf16
}

// -----

// The result meets another value before it is rounded.
// CHECK-LABEL: func @two_factors
// CHECK: math.fma {{.*}} : f64
func.func @two_factors(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.extf %y : bf16 to f32
  %2 = math.exp %0 : f32
  %3 = arith.mulf %2, %1 : f32
  %4 = prec.round %3 : f32 to bf16
  return %4 : bf16
}

// -----

// The result is used in f32 too.
// CHECK-LABEL: func @escapes
// CHECK: math.fma {{.*}} : f64
func.func @escapes(%x: bf16) -> (bf16, f32) {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp %0 : f32
  %2 = prec.round %1 : f32 to bf16
  return %2, %1 : bf16, f32
}

// -----

// An argument of 32 bits.
// CHECK-LABEL: func @wide_argument
// CHECK: math.fma {{.*}} : f64
func.func @wide_argument(%x: f32) -> bf16 {
  %0 = math.exp %x : f32
  %1 = prec.round %0 : f32 to bf16
  return %1 : bf16
}

// -----

// Another rounding mode, and saturation.
// CHECK-LABEL: func @other_roundings
// CHECK-COUNT-2: arith.truncf
func.func @other_roundings(%x: bf16) -> (bf16, f16) {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp %0 : f32
  %2 = prec.round %1 toward_zero : f32 to bf16
  %3 = arith.negf %0 : f32
  %4 = math.exp %3 : f32
  %5 = prec.round %4 saturate : f32 to f16
  return %2, %5 : bf16, f16
}

// -----

// One of two uses is refused: of the other function, which is good by itself,
// nothing changes.
// CHECK-LABEL: func @one_of_two
// CHECK: arith.truncf {{.*}} : f64 to f32
// CHECK-NOT: f64
// CHECK: return
func.func @one_of_two(%x: bf16) -> (bf16, f32) {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp %0 : f32
  %2 = math.tanh %0 : f32
  %3 = arith.mulf %1, %2 : f32
  %4 = prec.round %3 : f32 to bf16
  return %4, %1 : bf16, f32
}
