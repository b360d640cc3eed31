// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/PTX/PTXTarget.h"

#include "CacheHints.h"
#include "ExactLoads.h"
#include "KernelParts.h"
#include "prec/Target/Common/LLVMModule.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
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

static std::unique_ptr<llvm::TargetMachine>
createMachine(const prec::GPUTarget &gpu) {
  // Only this one target: initialising all of them would double the start-up.
  static const bool initialized = [] {
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

static LogicalResult noCodeGenerator(gpu::GPUModuleOp module) {
  return module.emitError("this LLVM has no NVPTX code generator");
}

/// Optimised LLVM IR of a part of `module`.
static FailureOr<std::unique_ptr<llvm::Module>>
translatePart(gpu::GPUModuleOp module, prec::KernelPart &part,
              llvm::LLVMContext &context, llvm::TargetMachine &machine) {
  FailureOr<std::unique_ptr<llvm::Module>> code =
      prec::translateToLLVMIR(*part.module, context, machine);
  if (failed(code))
    return failure();
  // The backend divides, truncates, multiplies and subtracts: not the
  // remainder.
  for (const llvm::Function &function : **code)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.getOpcode() == llvm::Instruction::FRem)
        return module.emitError(
            "a floating-point remainder is unsupported on a GPU");
  if (part.hasLoops)
    prec::optimize(**code, machine, /*vectorize=*/false);
  else
    prec::simplify(**code, machine);
  prec::writeCacheHints(**code);
  return code;
}

/// Whether some memory is known to be aligned to more than an element of it:
/// without that no two accesses become one.
static bool knowsAlignment(const llvm::Module &module) {
  return !module.global_empty() ||
         llvm::any_of(module, [](const llvm::Function &function) {
           return llvm::any_of(function.args(), [](const llvm::Argument &arg) {
             return arg.getParamAlign().valueOrOne().value() > 4;
           });
         });
}

/// PTX of a part of `module`, into `text`.
static LogicalResult compilePart(gpu::GPUModuleOp module,
                                 prec::KernelPart &part,
                                 const prec::GPUTarget &target,
                                 llvm::SmallVectorImpl<char> &text) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noCodeGenerator(module);
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> code =
      translatePart(module, part, context, *machine);
  if (failed(code))
    return failure();
  static constexpr StringLiteral kVectorizer = "GPU Load and Store Vectorizer";
  SmallVector<StringRef, 2> leftOut;
  if (!part.hasLoops) {
    // It is superlinear in the addresses of a block, of which a kernel that
    // holds rows in registers has many, and finds nothing there that ptxas does
    // not.
    leftOut.push_back("Straight line strength reduction");
    if (!knowsAlignment(**code))
      leftOut.push_back(kVectorizer);
  }
  return prec::generateCode(
      module, **code, *machine, llvm::CodeGenFileType::AssemblyFile, text,
      leftOut, [](StringRef name) {
        return name == kVectorizer ? prec::createExactLoadsPass() : nullptr;
      });
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
  KernelParts parts(module);
  std::vector<SmallVector<char, 0>> texts(parts.get().size());
  if (failed(failableParallelForEachN(
          module.getContext(), 0, texts.size(), [&](size_t i) {
            return compilePart(module, parts.get()[i], target, texts[i]);
          })))
    return failure();
  std::string ptx;
  for (const SmallVector<char, 0> &text : texts) {
    // One head for all, which ends with the size of addresses.
    static constexpr StringLiteral kEnd = ".address_size 64\n";
    StringRef code(text.data(), text.size());
    ptx += ptx.empty() ? code : code.substr(code.find(kEnd) + kEnd.size());
  }
  StringRef contractible = findContractible(ptx);
  if (!contractible.empty())
    return module.emitError("expected a rounding on every floating-point "
                            "instruction but got '")
           << contractible << "'";
  return ptx;
}

FailureOr<std::string> prec::translateToGPUIR(gpu::GPUModuleOp module,
                                              const GPUTarget &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noCodeGenerator(module);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> whole;
  KernelParts parts(module);
  for (KernelPart &part : parts.get()) {
    FailureOr<std::unique_ptr<llvm::Module>> code =
        translatePart(module, part, context, *machine);
    if (failed(code))
      return failure();
    // Parts share no names: linking one to another cannot fail.
    if (!whole)
      whole = std::move(*code);
    else
      llvm::Linker::linkModules(*whole, std::move(*code));
  }
  std::string text;
  llvm::raw_string_ostream(text) << *whole;
  return text;
}
