// RUN: prec-opt %s "-convert-prec-to-llvm=lanes=16 vnni" -split-input-file | FileCheck %s

// 0x7fff and the last bit that is kept are added at once, as two products with 1. A NaN needs no test where it
// comes from bf16.
// CHECK-LABEL: func @product
// CHECK: %[[PRODUCT:.+]] = arith.mulf
// CHECK: %[[BITS:.+]] = arith.bitcast %[[PRODUCT]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[MASK:.+]] = arith.constant dense<65536> : vector<16xi32>
// CHECK: %[[LAST:.+]] = arith.andi %[[BITS]], %[[MASK]]
// CHECK: %[[HALF:.+]] = arith.constant dense<32767> : vector<16xi32>
// CHECK: %[[BOTH:.+]] = arith.ori %[[LAST]], %[[HALF]]
// CHECK: %[[TERMS:.+]] = vector.bitcast %[[BOTH]] : vector<16xi32> to vector<32xi16>
// CHECK: %[[ONES:.+]] = arith.constant dense<1> : vector<32xi16>
// CHECK: %[[SUM:.+]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"(%[[BITS]], %[[TERMS]], %[[ONES]])
// CHECK-NOT: cmpf
// CHECK: arith.shrui %[[SUM]]
func.func @product(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.extf %y : vector<16xbf16> to vector<16xf32>
  %2 = arith.mulf %0, %1 : vector<16xf32>
  %3 = prec.round %2 : vector<16xf32> to vector<16xbf16>
  return %3 : vector<16xbf16>
}

// -----

// CHECK-LABEL: func @any
// CHECK: %[[SUM:.+]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
// CHECK: %[[NAN:.+]] = arith.cmpf uno
// CHECK: arith.select %[[NAN]], %{{.+}}, %[[SUM]]
func.func @any(%x: vector<16xf32>) -> vector<16xbf16> {
  %0 = prec.round %x : vector<16xf32> to vector<16xbf16>
  return %0 : vector<16xbf16>
}

// -----

// Other lengths, modes and formats.
// CHECK-LABEL: func @others
// CHECK-NOT: call_intrinsic
func.func @others(%x: vector<6xf32>, %y: f32, %z: vector<16xf32>) -> (vector<6xbf16>, bf16, vector<16xbf16>, vector<16xf16>) {
  %0 = prec.round %x : vector<6xf32> to vector<6xbf16>
  %1 = prec.round %y : f32 to bf16
  %2 = prec.round %z toward_zero : vector<16xf32> to vector<16xbf16>
  %3 = prec.round %z : vector<16xf32> to vector<16xf16>
  return %0, %1, %2, %3 : vector<6xbf16>, bf16, vector<16xbf16>, vector<16xf16>
}
