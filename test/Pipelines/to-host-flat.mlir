// RUN: prec-opt %s --prec-to-host | FileCheck %s

// The lower half of the pipeline: what stands in flat memory becomes functions
// over pointers, with vectors kept, nothing contracted, and checks as statuses.
// CHECK-LABEL: llvm.func @scale
// CHECK-SAME: (%{{[^ ]+}}: !llvm.ptr {{{.*}}llvm.readonly}, %{{[^ ]+}}: !llvm.ptr {{{.*}}}, %{{[^ ]+}}: i64, %{{[^ ]+}}: i64) -> i32
// CHECK-SAME: prec.checks = ["sizes differ"]
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.fmul {{.*}} : vector<16xf32>
// CHECK: llvm.fadd {{.*}} : vector<16xf32>
// CHECK: llvm.intr.sqrt
// CHECK-NOT: unrealized_conversion_cast
func.func @scale(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "sizes differ"
  %full = affine.apply affine_map<()[s0] -> ((s0 floordiv 16) * 16)>()[%n]
  scf.for %i = %c0 to %full step %c16 {
    %v = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %p = arith.mulf %v, %v : vector<16xf32>
    %s = arith.addf %p, %v : vector<16xf32>
    %r = math.sqrt %s : vector<16xf32>
    vector.store %r, %y[%i] : memref<?xf32>, vector<16xf32>
  }
  scf.for %i = %full to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %p = arith.mulf %v, %v : f32
    %s = arith.addf %p, %v : f32
    %r = math.sqrt %s : f32
    memref.store %r, %y[%i] : memref<?xf32>
  }
  return
}
