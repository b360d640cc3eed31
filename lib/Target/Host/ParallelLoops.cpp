// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Host/ParallelLoops.h"

#include "prec/Conversion/ABI.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
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

/// The loop whose variable starts at `begin`.
static Loop *loopFrom(CallInst *begin, LoopInfo &loops) {
  for (User *user : begin->users())
    if (auto *phi = dyn_cast<PHINode>(user))
      if (Loop *loop = loops.getLoopFor(phi->getParent());
          loop && loop->getHeader() == phi->getParent())
        return loop;
  return nullptr;
}

/// Replaces the call of an outlined loop by one of prec_parallel_for, with what
/// the loop uses in a struct. `begin` and `end` are arguments of the call.
static void callInParallel(CallInst *call, CallInst *begin, CallInst *end) {
  Function *loop = call->getCalledFunction();
  Module &module = *loop->getParent();
  LLVMContext &context = module.getContext();
  SmallVector<Type *> fields;
  for (Value *argument : call->args())
    fields.push_back(argument->getType());
  auto *type = StructType::get(context, fields);

  auto *body = Function::Create(bodyType(context), GlobalValue::InternalLinkage,
                                loop->getName() + ".range", module);
  IRBuilder<> b(BasicBlock::Create(context, "entry", body));
  SmallVector<Value *> arguments;
  for (auto [i, argument] : enumerate(call->args()))
    if (argument == begin || argument == end)
      arguments.push_back(body->getArg(argument == begin ? 1 : 2));
    else
      arguments.push_back(
          b.CreateLoad(fields[i], b.CreateStructGEP(type, body->getArg(0), i)));
  b.CreateCall(loop, arguments);
  b.CreateRetVoid();
  loop->addFnAttr(Attribute::AlwaysInline);
  loop->removeFnAttr(Attribute::NoInline);
  // Inlining keeps what the caller knows of its pointers.
  for (auto [i, argument] : enumerate(call->args()))
    if (auto *pointer = dyn_cast<Argument>(argument);
        pointer && pointer->hasNoAliasAttr())
      loop->addParamAttr(i, Attribute::NoAlias);

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

/// Outlines the loop from `begin`; false where it has to stay: it has results,
/// or memory of this call only.
static bool outline(CallInst *begin) {
  Function &function = *begin->getFunction();
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  Loop *loop = loopFrom(begin, loops);
  if (!loop)
    return false;
  auto end = find_if(begin->users(), [](User *user) {
    auto *call = dyn_cast<CallInst>(user);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == prec::kParallelEndName;
  });
  if (end == begin->user_end())
    return false;
  auto *last = cast<CallInst>(*end);
  CodeExtractor extractor(loop->getBlocksVector(), &dominators,
                          /*AggregateArgs=*/false);
  if (!extractor.isEligible())
    return false;
  CodeExtractorAnalysisCache cache(function);
  Function *outlined = extractor.extractCodeRegion(cache);
  if (!outlined || !outlined->hasOneUse())
    return false;
  callInParallel(cast<CallInst>(outlined->user_back()), begin, last);
  return true;
}

void prec::outlineParallelLoops(Module &module, bool define) {
  Function *marks[] = {module.getFunction(kParallelBeginName),
                       module.getFunction(kParallelEndName)};
  if (!marks[0] || !marks[1])
    return;
  for (User *user : to_vector(marks[0]->users()))
    outline(cast<CallInst>(user));
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
