// RUN: prec-opt %s --prec-to-ptx | FileCheck %s
// RUN: prec-opt %s --pass-pipeline="builtin.module(prec-to-ptx,prec-serialize-kernels{format=ptx})" | FileCheck %s --check-prefix=PTX

// The lower half of the pipeline: kernels over flat memory become kernels over
// aligned pointers; the host function still says how they are launched.
// CHECK-LABEL: llvm.func @k
// CHECK-SAME: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.noundef, llvm.readonly}
// CHECK: llvm.intr.sqrt
// CHECK: gpu.launch_func @kernels::@k
// PTX: ld.global.nc.v4
// PTX: mul.rn.f32
// PTX: add.rn.f32
// PTX: sqrt.rn.f32
// PTX: st.global.v4
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) kernel {
    %c4 = arith.constant 4 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %bs = gpu.block_dim x
    %0 = arith.muli %b, %bs : index
    %1 = arith.addi %0, %t : index
    %i = arith.muli %1, %c4 : index
    %in = arith.cmpi slt, %i, %n : index
    scf.if %in {
    %v = vector.load %x[%i] {alignment=16} : memref<?xf32>, vector<4xf32>
    %p = arith.mulf %v, %v : vector<4xf32>
    %s = arith.addf %p, %v : vector<4xf32>
    %r = math.sqrt %s : vector<4xf32>
    vector.store %r, %y[%i] {alignment=16} : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }
}
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %g = arith.ceildivui %n, %c128 : index
  gpu.launch_func @kernels::@k blocks in (%g, %c1, %c1) threads in (%c128, %c1, %c1) args(%x: memref<?xf32>, %y: memref<?xf32>, %n: index)
  return
}
}
