// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheHints.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {
/// An access as PTX has it: registers of one width.
struct Registers {
  unsigned count, bits;
};
} // namespace

/// Nothing where no one instruction does it.
static std::optional<Registers> registersOf(Type *type, Align alignment,
                                            const DataLayout &layout) {
  TypeSize size = layout.getTypeStoreSize(type);
  if (size.isScalable() || alignment.value() < size.getFixedValue() ||
      layout.getTypeSizeInBits(type) != 8 * size)
    return std::nullopt;
  switch (size.getFixedValue()) {
  case 2:
    return Registers{1, 16};
  case 4:
    return Registers{1, 32};
  case 8:
    return Registers{2, 32};
  case 16:
    return Registers{4, 32};
  default:
    return std::nullopt;
  }
}

/// `{$1, $2}`: `count` registers from `first` on.
static std::string listOf(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return count == 1 ? text : "{" + text + "}";
}

static std::string suffixOf(Registers registers) {
  std::string count =
      registers.count == 1 ? "" : ".v" + std::to_string(registers.count);
  return ".global.cs" + count + ".b" + std::to_string(registers.bits);
}

/// `constraint` as often as there are registers.
static std::string constraintsOf(Registers registers, StringRef prefix) {
  std::string text;
  for (unsigned i = 0; i < registers.count; ++i)
    text += (i ? "," : "") + prefix.str() + (registers.bits == 16 ? "h" : "r");
  return text;
}

static Value *globalPointer(IRBuilder<> &b, Value *pointer) {
  return b.CreateAddrSpaceCast(pointer,
                               b.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL));
}

static void writeLoad(LoadInst *load, Registers registers) {
  IRBuilder<> b(load);
  Type *element = b.getIntNTy(registers.bits);
  SmallVector<Type *> elements(registers.count, element);
  Type *result = registers.count == 1
                     ? element
                     : StructType::get(b.getContext(), elements);
  Value *pointer = globalPointer(b, load->getPointerOperand());
  // With side effects, so that none passes a barrier.
  auto *code = InlineAsm::get(
      FunctionType::get(result, {pointer->getType()}, false),
      "ld" + suffixOf(registers) + " " + listOf(0, registers.count) + ", [$" +
          std::to_string(registers.count) + "];",
      constraintsOf(registers, "=") + ",l", /*hasSideEffects=*/true);
  Value *loaded = b.CreateCall(code, {pointer});
  if (registers.count > 1) {
    Value *vector =
        PoisonValue::get(FixedVectorType::get(element, registers.count));
    for (unsigned i = 0; i < registers.count; ++i)
      vector =
          b.CreateInsertElement(vector, b.CreateExtractValue(loaded, i), i);
    loaded = vector;
  }
  load->replaceAllUsesWith(b.CreateBitCast(loaded, load->getType()));
  load->eraseFromParent();
}

static void writeStore(StoreInst *store, Registers registers) {
  IRBuilder<> b(store);
  Type *element = b.getIntNTy(registers.bits);
  Value *pointer = globalPointer(b, store->getPointerOperand());
  SmallVector<Value *> operands{pointer};
  if (registers.count == 1) {
    operands.push_back(b.CreateBitCast(store->getValueOperand(), element));
  } else {
    Value *vector =
        b.CreateBitCast(store->getValueOperand(),
                        FixedVectorType::get(element, registers.count));
    for (unsigned i = 0; i < registers.count; ++i)
      operands.push_back(b.CreateExtractElement(vector, i));
  }
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *code = InlineAsm::get(
      FunctionType::get(b.getVoidTy(), types, false),
      "st" + suffixOf(registers) + " [$0], " + listOf(1, registers.count) + ";",
      "l," + constraintsOf(registers, ""), /*hasSideEffects=*/true);
  b.CreateCall(code, operands);
  store->eraseFromParent();
}

void prec::writeCacheHints(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  auto isGlobal = [](unsigned space) {
    return space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
           space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
  };
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      if (!instruction.hasMetadata(LLVMContext::MD_nontemporal))
        continue;
      if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        auto registers = registersOf(load->getType(), load->getAlign(), layout);
        if (registers && isGlobal(load->getPointerAddressSpace()))
          writeLoad(load, *registers);
      } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        auto registers = registersOf(store->getValueOperand()->getType(),
                                     store->getAlign(), layout);
        if (registers && isGlobal(store->getPointerAddressSpace()))
          writeStore(store, *registers);
      }
    }
}
