// RUN: prec-opt %s --prec-serialize-kernels="chip=sm_80 format=ptx" | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: prec-opt %s --prec-serialize-kernels="chip=sm_100 format=ptx" | FileCheck %s --check-prefixes=CHECK,SM100

// Contractible in shape; the text must name each rounding.
// CHECK: gpu.binary @kernels
// SM80-SAME: #gpu.object<#nvvm.target<O = 3, chip = "sm_80", features = "+ptx78">, assembly =
// SM80: .target sm_80
// SM100: .target sm_100
// CHECK: .visible .entry k(
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
gpu.module @kernels {
  llvm.func @k(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    %1 = llvm.fmul %0, %0 : f32
    %2 = llvm.fadd %1, %0 : f32
    llvm.store %2, %x : f32, !llvm.ptr
    llvm.return
  }
}
