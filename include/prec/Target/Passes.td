// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TARGET_PASSES_TD
#define PREC_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def SerializeKernelsPass : Pass<"prec-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "Compile each gpu.module to a gpu.binary";
  let description = [{
    #### Overview
    Translates each gpu.module in the LLVM and NVVM dialects to PTX, assembles it
    where `format` asks for that, and puts a gpu.binary of the same name in its
    place. Unlike `gpu-module-to-binary` it generates code under which nothing is
    contracted, checks that every floating-point instruction of the PTX names its
    rounding, and gives ptxas `--fmad=false`.

    ```mlir
    gpu.module @kernels { llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {...} }
    // becomes
    gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "...">]
    ```

    #### Preconditions
    cubin and fatbin need ptxas and fatbinary, in CUDA_HOME, PATH or
    /usr/local/cuda/bin; ptx needs neither.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90\"", "The GPU, for example sm_90">,
    Option<"format", "format", "std::string", "\"cubin\"", "ptx, cubin or fatbin">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"
  ];
}

#endif // PREC_TARGET_PASSES_TD
