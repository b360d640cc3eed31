// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Compiler/Driver.h"

#include "prec/Compiler/Compiler.h"
#include "prec/Conversion/ABI.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/Host/CHeader.h"
#include "prec/Target/Host/HostTarget.h"
#include "prec/TensorIO/AtomicFile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {
/// Prints the first error with its source line and notes, and no other: later
/// ones are mostly its consequences.
class FirstErrorHandler : public SourceMgrDiagnosticHandler {
public:
  FirstErrorHandler(llvm::SourceMgr &sources, MLIRContext *context)
      : SourceMgrDiagnosticHandler(sources, context) {
    setHandler([this](Diagnostic &diagnostic) {
      bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
      if (!isError || !std::exchange(failed, true))
        emitDiagnostic(diagnostic);
      return success();
    });
  }

private:
  bool failed = false;
};

/// One compilation: gives the bytes of the output, or emits an error.
class Driver {
public:
  Driver(const prec::DriverOptions &options, func::FuncOp function)
      : options(options), function(function) {}

  FailureOr<std::string> run();

private:
  FailureOr<std::string> emitHost(prec::Program &program);
  FailureOr<std::string> emitGPU(prec::Program &program,
                                 const prec::GPUTarget &target);

  const prec::DriverOptions &options;
  func::FuncOp function;
};
} // namespace

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text + "\n";
}

FailureOr<std::string> Driver::emitHost(prec::Program &program) {
  if (failed(prec::lowerToHost(program, options.target, options.parallel)))
    return failure();
  ModuleOp module = *program.module;
  if (options.emit == "mlir")
    return printModule(module);
  if (options.emit == "llvm")
    return prec::translateToHostIR(module, options.target);
  if (options.emit == "obj")
    return prec::translateToObject(module, options.target);
  std::vector<std::string> checks;
  Operation *code = module.lookupSymbol(program.signature.symbol);
  if (auto messages = code->getAttrOfType<ArrayAttr>(prec::kChecksAttrName))
    for (StringRef message : messages.getAsValueRange<StringAttr>())
      checks.push_back(message.str());
  return prec::writeHostHeader(program.signature, checks, options.parallel);
}

FailureOr<std::string> Driver::emitGPU(prec::Program &program,
                                       const prec::GPUTarget &target) {
  FailureOr<prec::launch::Description> description = prec::lowerToGPU(
      program, target, {options.dependentLaunch, options.cacheHints});
  if (failed(description))
    return failure();
  if (options.emit == "mlir")
    return printModule(*program.module);
  if (options.emit == "header")
    return prec::writeLaunchHeader(program.signature, *description);
  if (options.emit == "meta")
    return prec::launch::write(*description);
  gpu::GPUModuleOp kernels = prec::getKernels(program);
  if (options.emit == "llvm")
    return prec::translateToGPUIR(kernels, target);
  // Long kernels are compiled side by side.
  program.module->getContext()->enableMultithreading();
  FailureOr<std::string> ptx = prec::translateToPTX(kernels, target);
  if (failed(ptx) || options.emit == "ptx")
    return ptx;
  llvm::Expected<std::string> binary = options.emit == "cubin"
                                           ? prec::assembleCubin(*ptx, target)
                                           : prec::assembleFatbin(*ptx, target);
  if (!binary)
    return function.emitError(llvm::toString(binary.takeError()));
  return std::move(*binary);
}

FailureOr<std::string> Driver::run() {
  FailureOr<prec::Program> program = prec::Program::create(function);
  if (failed(program))
    return failure();
  if (!StringRef(options.target).starts_with("sm_"))
    return emitHost(*program);
  FailureOr<prec::GPUTarget> target =
      prec::findGPUTarget(options.target, function.getLoc());
  if (failed(target))
    return failure();
  if (options.f64 != "of-chip")
    target->slowF64 = options.f64 == "slow";
  return emitGPU(*program, *target);
}

/// Reports an error that has no place in a source file.
static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 2;
}

/// Checks what does not depend on the input and fills in the default of `emit`;
/// gives an error text or an empty one.
static std::string checkOptions(prec::DriverOptions &options) {
  StringRef target = options.target;
  bool isGPU = target.starts_with("sm_");
  bool isKnown =
      isGPU ? llvm::any_of(prec::gpuTargets(),
                           [&](const prec::GPUTarget &gpu) {
                             return gpu.chip == target;
                           })
            : !errorToBool(prec::createHostMachine(target).takeError());
  if (!isKnown)
    return "unknown target '" + options.target + "'; " +
           prec::knownGPUTargets() +
           ", host, and the processors that LLVM knows, such as x86-64-v3";

  if (options.parallel && isGPU)
    return "--parallel: expected a processor as target but got '" +
           options.target + "'";
  if (!llvm::is_contained({"of-chip", "fast", "slow"}, options.f64))
    return "expected --f64=of-chip|fast|slow but got '" + options.f64 + "'";
  if (!isGPU && options.f64 != "of-chip")
    return "--f64=" + options.f64 + " is for GPUs";
  if (!isGPU && options.dependentLaunch)
    return "--dependent-launch is for GPUs";
  if (!isGPU && options.cacheHints)
    return "--cache-hints is for GPUs";

  if (options.emit.empty())
    options.emit = isGPU ? "ptx" : "obj";
  SmallVector<StringRef> kinds =
      isGPU ? SmallVector<StringRef>{"ptx",  "cubin",  "fatbin", "llvm",
                                     "mlir", "header", "meta"}
            : SmallVector<StringRef>{"obj", "llvm", "mlir", "header"};
  if (!llvm::is_contained(kinds, options.emit))
    return "expected --emit=" + llvm::join(kinds, "|") + " for target '" +
           options.target + "' but got '" + options.emit + "'";
  return {};
}

int prec::runDriver(const DriverOptions &given) {
  DriverOptions options = given;
  if (std::string error = checkOptions(options); !error.empty())
    return fail(error);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.input, &message);
  if (!file)
    return fail(message);

  DialectRegistry registry;
  registerDialects(registry);
  // The passes are too short for more threads than this one.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  FirstErrorHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(applyProfile(*module, options.profile)))
    return 2;
  FailureOr<func::FuncOp> function = selectFunction(*module, options.function);
  if (failed(function) ||
      failed(promoteMoE(*function, options.promoteActivation,
                        options.promoteCombine)))
    return 2;
  FailureOr<std::string> output = Driver(options, *function).run();
  if (failed(output))
    return 2;

  if (options.output == "-") {
    llvm::outs() << *output;
    llvm::outs().flush();
    return 0;
  }
  message = io::writeAtomically(options.output, {*output});
  return message.empty() ? 0 : fail(message);
}
