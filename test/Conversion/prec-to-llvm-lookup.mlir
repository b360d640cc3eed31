// RUN: prec-opt %s -convert-prec-to-llvm -split-input-file | FileCheck %s

// The table is two registers; one instruction looks up the lanes of a third.
// CHECK-LABEL: func @register
// CHECK-SAME: (%[[X:.+]]: vector<16xi32>)
// CHECK-DAG: %[[LOW:.+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
// CHECK-DAG: %[[HIGH:.+]] = arith.constant dense<[16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.d.512"(%[[LOW]], %{{.+}}, %[[HIGH]]) : (vector<16xi32>, vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// CHECK-NOT: llvm.extractelement
func.func @register(%x: vector<16xi32>) -> vector<16xi32> {
  %0 = prec.lookup %x in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xi32>
  return %0 : vector<16xi32>
}

// -----

// A register after the other, and what is left element by element.
// CHECK-LABEL: func @more
// CHECK: vector.extract_strided_slice %{{.+}} {offsets = [0], sizes = [16], strides = [1]}
// CHECK: llvm.call_intrinsic
// CHECK: vector.insert_strided_slice
// CHECK: vector.extract_strided_slice %{{.+}} {offsets = [16], sizes = [16], strides = [1]}
// CHECK: llvm.call_intrinsic
// CHECK: vector.insert_strided_slice
// CHECK: vector.extract %{{.+}}[32]
// CHECK: llvm.extractelement
// CHECK: vector.insert %{{.+}}[32]
// CHECK-NOT: llvm
func.func @more(%x: vector<33xi32>) -> vector<33xi32> {
  %0 = prec.lookup %x in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<33xi32>
  return %0 : vector<33xi32>
}

// -----

// CHECK-LABEL: func @scalar
// CHECK-SAME: (%[[X:.+]]: i32)
// CHECK-DAG: %[[LAST:.+]] = arith.constant 31 : i32
// CHECK: %[[PLACE:.+]] = arith.andi %[[X]], %[[LAST]]
// CHECK: %[[R:.+]] = llvm.extractelement %{{.+}}[%[[PLACE]] : i32] : vector<32xi32>
// CHECK: return %[[R]]
func.func @scalar(%x: i32) -> i32 {
  %0 = prec.lookup %x in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : i32
  return %0 : i32
}
