// RUN: prec-opt %s -convert-prec-to-llvm -split-input-file | FileCheck %s --check-prefixes=CHECK,INT
// RUN: prec-opt %s -convert-prec-to-llvm=native-f16 -split-input-file | FileCheck %s --check-prefixes=CHECK,NATIVE
// RUN: prec-opt %s "-convert-prec-to-llvm=native-f16 lanes=16" -split-input-file | FileCheck %s --check-prefixes=CHECK,WIDE

// The roundings that matter most take the fewest steps.
// CHECK-LABEL: func @bf16
// CHECK-SAME: (%[[X:.+]]: vector<16xf32>)
// CHECK: %[[BITS:.+]] = arith.bitcast %[[X]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[SHIFTED:.+]] = arith.shrui %[[BITS]], %{{.+}}
// CHECK: %[[LAST:.+]] = arith.andi %[[SHIFTED]], %{{.+}}
// CHECK: %[[HALF:.+]] = arith.addi %[[BITS]], %{{.+}}
// CHECK: %[[SUM:.+]] = arith.addi %[[HALF]], %[[LAST]]
// CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK: %[[KEPT:.+]] = arith.select %[[NAN]], %{{.+}}, %[[SUM]]
// CHECK: %[[HIGH:.+]] = arith.shrui %[[KEPT]], %{{.+}}
// CHECK: %[[LOW:.+]] = arith.trunci %[[HIGH]] : vector<16xi32> to vector<16xi16>
// CHECK: %[[R:.+]] = arith.bitcast %[[LOW]] : vector<16xi16> to vector<16xbf16>
// CHECK: return %[[R]]
func.func @bf16(%x: vector<16xf32>) -> vector<16xbf16> {
  %0 = prec.round %x : vector<16xf32> to vector<16xbf16>
  return %0 : vector<16xbf16>
}

// LLVM 22 cannot select 16 lanes at once without AVX-512.
// CHECK-LABEL: func @f16
// INT-NOT: fptrunc
// INT: arith.bitcast %{{.+}} : vector<16xi16> to vector<16xf16>
// NATIVE-COUNT-2: llvm.intr.experimental.constrained.fptrunc %{{.+}} tonearest ignore : vector<8xf32> to vector<8xf16>
// WIDE: llvm.intr.experimental.constrained.fptrunc %{{.+}} tonearest ignore : vector<16xf32> to vector<16xf16>
func.func @f16(%x: vector<16xf32>) -> vector<16xf16> {
  %0 = prec.round %x : vector<16xf32> to vector<16xf16>
  return %0 : vector<16xf16>
}

// CHECK-LABEL: func @f16_odd
// NATIVE: constrained.fptrunc %{{.+}} : vector<4xf32> to vector<4xf16>
// NATIVE: constrained.fptrunc %{{.+}} : vector<2xf32> to vector<2xf16>
// NATIVE: constrained.fptrunc %{{.+}} : vector<1xf32> to vector<1xf16>
// NATIVE: constrained.fptrunc %{{.+}} : f32 to f16
func.func @f16_odd(%x: vector<7xf32>, %y: f32) -> (vector<7xf16>, f16) {
  %0 = prec.round %x : vector<7xf32> to vector<7xf16>
  %1 = prec.round %y : f32 to f16
  return %0, %1 : vector<7xf16>, f16
}

// LLVM's conversion knows one mode only.
// CHECK-LABEL: func @modes
// CHECK-NOT: fptrunc
// CHECK: return
func.func @modes(%x: f32, %d: f64, %v: vector<2x2xf32>) -> (f16, f32, f16, f16, f16, bf16) {
  %0 = prec.round %x toward_zero : f32 to f16
  %1 = prec.round %d upward : f64 to f32
  %2 = prec.round %x saturate : f32 to f16
  %3 = prec.round %d downward : f64 to f16
  %4 = prec.round %x nearest_away : f32 to f16
  %5 = prec.round %d : f64 to bf16
  return %0, %1, %2, %3, %4, %5 : f16, f32, f16, f16, f16, bf16
}

// CHECK-LABEL: func @f64_to_f32
// CHECK: llvm.intr.experimental.constrained.fptrunc %{{.+}} tonearest ignore : f64 to f32
// CHECK: llvm.intr.experimental.constrained.fptrunc %{{.+}} tonearest ignore : vector<4xf64> to vector<4xf32>
func.func @f64_to_f32(%d: f64, %v: vector<4xf64>) -> (f32, vector<4xf32>) {
  %0 = prec.round %d : f64 to f32
  %1 = prec.round %v : vector<4xf64> to vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}

// Vectors of several dimensions stay whole.
// CHECK-LABEL: func @matrix
// CHECK: arith.bitcast %{{.+}} : vector<2x4xi16> to vector<2x4xf16>
func.func @matrix(%x: vector<2x4xf32>) -> vector<2x4xf16> {
  %0 = prec.round %x : vector<2x4xf32> to vector<2x4xf16>
  return %0 : vector<2x4xf16>
}

// CHECK-LABEL: func @widen
// CHECK: arith.extui %{{.+}} : vector<8xi16> to vector<8xi32>
// CHECK-NEXT: arith.constant dense<16>
// CHECK-NEXT: arith.shli
// CHECK-NEXT: arith.bitcast %{{.+}} : vector<8xi32> to vector<8xf32>
// CHECK: arith.extui %{{.+}} : i8 to i32
// CHECK: arith.extf %{{.+}} : f32 to f64
// INT-NOT: arith.extf
// NATIVE: arith.extf %{{.+}} : f16 to f32
// CHECK: return
func.func @widen(%x: vector<8xbf16>, %y: f8E4M3FN, %z: f16) -> (vector<8xf32>, f64, f32) {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = arith.extf %y : f8E4M3FN to f64
  %2 = arith.extf %z : f16 to f32
  return %0, %1, %2 : vector<8xf32>, f64, f32
}

// CHECK-LABEL: func @observe
// CHECK-SAME: (%[[X:.+]]: f32)
// CHECK-NEXT: return %[[X]]
func.func @observe(%x: f32) -> f32 {
  %0 = prec.observe %x "x" : f32
  return %0 : f32
}
