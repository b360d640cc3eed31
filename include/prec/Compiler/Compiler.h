// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a parsed model to code: what the tools are made of.
//
// Every function emits an error and fails where a model cannot be compiled.
#ifndef PREC_COMPILER_COMPILER_H
#define PREC_COMPILER_COMPILER_H

#include "prec/Launch/Description.h"
#include "prec/Target/Common/Signature.h"
#include "prec/Target/Host/HostJIT.h"
#include "prec/Target/PTX/PTXTarget.h"

#include "mlir/IR/BuiltinOps.h"

namespace prec {

/// The function `name` of `module`, or its only public one if `name` is empty.
mlir::FailureOr<mlir::func::FuncOp> selectFunction(mlir::ModuleOp module,
                                                   llvm::StringRef name);

/// Applies a profile (prec-apply-profile); an empty name is none.
mlir::LogicalResult applyProfile(mlir::ModuleOp module,
                                 llvm::StringRef profile);

/// Computes experts' activations or combinations in f32, one rounding each
/// (prec-promote-moe), in `function`, of which those that it calls become part.
/// What it cannot promote is an error.
mlir::LogicalResult promoteMoE(mlir::func::FuncOp function, bool activation,
                               bool combine);

/// A copy of `module` with `function` as its only public one, and its
/// signature: what lowering starts from. The original stays as it is.
struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Signature signature;

  static mlir::FailureOr<Program> create(mlir::func::FuncOp function);
};

/// Lowers `program`, from level M or R, to LLVM-dialect functions for the
/// processor `cpu` ("host", or a name of LLVM's). With `parallel`, its
/// outermost loops go through prec_parallel_for.
mlir::LogicalResult lowerToHost(Program &program, llvm::StringRef cpu = "host",
                                bool parallel = false);

/// What kernels for a GPU may do besides.
struct GPUOptions {
  /// Each may be launched while the one before it still runs.
  bool dependentLaunch = false;
  /// Accesses of what a kernel uses once say so to the caches.
  bool cacheHints = false;
};

/// Lowers `program`, from level M or R, to a gpu.module in the LLVM and NVVM
/// dialects; gives how its kernels are launched.
mlir::FailureOr<launch::Description> lowerToGPU(Program &program,
                                                const GPUTarget &target,
                                                const GPUOptions &options = {});

/// The gpu.module of a program that `lowerToGPU` lowered.
mlir::gpu::GPUModuleOp getKernels(const Program &program);

/// A function that runs on this processor.
struct HostFunction {
  Signature signature;
  std::unique_ptr<HostJIT> jit;
};
mlir::FailureOr<HostFunction> compileForHost(mlir::func::FuncOp function,
                                             llvm::StringRef cpu = "host");

/// A function as PTX, with how its kernels are launched.
struct GPUFunction {
  Signature signature;
  std::string ptx;
  launch::Description description;
};
mlir::FailureOr<GPUFunction> compileForGPU(mlir::func::FuncOp function,
                                           llvm::StringRef chip);

} // namespace prec

#endif // PREC_COMPILER_COMPILER_H
