// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Host/ParallelLoops.h"

#include "prec/Conversion/ABI.h"
#include "prec/Target/Host/StreamingStores.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

/// void(ptr data, i64 begin, i64 end)
static FunctionType *bodyType(LLVMContext &context) {
  IRBuilder<> b(context);
  return FunctionType::get(b.getVoidTy(),
                           {b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty()},
                           /*isVarArg=*/false);
}

static FunctionCallee getParallelFor(Module &module) {
  IRBuilder<> b(module.getContext());
  return module.getOrInsertFunction(prec::kParallelForName, b.getVoidTy(),
                                    b.getPtrTy(), b.getPtrTy(), b.getInt64Ty());
}

/// The definition that runs everything at once.
static void defineSerial(Module &module) {
  auto *function = cast<Function>(getParallelFor(module).getCallee());
  function->setLinkage(GlobalValue::WeakAnyLinkage);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "entry", function));
  b.CreateCall(bodyType(module.getContext()), function->getArg(0),
               {function->getArg(1), b.getInt64(0), function->getArg(2)});
  b.CreateRetVoid();
}

/// The call of the function `name` that takes `begin`.
static CallInst *callWith(CallInst *begin, StringRef name) {
  for (User *user : begin->users())
    if (auto *call = dyn_cast<CallInst>(user);
        call && call->getCalledFunction() &&
        call->getCalledFunction()->getName() == name)
      return call;
  return nullptr;
}

/// The blocks of what stands between `end` and `done`, which become blocks of
/// their own; the first one is first.
static SmallVector<BasicBlock *> blocksBetween(CallInst *end, CallInst *done) {
  BasicBlock *first =
      SplitBlock(end->getParent(), std::next(end->getIterator()));
  // It gives the function its name.
  first->setName("parallel");
  BasicBlock *last = SplitBlock(done->getParent(), done->getIterator());
  SetVector<BasicBlock *> blocks;
  blocks.insert(first);
  for (size_t i = 0; i < blocks.size(); ++i)
    for (BasicBlock *next : successors(blocks[i]))
      if (next != last)
        blocks.insert(next);
  return blocks.takeVector();
}

/// `load` loads `value`: it is aligned as that is known to be.
static void keepAlignment(LoadInst *load, Value *value) {
  auto *pointer = dyn_cast<Argument>(value);
  MaybeAlign alignment = pointer && pointer->getType()->isPointerTy()
                             ? pointer->getParamAlign()
                             : std::nullopt;
  if (!alignment)
    return;
  LLVMContext &context = load->getContext();
  auto *bytes = ConstantAsMetadata::get(
      ConstantInt::get(Type::getInt64Ty(context), alignment->value()));
  load->setMetadata(LLVMContext::MD_align, MDNode::get(context, bytes));
}

/// Replaces the call of an outlined range by one of prec_parallel_for, with
/// what the range uses in a struct. `begin` and `end` are arguments of the
/// call.
static void callInParallel(CallInst *call, CallInst *begin, CallInst *end) {
  Function *range = call->getCalledFunction();
  Module &module = *range->getParent();
  LLVMContext &context = module.getContext();
  SmallVector<Type *> fields;
  for (Value *argument : call->args())
    fields.push_back(argument->getType());
  auto *type = StructType::get(context, fields);

  auto *body = Function::Create(bodyType(context), GlobalValue::InternalLinkage,
                                range->getName() + ".range", module);
  IRBuilder<> b(BasicBlock::Create(context, "entry", body));
  SmallVector<Value *> arguments;
  for (auto [i, argument] : enumerate(call->args()))
    if (argument == begin || argument == end)
      arguments.push_back(body->getArg(argument == begin ? 1 : 2));
    else {
      LoadInst *load =
          b.CreateLoad(fields[i], b.CreateStructGEP(type, body->getArg(0), i));
      keepAlignment(load, argument);
      arguments.push_back(load);
    }
  b.CreateCall(range, arguments);
  b.CreateRetVoid();
  prec::fenceStreamingStores(*range);
  range->addFnAttr(Attribute::AlwaysInline);
  range->removeFnAttr(Attribute::NoInline);
  // Inlining keeps what the caller knows of its pointers.
  for (auto [i, argument] : enumerate(call->args()))
    if (auto *pointer = dyn_cast<Argument>(argument);
        pointer && pointer->hasNoAliasAttr())
      range->addParamAttr(i, Attribute::NoAlias);

  Function *caller = call->getFunction();
  b.SetInsertPoint(&*caller->getEntryBlock().getFirstInsertionPt());
  Value *data = b.CreateAlloca(type);
  b.SetInsertPoint(call);
  for (auto [i, argument] : enumerate(call->args()))
    if (argument != begin && argument != end)
      b.CreateStore(argument, b.CreateStructGEP(type, data, i));
  b.CreateCall(getParallelFor(module), {body, data, begin->getArgOperand(0)});
  call->eraseFromParent();
}

/// Parts of descriptors of memory become the pointers that they are, so that
/// ranges take those and what is known of them.
static void takeDescriptorsApart(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *part = dyn_cast<ExtractValueInst>(&instruction))
      if (Value *value = FindInsertedValue(part->getAggregateOperand(),
                                           part->getIndices())) {
        part->replaceAllUsesWith(value);
        part->eraseFromParent();
      }
}

/// Outlines the range from `begin`. It stays where it has results, or memory of
/// this call only.
static void outline(CallInst *begin) {
  CallInst *end = callWith(begin, prec::kParallelEndName);
  CallInst *done = callWith(begin, prec::kParallelDoneName);
  if (!end || !done)
    return;
  SmallVector<BasicBlock *> blocks = blocksBetween(end, done);
  Function &function = *begin->getFunction();
  DominatorTree dominators(function);
  CodeExtractor extractor(blocks, &dominators, /*AggregateArgs=*/false);
  SetVector<Value *> inputs, outputs;
  if (!extractor.isEligible())
    return;
  extractor.findInputsOutputs(inputs, outputs, /*Allocas=*/{});
  if (!outputs.empty())
    return;
  CodeExtractorAnalysisCache cache(function);
  if (Function *outlined = extractor.extractCodeRegion(cache))
    callInParallel(cast<CallInst>(outlined->user_back()), begin, end);
}

void prec::outlineParallelLoops(Module &module, bool define) {
  Function *marks[] = {module.getFunction(kParallelBeginName),
                       module.getFunction(kParallelEndName),
                       module.getFunction(kParallelDoneName)};
  if (is_contained(marks, nullptr))
    return;
  for (Function &function : module)
    takeDescriptorsApart(function);
  for (User *user : to_vector(marks[0]->users()))
    outline(cast<CallInst>(user));
  for (User *user : to_vector(marks[2]->users()))
    cast<Instruction>(user)->eraseFromParent();
  // What stayed runs all iterations.
  for (User *user : to_vector(marks[1]->users())) {
    user->replaceAllUsesWith(cast<CallInst>(user)->getArgOperand(1));
    cast<Instruction>(user)->eraseFromParent();
  }
  for (User *user : to_vector(marks[0]->users())) {
    user->replaceAllUsesWith(ConstantInt::get(user->getType(), 0));
    cast<Instruction>(user)->eraseFromParent();
  }
  for (Function *mark : marks)
    mark->eraseFromParent();
  if (define)
    defineSerial(module);
}
