// RUN: prec-opt %s -prec-round-by-arithmetic -split-input-file | FileCheck %s
// RUN: prec-opt %s -prec-round-by-arithmetic=has-range=false -split-input-file | FileCheck %s --check-prefix=CONVERTED

// A product with a number of the row, and a sum that is never -0, go on in f32: with 2^113 and 2^100 times the number,
// and with 2^13 and one less. What is not finite then is computed again from memory.
// CHECK-LABEL: func @sum
// CHECK: %[[W:.+]] = arith.extf
// CHECK: %[[SMALL1:.+]] = arith.mulf %[[W]], %{{.+}} : f32
// CHECK: scf.for %[[I:.+]] =
// CHECK: %[[LOADED:.+]] = vector.load %arg0[%[[I]]]
// CHECK: %[[X:.+]] = arith.extf %[[LOADED]]
// CHECK: %[[LARGE:.+]] = vector.broadcast %{{.+}} : f32 to vector<16xf32>
// CHECK: %[[SMALL:.+]] = vector.broadcast %{{.+}} : f32 to vector<16xf32>
// CHECK: %[[LEAST:.+]] = arith.constant dense<9.50737{{.*}}E+29>
// CHECK: %[[PRODUCT:.+]] = arith.mulf %[[X]], %[[LARGE]]
// CHECK: %[[M:.+]] = llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"(%[[PRODUCT]], %[[LEAST]], %c3_i32, %[[PRODUCT]], %c-1_i16, %c4_i32)
// CHECK: %[[MINUS:.+]] = arith.negf %[[X]]
// CHECK: %[[REST:.+]] = math.fma %[[MINUS]], %[[SMALL]], %[[M]]
// CHECK: %[[TERM:.+]] = arith.subf %[[M]], %[[REST]]
// CHECK: %[[SUM:.+]] = arith.addf %[[TERM]], %[[TERM]]
// CHECK: %[[C8191:.+]] = arith.constant dense<8.191000e+03>
// CHECK: %[[REST2:.+]] = arith.mulf %[[SUM]], %[[C8191]]
// CHECK: %[[C8192:.+]] = arith.constant dense<8.192000e+03>
// CHECK: %[[MINUS2:.+]] = arith.negf %[[REST2]]
// CHECK: %[[ROUNDED:.+]] = math.fma %[[SUM]], %[[C8192]], %[[MINUS2]]
// CHECK: %[[LAST:.+]] = arith.addf %[[ROUNDED]], %[[TERM]]
// CHECK: %[[ZERO:.+]] = arith.constant dense<0.000000e+00>
// CHECK: %[[POISON:.+]] = math.fma %[[LAST]], %[[ZERO]], %[[ZERO]]
// CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[POISON]], %[[POISON]]
// CHECK: %[[ANY:.+]] = vector.reduction <or>, %[[NAN]]
// CHECK: %[[RARELY:.+]] = llvm.intr.expect %[[ANY]], %{{.+}} : i1
// CHECK: %[[RESULT:.+]] = scf.if %[[RARELY]] -> (vector<16xf16>) {
// CHECK:   %[[SAME:.+]] = llvm.inline_asm "", "=r,0" %{{.+}} : (i64) -> i64
// CHECK:   %[[J:.+]] = arith.index_cast %[[SAME]] : i64 to index
// CHECK:   vector.load %arg0[%[[J]]]
// CHECK-COUNT-3: prec.round
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   %[[UNSCALED:.+]] = arith.mulf %[[LAST]], %{{.+}}
// CHECK:   %[[F16:.+]] = prec.round %[[UNSCALED]]
// CHECK:   scf.yield %[[F16]]
// CHECK: vector.store %[[RESULT]], %arg2[%[[I]]]

// Without the range operation products are converted, and 2^100 times as large as terms.
// CONVERTED-LABEL: func @sum
// CONVERTED-NOT: call_intrinsic
// CONVERTED: %[[P:.+]] = arith.mulf
// CONVERTED: %[[F16:.+]] = prec.round %[[P]]
// CONVERTED: %[[TERM:.+]] = arith.extf %[[F16]]
// CONVERTED: %[[SCALE:.+]] = arith.constant dense<1.26765{{.*}}E+30>
// CONVERTED: %[[FIRST:.+]] = math.fma %[[TERM]], %[[SCALE]], %{{.+}}
// CONVERTED: %[[SUM:.+]] = math.fma %[[TERM]], %{{.+}}, %[[FIRST]]
// CONVERTED: %[[REST:.+]] = arith.mulf %[[SUM]], %{{.+}}
// CONVERTED: %[[MINUS:.+]] = arith.negf %[[REST]]
// CONVERTED: %[[ROUNDED:.+]] = math.fma %[[SUM]], %{{.+}}, %[[MINUS]]
// CONVERTED: math.fma %[[TERM]], %{{.+}}, %[[ROUNDED]]
// CONVERTED: scf.if
func.func @sum(%x: memref<?xf16>, %w: memref<?xf16>, %y: memref<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %narrow = memref.load %w[%c0] : memref<?xf16>
  %factor = arith.extf %narrow : f16 to f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.load %x[%i] : memref<?xf16>, vector<16xf16>
    %1 = arith.extf %0 : vector<16xf16> to vector<16xf32>
    %2 = vector.broadcast %factor : f32 to vector<16xf32>
    %3 = arith.mulf %1, %2 : vector<16xf32>
    %4 = prec.round %3 : vector<16xf32> to vector<16xf16>
    %5 = arith.extf %4 : vector<16xf16> to vector<16xf32>
    %6 = arith.addf %5, %zero : vector<16xf32>
    %7 = arith.addf %6, %5 : vector<16xf32>
    %8 = prec.round %7 : vector<16xf32> to vector<16xf16>
    %9 = arith.extf %8 : vector<16xf16> to vector<16xf32>
    %10 = arith.addf %9, %5 : vector<16xf32>
    %11 = prec.round %10 : vector<16xf32> to vector<16xf16>
    vector.store %11, %y[%i] : memref<?xf16>, vector<16xf16>
  }
  return
}

