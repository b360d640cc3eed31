// No assembler is asked for without a folder for its files.
// RUN: not env TMPDIR=%t.none/folder prec-opt %s --prec-serialize-kernels="chip=sm_80" 2>&1 | FileCheck %s

// CHECK: error: cannot make a temporary folder: No such file or directory
gpu.module @kernels {
  llvm.func @k(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
