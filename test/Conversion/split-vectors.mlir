// RUN: prec-opt %s -prec-split-vectors=lanes=4 -split-input-file | FileCheck %s

// Two bf16 of each 32 bits, each its own way, and together again.
// CHECK-LABEL: func @square
// CHECK: %[[X:.+]] = vector.load %{{.+}} : memref<?xbf16>, vector<8xbf16>
// CHECK: %[[PAIRS:.+]] = vector.bitcast %[[X]] : vector<8xbf16> to vector<4xi32>
// CHECK: %[[HIGH:.+]] = arith.shrui %[[PAIRS]], %{{.+}} : vector<4xi32>
// CHECK: %[[E16:.+]] = arith.trunci %[[PAIRS]] : vector<4xi32> to vector<4xi16>
// CHECK: %[[E:.+]] = arith.bitcast %[[E16]] : vector<4xi16> to vector<4xbf16>
// CHECK: %[[O16:.+]] = arith.trunci %[[HIGH]] : vector<4xi32> to vector<4xi16>
// CHECK: %[[O:.+]] = arith.bitcast %[[O16]] : vector<4xi16> to vector<4xbf16>
// CHECK: %[[EW:.+]] = arith.extf %[[E]] : vector<4xbf16> to vector<4xf32>
// CHECK: %[[OW:.+]] = arith.extf %[[O]] : vector<4xbf16> to vector<4xf32>
// CHECK: %[[W:.+]] = vector.broadcast %{{.+}} : f32 to vector<4xf32>
// CHECK: %[[EP:.+]] = arith.mulf %[[EW]], %[[W]] : vector<4xf32>
// CHECK: %[[OP:.+]] = arith.mulf %[[OW]], %[[W]] : vector<4xf32>
// CHECK: %[[ER:.+]] = prec.round %[[EP]] : vector<4xf32> to vector<4xbf16>
// CHECK: %[[OR:.+]] = prec.round %[[OP]] : vector<4xf32> to vector<4xbf16>
// CHECK: %[[OB:.+]] = arith.bitcast %[[OR]] : vector<4xbf16> to vector<4xi16>
// CHECK: %[[OZ:.+]] = arith.extui %[[OB]] : vector<4xi16> to vector<4xi32>
// CHECK: %[[UP:.+]] = arith.shli %[[OZ]]
// CHECK: %[[EB:.+]] = arith.bitcast %[[ER]] : vector<4xbf16> to vector<4xi16>
// CHECK: %[[EZ:.+]] = arith.extui %[[EB]] : vector<4xi16> to vector<4xi32>
// CHECK: %[[BOTH:.+]] = arith.ori %[[UP]], %[[EZ]]
// CHECK: %[[R:.+]] = vector.bitcast %[[BOTH]] : vector<4xi32> to vector<8xbf16>
// CHECK: vector.store %[[R]]
func.func @square(%x: memref<?xbf16>, %w: f32, %r: memref<?xbf16>, %i: index) {
  %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
  %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  %2 = vector.broadcast %w : f32 to vector<8xf32>
  %3 = arith.mulf %1, %2 : vector<8xf32>
  %4 = prec.round %3 : vector<8xf32> to vector<8xbf16>
  vector.store %4, %r[%i] : memref<?xbf16>, vector<8xbf16>
  return
}

// -----

// f32 in memory is shuffled; constants and single elements go to their places.
// CHECK-LABEL: func @mixed
// CHECK-DAG: %[[C0:.+]] = arith.constant dense<[0.000000e+00, 2.000000e+00, 4.000000e+00, 6.000000e+00]> : vector<4xf32>
// CHECK-DAG: %[[C1:.+]] = arith.constant dense<[1.000000e+00, 3.000000e+00, 5.000000e+00, 7.000000e+00]> : vector<4xf32>
// CHECK: %[[F0:.+]], %[[F1:.+]] = vector.deinterleave %{{.+}} : vector<8xf32> -> vector<4xf32>
// CHECK: %[[E:.+]] = vector.from_elements %arg4, %arg4, %arg4, %arg4 : vector<4xf32>
// CHECK: %[[O:.+]] = vector.from_elements %arg5, %arg5, %arg5, %arg5 : vector<4xf32>
// CHECK: arith.cmpf olt, %{{.+}}, %[[F0]] : vector<4xf32>
// CHECK: arith.cmpf olt, %{{.+}}, %[[F1]] : vector<4xf32>
// CHECK: arith.select %{{.+}}, %[[E]], %[[C0]] : vector<4xi1>, vector<4xf32>
// CHECK: arith.select %{{.+}}, %[[O]], %[[C1]] : vector<4xi1>, vector<4xf32>
// CHECK: vector.interleave
// CHECK: vector.store
func.func @mixed(%x: memref<?xbf16>, %y: memref<?xf32>, %r: memref<?xf32>, %i: index, %a: f32, %b: f32) {
  %c = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : vector<8xf32>
  %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
  %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  %2 = vector.load %y[%i] : memref<?xf32>, vector<8xf32>
  %3 = vector.from_elements %a, %b, %a, %b, %a, %b, %a, %b : vector<8xf32>
  %4 = arith.cmpf olt, %1, %2 : vector<8xf32>
  %5 = arith.select %4, %3, %c : vector<8xi1>, vector<8xf32>
  vector.store %5, %r[%i] : memref<?xf32>, vector<8xf32>
  return
}

