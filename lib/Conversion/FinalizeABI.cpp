// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"
#include "prec/Conversion/ABI.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace prec {
#define GEN_PASS_DEF_FINALIZEABIPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;

/// Whether nothing writes, frees or passes on the memory of `memory`.
static bool isOnlyRead(Value memory) {
  return llvm::all_of(memory.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      return llvm::all_of(view->getResults(), isOnlyRead);
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects)
      return false;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffectsOnValue(use.get(), instances);
    // An op that has no effect on the value may still hand it on.
    return !instances.empty() &&
           llvm::all_of(instances,
                        [](const MemoryEffects::EffectInstance &effect) {
                          return isa<MemoryEffects::Read>(effect.getEffect());
                        });
  });
}

namespace {
struct FinalizeABI : prec::impl::FinalizeABIPassBase<FinalizeABI> {
  using FinalizeABIPassBase::FinalizeABIPassBase;

  void runOnOperation() override;

private:
  /// Gives each argument of `function` the type that callers pass, and makes
  /// the old value from it at the start of the body.
  LogicalResult convertArguments(FunctionOpInterface function,
                                 const LLVMTypeConverter &converter);
  /// Turns the run-time checks of a host function into its status.
  void returnStatus(func::FuncOp function);
};
} // namespace

/// Makes the memory that `pointer` points to a value of type `type`.
static Value buildMemory(OpBuilder &builder, const LLVMTypeConverter &converter,
                         Value pointer, MemRefType type) {
  Location loc = pointer.getLoc();
  if (type.hasStaticShape()) {
    auto descriptor = MemRefDescriptor::fromStaticShape(builder, loc, converter,
                                                        type, pointer);
    return UnrealizedConversionCastOp::create(builder, loc, type,
                                              Value(descriptor))
        .getResult(0);
  }
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, pointer);
  descriptor.setAlignedPtr(builder, loc, pointer);
  descriptor.setConstantOffset(builder, loc, 0);
  descriptor.setConstantStride(builder, loc, 0, 1);
  return UnrealizedConversionCastOp::create(builder, loc, type,
                                            Value(descriptor))
      .getResult(0);
}

/// The type that callers pass for a scalar of `type`, or null if there is none.
static Type getScalarABIType(Type type) {
  Builder builder(type.getContext());
  if (type.isIndex())
    return builder.getI64Type();
  if (type.isInteger(1))
    return builder.getI8Type();
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (type.isF32() || type.isF64() || type.isInteger(8) || type.isInteger(16) ||
      type.isInteger(32) || type.isInteger(64))
    return type;
  return {};
}

/// Makes the scalar of type `type` from what the caller passed.
static Value buildScalar(OpBuilder &builder, Value passed, Type type) {
  Location loc = passed.getLoc();
  if (passed.getType() == type)
    return passed;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, passed);
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(builder, loc, type, passed);
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(passed.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, passed,
                               zero);
}

/// `prec.name` and its kin describe tensors; LLVM IR has no place for them.
static void dropOwnAttributes(FunctionOpInterface function, unsigned index) {
  for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(index)))
    if (attribute.getNameDialect() &&
        isa<prec::PrecDialect>(attribute.getNameDialect()))
      function.removeArgAttr(index, attribute.getName());
}

