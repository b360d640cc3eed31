// RUN: prec-opt %s -prec-overlap-iterations --prec-canonicalize --cse | FileCheck %s

// The steps to the divisor of the next iteration evenly among those from the division of this one on; what both need and is cheap is computed in both.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.+]]: memref<?xbf16>, %[[Y:.+]]: memref<?xf32>)
// CHECK:         vector.load %[[X]][%c0]
// CHECK-NOT:     arith.divf
// CHECK:         %[[R:.+]] = scf.for %[[I:.+]] = %c0 to %c7 step %c1 iter_args(%[[D:.+]] = %{{.+}}) -> (vector<16xf32>) {
// CHECK:           %[[NEXT:.+]] = arith.addi %[[I]], %c1
// CHECK:           %[[THERE:.+]] = arith.muli %[[NEXT]], %c16
// CHECK:           %[[HERE:.+]] = arith.muli %[[I]], %c16
// CHECK:           vector.load %[[X]][%[[THERE]]]
// CHECK-COUNT-2:   math.fma
// CHECK-NEXT:      %[[V:.+]] = vector.load %[[X]][%[[HERE]]]
// CHECK-COUNT-4:   math.fma
// CHECK-NEXT:      %[[WIDE:.+]] = arith.extf %[[V]]
// CHECK-COUNT-4:   math.fma
// CHECK-NEXT:      %[[Q:.+]] = arith.divf %[[WIDE]], %[[D]]
// CHECK-COUNT-4:   math.fma
// CHECK-NEXT:      vector.store %[[Q]], %[[Y]][%[[HERE]]]
// CHECK-COUNT-2:   math.fma
// CHECK-NEXT:      %[[LAST:.+]] = math.fma
// CHECK-NEXT:      scf.yield %[[LAST]]
// CHECK:         vector.load %[[X]][%c112]
// CHECK:         arith.divf %{{.+}}, %[[R]]
// CHECK-NEXT:    vector.store %{{.+}}, %[[Y]][%c112]
// CHECK-NEXT:    return
func.func @chain(%x: memref<?xbf16>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %c16 = arith.constant 16 : index
    %one = arith.constant dense<1.0> : vector<16xf32>
    %at = arith.muli %i, %c16 : index
    %v = vector.load %x[%at] : memref<?xbf16>, vector<16xbf16>
    %0 = arith.extf %v : vector<16xbf16> to vector<16xf32>
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %17 = math.fma %16, %0, %one : vector<16xf32>
    %q = arith.divf %0, %17 : vector<16xf32>
    vector.store %q, %y[%at] : memref<?xf32>, vector<16xf32>
  }
  return
}

// A short chain.
// CHECK-LABEL: func.func @short(
// CHECK-NOT:     math.fma
// CHECK:         scf.for %{{.+}} = %c0 to %c8 step %c1 {
// CHECK:         }
// CHECK-NEXT:    return
func.func @short(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %q = arith.divf %0, %16 : vector<16xf32>
    vector.store %q, %y[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// Nobody knows how many iterations: a copy of the loop as it was for one or none, and for more one that ends one earlier.
// CHECK-LABEL: func.func @unknown(
// CHECK:         %[[FEW:.+]] = arith.cmpi slt, %arg2, %c2
// CHECK:         scf.if %[[FEW]] {
// CHECK-NEXT:      scf.for %{{.+}} = %c0 to %arg2 step %c1 {
// CHECK-COUNT-17:  math.fma
// CHECK:           arith.divf
// CHECK:         } else {
// CHECK-COUNT-17:  math.fma
// CHECK-NOT:       arith.divf
// CHECK:           %[[LAST:.+]] = arith.subi %arg2, %c1
// CHECK:           %[[R:.+]] = scf.for %{{.+}} = %c0 to %[[LAST]] step %c1 iter_args(%{{.+}} = %{{.+}}) -> (vector<16xf32>) {
// CHECK:           arith.divf
// CHECK:           scf.yield
// CHECK:         }
// CHECK:         arith.divf %{{.+}}, %[[R]]
// CHECK-NEXT:    vector.store
func.func @unknown(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %17 = math.fma %16, %0, %one : vector<16xf32>
    %q = arith.divf %0, %17 : vector<16xf32>
    vector.store %q, %y[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// Not from 0 on.
// CHECK-LABEL: func.func @range(
// CHECK-NOT:     math.fma
// CHECK:         scf.for %{{.+}} = %arg2 to %arg3 step %c1 {
// CHECK:         }
// CHECK-NEXT:    return
func.func @range(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %n: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  scf.for %i = %begin to %n step %c1 {
    %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %17 = math.fma %16, %0, %one : vector<16xf32>
    %q = arith.divf %0, %17 : vector<16xf32>
    vector.store %q, %y[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// It writes what the next iteration reads.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT:     math.fma
// CHECK:         scf.for %{{.+}} = %c0 to %c8 step %c1 {
// CHECK:         }
// CHECK-NEXT:    return
func.func @in_place(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %17 = math.fma %16, %0, %one : vector<16xf32>
    %q = arith.divf %0, %17 : vector<16xf32>
    vector.store %q, %x[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// The divisor is of the iteration before.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT:     math.fma
// CHECK:         %[[R:.+]] = scf.for %{{.+}} = %c0 to %c8 step %c1 iter_args(
// CHECK:           scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @carried(%x: memref<?xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%0 = %one) -> vector<16xf32> {
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %17 = math.fma %16, %0, %one : vector<16xf32>
    %v = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %q = arith.divf %v, %17 : vector<16xf32>
    scf.yield %q : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// The divisor is chosen.
// CHECK-LABEL: func.func @chosen(
// CHECK-NOT:     math.fma
// CHECK:         scf.for %{{.+}} = %c0 to %c8 step %c1 {
// CHECK:           scf.if
// CHECK:           arith.divf
// CHECK-NEXT:      vector.store
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @chosen(%x: memref<?xf32>, %y: memref<?xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %1 = math.fma %0, %0, %one : vector<16xf32>
    %2 = math.fma %1, %0, %one : vector<16xf32>
    %3 = math.fma %2, %0, %one : vector<16xf32>
    %4 = math.fma %3, %0, %one : vector<16xf32>
    %5 = math.fma %4, %0, %one : vector<16xf32>
    %6 = math.fma %5, %0, %one : vector<16xf32>
    %7 = math.fma %6, %0, %one : vector<16xf32>
    %8 = math.fma %7, %0, %one : vector<16xf32>
    %9 = math.fma %8, %0, %one : vector<16xf32>
    %10 = math.fma %9, %0, %one : vector<16xf32>
    %11 = math.fma %10, %0, %one : vector<16xf32>
    %12 = math.fma %11, %0, %one : vector<16xf32>
    %13 = math.fma %12, %0, %one : vector<16xf32>
    %14 = math.fma %13, %0, %one : vector<16xf32>
    %15 = math.fma %14, %0, %one : vector<16xf32>
    %16 = math.fma %15, %0, %one : vector<16xf32>
    %17 = math.fma %16, %0, %one : vector<16xf32>
    %s = scf.if %c -> vector<16xf32> {
      vector.store %17, %y[%c0] : memref<?xf32>, vector<16xf32>
      scf.yield %16 : vector<16xf32>
    } else {
      scf.yield %17 : vector<16xf32>
    }
    %q = arith.divf %0, %s : vector<16xf32>
    vector.store %q, %y[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}
