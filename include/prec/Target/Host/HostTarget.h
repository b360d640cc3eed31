// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for the processor: the machine to compile for, LLVM IR and object files.
#ifndef PREC_TARGET_HOST_HOSTTARGET_H
#define PREC_TARGET_HOST_HOSTTARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace prec {

/// The name that stands for the processor this program runs on.
inline constexpr llvm::StringLiteral kNativeCPU = "host";

/// The target machine for `cpu`: "host", or a processor name that LLVM knows
/// for this architecture (x86-64-v3, skylake-avx512, znver4, ...). Fails with
/// an error text if the name is not known.
///
/// Instructions that flush subnormal numbers are switched off whatever the
/// processor has: bf16 conversions and arithmetic of AVX512-BF16,
/// AVX-NE-CONVERT and AVX10.2. Every x86-64 processor gives the same bits;
/// x86-64-v3 is the least that has a fused multiply-add in hardware, below it
/// fma is a call.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine(llvm::StringRef cpu);

/// An extension that the code for `machine` may use and this processor lacks.
std::optional<std::string> missingFeature(const llvm::TargetMachine &machine);

/// The width of the vectors that kernels for `machine` should use.
unsigned getVectorBits(const llvm::TargetMachine &machine);

/// Whether `machine` has instructions between f32 and f16.
bool convertsF16(const llvm::TargetMachine &machine);

/// Whether `machine` adds products of 16-bit integers, 16 sums at once
/// (AVX512_VNNI).
bool hasVNNI(const llvm::TargetMachine &machine);

/// LLVM IR optimised for a processor, with the machine and context it needs.
struct HostModule {
  /// Translates a module of LLVM-dialect functions for `cpu`. Emits an error
  /// and fails where that is not possible.
  /// With `defineParallelFor`, parallel loops run in the calling thread unless
  /// another prec_parallel_for is linked.
  static mlir::FailureOr<HostModule> create(mlir::ModuleOp module,
                                            llvm::StringRef cpu,
                                            bool defineParallelFor = true);

  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// The bytes of a relocatable object file of `module` (LLVM dialect) for `cpu`.
mlir::FailureOr<std::string> translateToObject(mlir::ModuleOp module,
                                               llvm::StringRef cpu);

/// The text of the optimised LLVM IR of `module` (LLVM dialect) for `cpu`.
mlir::FailureOr<std::string> translateToHostIR(mlir::ModuleOp module,
                                               llvm::StringRef cpu);

} // namespace prec

#endif // PREC_TARGET_HOST_HOSTTARGET_H
