// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SizeClasses.h"

#include "prec/Analysis/KernelIndexing.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

AffineExpr SizeClasses::representative(AffineExpr size) {
  AffineExpr root = size;
  while (AffineExpr parent = parents.lookup(root))
    root = parent;
  // Later look-ups take one step.
  while (size != root) {
    AffineExpr next = parents.lookup(size);
    parents[size] = root;
    size = next;
  }
  return root;
}

SmallVector<AffineExpr> SizeClasses::shape(Value tensor) {
  SmallVector<AffineExpr> result = sizes.sizes(tensor);
  for (AffineExpr &size : result)
    size = representative(size);
  return result;
}

/// Smaller is the better representative.
unsigned SizeClasses::rank(AffineExpr size) const {
  if (isa<AffineConstantExpr>(size))
    return 0;
  auto symbol = dyn_cast<AffineSymbolExpr>(size);
  if (!symbol)
    return ~0u;
  const SizeSource &source = sizes.source(symbol);
  auto arg = dyn_cast<BlockArgument>(source.value);
  if (!arg || source.isIndex())
    return ~0u - 1;
  return 1 + arg.getArgNumber();
}

void SizeClasses::merge(AffineExpr a, AffineExpr b) {
  a = representative(a);
  b = representative(b);
  if (a == b)
    return;
  if (rank(b) < rank(a))
    std::swap(a, b);
  parents[b] = a;
}

std::string SizeClasses::describe(AffineExpr size) {
  if (auto constant = dyn_cast<AffineConstantExpr>(size))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(size)) {
    const SizeSource &source = sizes.source(symbol);
    auto arg = dyn_cast<BlockArgument>(source.value);
    if (arg && !source.isIndex()) {
      std::string text = "dimension " + std::to_string(source.dim) +
                         " of argument " + std::to_string(arg.getArgNumber());
      if (auto name = func.getArgAttrOfType<StringAttr>(arg.getArgNumber(),
                                                        "prec.name"))
        text += " (" + name.str() + ")";
      return text;
    }
  }
  return "a computed size";
}

Value SizeClasses::materialize(OpBuilder &builder, Location loc,
                               AffineExpr size) {
  SmallVector<Value> symbols;
  bool known = true;
  size.walk([&](AffineExpr expr) {
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol)
      return;
    SizeSource source = sizes.source(symbol);
    symbols.resize(std::max<size_t>(symbols.size(), symbol.getPosition() + 1));
    Value &value = symbols[symbol.getPosition()];
    if (value)
      return;
    if (source.isIndex())
      value = source.value;
    else if (isa<BlockArgument>(source.value))
      value = tensor::DimOp::create(builder, loc, source.value, source.dim);
    else
      known = false;
  });
  if (!known)
    return {};
  return affine::expandAffineExpr(builder, loc, size, {}, symbols);
}

LogicalResult SizeClasses::unify(Operation *op, AffineExpr size,
                                 AffineExpr other) {
  if (representative(size) == representative(other))
    return success();
  // Constants that differ are the verifier's business.
  if (isa<AffineConstantExpr>(representative(size)) &&
      isa<AffineConstantExpr>(representative(other)))
    return op->emitOpError("is unsupported in a kernel: its operands' sizes "
                           "can never agree");
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value lhs = materialize(builder, loc, size);
  Value rhs = materialize(builder, loc, other);
  if (!lhs || !rhs)
    return op->emitOpError("is unsupported in a kernel: a size is not known "
                           "before the function runs");
  if (rank(size) < rank(other))
    std::swap(size, other);
  Value equal =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, rhs);
  cf::AssertOp::create(builder, loc, equal,
                       describe(size) + " must equal " + describe(other));
  merge(size, other);
  return success();
}

LogicalResult SizeClasses::build() {
  Block &body = func.getBody().front();
  for (auto check : body.getOps<cf::AssertOp>()) {
    auto compare = check.getArg().getDefiningOp<arith::CmpIOp>();
    if (compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
        compare.getLhs().getType().isIndex())
      merge(sizes.index(compare.getLhs()), sizes.index(compare.getRhs()));
  }
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(&op)) {
      SmallVector<AffineExpr> extents(linalgOp.getNumLoops());
      for (OpOperand &operand : op.getOpOperands()) {
        if (!isa<RankedTensorType>(operand.get().getType()))
          continue;
        AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
        for (auto [i, expr] : llvm::enumerate(map.getResults())) {
          auto dim = dyn_cast<AffineDimExpr>(expr);
          if (!dim)
            continue;
          AffineExpr size = sizes.size(operand.get(), i);
          AffineExpr &extent = extents[dim.getPosition()];
          if (!extent)
            extent = size;
          else if (failed(unify(&op, size, extent)))
            return failure();
        }
      }
      continue;
    }
    if (auto concat = dyn_cast<tensor::ConcatOp>(&op)) {
      Value first = concat.getInputs().front();
      for (Value input : concat.getInputs().drop_front())
        for (int64_t i = 0; i < concat.getRank(); ++i)
          if (i != static_cast<int64_t>(concat.getDim()) &&
              failed(unify(&op, sizes.size(input, i), sizes.size(first, i))))
            return failure();
      continue;
    }
    if (!op.hasTrait<OpTrait::Elementwise>())
      continue;
    Value first;
    for (Value operand : op.getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type)
        continue;
      if (!first) {
        first = operand;
        continue;
      }
      for (int64_t i = 0; i < type.getRank(); ++i)
        if (failed(unify(&op, sizes.size(operand, i), sizes.size(first, i))))
          return failure();
    }
  }
  return success();
}
