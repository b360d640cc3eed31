// RUN: prec-opt %s --pass-pipeline="builtin.module(gpu.module(prec-finalize-abi{pointer-alignment=16}))" | FileCheck %s

// A kernel returns nothing; its pointers have the alignment of the launch.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @k(
  // CHECK-SAME: %{{[^ ]+}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.noundef, llvm.readonly}
  // CHECK-SAME: %{{[^ ]+}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.noundef}
  // CHECK-SAME: %{{[^ ]+}}: i64) kernel
  gpu.func @k(%x: memref<?xbf16>, %y: memref<?xbf16>, %n: index) kernel {
    %0 = memref.load %x[%n] : memref<?xbf16>
    memref.store %0, %y[%n] : memref<?xbf16>
    // CHECK: gpu.return
    gpu.return
  }
}