// -----

// The sign of a product that is zero is that of the result.
// CHECK-LABEL: func @signed
// CHECK-NOT: call_intrinsic
func.func @signed(%x: memref<?xf16>, %factor: f16, %y: memref<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %f = arith.extf %factor : f16 to f32
  %2 = vector.broadcast %f : f32 to vector<16xf32>
  %zero = arith.constant dense<-0.0> : vector<16xf32>
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.load %x[%i] : memref<?xf16>, vector<16xf16>
    %1 = arith.extf %0 : vector<16xf16> to vector<16xf32>
    %3 = arith.mulf %1, %2 : vector<16xf32>
    %4 = prec.round %3 : vector<16xf32> to vector<16xf16>
    %5 = arith.extf %4 : vector<16xf16> to vector<16xf32>
    %6 = arith.addf %5, %zero : vector<16xf32>
    %7 = arith.addf %6, %5 : vector<16xf32>
    %8 = prec.round %7 : vector<16xf32> to vector<16xf16>
    %9 = arith.extf %8 : vector<16xf16> to vector<16xf32>
    %10 = arith.addf %9, %5 : vector<16xf32>
    %11 = prec.round %10 : vector<16xf32> to vector<16xf16>
    vector.store %11, %y[%i] : memref<?xf16>, vector<16xf16>
  }
  return
}

// -----

// A number that is no f16 number; a sum that something else takes; a factor of each element.
// CHECK-LABEL: func @others
// CHECK-NOT: call_intrinsic
func.func @others(%x: memref<?xf16>, %f: f32, %y: memref<?xf16>, %z: memref<?xf32>, %n: index, %half: f16) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %widened = arith.extf %half : f16 to f32
  %factor = vector.broadcast %f : f32 to vector<16xf32>
  %of_row = vector.broadcast %widened : f32 to vector<16xf32>
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.load %x[%i] : memref<?xf16>, vector<16xf16>
    %1 = arith.extf %0 : vector<16xf16> to vector<16xf32>
    %3 = arith.mulf %1, %factor : vector<16xf32>
    %4 = prec.round %3 : vector<16xf32> to vector<16xf16>
    %5 = arith.extf %4 : vector<16xf16> to vector<16xf32>
    %6 = arith.addf %5, %zero : vector<16xf32>
    %7 = prec.round %6 : vector<16xf32> to vector<16xf16>
    vector.store %7, %y[%i] : memref<?xf16>, vector<16xf16>
  }
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.load %x[%i] : memref<?xf16>, vector<16xf16>
    %1 = arith.extf %0 : vector<16xf16> to vector<16xf32>
    %3 = arith.mulf %1, %of_row : vector<16xf32>
    %4 = prec.round %3 : vector<16xf32> to vector<16xf16>
    %5 = arith.extf %4 : vector<16xf16> to vector<16xf32>
    %6 = arith.addf %5, %zero : vector<16xf32>
    %7 = arith.addf %6, %5 : vector<16xf32>
    %8 = arith.negf %7 : vector<16xf32>
    vector.store %8, %z[%i] : memref<?xf32>, vector<16xf32>
  }
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.load %x[%i] : memref<?xf16>, vector<16xf16>
    %1 = arith.extf %0 : vector<16xf16> to vector<16xf32>
    %3 = arith.mulf %1, %1 : vector<16xf32>
    %4 = prec.round %3 : vector<16xf32> to vector<16xf16>
    %5 = arith.extf %4 : vector<16xf16> to vector<16xf32>
    %6 = arith.addf %5, %zero : vector<16xf32>
    %7 = prec.round %6 : vector<16xf32> to vector<16xf16>
    vector.store %7, %y[%i] : memref<?xf16>, vector<16xf16>
  }
  return
}
