// RUN: not prec-opt %s --prec-serialize-kernels="chip=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not prec-opt %s --prec-serialize-kernels="format=exe" 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not prec-opt %s --prec-serialize-kernels="format=ptx" 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not prec-opt %S/Inputs/remainder.mlir --prec-serialize-kernels="format=ptx" 2>&1 | FileCheck %s --check-prefix=REMAINDER

// REMAINDER: error: a floating-point remainder is unsupported on a GPU
// CHIP: error: unknown GPU 'sm_70'; known are sm_80, sm_86, sm_89, sm_90, sm_100, sm_120
// FORMAT: error: expected format ptx, cubin or fatbin but got 'exe'
// BITS: error: expected a function with stated bits but got 'llvm.exp.f32'
gpu.module @kernels {
  llvm.func @k(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    %1 = llvm.intr.exp(%0) : (f32) -> f32
    llvm.store %1, %x : f32, !llvm.ptr
    llvm.return
  }
}