// -----

// Not f16, not without bf16, and not where a lane has a place.
// CHECK-LABEL: func @f16
// CHECK: arith.extf %{{.+}} : vector<8xf16> to vector<8xf32>
func.func @f16(%x: memref<?xbf16>, %y: memref<?xf16>, %r: memref<?xf32>, %i: index) {
  %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
  %1 = vector.load %y[%i] : memref<?xf16>, vector<8xf16>
  %2 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  %3 = arith.extf %1 : vector<8xf16> to vector<8xf32>
  %4 = arith.addf %2, %3 : vector<8xf32>
  vector.store %4, %r[%i] : memref<?xf32>, vector<8xf32>
  return
}
// CHECK-LABEL: func @f32
// CHECK: arith.addf %{{.+}} : vector<8xf32>
func.func @f32(%x: memref<?xf32>, %r: memref<?xf32>, %i: index) {
  %0 = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %1 = arith.addf %0, %0 : vector<8xf32>
  vector.store %1, %r[%i] : memref<?xf32>, vector<8xf32>
  return
}
// CHECK-LABEL: func @carried
// CHECK: arith.addf %{{.+}} : vector<8xf32>
func.func @carried(%x: memref<?xbf16>, %n: index, %init: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %init) -> (vector<8xf32>) {
    %1 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
    %2 = arith.extf %1 : vector<8xbf16> to vector<8xf32>
    %3 = arith.addf %sum, %2 : vector<8xf32>
    scf.yield %3 : vector<8xf32>
  }
  return %0 : vector<8xf32>
}

// -----

// Four registers: those before and those behind the middle, each operation by the same one on the other half.
// CHECK-LABEL: func @halves
// CHECK-SAME: %[[X:.+]]: memref<?xf16>, %[[R:.+]]: memref<?xf16>, %[[I:.+]]: index
// CHECK: %[[C:.+]] = arith.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]> : vector<8xf32>
// CHECK: %[[D:.+]] = arith.constant dense<8.000000e+00> : vector<8xf32>
// CHECK: %[[A:.+]] = vector.load %[[X]][%[[I]]] : memref<?xf16>, vector<8xf16>
// CHECK: %[[J:.+]] = arith.addi %[[I]], %c8
// CHECK: %[[B:.+]] = vector.load %[[X]][%[[J]]] : memref<?xf16>, vector<8xf16>
// CHECK: %[[AW:.+]] = arith.extf %[[A]]
// CHECK: %[[BW:.+]] = arith.extf %[[B]]
// CHECK: %[[AS:.+]] = arith.addf %[[AW]], %[[C]]
// CHECK: %[[BS:.+]] = arith.addf %[[BW]], %[[D]]
// CHECK: %[[AR:.+]] = prec.round %[[AS]]
// CHECK: %[[BR:.+]] = prec.round %[[BS]]
// CHECK: vector.store %[[AR]], %[[R]][%[[I]]]
// CHECK: %[[K:.+]] = arith.addi %[[I]], %c8
// CHECK: vector.store %[[BR]], %[[R]][%[[K]]]
func.func @halves(%x: memref<?xf16>, %r: memref<?xf16>, %i: index) {
  %c = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]> : vector<16xf32>
  %0 = vector.load %x[%i] : memref<?xf16>, vector<16xf16>
  %1 = arith.extf %0 : vector<16xf16> to vector<16xf32>
  %2 = arith.addf %1, %c : vector<16xf32>
  %3 = prec.round %2 : vector<16xf32> to vector<16xf16>
  vector.store %3, %r[%i] : memref<?xf16>, vector<16xf16>
  return
}

