// RUN: prec-opt %s -prec-round-by-arithmetic=f16=false -split-input-file | FileCheck %s

// A product with a number of the row, and sums, go on in f32: the product times 2^-16, until it is added to a rounded
// sum, or to zero; the first two products, whose sum was not rounded yet, one by one. What is infinite or NaN then is computed again
// from memory, before the results are put together.
// CHECK-LABEL: func @sum
// CHECK: %[[W:.+]] = arith.extf
// CHECK: %[[MOST1:.+]] = arith.mulf %[[W]], %{{.+}} : f32
// CHECK: scf.for %[[I:.+]] =
// CHECK: %[[LOADED:.+]] = vector.load %arg0[%[[I]]]
// CHECK: %[[X:.+]] = arith.extf %[[LOADED]]
// CHECK: %[[ALL:.+]] = vector.broadcast %[[W]]
// CHECK: %[[MOST:.+]] = vector.broadcast %[[MOST1]] : f32 to vector<8xf32>
// CHECK: %[[REST:.+]] = arith.mulf %[[X]], %[[MOST]]
// CHECK: %[[MINUS:.+]] = arith.negf %[[REST]]
// CHECK: %[[SMALL:.+]] = math.fma %[[X]], %[[ALL]], %[[MINUS]]
// CHECK: %[[C65536:.+]] = arith.constant dense<6.553600e+04>
// CHECK: %[[ZERO:.+]] = arith.constant dense<0.000000e+00>
// CHECK: %[[FIRST:.+]] = math.fma %[[SMALL]], %[[C65536]], %[[ZERO]]
// CHECK: %[[TERM:.+]] = arith.mulf %[[SMALL]], %{{.+}}
// CHECK: %[[SUM:.+]] = arith.addf %[[FIRST]], %[[TERM]]
// CHECK: %[[C65535:.+]] = arith.constant dense<6.553500e+04>
// CHECK: %[[REST2:.+]] = arith.mulf %[[SUM]], %[[C65535]]
// CHECK: %[[MINUS2:.+]] = arith.negf %[[REST2]]
// CHECK: %[[ROUNDED:.+]] = math.fma %[[SUM]], %{{.+}}, %[[MINUS2]]
// CHECK: %[[LAST:.+]] = math.fma %[[SMALL]], %{{.+}}, %[[ROUNDED]]
// CHECK: %[[POISON:.+]] = math.fma %[[LAST]], %{{.+}}, %{{.+}}
// CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[POISON]], %[[POISON]]
// CHECK: %[[ANY:.+]] = vector.reduction <or>, %[[NAN]]
// CHECK: %[[RARELY:.+]] = llvm.intr.expect %[[ANY]], %{{.+}} : i1
// CHECK: %[[RESULT:.+]] = scf.if %[[RARELY]] -> (vector<8xbf16>) {
// CHECK:   %[[SAME:.+]] = llvm.inline_asm "", "=r,0" %{{.+}} : (i64) -> i64
// CHECK:   %[[J:.+]] = arith.index_cast %[[SAME]] : i64 to index
// CHECK:   vector.load %arg0[%[[J]]]
// CHECK-COUNT-3: prec.round
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   %[[BF16:.+]] = prec.round %[[LAST]]
// CHECK:   scf.yield %[[BF16]]
// CHECK: %[[BITS:.+]] = arith.bitcast %[[RESULT]]
// CHECK: vector.store %[[BITS]], %arg2[%[[I]]]
func.func @sum(%x: memref<?xbf16>, %w: memref<?xbf16>, %y: memref<?xi16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %narrow = memref.load %w[%c0] : memref<?xbf16>
  %factor = arith.extf %narrow : bf16 to f32
  %zero = arith.constant dense<0.0> : vector<8xf32>
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    %2 = vector.broadcast %factor : f32 to vector<8xf32>
    %3 = arith.mulf %1, %2 : vector<8xf32>
    %4 = prec.round %3 : vector<8xf32> to vector<8xbf16>
    %5 = arith.extf %4 : vector<8xbf16> to vector<8xf32>
    %6 = arith.addf %5, %zero : vector<8xf32>
    %7 = arith.addf %6, %5 : vector<8xf32>
    %8 = prec.round %7 : vector<8xf32> to vector<8xbf16>
    %9 = arith.extf %8 : vector<8xbf16> to vector<8xf32>
    %10 = arith.addf %9, %5 : vector<8xf32>
    %11 = prec.round %10 : vector<8xf32> to vector<8xbf16>
    %12 = arith.bitcast %11 : vector<8xbf16> to vector<8xi16>
    vector.store %12, %y[%i] : memref<?xi16>, vector<8xi16>
  }
  return
}

// -----

// Left as they are: a product that may be added to -0, factors that are no bf16 numbers, and f16.
// CHECK-LABEL: func @others
// CHECK-NOT: math.fma
// CHECK: return
func.func @others(%x: memref<?xbf16>, %h: memref<?xf16>, %factor: f32, %w: bf16, %v: f16, %y: memref<?xbf16>, %z: memref<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %minus = arith.constant dense<-0.0> : vector<8xf32>
  %wide = arith.extf %w : bf16 to f32
  %wideh = arith.extf %v : f16 to f32
  %f = vector.broadcast %wide : f32 to vector<8xf32>
  %g = vector.broadcast %factor : f32 to vector<8xf32>
  %k = vector.broadcast %wideh : f32 to vector<8xf32>
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    %2 = arith.mulf %1, %f : vector<8xf32>
    %3 = prec.round %2 : vector<8xf32> to vector<8xbf16>
    %4 = arith.extf %3 : vector<8xbf16> to vector<8xf32>
    %5 = arith.addf %4, %minus : vector<8xf32>
    %6 = arith.addf %5, %4 : vector<8xf32>
    %7 = prec.round %6 : vector<8xf32> to vector<8xbf16>
    vector.store %7, %y[%i] : memref<?xbf16>, vector<8xbf16>
  }
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    %2 = arith.mulf %1, %g : vector<8xf32>
    %3 = prec.round %2 : vector<8xf32> to vector<8xbf16>
    %4 = arith.extf %3 : vector<8xbf16> to vector<8xf32>
    %5 = arith.addf %4, %zero : vector<8xf32>
    %6 = arith.addf %5, %4 : vector<8xf32>
    %7 = prec.round %6 : vector<8xf32> to vector<8xbf16>
    vector.store %7, %y[%i] : memref<?xbf16>, vector<8xbf16>
  }
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.load %h[%i] : memref<?xf16>, vector<8xf16>
    %1 = arith.extf %0 : vector<8xf16> to vector<8xf32>
    %2 = arith.mulf %1, %k : vector<8xf32>
    %3 = prec.round %2 : vector<8xf32> to vector<8xf16>
    %4 = arith.extf %3 : vector<8xf16> to vector<8xf32>
    %5 = arith.addf %4, %zero : vector<8xf32>
    %6 = arith.addf %5, %4 : vector<8xf32>
    %7 = prec.round %6 : vector<8xf32> to vector<8xf16>
    vector.store %7, %z[%i] : memref<?xf16>, vector<8xf16>
  }
  return
}
