// RUN: prec-opt %s -prec-round-by-arithmetic=has-range=false -split-input-file | FileCheck %s

// A product with a number of the row, and sums, go on in f32: the product times 2^-16, until it is added to something.
// What is infinite or NaN then is computed again from memory, before the results are put together.
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
// CHECK: %[[SUM:.+]] = math.fma %[[SMALL]], %{{.+}}, %[[FIRST]]
// CHECK: %[[C65535:.+]] = arith.constant dense<6.553500e+04>
// CHECK: %[[REST2:.+]] = arith.mulf %[[SUM]], %[[C65535]]
// CHECK: %[[MINUS2:.+]] = arith.negf %[[REST2]]
// CHECK: %[[ROUNDED:.+]] = math.fma %[[SUM]], %{{.+}}, %[[MINUS2]]
// CHECK: %[[SUM3:.+]] = math.fma %[[SMALL]], %{{.+}}, %[[ROUNDED]]
// CHECK: %[[REST3:.+]] = arith.mulf %[[SUM3]], %{{.+}}
// CHECK: %[[MINUS3:.+]] = arith.negf %[[REST3]]
// CHECK: %[[LAST:.+]] = math.fma %[[SUM3]], %{{.+}}, %[[MINUS3]]
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
// CHECK:   %[[BITS32:.+]] = arith.bitcast %[[LAST]] : vector<8xf32> to vector<8xi32>
// CHECK:   %[[UPPER:.+]] = arith.shrui %[[BITS32]]
// CHECK:   %[[BITS16:.+]] = arith.trunci %[[UPPER]]
// CHECK:   %[[BF16:.+]] = arith.bitcast %[[BITS16]] : vector<8xi16> to vector<8xbf16>
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

// Two products that are added without a rounding between: their sum is no number of bf16, and the third product is one
// before it is added.
// CHECK-LABEL: func @unrounded
// CHECK: %[[SMALL:.+]] = math.fma %{{.+}}, %{{.+}}, %{{.+}}
// CHECK: %[[FIRST:.+]] = math.fma %[[SMALL]]
// CHECK: %[[TWO:.+]] = math.fma %[[SMALL]], %{{.+}}, %[[FIRST]]
// CHECK: %[[TERM:.+]] = arith.mulf %[[SMALL]], %{{.+}}
// CHECK: arith.addf %[[TERM]], %[[TWO]]
func.func @unrounded(%x: memref<?xbf16>, %w: bf16, %y: memref<?xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %factor = arith.extf %w : bf16 to f32
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
    %8 = arith.addf %7, %5 : vector<8xf32>
    %9 = prec.round %8 : vector<8xf32> to vector<8xbf16>
    vector.store %9, %y[%i] : memref<?xbf16>, vector<8xbf16>
  }
  return
}

// -----

// Another number may be -0: then the sign of a product that is zero matters, and the sum is computed again. A constant
// other than that may not.
// CHECK-LABEL: func @residual
// CHECK: %[[X:.+]] = arith.extf %{{.+}} : vector<8xbf16> to vector<8xf32>
// CHECK: %[[SMALL:.+]] = math.fma
// CHECK: %[[SUM:.+]] = math.fma %[[SMALL]], %{{.+}}, %[[X]]
// CHECK: %[[LAST:.+]] = math.fma %[[SUM]]
// CHECK: %[[NAN:.+]] = arith.cmpf uno
// CHECK: %[[BITS:.+]] = arith.bitcast %[[X]] : vector<8xf32> to vector<8xi32>
// CHECK: %[[MINUS:.+]] = arith.constant dense<-2147483648> : vector<8xi32>
// CHECK: %[[ZERO:.+]] = arith.cmpi eq, %[[BITS]], %[[MINUS]]
// CHECK: %[[WRONG:.+]] = arith.ori %[[NAN]], %[[ZERO]]
// CHECK: vector.reduction <or>, %[[WRONG]]
// CHECK: scf.for
// CHECK: %[[SMALL1:.+]] = math.fma
// CHECK: math.fma %[[SMALL1]], %{{.+}}, %cst
// CHECK: arith.cmpf uno
// CHECK-NOT: cmpi
// CHECK: scf.if
func.func @residual(%x: memref<?xbf16>, %h: memref<?xbf16>, %w: bf16, %y: memref<?xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %factor = arith.extf %w : bf16 to f32
  %one = arith.constant dense<1.0> : vector<8xf32>
  scf.for %i = %c0 to %n step %c8 {
    %x0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
    %x1 = arith.extf %x0 : vector<8xbf16> to vector<8xf32>
    %0 = vector.load %h[%i] : memref<?xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    %2 = vector.broadcast %factor : f32 to vector<8xf32>
    %3 = arith.mulf %1, %2 : vector<8xf32>
    %4 = prec.round %3 : vector<8xf32> to vector<8xbf16>
    %5 = arith.extf %4 : vector<8xbf16> to vector<8xf32>
    %6 = arith.addf %x1, %5 : vector<8xf32>
    %7 = prec.round %6 : vector<8xf32> to vector<8xbf16>
    vector.store %7, %y[%i] : memref<?xbf16>, vector<8xbf16>
  }
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.load %h[%i] : memref<?xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    %2 = vector.broadcast %factor : f32 to vector<8xf32>
    %3 = arith.mulf %1, %2 : vector<8xf32>
    %4 = prec.round %3 : vector<8xf32> to vector<8xbf16>
    %5 = arith.extf %4 : vector<8xbf16> to vector<8xf32>
    %6 = arith.addf %5, %one : vector<8xf32>
    %7 = prec.round %6 : vector<8xf32> to vector<8xbf16>
    vector.store %7, %y[%i] : memref<?xbf16>, vector<8xbf16>
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
