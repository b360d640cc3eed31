// RUN: prec-opt %s -prec-expand-math=target=host -split-input-file | FileCheck %s

// silu(z) in f32, times anything, rounded to bf16: the product is close, and computed again with an exponential in
// f64 where that does not tell the rounding: near the middle between two numbers of bf16, for numbers of any size. A NaN of
// that has a payload that is known.
// CHECK-LABEL: func @gate
// CHECK-NOT:   f64
// CHECK:       %[[PRODUCT:.+]] = arith.mulf %arg0, %{{.+}} : vector<16xf32>
// CHECK-NOT:   arith.cmpi
// CHECK-NOT:   f64
// CHECK:       %[[NEAR:.+]] = arith.cmpi eq, %{{.+}}, %{{.+}} : vector<16xi32>
// CHECK-NEXT:  %[[UNDECIDED:.+]] = vector.reduction <or>, %[[NEAR]] : vector<16xi1> into i1
// CHECK:       %[[RIGHT:.+]] = scf.if %[[UNDECIDED]] -> (vector<16xf32>) {
// CHECK:         f64
// CHECK:         %[[AGAIN:.+]] = arith.mulf %arg0, %{{.+}} : vector<16xf32>
// CHECK:         %[[UNKNOWN:.+]] = arith.cmpf uno, %[[AGAIN]], %[[AGAIN]]
// CHECK:         %[[KNOWN:.+]] = arith.select %[[UNKNOWN]], %{{.+}}, %[[AGAIN]]
// CHECK:         scf.yield %[[KNOWN]]
// CHECK:       } else {
// CHECK:         scf.yield %[[PRODUCT]]
// CHECK:       prec.round %[[RIGHT]]
func.func @gate(%n: vector<16xf32>, %z: vector<16xbf16>) -> vector<16xbf16> {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.extf %z : vector<16xbf16> to vector<16xf32>
  %1 = arith.negf %0 : vector<16xf32>
  %2 = math.exp %1 : vector<16xf32>
  %3 = arith.addf %2, %one : vector<16xf32>
  %4 = arith.divf %0, %3 : vector<16xf32>
  %5 = arith.mulf %n, %4 : vector<16xf32>
  %6 = prec.round %5 : vector<16xf32> to vector<16xbf16>
  return %6 : vector<16xbf16>
}

// -----

// The f32 value itself gets out; a sum, whose error is not one of the result; and f16, which keeps
// more of the bits.
// CHECK-LABEL: func @others
// CHECK-NOT:   scf.if
func.func @others(%n: f32, %z: bf16) -> (f32, bf16, bf16, f16) {
  %0 = arith.extf %z : bf16 to f32
  %1 = math.exp %0 : f32
  %2 = arith.mulf %n, %1 : f32
  %3 = prec.round %2 : f32 to bf16
  %4 = arith.negf %0 : f32
  %5 = math.exp %4 : f32
  %6 = arith.addf %n, %5 : f32
  %7 = prec.round %6 : f32 to bf16
  %8 = math.absf %0 : f32
  %9 = math.exp %8 : f32
  %10 = arith.mulf %n, %9 : f32
  %11 = prec.round %10 : f32 to f16
  return %1, %3, %7, %11 : f32, bf16, bf16, f16
}
