// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatFunction.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

FlatFunction::FlatFunction(func::FuncOp func)
    : func(func), body(func.getBody().front()), sizes(func.getContext()),
      numOldArguments(body.getNumArguments()) {}

bool FlatFunction::hasKernels(func::FuncOp func) {
  return !func.isDeclaration() && !func.getOps<KernelOp>().empty();
}

static MemRefType flatMemory(Type tensor) {
  return MemRefType::get({ShapedType::kDynamic},
                         cast<RankedTensorType>(tensor).getElementType());
}

LogicalResult FlatFunction::check() {
  for (Operation &op : body.without_terminator()) {
    if (isa<KernelOp, tensor::DimOp>(op))
      continue;
    for (Value result : op.getResults())
      if (isa<TensorType>(result.getType()))
        return op.emitOpError("is outside a kernel: expected only kernels to "
                              "make tensors");
  }
  for (auto dim : body.getOps<tensor::DimOp>())
    if (!isa<BlockArgument>(dim.getSource()) || !dim.getConstantIndex())
      return dim.emitOpError("expected a dimension of an argument");
  for (Value value : body.getTerminator()->getOperands())
    if (!value.getDefiningOp<KernelOp>())
      return func.emitOpError("expected kernels to make all results");
  return success();
}

Value FlatFunction::sizeValue(OpBuilder &builder, AffineExpr size) {
  SmallVector<Value> symbols;
  size.walk([&](AffineExpr expr) {
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol)
      return;
    const SizeSource &source = sizes.source(symbol);
    symbols.resize(std::max<size_t>(symbols.size(), symbol.getPosition() + 1));
    symbols[symbol.getPosition()] =
        source.isIndex() ? source.value
                         : sizeArguments.lookup({source.value, source.dim});
  });
  return affine::expandAffineExpr(builder, func.getLoc(), size, {}, symbols);
}

void FlatFunction::addArguments() {
  MLIRContext *context = func.getContext();
  SmallVector<BlockArgument> old(body.getArguments());
  for (BlockArgument argument : old) {
    if (!isa<RankedTensorType>(argument.getType())) {
      argument.replaceAllUsesWith(
          body.addArgument(argument.getType(), argument.getLoc()));
      continue;
    }
    memory[argument] =
        body.addArgument(flatMemory(argument.getType()), argument.getLoc());
  }
  for (OpOperand &result : body.getTerminator()->getOpOperands()) {
    Type type = result.get().getType();
    returned[result.get()] = body.addArgument(flatMemory(type), func.getLoc());
  }
  auto addSize = [&](BlockArgument argument, int64_t dim) {
    sizeArguments[{argument, dim}] =
        body.addArgument(IndexType::get(context), argument.getLoc());
  };
  for (BlockArgument argument : old)
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          addSize(argument, dim);

  for (auto dim : llvm::make_early_inc_range(body.getOps<tensor::DimOp>())) {
    OpBuilder builder(dim);
    dim.replaceAllUsesWith(sizeValue(
        builder, sizes.size(dim.getSource(), *dim.getConstantIndex())));
    dim.erase();
  }
  SmallVector<Type> types(
      llvm::drop_begin(body.getArgumentTypes(), numOldArguments));
  // Names and the like describe tensors; who needs them reads them before.
  func.setFunctionType(FunctionType::get(context, types, {}));
  func.removeArgAttrsAttr();
  func.removeResAttrsAttr();
}

/// Memory for a kernel's results.
void FlatFunction::provideResults(KernelOp kernel, OpBuilder &builder) {
  for (Value result : kernel.getResults()) {
    if (Value output = returned.lookup(result)) {
      memory[result] = output;
      continue;
    }
    AffineExpr count = getAffineConstantExpr(1, func.getContext());
    for (AffineExpr size : sizes.sizes(result))
      count = count * size;
    Value length = sizeValue(builder, count);
    memory[result] = memref::AllocOp::create(
        builder, kernel.getLoc(), flatMemory(result.getType()),
        ValueRange(length), builder.getI64IntegerAttr(64));
    temporaries.push_back(memory[result]);
  }
}

void FlatFunction::finish() {
  Operation *terminator = body.getTerminator();
  OpBuilder builder(terminator);
  for (Value temporary : temporaries)
    memref::DeallocOp::create(builder, func.getLoc(), temporary);
  func::ReturnOp::create(builder, terminator->getLoc());
  terminator->erase();
  // Users first.
  SmallVector<KernelOp> kernels(body.getOps<KernelOp>());
  for (KernelOp kernel : llvm::reverse(kernels))
    kernel.erase();
  body.eraseArguments(0, numOldArguments);
}

LogicalResult FlatFunction::run(
    llvm::function_ref<LogicalResult(KernelOp, OpBuilder &)> lower) {
  if (failed(check()))
    return failure();
  addArguments();
  for (auto kernel : llvm::make_early_inc_range(body.getOps<KernelOp>())) {
    OpBuilder builder(kernel);
    provideResults(kernel, builder);
    if (failed(lower(kernel, builder)))
      return failure();
  }
  finish();
  return success();
}
