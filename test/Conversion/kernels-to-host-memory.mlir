// Partial sums of an order that has many stand in memory: the code does not
// grow with their number, and what is left over is a loop.
// RUN: prec-opt %s --prec-schedule-kernels --convert-kernels-to-host | FileCheck %s

// CHECK-LABEL: func.func @vectors
// CHECK: %[[SUMS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
// CHECK: scf.for
// CHECK-NEXT: arith.muli
// CHECK-NEXT: vector.store {{.*}}, %[[SUMS]]
// All vectors, whole blocks' and others'; then single elements.
// CHECK: scf.for
// CHECK: vector.load %[[SUMS]]
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: vector.store {{.*}}, %[[SUMS]]
// CHECK: scf.for
// CHECK: memref.load %[[SUMS]]
// CHECK: arith.addf {{.*}} : f32
// CHECK: memref.store {{.*}}, %[[SUMS]]
// A step of 8, then seven of halves.
// CHECK-COUNT-8: arith.addf
// CHECK-NOT: arith.addf
// CHECK: memref.dealloc %[[SUMS]]
func.func @vectors(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = prec.kernel "k"(%x) : (tensor<?x?xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?x?xf32>):
    %s = prec.sum %a dim 1 <digits [8, 128, *] steps [2 sequential, 0 sequential, 1 halving]> : tensor<?x?xf32> to tensor<?xf32>
    prec.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