LogicalResult
FinalizeABI::convertArguments(FunctionOpInterface function,
                              const LLVMTypeConverter &converter) {
  Block &entry = function.getFunctionBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto pointerType = LLVM::LLVMPointerType::get(&getContext());
  SmallVector<Type> types;
  for (BlockArgument argument : entry.getArguments()) {
    unsigned index = argument.getArgNumber();
    Type type = argument.getType();
    auto memory = dyn_cast<MemRefType>(type);
    Type passedType = memory ? pointerType : getScalarABIType(type);
    bool isFlat =
        !memory || (memory.getRank() <= 1 && memory.getLayout().isIdentity());
    if (!passedType || !isFlat)
      return function.emitError("expected flat memory or a scalar as argument ")
             << index << " but got " << type;
    types.push_back(passedType);
    dropOwnAttributes(function, index);

    if (memory) {
      for (Operation *user : argument.getUsers())
        if (isa<memref::DimOp>(user) && !memory.hasStaticShape())
          return user->emitError("the memory of argument ")
                 << index << " has no size of its own";
      uint64_t elementBytes =
          llvm::divideCeil(memory.getElementTypeBitWidth(), 8);
      uint64_t alignment = pointerAlignment;
      if (auto own =
              function->getAttrOfType<IntegerAttr>(prec::kAlignmentAttrName))
        alignment = own.getInt();
      alignment = std::max(alignment, elementBytes);
      auto set = [&](StringRef name, Attribute value) {
        function.setArgAttr(index, name, value);
      };
      set(LLVM::LLVMDialect::getAlignAttrName(),
          builder.getI64IntegerAttr(alignment));
      set(LLVM::LLVMDialect::getNoUndefAttrName(), builder.getUnitAttr());
      bool isReadOnly = isOnlyRead(argument);
      // What is both would be read in PTX as what nothing writes while the
      // kernel runs. That results are noalias suffices to tell them apart.
      if (!isReadOnly || !function->hasAttr(prec::kDependentLaunchAttrName))
        set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
      if (isReadOnly)
        set(LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    }

    if (passedType == type)
      continue;
    // The ops that make the old value use the argument themselves.
    SmallVector<OpOperand *> uses(llvm::make_pointer_range(argument.getUses()));
    argument.setType(passedType);
    Value old = memory ? buildMemory(builder, converter, argument, memory)
                       : buildScalar(builder, argument, type);
    for (OpOperand *use : uses)
      use->set(old);
  }
  function.setType(builder.getFunctionType(types, function.getResultTypes()));
  return success();
}

void FinalizeABI::returnStatus(func::FuncOp function) {
  Location loc = function.getLoc();
  Region &body = function.getBody();
  SmallVector<cf::AssertOp> asserts;
  SmallVector<func::ReturnOp> returns;
  SmallVector<memref::DeallocOp> deallocs;
  function.walk([&](Operation *op) {
    if (auto check = dyn_cast<cf::AssertOp>(op))
      asserts.push_back(check);
    if (auto exit = dyn_cast<func::ReturnOp>(op))
      returns.push_back(exit);
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      deallocs.push_back(dealloc);
  });

  // What is allocated and not yet freed at each check.
  SmallVector<SmallVector<Value>> live;
  DominanceInfo dominance(function);
  for (cf::AssertOp check : asserts) {
    SmallVector<Value> &values = live.emplace_back();
    for (memref::DeallocOp dealloc : deallocs)
      if (dominance.properlyDominates(dealloc.getMemref(), check) &&
          !dominance.properlyDominates(dealloc, check))
        values.push_back(dealloc.getMemref());
  }

  OpBuilder builder(&getContext());
  Type statusType = builder.getI32Type();
  Block *exit = builder.createBlock(&body, body.end(), statusType, loc);
  func::ReturnOp::create(builder, loc, exit->getArgument(0));
  auto leave = [&](Location at, int64_t status) {
    Value value = arith::ConstantOp::create(builder, at,
                                            builder.getI32IntegerAttr(status));
    cf::BranchOp::create(builder, at, exit, value);
  };
  for (func::ReturnOp op : returns) {
    builder.setInsertionPoint(op);
    leave(op.getLoc(), 0);
    op.erase();
  }

  SmallVector<Attribute> messages;
  for (auto [check, allocated] : llvm::zip_equal(asserts, live)) {
    messages.push_back(check.getMsgAttr());
    Location at = check.getLoc();
    Block *before = check->getBlock();
    Block *after = before->splitBlock(check);
    Block *failed = builder.createBlock(exit);
    for (Value memory : allocated)
      memref::DeallocOp::create(builder, at, memory);
    leave(at, messages.size());
    builder.setInsertionPointToEnd(before);
    cf::CondBranchOp::create(builder, at, check.getArg(), after, ValueRange(),
                             failed, ValueRange());
    check.erase();
  }
  if (!messages.empty())
    function->setAttr(prec::kChecksAttrName, builder.getArrayAttr(messages));
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           TypeRange(statusType)));
}

void FinalizeABI::runOnOperation() {
  LowerToLLVMOptions options(&getContext());
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(&getContext(), options);
  for (Region &region : getOperation()->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>()) {
      if (!isa<func::FuncOp, gpu::GPUFuncOp>(function) || function.isExternal())
        continue;
      if (function.getNumResults() != 0) {
        function.emitError("expected results in memory arguments but got ")
            << function.getNumResults() << " returned values";
        return signalPassFailure();
      }
      if (failed(convertArguments(function, converter)))
        return signalPassFailure();
      if (auto host = dyn_cast<func::FuncOp>(*function))
        returnStatus(host);
    }
}
