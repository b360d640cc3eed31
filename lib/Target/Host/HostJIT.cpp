// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Host/HostJIT.h"

#include "prec/Conversion/ABI.h"
#include "prec/Target/Common/LLVMModule.h"
#include "prec/Target/Host/HostTarget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace mlir;

static constexpr llvm::StringLiteral kPackedPrefix = "prec.packed.";

prec::HostJIT::HostJIT() = default;
prec::HostJIT::~HostJIT() = default;

/// Adds `int prec.packed.NAME(const Slot *)`, which loads each argument of
/// `function` from its slot and calls it.
static void addPackedEntry(llvm::Function &function) {
  llvm::IRBuilder<> builder(function.getContext());
  auto *type = llvm::FunctionType::get(builder.getInt32Ty(), builder.getPtrTy(),
                                       /*isVarArg=*/false);
  llvm::Function *packed = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage,
      kPackedPrefix + function.getName(), function.getParent());
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(function.getContext(), "entry", packed));
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function.args()) {
    llvm::Value *slot = builder.CreateConstGEP1_64(
        builder.getInt64Ty(), packed->getArg(0), argument.getArgNo());
    arguments.push_back(builder.CreateLoad(argument.getType(), slot));
  }
  builder.CreateRet(builder.CreateCall(&function, arguments));
}

FailureOr<std::unique_ptr<prec::HostJIT>>
prec::HostJIT::compile(ModuleOp module, StringRef cpu,
                       ParallelFor *parallelFor) {
  FailureOr<HostModule> host =
      HostModule::create(module, cpu, /*defineParallelFor=*/!parallelFor);
  if (failed(host))
    return failure();

  std::unique_ptr<HostJIT> result(new HostJIT);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    llvm::Function *code = host->module->getFunction(function.getName());
    if (!code || code->isDeclaration() || !code->hasExternalLinkage() ||
        !code->getReturnType()->isIntegerTy(32))
      continue;
    addPackedEntry(*code);
    Function &entry = result->functions[function.getName()];
    entry.numArguments = code->arg_size();
    if (auto checks = function->getAttrOfType<ArrayAttr>(kChecksAttrName))
      for (StringRef check : checks.getAsValueRange<StringAttr>())
        entry.checks.push_back(check.str());
  }

  SmallVector<char, 0> object;
  if (failed(generateCode(module, *host->module, *host->machine,
                          llvm::CodeGenFileType::ObjectFile, object)))
    return failure();
  auto error = [&](llvm::Error reason) {
    return module.emitError("cannot load the compiled code: ")
           << llvm::toString(std::move(reason));
  };
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().create();
  if (!jit)
    return error(jit.takeError());
  result->jit = std::move(*jit);
  if (parallelFor) {
    llvm::orc::ExecutorSymbolDef symbol(
        llvm::orc::ExecutorAddr::fromPtr(parallelFor),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
    if (llvm::Error reason =
            result->jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(
                {{result->jit->mangleAndIntern(kParallelForName), symbol}})))
      return error(std::move(reason));
  }
  if (llvm::Error reason = result->jit->addObjectFile(
          std::make_unique<llvm::SmallVectorMemoryBuffer>(
              std::move(object), /*RequiresNullTerminator=*/false)))
    return error(std::move(reason));
  for (auto &entry : result->functions) {
    llvm::Expected<llvm::orc::ExecutorAddr> address =
        result->jit->lookup((kPackedPrefix + entry.getKey()).str());
    if (!address)
      return error(address.takeError());
    entry.second.packed = address->toPtr<int (*)(const Slot *)>();
  }
  return result;
}

void *prec::HostJIT::lookup(StringRef name) const {
  if (!functions.contains(name))
    return nullptr;
  llvm::Expected<llvm::orc::ExecutorAddr> address = jit->lookup(name);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<void *>();
}

llvm::Expected<int> prec::HostJIT::call(StringRef name,
                                        ArrayRef<Slot> arguments) const {
  auto it = functions.find(name);
  if (it == functions.end())
    return llvm::createStringError("no function '" + name + "'");
  if (it->second.numArguments != arguments.size())
    return llvm::createStringError(
        "expected " + Twine(it->second.numArguments) + " arguments of '" +
        name + "' but got " + Twine(arguments.size()));
  return it->second.packed(arguments.data());
}

std::string prec::HostJIT::message(StringRef name, int status) const {
  auto it = functions.find(name);
  if (it != functions.end() && status > 0 &&
      static_cast<size_t>(status) <= it->second.checks.size())
    return it->second.checks[status - 1];
  return "status " + std::to_string(status);
}
