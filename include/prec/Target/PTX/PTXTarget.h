// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for NVIDIA GPUs: PTX text, and cubin and fatbin with NVIDIA's tools.
#ifndef PREC_TARGET_PTX_PTXTARGET_H
#define PREC_TARGET_PTX_PTXTARGET_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace prec {

/// A GPU we compile for.
struct GPUTarget {
  llvm::StringLiteral chip;
  /// The oldest PTX version that has all we use on this chip, so that old
  /// drivers and assemblers read what we write.
  llvm::StringLiteral ptxVersion;
  /// Of graphics cards, where 64 f32 operations take as long as one in f64.
  bool slowF64;
};

/// All of them, oldest first.
llvm::ArrayRef<GPUTarget> gpuTargets();

/// "known are sm_80, ...", for errors.
std::string knownGPUTargets();

/// The target with this name. Emits an error at `loc` that lists the known ones
/// and fails if there is none.
mlir::FailureOr<GPUTarget> findGPUTarget(llvm::StringRef chip,
                                         mlir::Location loc);

/// Translates `module`, whose functions are in the LLVM and NVVM dialects, to
/// optimised PTX. No CUDA installation takes part. Every floating-point
/// addition, multiplication, division and square root of the text names its
/// rounding, so that no assembler may contract it; text that does not is an
/// error.
mlir::FailureOr<std::string> translateToPTX(mlir::gpu::GPUModuleOp module,
                                            const GPUTarget &target);

/// The optimised LLVM IR that `translateToPTX` makes the text from.
mlir::FailureOr<std::string> translateToGPUIR(mlir::gpu::GPUModuleOp module,
                                              const GPUTarget &target);

/// The first line of PTX text with an arithmetic instruction that an assembler
/// may contract (`mul.f32` without `.rn`), or an empty one.
llvm::StringRef findContractible(llvm::StringRef ptx);

/// Assembles PTX with ptxas and contraction off. Fails with an error text that
/// says what to install, or what ptxas said.
llvm::Expected<std::string> assembleCubin(llvm::StringRef ptx,
                                          const GPUTarget &target);

/// A fatbin with the cubin for `target` and the PTX for later GPUs.
llvm::Expected<std::string> assembleFatbin(llvm::StringRef ptx,
                                           const GPUTarget &target);

} // namespace prec

#endif // PREC_TARGET_PTX_PTXTARGET_H
