// RUN: prec-opt %s -prec-canonicalize -cse | FileCheck %s

// The C library's tanhf gives 0x3EC7A86C, the nearest number is 0x3EC7A86B; a
// function stays, also where its argument becomes constant only on the way.
// CHECK-LABEL: func @functions
// CHECK-DAG: %[[C:.+]] = arith.constant 0.411749095 : f32
// CHECK-DAG: %[[HALF:.+]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: %[[TANH:.+]] = math.tanh %[[C]] : f32
// CHECK-DAG: %[[EXP:.+]] = math.exp %[[HALF]] : f32
// CHECK: return %[[TANH]], %[[EXP]]
func.func @functions() -> (f32, f32) {
  %c = arith.constant 0x3ED2D0C7 : f32
  %0 = math.tanh %c : f32
  %quarter = arith.constant 0.25 : f32
  %1 = arith.addf %quarter, %quarter : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.extf %2 : bf16 to f32
  %4 = math.exp %3 : f32
  return %0, %4 : f32, f32
}

// The number of a signaling NaN and a number: upstream's folder gives NaN.
// CHECK-LABEL: func @numbers
// CHECK-DAG: %[[NAN:.+]] = arith.constant 0x7F800001 : f32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[MAX:.+]] = arith.maxnumf %[[NAN]], %[[ONE]]
// CHECK-DAG: %[[MIN:.+]] = arith.minnumf %[[NAN]], %[[ONE]]
// CHECK: return %[[MAX]], %[[MIN]]
func.func @numbers() -> (f32, f32) {
  %nan = arith.constant 0x7F800001 : f32
  %one = arith.constant 1.0 : f32
  %0 = arith.maxnumf %nan, %one : f32
  %1 = arith.minnumf %nan, %one : f32
  return %0, %1 : f32, f32
}

// Everything else canonicalizes.
// CHECK-LABEL: func @others
// CHECK-SAME: (%[[T:.+]]: tensor<4x?xf32>, %[[A:.+]]: bf16)
// CHECK-DAG: %[[C5:.+]] = arith.constant 5 : index
// CHECK: return %[[C5]], %[[A]]
func.func @others(%t: tensor<4x?xf32>, %a: bf16) -> (index, bf16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<4x?xf32>
  %0 = arith.addi %d, %c1 : index
  %1 = arith.extf %a : bf16 to f32
  %2 = prec.round %1 : f32 to bf16
  %true = arith.constant true
  %3 = scf.if %true -> bf16 {
    scf.yield %2 : bf16
  } else {
    %4 = arith.constant 0.0 : bf16
    scf.yield %4 : bf16
  }
  return %0, %3 : index, bf16
}
