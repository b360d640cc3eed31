// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -prec-expand-math=target=gpu -split-input-file | FileCheck %s
// RUN: prec-opt %s -prec-expand-math -split-input-file | FileCheck %s --check-prefix=HOST

// An exponential of one 16-bit value that f32 bits matter of: the argument is
// limited as a 16-bit value, a polynomial of degree 7 in f64, one rounding.
// CHECK-LABEL: func @exp
// CHECK-SAME: (%[[X:.*]]: vector<8xbf16>)
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : vector<8xbf16> to vector<8xf32>
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[X]] : vector<8xbf16>
// CHECK: %[[LEAST:.*]] = arith.minnumf %[[MAGNITUDE]]
// CHECK: %[[LIMITED:.*]] = math.copysign %[[LEAST]], %[[X]]
// CHECK: %[[D:.*]] = arith.extf %[[LIMITED]] : vector<8xbf16> to vector<8xf64>
// CHECK: %[[SHIFTED:.*]] = math.fma %[[D]]
// CHECK: %[[N:.*]] = arith.subf %[[SHIFTED]]
// CHECK: %[[R:.*]] = math.fma %[[N]], %{{.*}}, %[[D]]
// CHECK-COUNT-7: math.fma %{{.*}}, %[[R]], %{{.*}} : vector<8xf64>
// CHECK-NOT: math.fma
// CHECK: arith.addi
// CHECK: %[[E:.*]] = arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// NaN stays NaN.
// CHECK: arith.maximumf %[[E]]
// A processor limits it in f32, which keeps NaN.
// HOST-LABEL: func @exp
// HOST: arith.cmpf olt
// HOST: %[[LIMITED:.*]] = arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
// HOST: %[[LEAST:.*]] = arith.select {{.*}}%[[LIMITED]]
// HOST: %[[D:.*]] = arith.extf %[[LEAST]] : vector<8xf32> to vector<8xf64>
// HOST: %[[SHIFTED:.*]] = math.fma %[[D]]
// HOST: %[[N:.*]] = arith.subf %[[SHIFTED]]
// HOST: %[[R:.*]] = math.fma %[[N]], %{{.*}}, %[[D]]
// HOST-COUNT-7: math.fma %{{.*}}, %[[R]], %{{.*}} : vector<8xf64>
// HOST-NOT: math.fma
// HOST: arith.addi
// HOST-NEXT: arith.bitcast
// HOST-NEXT: arith.truncf %{{.*}} {prec.short_nan} : vector<8xf64> to vector<8xf32>
func.func @exp(%x: vector<8xbf16>) -> vector<8xf32> {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = math.exp %0 : vector<8xf32>
  return %1 : vector<8xf32>
}

// -----

// Quotients by 1 plus it: one reciprocal, made a little smaller for the quotient
// and a little larger for what it leaves.
// CHECK-LABEL: func @silu
// CHECK: %[[S:.*]] = arith.addf
// CHECK: %[[QUARTER:.*]] = arith.mulf %[[S]]
// CHECK: %[[R:.*]] = prec.approximate reciprocal %[[QUARTER]] : f32
// CHECK: %[[BELOW:.*]] = arith.mulf %[[R]]
// CHECK: %[[Q:.*]] = arith.mulf %{{.*}}, %[[BELOW]]
// CHECK: %[[REST:.*]] = math.fma %[[Q]], %[[S]]
// CHECK: %[[NUMBER:.*]] = arith.minnumf %[[REST]]
// CHECK: %[[MINUS:.*]] = arith.negf %[[NUMBER]]
// CHECK: %[[ABOVE:.*]] = arith.mulf %[[R]]
// CHECK: math.fma %[[MINUS]], %[[ABOVE]], %[[Q]]
// CHECK-NOT: arith.divf
// HOST-LABEL: func @silu
// HOST: arith.divf
func.func @silu(%x: bf16, %u: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %0, %3 : f32
  %5 = arith.mulf %4, %u : f32
  return %5 : f32
}

// -----

// Only reciprocals: the exponential is a quarter of itself, and so is the sum.
// CHECK-LABEL: func @sigmoid
// CHECK: %[[E:.*]] = arith.truncf
// CHECK: %[[S:.*]] = arith.addf %[[E]]
// CHECK: prec.approximate reciprocal
// CHECK-NOT: arith.divf
func.func @sigmoid(%x: bf16, %u: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %one, %3 : f32
  %5 = arith.mulf %0, %4 : f32
  %6 = arith.mulf %5, %u : f32
  %7 = arith.mulf %u, %4 : f32
  return %6, %7 : f32, f32
}

// -----

// The sum is used for more: the division stays, the exponential does not.
// CHECK-LABEL: func @other_use
// CHECK: math.copysign
// CHECK: %[[S:.*]] = arith.addf
// CHECK: arith.divf %{{.*}}, %[[S]]
func.func @other_use(%x: f16) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : f16 to f32
  %1 = math.exp %0 : f32
  %2 = arith.addf %1, %one : f32
  %3 = arith.divf %one, %2 : f32
  return %2, %3 : f32, f32
}

// -----

// The argument is no 16-bit value: any f32 argument has the long form.
// CHECK-LABEL: func @other_argument
// CHECK-NOT: math.copysign
func.func @other_argument(%x: bf16) -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.divf %0, %two : f32
  %2 = math.exp %1 : f32
  return %2 : f32
}

// -----

// Two values: neither is the one that everything depends on.
// CHECK-LABEL: func @two_values
// CHECK-NOT: math.copysign
func.func @two_values(%x: bf16, %y: bf16) -> f32 {
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.extf %y : bf16 to f32
  %2 = arith.subf %0, %1 : f32
  %3 = math.exp %2 : f32
  return %3 : f32
}
