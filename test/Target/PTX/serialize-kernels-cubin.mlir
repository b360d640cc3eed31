// REQUIRES: ptxas
// RUN: prec-opt %s --prec-serialize-kernels="chip=sm_80" | FileCheck %s --check-prefix=CUBIN
// RUN: prec-opt %s --prec-serialize-kernels="chip=sm_90 format=fatbin" | FileCheck %s --check-prefix=FATBIN

// CUBIN: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80", features = "+ptx78">, bin = "\7FELF
// FATBIN: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90", features = "+ptx78">, "P\EDU\BA
gpu.module @kernels {
  llvm.func @k(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
