// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExactLoads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Pass.h"

using namespace llvm;

/// The mask of `load` if it is constant: an integer 0 or 1 for each element.
static std::optional<SmallVector<bool>> maskOf(const IntrinsicInst &load) {
  auto *mask = dyn_cast<Constant>(load.getArgOperand(1));
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  if (!mask || !type)
    return std::nullopt;
  SmallVector<bool> used;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto *bit = dyn_cast_or_null<ConstantInt>(mask->getAggregateElement(i));
    if (!bit)
      return std::nullopt;
    used.push_back(bit->isOne());
  }
  return used;
}

/// Loads of as many used elements at a time as their alignment allows.
static Value *loadUsed(IntrinsicInst &load, ArrayRef<bool> used) {
  auto *type = cast<FixedVectorType>(load.getType());
  Type *element = type->getElementType();
  const DataLayout &layout = load.getDataLayout();
  uint64_t bytes = layout.getTypeStoreSize(element);
  Align base = load.getParamAlign(0).valueOrOne();
  IRBuilder<> b(&load);
  Value *result = load.getArgOperand(2);
  for (unsigned i = 0; i < used.size();) {
    if (!used[i]) {
      ++i;
      continue;
    }
    Align align = commonAlignment(base, i * bytes);
    unsigned count = 1;
    while (i + 2 * count <= used.size() && align.value() >= 2 * count * bytes &&
           all_of(used.slice(i, 2 * count), [](bool bit) { return bit; }))
      count *= 2;
    Value *at = b.CreateConstInBoundsGEP1_64(element, load.getArgOperand(0), i);
    Type *part = count == 1 ? element : FixedVectorType::get(element, count);
    LoadInst *piece = b.CreateAlignedLoad(part, at, align);
    piece->copyMetadata(load);
    for (unsigned k = 0; k < count; ++k, ++i)
      result = b.CreateInsertElement(
          result, count == 1 ? piece : b.CreateExtractElement(piece, k), i);
  }
  return result;
}

namespace {
class ExactLoads : public FunctionPass {
public:
  static char ID;
  ExactLoads() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "Loads of what is used"; }

  bool runOnFunction(Function &function) override {
    bool changed = false;
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *load = dyn_cast<IntrinsicInst>(&instruction);
      if (!load || load->getIntrinsicID() != Intrinsic::masked_load)
        continue;
      std::optional<SmallVector<bool>> used = maskOf(*load);
      if (!used)
        continue;
      load->replaceAllUsesWith(loadUsed(*load, *used));
      load->eraseFromParent();
      changed = true;
    }
    return changed;
  }
};
char ExactLoads::ID = 0;
} // namespace

Pass *prec::createExactLoadsPass() { return new ExactLoads; }
