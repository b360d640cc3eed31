// RUN: prec-opt %s --pass-pipeline="builtin.module(gpu.module(prec-convert-gpu-module-to-nvvm))" | FileCheck %s

// Exact functions stay exact operations instead of calls of libdevice.
gpu.module @kernels {
  // CHECK-NOT: __nv
  // CHECK-LABEL: llvm.func @k
  gpu.func @k(%x: !llvm.ptr, %n: i64) kernel {
    // CHECK: nvvm.read.ptx.sreg.ctaid.x
    %b = gpu.block_id x
    %0 = llvm.load %x : !llvm.ptr -> f32
    // CHECK: llvm.intr.sqrt
    %1 = math.sqrt %0 : f32
    // CHECK: llvm.intr.fma
    %2 = math.fma %1, %0, %0 : f32
    // CHECK: llvm.intr.floor
    %3 = math.floor %2 : f32
    // CHECK: llvm.intr.roundeven
    %4 = math.roundeven %3 : f32
    // CHECK: llvm.intr.fabs
    %5 = math.absf %4 : f32
    // CHECK: llvm.intr.maximum
    %6 = arith.maximumf %5, %0 : f32
    llvm.store %6, %x : f32, !llvm.ptr
    gpu.return
  }
}
