// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/PTX/PTXTarget.h"

#include "CacheHints.h"
#include "prec/Target/Common/LLVMModule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;

ArrayRef<prec::GPUTarget> prec::gpuTargets() {
  static constexpr GPUTarget targets[] = {
      {"sm_80", "ptx78", false},  {"sm_86", "ptx78", true},
      {"sm_89", "ptx78", true},   {"sm_90", "ptx78", false},
      {"sm_100", "ptx86", false}, {"sm_120", "ptx87", true}};
  return targets;
}

std::string prec::knownGPUTargets() {
  return "known are " + llvm::join(llvm::map_range(gpuTargets(),
                                                   [](const GPUTarget &target) {
                                                     return target.chip.str();
                                                   }),
                                   ", ");
}

FailureOr<prec::GPUTarget> prec::findGPUTarget(StringRef chip, Location loc) {
  for (const GPUTarget &target : gpuTargets())
    if (target.chip == chip)
      return target;
  return emitError(loc, "unknown GPU '") << chip << "'; " << knownGPUTargets();
}

namespace {
/// Optimised LLVM IR of a gpu.module, with the machine and context it needs.
struct GPUCode {
  static FailureOr<GPUCode> create(gpu::GPUModuleOp op,
                                   const prec::GPUTarget &target);

  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};
} // namespace

static std::unique_ptr<llvm::TargetMachine>
createMachine(const prec::GPUTarget &gpu) {
  // Only this one target: initialising all of them would double the start-up.
  static bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, gpu.chip, ("+" + gpu.ptxVersion).str(),
      prec::strictFloatOptions(), std::nullopt, std::nullopt,
      // Aggressive would number values twice more, which finds nothing that
      // optimize left.
      llvm::CodeGenOptLevel::Default));
}

FailureOr<GPUCode> GPUCode::create(gpu::GPUModuleOp op,
                                   const prec::GPUTarget &target) {
  GPUCode code;
  code.machine = createMachine(target);
  if (!code.machine)
    return op.emitError("this LLVM has no NVPTX code generator");
  code.context = std::make_unique<llvm::LLVMContext>();
  FailureOr<std::unique_ptr<llvm::Module>> module =
      prec::translateToLLVMIR(op, *code.context, *code.machine);
  if (failed(module))
    return failure();
  code.module = std::move(*module);
  // The backend divides, truncates, multiplies and subtracts: not the
  // remainder.
  for (const llvm::Function &function : *code.module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.getOpcode() == llvm::Instruction::FRem)
        return op.emitError(
            "a floating-point remainder is unsupported on a GPU");
  prec::optimize(*code.module, *code.machine, /*vectorize=*/false);
  prec::writeCacheHints(*code.module);
  return code;
}

/// Whether the dotted opcode `op` computes in a floating-point type and leaves
/// its rounding, and with it contraction, to the assembler.
static bool isContractible(StringRef op) {
  SmallVector<StringRef, 6> parts;
  op.split(parts, '.');
  bool arithmetic = llvm::StringSwitch<bool>(parts.front())
                        .Cases({"add", "sub", "mul", "mad", "fma"}, true)
                        .Cases({"div", "rcp", "sqrt"}, true)
                        .Default(false);
  if (!arithmetic || parts.size() < 2)
    return false;
  bool isFloat = llvm::any_of(ArrayRef(parts).drop_front(), [](StringRef part) {
    return part.starts_with("f16") || part.starts_with("bf16") ||
           part.starts_with("f32") || part == "f64";
  });
  // `approx` and `full` are what someone asked for by name; they do not
  // contract.
  bool isRounded = llvm::any_of(parts, [](StringRef part) {
    return part == "rn" || part == "rz" || part == "rm" || part == "rp" ||
           part == "rna" || part == "approx" || part == "full";
  });
  return isFloat && !isRounded;
}

StringRef prec::findContractible(StringRef ptx) {
  while (!ptx.empty()) {
    StringRef line;
    std::tie(line, ptx) = ptx.split('\n');
    line = line.trim();
    StringRef instruction = line;
    // A predicate stands before the opcode.
    if (instruction.starts_with("@"))
      instruction = instruction.split(' ').second.ltrim();
    if (isContractible(instruction.take_until(
            [](char c) { return c == ' ' || c == '\t'; })))
      return line;
  }
  return {};
}

FailureOr<std::string> prec::translateToPTX(gpu::GPUModuleOp module,
                                            const GPUTarget &target) {
  FailureOr<GPUCode> code = GPUCode::create(module, target);
  if (failed(code))
    return failure();
  SmallVector<char, 0> text;
  if (failed(generateCode(module, *code->module, *code->machine,
                          llvm::CodeGenFileType::AssemblyFile, text)))
    return failure();
  std::string ptx(text.begin(), text.end());
  StringRef contractible = findContractible(ptx);
  if (!contractible.empty())
    return module.emitError("expected a rounding on every floating-point "
                            "instruction but got '")
           << contractible << "'";
  return ptx;
}

FailureOr<std::string> prec::translateToGPUIR(gpu::GPUModuleOp module,
                                              const GPUTarget &target) {
  FailureOr<GPUCode> code = GPUCode::create(module, target);
  if (failed(code))
    return failure();
  std::string text;
  llvm::raw_string_ostream(text) << *code->module;
  return text;
}
