gpu.module @kernels {
  llvm.func @k(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    %1 = llvm.frem %0, %0 : f32
    llvm.store %1, %x : f32, !llvm.ptr
    llvm.return
  }
}
