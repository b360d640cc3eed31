// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the LLVM dialect to optimised LLVM IR, the part that the host and the
// GPU share.
#ifndef PREC_TARGET_COMMON_LLVMMODULE_H
#define PREC_TARGET_COMMON_LLVMMODULE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {
class Pass;
} // namespace llvm

namespace prec {

/// Registers what translation to LLVM IR needs of the dialects in `registry`.
void registerLLVMTranslations(mlir::DialectRegistry &registry);

/// Code generation options under which no backend contracts, reassociates or
/// approximates a floating-point operation.
llvm::TargetOptions strictFloatOptions();

/// Translates `module` (a builtin.module or gpu.module in the LLVM dialect) to
/// LLVM IR for `machine`. Emits an error and fails where that is not possible.
mlir::FailureOr<std::unique_ptr<llvm::Module>>
translateToLLVMIR(mlir::Operation *module, llvm::LLVMContext &context,
                  llvm::TargetMachine &machine);

/// Runs LLVM's -O3 pipeline for `machine`. `vectorize` allows the loop and SLP
/// vectorizers; without fast-math flags they keep every result bit.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              bool vectorize);

/// Simplifies functions without loops, but for those that are annotated as to
/// be unrolled, whose code another optimizer reads: what is constant, common or
/// redundant goes, and addresses are in LLVM's form. A third of what -O3 takes.
void simplify(llvm::Module &module, llvm::TargetMachine &machine);

/// Code generation of `module` to assembly or object bytes, without the passes
/// that LLVM names as in `leftOut` and that only improve the code. `behind`
/// gives the pass that follows one with the given name, or null. Emits an error
/// at `op` and fails if `machine` cannot write that kind of file.
mlir::LogicalResult
generateCode(mlir::Operation *op, llvm::Module &module,
             llvm::TargetMachine &machine, llvm::CodeGenFileType kind,
             llvm::SmallVectorImpl<char> &out,
             llvm::ArrayRef<llvm::StringRef> leftOut = {},
             llvm::function_ref<llvm::Pass *(llvm::StringRef)> behind = {});

} // namespace prec

#endif // PREC_TARGET_COMMON_LLVMMODULE_H
