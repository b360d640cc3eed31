// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -convert-prec-to-llvm -split-input-file | FileCheck %s

// A NaN that comes from bf16 numbers keeps 16 zero bits: adding 0x7fff and a bit
// does not carry out of it.
// CHECK-LABEL: func @from_bf16
// CHECK-NOT: cmpf uno
func.func @from_bf16(%x: vector<8xbf16>, %y: vector<8xbf16>) -> vector<8xbf16> {
  %c = arith.constant dense<0.25> : vector<8xf32>
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = arith.extf %y : vector<8xbf16> to vector<8xf32>
  %2 = arith.mulf %0, %1 : vector<8xf32>
  %3 = prec.round %2 : vector<8xf32> to vector<8xbf16>
  %4 = arith.extf %3 : vector<8xbf16> to vector<8xf32>
  %5 = math.fma %4, %c, %0 : vector<8xf32>
  %6 = prec.round %5 : vector<8xf32> to vector<8xbf16>
  return %6 : vector<8xbf16>
}

// -----

// Through f64, a scale made of exponent bits, and a sign.
// CHECK-LABEL: func @through_bits
// CHECK-NOT: cmpf uno
func.func @through_bits(%x: bf16, %i: i32) -> bf16 {
  %c23 = arith.constant 23 : i32
  %sign = arith.constant 0x80000000 : i32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.extf %0 : f32 to f64
  %2 = arith.mulf %1, %1 : f64
  %3 = arith.truncf %2 : f64 to f32
  %4 = arith.shli %i, %c23 : i32
  %5 = arith.bitcast %4 : i32 to f32
  %6 = arith.mulf %3, %5 : f32
  %7 = arith.bitcast %6 : f32 to i32
  %8 = arith.andi %i, %sign : i32
  %9 = arith.ori %7, %8 : i32
  %10 = arith.bitcast %9 : i32 to f32
  %11 = prec.round %10 : f32 to bf16
  return %11 : bf16
}

// -----

// The elements of two vectors in turns, and a choice of what is known where any
// NaN may come from bits.
// CHECK-LABEL: func @moved
// CHECK-COUNT-1: cmpf uno
// CHECK-COUNT-1: cmpf ord
// CHECK-NOT: cmpf
func.func @moved(%x: vector<4xbf16>, %y: vector<4xbf16>, %z: f32) -> (vector<8xbf16>, bf16, bf16) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = arith.extf %y : vector<4xbf16> to vector<4xf32>
  %2 = vector.interleave %0, %1 : vector<4xf32> -> vector<8xf32>
  %3 = arith.addf %2, %2 : vector<8xf32>
  %4 = prec.round %3 : vector<8xf32> to vector<8xbf16>
  %5 = arith.cmpf uno, %z, %z : f32
  %6 = arith.select %5, %nan, %z : f32
  %7 = prec.round %6 : f32 to bf16
  %8 = arith.cmpf ord, %z, %z : f32
  %9 = arith.select %8, %z, %nan : f32
  %10 = prec.round %9 : f32 to bf16
  return %4, %7, %10 : vector<8xbf16>, bf16, bf16
}

// -----

// The choices the other way round, and by another number, say nothing.
// CHECK-LABEL: func @not_chosen
// CHECK-COUNT-6: cmpf uno
func.func @not_chosen(%x: f32, %y: f32) -> (bf16, bf16, bf16) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf uno, %x, %x : f32
  %1 = arith.select %0, %x, %nan : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.cmpf uno, %x, %x : f32
  %4 = arith.select %3, %nan, %y : f32
  %5 = prec.round %4 : f32 to bf16
  %6 = arith.cmpf uno, %x, %y : f32
  %7 = arith.select %6, %nan, %y : f32
  %8 = prec.round %7 : f32 to bf16
  return %2, %5, %8 : bf16, bf16, bf16
}

// -----

// A NaN of an f32 argument can be 0x7fffffff, which would become -0.
// CHECK-LABEL: func @from_f32
// CHECK: cmpf uno
func.func @from_f32(%x: f32, %y: bf16) -> bf16 {
  %0 = arith.extf %y : bf16 to f32
  %1 = arith.addf %x, %0 : f32
  %2 = prec.round %1 : f32 to bf16
  return %2 : bf16
}

// -----

// f16 has three more bits of payload than bf16: 0x7fff is 0x7fffe000 in f32.
// CHECK-LABEL: func @from_f16
// CHECK: arith.cmpf uno
func.func @from_f16(%x: f16) -> bf16 {
  %0 = arith.extf %x : f16 to f32
  %1 = prec.round %0 : f32 to bf16
  return %1 : bf16
}

// -----

// CHECK-LABEL: func @constant
// CHECK: arith.cmpf uno
func.func @constant(%x: bf16, %c: i1) -> bf16 {
  %nan = arith.constant 0x7FFFFFFF : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.select %c, %0, %nan : f32
  %2 = prec.round %1 : f32 to bf16
  return %2 : bf16
}

// -----

// Any bits, and a shift that leaves some.
// CHECK-LABEL: func @from_integers
// CHECK: arith.cmpf uno
// CHECK: arith.cmpf uno
func.func @from_integers(%i: i32) -> (bf16, bf16) {
  %c15 = arith.constant 15 : i32
  %0 = arith.bitcast %i : i32 to f32
  %1 = prec.round %0 : f32 to bf16
  %2 = arith.shli %i, %c15 : i32
  %3 = arith.bitcast %2 : i32 to f32
  %4 = prec.round %3 : f32 to bf16
  return %1, %4 : bf16, bf16
}

// -----

// Integers made the operand: it is known only where that is said.
// CHECK-LABEL: func @said
// CHECK: %[[SAID:.+]] = arith.truncf %{{.+}} {prec.short_nan} : f64 to f32
// CHECK-NOT: cmpf uno, %[[SAID]]
// CHECK: %[[OTHER:.+]] = arith.truncf %{{.+}} : f64 to f32
// CHECK: cmpf uno, %[[OTHER]]
func.func @said(%i: i64, %j: i64) -> (bf16, bf16) {
  %0 = arith.addi %i, %j : i64
  %1 = arith.bitcast %0 : i64 to f64
  %2 = arith.truncf %1 {prec.short_nan} : f64 to f32
  %3 = prec.round %2 : f32 to bf16
  %4 = arith.subi %i, %j : i64
  %5 = arith.bitcast %4 : i64 to f64
  %6 = arith.truncf %5 : f64 to f32
  %7 = prec.round %6 : f32 to bf16
  return %3, %7 : bf16, bf16
}
