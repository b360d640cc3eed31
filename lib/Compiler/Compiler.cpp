// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Compiler/Compiler.h"

#include "prec/Pipelines/Pipelines.h"
#include "prec/Target/Host/HostTarget.h"
#include "prec/Target/PTX/DescribeLaunch.h"
#include "prec/Transforms/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

FailureOr<func::FuncOp> prec::selectFunction(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  if (name.empty() && functions.size() == 1)
    return functions.front();
  for (func::FuncOp function : functions)
    if (function.getName() == name)
      return function;

  InFlightDiagnostic error = emitError(
      functions.empty() ? module.getLoc() : functions.front().getLoc());
  if (!name.empty())
    error << "no function '" << name << "'; ";
  else if (functions.size() > 1)
    error << "which function? ";
  if (functions.empty())
    return error << "the module has no public function";
  error << "the module has ";
  llvm::interleaveComma(functions, error, [&](func::FuncOp function) {
    error << "'" << function.getName() << "'";
  });
  return error;
}

LogicalResult prec::applyProfile(ModuleOp module, StringRef profile) {
  if (profile.empty())
    return success();
  PassManager passes(module.getContext());
  passes.addPass(createApplyProfilePass({profile.str(), false}));
  return passes.run(module);
}

LogicalResult prec::promoteMoE(func::FuncOp function, bool activation,
                               bool combine) {
  if (!activation && !combine)
    return success();
  // An activation, its combination and their gradients may be in functions that
  // it calls. As in buildToRounded: nothing may be folded yet.
  PassManager inliner(function.getContext());
  inliner.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  if (failed(inliner.run(function->getParentOfType<ModuleOp>())))
    return failure();
  PassManager passes(function.getContext(), func::FuncOp::getOperationName());
  passes.addPass(createPromoteMoEPass({activation, combine}));
  return passes.run(function);
}

FailureOr<prec::Program> prec::Program::create(func::FuncOp function) {
  FailureOr<Signature> signature = Signature::get(function);
  if (failed(signature))
    return failure();
  Program program;
  program.signature = std::move(*signature);
  program.module = function->getParentOfType<ModuleOp>().clone();
  for (auto other : program.module->getOps<func::FuncOp>())
    if (other.getName() != function.getName())
      other.setPrivate();
  return program;
}

LogicalResult prec::lowerToHost(Program &program, StringRef cpu,
                                bool parallel) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createHostMachine(cpu);
  if (!machine)
    return program.module->emitError(llvm::toString(machine.takeError()));
  HostPipelineOptions options;
  options.vectorBits = getVectorBits(**machine);
  options.nativeF16 = convertsF16(**machine);
  options.vnni = hasVNNI(**machine);
  options.parallel = parallel;
  options.resultBytes = (*machine)->getTargetTriple().isX86();
  PassManager pm(program.module->getContext());
  // Verification after each pass would take a third of the passes' time, here
  // and for a GPU: there is one after all of them.
  pm.enableVerifier(false);
  buildToHost(pm, options);
  if (failed(pm.run(*program.module)) || failed(verify(*program.module)))
    return failure();
  Operation *code = program.module->lookupSymbol(program.signature.function);
  SymbolTable::setSymbolName(code, program.signature.symbol);
  return success();
}

FailureOr<prec::launch::Description> prec::lowerToGPU(Program &program,
                                                      const GPUTarget &target,
                                                      const GPUOptions &given) {
  GPUPipelineOptions options;
  options.dependentLaunch = given.dependentLaunch;
  options.cacheHints = given.cacheHints;
  options.chip = target.chip.str();
  options.f64 = target.slowF64 ? F64Speed::slow : F64Speed::fast;
  PassManager toRounded(program.module->getContext());
  toRounded.enableVerifier(false);
  buildToRounded(toRounded);
  if (failed(toRounded.run(*program.module)))
    return failure();
  auto host =
      program.module->lookupSymbol<func::FuncOp>(program.signature.function);
  std::vector<launch::Buffer> results =
      describeResults(host, program.signature);
  PassManager toKernels(program.module->getContext());
  toKernels.enableVerifier(false);
  buildRoundedToKernels(toKernels, options);
  if (failed(toKernels.run(*program.module)))
    return failure();
  FailureOr<launch::Description> description =
      describeLaunch(host, program.signature, target.chip);
  if (failed(description))
    return failure();
  description->results = std::move(results);
  PassManager toNVVM(program.module->getContext());
  toNVVM.enableVerifier(false);
  buildKernelsToNVVM(toNVVM, options);
  if (failed(toNVVM.run(*program.module)) || failed(verify(*program.module)))
    return failure();
  return description;
}

gpu::GPUModuleOp prec::getKernels(const Program &program) {
  return *program.module.get().getOps<gpu::GPUModuleOp>().begin();
}

FailureOr<prec::HostFunction> prec::compileForHost(func::FuncOp function,
                                                   StringRef cpu) {
  FailureOr<Program> program = Program::create(function);
  if (failed(program) || failed(lowerToHost(*program, cpu)))
    return failure();
  FailureOr<std::unique_ptr<HostJIT>> jit =
      HostJIT::compile(*program->module, cpu);
  if (failed(jit))
    return failure();
  return HostFunction{std::move(program->signature), std::move(*jit)};
}

FailureOr<prec::GPUFunction> prec::compileForGPU(func::FuncOp function,
                                                 StringRef chip) {
  FailureOr<GPUTarget> target = findGPUTarget(chip, function.getLoc());
  FailureOr<Program> program = Program::create(function);
  if (failed(target) || failed(program))
    return failure();
  FailureOr<launch::Description> description = lowerToGPU(*program, *target);
  if (failed(description))
    return failure();
  FailureOr<std::string> ptx = translateToPTX(getKernels(*program), *target);
  if (failed(ptx))
    return failure();
  return GPUFunction{std::move(program->signature), std::move(*ptx),
                     std::move(*description)};
}
