// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/TensorSizes.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;

AffineExpr TensorSizes::symbol(SizeSource source) {
  auto [it, isNew] =
      positions.try_emplace({source.value, source.dim}, sources.size());
  if (isNew)
    sources.push_back(source);
  return getAffineSymbolExpr(it->second, context);
}

AffineExpr TensorSizes::index(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  Value v = cast<Value>(value);
  Operation *op = v.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op))
    if (std::optional<int64_t> position = dim.getConstantIndex())
      return size(dim.getSource(), *position);
  // A size that went through an integer type. Were it changed by that, the
  // operations that use both would not agree.
  if (auto toIndex = dyn_cast_or_null<arith::IndexCastOp>(op))
    if (auto fromIndex = toIndex.getIn().getDefiningOp<arith::IndexCastOp>())
      if (v.getType().isIndex() && fromIndex.getIn().getType().isIndex())
        return index(fromIndex.getIn());
  // Size arithmetic as importers write it: a few operations deep.
  if (auto add = dyn_cast_or_null<arith::AddIOp>(op))
    if (v.getType().isIndex())
      return index(add.getLhs()) + index(add.getRhs());
  if (auto mul = dyn_cast_or_null<arith::MulIOp>(op))
    if (v.getType().isIndex()) {
      AffineExpr lhs = index(mul.getLhs()), rhs = index(mul.getRhs());
      return lhs * rhs;
    }
  return symbol({v, -1}) * multipleOf({v, -1});
}

SmallVector<AffineExpr> TensorSizes::sizes(Value tensor) {
  SmallVector<AffineExpr> result;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t i = 0; i < rank; ++i)
    result.push_back(size(tensor, i));
  return result;
}

AffineExpr TensorSizes::size(Value tensor, unsigned dim) {
  // Follows chains of operations that keep the size with a loop, not by
  // recursion: chains are as long as programs.
  SmallVector<std::pair<Value, int64_t>> path;
  AffineExpr result;
  while (!result) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim)) {
      result = getAffineConstantExpr(type.getDimSize(dim), context);
      break;
    }
    if (AffineExpr seen = known.lookup({tensor, dim})) {
      result = seen;
      break;
    }
    path.push_back({tensor, dim});
    result = compute(tensor, dim);
  }
  for (auto &key : path)
    known[key] = result;
  return result;
}

/// The size of a dynamic dimension, or null after moving (tensor, dim) one
/// operation up.
AffineExpr TensorSizes::compute(Value &tensor, unsigned &dim) {
  Operation *op = tensor.getDefiningOp();
  if (!op) {
    SizeSource source{tensor, static_cast<int64_t>(dim)};
    return symbol(source) * multipleOf(source);
  }
  auto move = [&](Value to, unsigned toDim) {
    tensor = to;
    dim = toDim;
    return AffineExpr();
  };
  unsigned resultNumber = cast<OpResult>(tensor).getResultNumber();
  return TypeSwitch<Operation *, AffineExpr>(op)
      .Case<linalg::LinalgOp>([&](linalg::LinalgOp linalgOp) {
        return move(linalgOp.getDpsInits()[resultNumber], dim);
      })
      .Case<tensor::EmptyOp, tensor::ExtractSliceOp>([&](auto sized) {
        if constexpr (std::is_same_v<decltype(sized), tensor::EmptyOp>)
          return index(sized.getMixedSizes()[dim]);
        else {
          // Rank-reducing slices drop unit dimensions.
          llvm::SmallBitVector dropped = sized.getDroppedDims();
          unsigned left = dim;
          for (unsigned i = 0;; ++i)
            if (!dropped.test(i) && left-- == 0)
              return index(sized.getMixedSizes()[i]);
        }
      })
      .Case<tensor::SplatOp, tensor::GenerateOp>([&](Operation *dynamic) {
        auto type = cast<RankedTensorType>(dynamic->getResult(0).getType());
        unsigned position = type.getDynamicDimIndex(dim);
        unsigned first = isa<tensor::SplatOp>(dynamic) ? 1 : 0;
        return index(dynamic->getOperand(first + position));
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return index(expand.getMixedOutputShape()[dim]);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        AffineExpr product = getAffineConstantExpr(1, context);
        ReassociationIndices group = collapse.getReassociationIndices()[dim];
        for (int64_t i : group)
          product = product * size(collapse.getSrc(), i);
        return product;
      })
      .Case([&](tensor::ConcatOp concat) {
        if (dim != concat.getDim())
          return move(concat.getInputs().front(), dim);
        AffineExpr sum = getAffineConstantExpr(0, context);
        for (Value input : concat.getInputs())
          sum = sum + size(input, dim);
        return sum;
      })
      .Case([&](tensor::PadOp pad) {
        return size(pad.getSource(), dim) + index(pad.getMixedLowPad()[dim]) +
               index(pad.getMixedHighPad()[dim]);
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return move(insert.getDest(), dim);
      })
      .Case([&](SumOp sum) {
        return move(sum.getInput(), dim + (dim >= sum.getDimension() ? 1 : 0));
      })
      .Case([&](KernelOp kernel) {
        // The body's sizes, in terms of the operands.
        Block &body = kernel.getBody().front();
        Value yielded = body.getTerminator()->getOperand(resultNumber);
        AffineExpr inner = size(yielded, dim);
        return inner.replaceSymbols([&] {
          SmallVector<AffineExpr> outer;
          for (unsigned i = 0, e = sources.size(); i < e; ++i) {
            SizeSource source = sources[i];
            auto arg = dyn_cast<BlockArgument>(source.value);
            if (!arg || arg.getOwner() != &body) {
              outer.push_back(getAffineSymbolExpr(i, context));
              continue;
            }
            Value operand = kernel.getInputs()[arg.getArgNumber()];
            outer.push_back(source.isIndex() ? index(operand)
                                             : size(operand, source.dim));
          }
          return outer;
        }());
      })
      .Default([&](Operation *other) -> AffineExpr {
        // Elementwise operations, casts, materialize, observe: a tensor operand
        // of the same rank has the same sizes.
        auto type = cast<RankedTensorType>(tensor.getType());
        for (Value operand : other->getOperands())
          if (auto operandType = dyn_cast<RankedTensorType>(operand.getType()))
            if (operandType.getRank() == type.getRank())
              return move(operand, dim);
        return symbol({tensor, static_cast<int64_t>(dim)});
      });
}
