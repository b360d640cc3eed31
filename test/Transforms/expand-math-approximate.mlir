// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -prec-expand-math=target=gpu -split-input-file | FileCheck %s

// On a GPU, what is proven within the bounds of the approximate instructions.
// The offset takes the sign of the argument: that settles the ties near 1/2; the
// quarter is for x below -87, where 1 / (1 + e^-x) is subnormal.
// CHECK-LABEL: func @sigmoid
// CHECK-SAME: (%[[X:.*]]: vector<8xbf16>)
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]]
// CHECK: %[[SIGN:.*]] = arith.andi
// CHECK: arith.xori %{{.*}}, %[[SIGN]]
// CHECK: %[[T:.*]] = math.fma %[[WIDE]]
// CHECK: %[[E:.*]] = prec.approximate exp2 %[[T]] : vector<8xf32>
// CHECK: %[[D:.*]] = math.fma %[[E]]
// CHECK: %[[R:.*]] = prec.approximate reciprocal %[[D]] : vector<8xf32>
// CHECK: %[[S:.*]] = arith.mulf %[[R]]
// CHECK-NOT: arith.divf
// CHECK: prec.round %[[S]]
func.func @sigmoid(%x: vector<8xbf16>) -> vector<8xbf16> {
  %one = arith.constant dense<1.0> : vector<8xf32>
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = arith.negf %0 : vector<8xf32>
  %2 = math.exp %1 : vector<8xf32>
  %3 = arith.addf %2, %one : vector<8xf32>
  %4 = arith.divf %one, %3 : vector<8xf32>
  %5 = prec.round %4 : vector<8xf32> to vector<8xbf16>
  return %5 : vector<8xbf16>
}

// -----

// The ties of subnormal results need an exact 1/2. One input is decided by no
// tuning of the exponential, but by a quarter that is a little less.
// CHECK-LABEL: func @silu
// CHECK: prec.approximate exp2
// CHECK: prec.approximate reciprocal
// CHECK: %[[TINY:.*]] = arith.cmpf olt
// CHECK: arith.select %[[TINY]]
// CHECK: %[[Y:.*]] = arith.mulf
// CHECK-NOT: arith.cmpf oeq
// CHECK: prec.round %[[Y]]
func.func @silu(%x: bf16) -> bf16 {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %0, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  return %5 : bf16
}

// -----

// CHECK-LABEL: func @tanh
// CHECK: prec.approximate exp2
// CHECK: prec.approximate reciprocal
// CHECK: arith.cmpf olt
// CHECK: arith.select
func.func @tanh(%x: bf16) -> bf16 {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.tanh %0 : f32
  %2 = prec.round %1 : f32 to bf16
  return %2 : bf16
}

// -----

// Subnormal results matter, which the instruction does not give: the square of
// the root. No input is left to a comparison.
// CHECK-LABEL: func @exp2
// CHECK: %[[T:.*]] = math.fma
// CHECK: %[[ROOT:.*]] = prec.approximate exp2 %[[T]] : f32
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[ROOT]], %[[ROOT]] : f32
// CHECK: prec.round %[[SQUARE]]
func.func @exp2(%x: bf16) -> bf16 {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp2 %0 : f32
  %2 = prec.round %1 : f32 to bf16
  return %2 : bf16
}

// -----

// A plan for the logarithm would not know the inputs that are left over.
// CHECK-LABEL: func @softplus
// CHECK-NOT: prec.approximate
// CHECK: return
func.func @softplus(%x: bf16) -> bf16 {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp %0 : f32
  %2 = math.log1p %1 : f32
  %3 = prec.round %2 : f32 to bf16
  return %3 : bf16
}

// -----

// f16 keeps more bits than the approximations have to spare.
// CHECK-LABEL: func @sigmoid_f16
// CHECK-NOT: prec.approximate
// CHECK: arith.divf
func.func @sigmoid_f16(%x: f16) -> f16 {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : f16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %one, %3 : f32
  %5 = prec.round %4 : f32 to f16
  return %5 : f16
}

// -----

// Where the f32 result itself is used, it has to have all its bits: see
// expand-math-exact.mlir.
// CHECK-LABEL: func @unrounded
// CHECK-NOT: prec.approximate
func.func @unrounded(%x: bf16) -> f32 {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.exp %0 : f32
  return %1 : f32
}