// -----

// A choice of a vector is one of two, and what else it gives stays.
// CHECK-LABEL: func @choice
// CHECK: %[[C:.+]]:3 = scf.if %{{.+}} -> (index, vector<4xf32>, vector<4xf32>)
// CHECK:   %[[E:.+]] = arith.negf
// CHECK:   %[[O:.+]] = arith.negf
// CHECK:   scf.yield %{{.+}}, %[[E]], %[[O]]
// CHECK: } else {
// CHECK:   scf.yield %{{.+}}, %{{.+}}, %{{.+}} : index, vector<4xf32>, vector<4xf32>
// CHECK: prec.round %[[C]]#1
// CHECK: prec.round %[[C]]#2
// CHECK: vector.store %{{.+}}, %{{.+}}[%[[C]]#0] : memref<?xbf16>, vector<8xbf16>
func.func @choice(%x: memref<?xbf16>, %r: memref<?xbf16>, %i: index, %j: index, %b: i1) {
  %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
  %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  %2:2 = scf.if %b -> (index, vector<8xf32>) {
    %3 = arith.negf %1 : vector<8xf32>
    scf.yield %i, %3 : index, vector<8xf32>
  } else {
    scf.yield %j, %1 : index, vector<8xf32>
  }
  %4 = prec.round %2#1 : vector<8xf32> to vector<8xbf16>
  vector.store %4, %r[%2#0] : memref<?xbf16>, vector<8xbf16>
  return
}

// -----

// A question about a vector is one to both.
// CHECK-LABEL: func @any
// CHECK: %[[E:.+]] = arith.cmpf olt, %{{.+}} : vector<4xf32>
// CHECK: %[[O:.+]] = arith.cmpf olt, %{{.+}} : vector<4xf32>
// CHECK: %[[ANY:.+]] = arith.ori %[[E]], %[[O]] : vector<4xi1>
// CHECK: %[[R:.+]] = vector.reduction <or>, %[[ANY]] : vector<4xi1> into i1
// CHECK: return %[[R]]
func.func @any(%x: memref<?xbf16>, %i: index) -> i1 {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
  %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  %2 = arith.cmpf olt, %1, %zero : vector<8xf32>
  %3 = vector.reduction <or>, %2 : vector<8xi1> into i1
  return %3 : i1
}

// -----

// A loop carries halves; what takes a part of a vector takes it of both together.
// CHECK-LABEL: func @total
// CHECK: %[[S:.+]]:2 = scf.for %{{.+}} iter_args(%[[E:.+]] = %{{.+}}, %[[O:.+]] = %{{.+}}) -> (vector<4xf32>, vector<4xf32>)
// CHECK:   %[[NE:.+]] = arith.addf %[[E]], %{{.+}} : vector<4xf32>
// CHECK:   %[[NO:.+]] = arith.addf %[[O]], %{{.+}} : vector<4xf32>
// CHECK:   scf.yield %[[NE]], %[[NO]]
// CHECK: %[[W:.+]] = vector.interleave %[[S]]#0, %[[S]]#1 : vector<4xf32> -> vector<8xf32>
// CHECK-NOT: vector.interleave
// CHECK: vector.extract_strided_slice %[[W]] {offsets = [0]
// CHECK: vector.extract %[[W]][5]
func.func @total(%x: memref<?xbf16>, %n: index) -> (vector<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %init = arith.constant dense<-0.0> : vector<8xf32>
  %0 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %init) -> (vector<8xf32>) {
    %1 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
    %2 = arith.extf %1 : vector<8xbf16> to vector<8xf32>
    %3 = arith.addf %sum, %2 : vector<8xf32>
    scf.yield %3 : vector<8xf32>
  }
  %4 = vector.extract_strided_slice %0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %5 = vector.extract %0[5] : f32 from vector<8xf32>
  return %4, %5 : vector<4xf32>, f32
}

// -----

