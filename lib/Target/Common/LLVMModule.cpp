// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Common/LLVMModule.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

void prec::registerLLVMTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

llvm::TargetOptions prec::strictFloatOptions() {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return options;
}

FailureOr<std::unique_ptr<llvm::Module>>
prec::translateToLLVMIR(Operation *module, llvm::LLVMContext &context,
                        llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "prec");
  if (!result)
    return module->emitError("cannot translate to LLVM IR");
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple());
  return result;
}

void prec::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                    bool vectorize) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = vectorize;
  tuning.SLPVectorization = vectorize;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

LogicalResult prec::generateCode(Operation *op, llvm::Module &module,
                                 llvm::TargetMachine &machine,
                                 llvm::CodeGenFileType kind,
                                 llvm::SmallVectorImpl<char> &out) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    return op->emitError("target '")
           << machine.getTargetTriple().str() << "' cannot write this file";
  passes.run(module);
  return success();
}
