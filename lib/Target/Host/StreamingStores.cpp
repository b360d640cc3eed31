// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Host/StreamingStores.h"

#include "prec/Conversion/ABI.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

/// A store of at least half a line.
static bool isLarge(const StoreInst &store) {
  auto *vector = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  return vector && vector->getPrimitiveSizeInBits() >= 256;
}

static bool isStreaming(const Instruction &instruction) {
  return isa<StoreInst>(instruction) &&
         instruction.hasMetadata(LLVMContext::MD_nontemporal);
}

/// `value` of another function, in terms of the arguments of the one that `b`
/// builds; null where it depends on more than arguments.
static Value *recompute(IRBuilder<> &b, Value *value, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 16;
  Function *function = b.GetInsertBlock()->getParent();
  if (isa<Constant>(value))
    return value;
  if (auto *argument = dyn_cast<Argument>(value))
    return function->getArg(argument->getArgNo());
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation || operation->isIntDivRem() || depth == kMaxDepth)
    return nullptr;
  Value *first = recompute(b, operation->getOperand(0), depth + 1);
  Value *second =
      first ? recompute(b, operation->getOperand(1), depth + 1) : nullptr;
  return second ? b.CreateBinOp(operation->getOpcode(), first, second)
                : nullptr;
}

/// Whether the results, of `bytes` each, are large and all pointers aligned.
static Value *emitTest(IRBuilder<> &b, Function &function,
                       ArrayRef<Value *> bytes) {
  Value *total = b.getInt64(0), *bits = b.getInt64(0);
  for (Value *value : bytes)
    total = b.CreateAdd(total, value);
  for (Argument &argument : function.args())
    if (argument.getType()->isPointerTy())
      bits = b.CreateOr(bits, b.CreatePtrToInt(&argument, b.getInt64Ty()));
  Value *unaligned =
      b.CreateAnd(bits, b.getInt64(prec::kStreamedAlignment - 1));
  return b.CreateAnd(
      b.CreateICmpUGE(total, b.getInt64(prec::kStreamedBytes)),
      b.CreateICmpEQ(unaligned, b.getInt64(0)));
}

static void stream(Function &function) {
  LLVMContext &context = function.getContext();
  auto *one = ConstantAsMetadata::get(
      ConstantInt::get(Type::getInt32Ty(context), 1));
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *store = dyn_cast<StoreInst>(&instruction);
          store && isLarge(*store))
        store->setMetadata(LLVMContext::MD_nontemporal,
                           MDNode::get(context, one));
  for (Argument &argument : function.args())
    if (argument.getType()->isPointerTy()) {
      // The smaller alignment that it had goes.
      argument.removeAttr(Attribute::Alignment);
      argument.addAttr(Attribute::getWithAlignment(
          context, Align(prec::kStreamedAlignment)));
    }
  // Inlined, it would know no more of its pointers than the caller does.
  function.addFnAttr(Attribute::NoInline);
  prec::fenceStreamingStores(function);
}

/// Two versions of `function`, whose results have `bytes`, which it computes;
/// it becomes the choice between them.
static void makeVersions(Function &function, ArrayRef<Value *> bytes) {
  auto clone = [&](StringRef suffix) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&function, map);
    copy->setName(function.getName() + suffix);
    copy->setLinkage(GlobalValue::InternalLinkage);
    return copy;
  };
  Function *plain = clone(".cached"), *streaming = clone(".streaming");
  // In front of the old body, which may then go.
  BasicBlock *old = &function.getEntryBlock();
  auto *choose =
      BasicBlock::Create(function.getContext(), "choose", &function, old);
  IRBuilder<> b(choose);
  SmallVector<Value *> recomputed;
  for (Value *value : bytes)
    recomputed.push_back(recompute(b, value));
  if (is_contained(recomputed, nullptr)) {
    choose->eraseFromParent();
    plain->eraseFromParent();
    streaming->eraseFromParent();
    return;
  }
  Value *test = emitTest(b, function, recomputed);
  auto *isPlain = BasicBlock::Create(function.getContext(), "cached", &function);
  auto *isStreamed =
      BasicBlock::Create(function.getContext(), "streaming", &function);
  b.CreateCondBr(test, isStreamed, isPlain);
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  for (auto [block, version] :
       {std::pair(isPlain, plain), std::pair(isStreamed, streaming)}) {
    b.SetInsertPoint(block);
    b.CreateRet(b.CreateCall(version, arguments));
  }
  SmallVector<BasicBlock *> body;
  for (BasicBlock &block : function)
    if (!is_contained({choose, isPlain, isStreamed}, &block))
      body.push_back(&block);
  DeleteDeadBlocks(body);
  stream(*streaming);
}

void prec::fenceStreamingStores(Function &function) {
  if (none_of(function, [](const BasicBlock &block) {
        return any_of(block, isStreaming);
      }))
    return;
  for (BasicBlock &block : function)
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()))
      IRBuilder<>(ret).CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
}

void prec::addStreamingVersions(Module &module, bool stream) {
  Function *mark = module.getFunction(kResultBytesName);
  if (!mark)
    return;
  MapVector<Function *, SmallVector<Value *>> bytes;
  for (User *user : mark->users())
    bytes[cast<CallInst>(user)->getFunction()].push_back(
        cast<CallInst>(user)->getArgOperand(0));
  // A second version of a large function costs more time to compile than it
  // saves.
  constexpr unsigned kMaxInstructions = 1 << 14;
  if (stream)
    for (auto &[function, values] : bytes)
      if (function->getInstructionCount() <= kMaxInstructions)
        makeVersions(*function, values);
  for (User *user : to_vector(mark->users()))
    cast<Instruction>(user)->eraseFromParent();
  mark->eraseFromParent();
}