// Four registers: what is taken before, or behind, the middle is a half.
// CHECK-LABEL: func @halves
// CHECK: %[[FIRST:.+]] = vector.load %{{.+}}[%{{.+}}] : memref<?xf32>, vector<8xf32>
// CHECK: %[[SECOND:.+]] = vector.load %{{.+}}[%{{.+}}] : memref<?xf32>, vector<8xf32>
// CHECK-NOT: vector.extract_strided_slice
// CHECK: %[[SUM:.+]] = arith.addf %[[SECOND]], %[[FIRST]] : vector<8xf32>
// CHECK: vector.store %[[SUM]]
func.func @halves(%x: memref<?xf32>, %r: memref<?xf32>, %i: index) {
  %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [0], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
  %2 = vector.extract_strided_slice %0 {offsets = [8], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
  %3 = arith.addf %2, %1 : vector<8xf32>
  vector.store %3, %r[%i] : memref<?xf32>, vector<8xf32>
  return
}

// -----

// Around the middle, it is not: the vectors stay.
// CHECK-LABEL: func @around
// CHECK: vector.load %{{.+}} : memref<?xf32>, vector<16xf32>
// CHECK-NEXT: vector.extract_strided_slice
func.func @around(%x: memref<?xf32>, %r: memref<?xf32>, %i: index) {
  %0 = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [4], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
  vector.store %1, %r[%i] : memref<?xf32>, vector<8xf32>
  return
}

// -----

// What is computed in 16 bits from a vector that is there as a whole stays one operation: the signs of all elements at once,
// put to the two halves of the result where those are together. As an operand of other operations it has halves, too.
// CHECK-LABEL: func @signs
// CHECK: %[[X:.+]] = vector.load %{{.+}} : memref<?xbf16>, vector<8xbf16>
// CHECK: %[[BITS:.+]] = arith.bitcast %[[X]] : vector<8xbf16> to vector<8xi16>
// CHECK: %[[MASK:.+]] = arith.constant dense<-32768> : vector<8xi16>
// CHECK: %[[SIGNS:.+]] = arith.andi %[[BITS]], %[[MASK]] : vector<8xi16>
// CHECK: %[[EF:.+]] = arith.bitcast %{{.+}} : vector<4xf32> to vector<4xi32>
// CHECK: %[[OF:.+]] = arith.bitcast %{{.+}} : vector<4xf32> to vector<4xi32>
// CHECK: %[[E:.+]] = arith.trunci %[[EF]] : vector<4xi32> to vector<4xi16>
// CHECK: %[[O:.+]] = arith.trunci %[[OF]] : vector<4xi32> to vector<4xi16>
// CHECK: %[[OZ:.+]] = arith.extui %[[O]] : vector<4xi16> to vector<4xi32>
// CHECK: %[[UP:.+]] = arith.shli %[[OZ]]
// CHECK: %[[EZ:.+]] = arith.extui %[[E]] : vector<4xi16> to vector<4xi32>
// CHECK: %[[BOTH:.+]] = arith.ori %[[UP]], %[[EZ]]
// CHECK: %[[WHOLE:.+]] = vector.bitcast %[[BOTH]] : vector<4xi32> to vector<8xi16>
// CHECK: %[[R:.+]] = arith.ori %[[WHOLE]], %[[SIGNS]] : vector<8xi16>
// CHECK: %[[F:.+]] = arith.bitcast %[[R]] : vector<8xi16> to vector<8xbf16>
// CHECK: %[[PAIRS:.+]] = vector.bitcast %[[F]] : vector<8xbf16> to vector<4xi32>
// CHECK: vector.store %[[F]], %arg1
// CHECK: arith.extf %{{.+}} : vector<4xbf16> to vector<4xf32>
// CHECK: arith.extf %{{.+}} : vector<4xbf16> to vector<4xf32>
func.func @signs(%x: memref<?xbf16>, %r: memref<?xbf16>, %w: memref<?xf32>, %i: index) {
  %mask = arith.constant dense<-32768> : vector<8xi16>
  %0 = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
  %1 = arith.bitcast %0 : vector<8xbf16> to vector<8xi16>
  %2 = arith.andi %1, %mask : vector<8xi16>
  %3 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  %4 = arith.bitcast %3 : vector<8xf32> to vector<8xi32>
  %5 = arith.trunci %4 : vector<8xi32> to vector<8xi16>
  %6 = arith.ori %5, %2 : vector<8xi16>
  %7 = arith.bitcast %6 : vector<8xi16> to vector<8xbf16>
  vector.store %7, %r[%i] : memref<?xbf16>, vector<8xbf16>
  %8 = arith.extf %7 : vector<8xbf16> to vector<8xf32>
  vector.store %8, %w[%i] : memref<?xf32>, vector<8xf32>
  return
}
