// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Host/HostTarget.h"

#include "prec/Target/Common/LLVMModule.h"
#include "prec/Target/Host/ParallelLoops.h"
#include "prec/Target/Host/StreamingStores.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;

/// These extensions convert to bf16, or compute in it, with subnormal numbers
/// taken as zero.
static constexpr llvm::StringLiteral kFlushingFeatures[] = {
    "avx512bf16", "avxneconvert", "avx10.2"};

static std::string hostFeatures(StringRef cpu, const llvm::Triple &triple) {
  llvm::SubtargetFeatures features;
  if (cpu == prec::kNativeCPU)
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  if (triple.isX86())
    for (StringRef feature : kFlushingFeatures)
      features.AddFeature(feature, /*Enable=*/false);
  return features.getString();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
prec::createHostMachine(StringRef cpu) {
  static bool initialized = [] {
    return !llvm::InitializeNativeTarget() &&
           !llvm::InitializeNativeTargetAsmPrinter();
  }();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target =
      initialized ? llvm::TargetRegistry::lookupTarget(triple, error) : nullptr;
  if (!target)
    return llvm::createStringError("no code generator for this machine, '" +
                                   triple.str() + "'");

  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, "", ""));
  if (cpu != kNativeCPU && !subtarget->isCPUStringValid(cpu))
    return llvm::createStringError("unknown processor '" + cpu + "'");
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu == kNativeCPU ? llvm::sys::getHostCPUName() : cpu,
      hostFeatures(cpu, triple), strictFloatOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

std::optional<std::string>
prec::missingFeature(const llvm::TargetMachine &machine) {
  // The first in the alphabet: it does not depend on the table's order.
  std::optional<std::string> first;
  for (const auto &[feature, isHere] : llvm::sys::getHostCPUFeatures())
    if (!isHere && (!first || feature < *first) &&
        machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str()))
      first = feature.str();
  return first;
}

unsigned prec::getVectorBits(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo *subtarget = machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86())
    return 128;
  if (subtarget->checkFeatures("+avx512f"))
    return 512;
  return subtarget->checkFeatures("+avx2") ? 256 : 128;
}

bool prec::convertsF16(const llvm::TargetMachine &machine) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures("+f16c");
}

bool prec::hasVNNI(const llvm::TargetMachine &machine) {
  // All of them have the last, too, which prec-round-by-arithmetic needs.
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures(
             "+avx512vnni,+avx512vl,+avx512dq");
}

/// The kernels chose their vector width for this processor. Without the two
/// width attributes LLVM halves 512-bit vectors on processors whose tuning
/// prefers 256.
static void setFunctionAttributes(llvm::Module &module,
                                  const llvm::TargetMachine &machine) {
  bool wide = prec::getVectorBits(machine) == 512;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (wide) {
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("min-legal-vector-width", "512");
    }
  }
}

FailureOr<prec::HostModule> prec::HostModule::create(ModuleOp op, StringRef cpu,
                                                     bool defineParallelFor) {
  HostModule result;
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createHostMachine(cpu);
  if (!machine)
    return op.emitError(llvm::toString(machine.takeError()));
  result.machine = std::move(*machine);
  result.context = std::make_unique<llvm::LLVMContext>();
  FailureOr<std::unique_ptr<llvm::Module>> module =
      translateToLLVMIR(op, *result.context, *result.machine);
  if (failed(module))
    return failure();
  result.module = std::move(*module);
  // Before loops become functions, which are then of one version too.
  addStreamingVersions(*result.module,
                       result.machine->getTargetTriple().isX86());
  outlineParallelLoops(*result.module, defineParallelFor);
  setFunctionAttributes(*result.module, *result.machine);
  optimize(*result.module, *result.machine, /*vectorize=*/true);
  return result;
}

FailureOr<std::string> prec::translateToObject(ModuleOp module, StringRef cpu) {
  FailureOr<HostModule> host = HostModule::create(module, cpu);
  if (failed(host))
    return failure();
  SmallVector<char, 0> bytes;
  if (failed(generateCode(module, *host->module, *host->machine,
                          llvm::CodeGenFileType::ObjectFile, bytes)))
    return failure();
  return std::string(bytes.begin(), bytes.end());
}

FailureOr<std::string> prec::translateToHostIR(ModuleOp module, StringRef cpu) {
  FailureOr<HostModule> host = HostModule::create(module, cpu);
  if (failed(host))
    return failure();
  std::string text;
  llvm::raw_string_ostream(text) << *host->module;
  return text;
}
