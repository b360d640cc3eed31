// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Common/LLVMModule.h"

#include "prec/Conversion/ABI.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

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

/// Whether the declaration `function` is one whose bits do not depend on who
/// implements it. Mathematical functions must have been expanded by now: what a
/// C library or a GPU gives for them is not specified.
static bool hasStatedBits(const llvm::Function &function) {
  switch (function.getIntrinsicID()) {
  case llvm::Intrinsic::not_intrinsic:
    return llvm::StringSwitch<bool>(function.getName())
        .Cases({"malloc", "aligned_alloc", "free"}, true)
        // Numbers of iterations.
        .Cases({prec::kParallelBeginName, prec::kParallelEndName,
                prec::kParallelDoneName, prec::kResultBytesName},
               true)
        .Default(false);
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp2:
  case llvm::Intrinsic::exp10:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::powi:
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::tan:
  case llvm::Intrinsic::asin:
  case llvm::Intrinsic::acos:
  case llvm::Intrinsic::atan:
  case llvm::Intrinsic::atan2:
  case llvm::Intrinsic::sinh:
  case llvm::Intrinsic::cosh:
  case llvm::Intrinsic::tanh:
  case llvm::Intrinsic::sincos:
  case llvm::Intrinsic::fmuladd: // fused or not, as the target likes
    return false;
  default:
    return true;
  }
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
  for (const llvm::Function &function : *result)
    if (function.isDeclaration() && !hasStatedBits(function))
      return module->emitError("expected a function with stated bits but got '")
             << function.getName() << "'";
  return result;
}

namespace {
/// Everything that passes of the new pass manager need.
struct Analyses {
  explicit Analyses(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
};

/// Adds all passes but those with certain names, and others behind them.
class EditedPassManager : public llvm::legacy::PassManager {
public:
  EditedPassManager(ArrayRef<StringRef> leftOut,
                    llvm::function_ref<llvm::Pass *(StringRef)> behind)
      : leftOut(leftOut), behind(behind) {}

  void add(llvm::Pass *pass) override {
    StringRef name = pass->getPassName();
    if (llvm::is_contained(leftOut, name)) {
      delete pass;
      return;
    }
    // Before the manager has it, which may delete it.
    llvm::Pass *next = behind ? behind(name) : nullptr;
    PassManager::add(pass);
    if (next)
      PassManager::add(next);
  }

private:
  ArrayRef<StringRef> leftOut;
  llvm::function_ref<llvm::Pass *(StringRef)> behind;
};
} // namespace

void prec::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                    bool vectorize) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = vectorize;
  tuning.SLPVectorization = vectorize;
  llvm::PassBuilder builder(&machine, tuning);
  Analyses analyses(builder);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, analyses.modules);
}

/// Whether a loop says what is to be done with it.
static bool hasAnnotatedLoops(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return llvm::any_of(function, [](const llvm::BasicBlock &block) {
      return block.getTerminator()->hasMetadata(llvm::LLVMContext::MD_loop);
    });
  });
}

void prec::simplify(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  Analyses analyses(builder);
  llvm::FunctionPassManager passes;
  // Twice: a sum with a single use behind the first round becomes two steps of
  // an address.
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::InstCombinePass());
    if (round > 0 || !hasAnnotatedLoops(module))
      continue;
    // In one block then: combining would sink what is used behind a loop, and
    // keep alive what that needs.
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(
        llvm::LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
    passes.addPass(llvm::SimplifyCFGPass());
  }
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::createModuleToFunctionPassAdaptor(std::move(passes))
      .run(module, analyses.modules);
}

LogicalResult
prec::generateCode(Operation *op, llvm::Module &module,
                   llvm::TargetMachine &machine, llvm::CodeGenFileType kind,
                   llvm::SmallVectorImpl<char> &out,
                   ArrayRef<StringRef> leftOut,
                   llvm::function_ref<llvm::Pass *(StringRef)> behind) {
  llvm::raw_svector_ostream stream(out);
  EditedPassManager passes(leftOut, behind);
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    return op->emitError("target '")
           << machine.getTargetTriple().str() << "' cannot write this file";
  passes.run(module);
  return success();
}
