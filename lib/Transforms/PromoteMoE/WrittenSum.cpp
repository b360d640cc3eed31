// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Written.h"

#include "dialects/NN/NN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

unsigned WrittenSum::reduced() const {
  return llvm::find(loops, utils::IteratorType::reduction) - loops.begin();
}

/// A linalg operation that adds along one of its loops, from 0.
static std::optional<WrittenSum> matchLinalg(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 1 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  WrittenSum sum;
  sum.output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  sum.loops = op.getIteratorTypesArray();
  if (sum.output.getNumResults() + 1 != op.getNumLoops() ||
      !sum.output.isProjectedPermutation())
    return std::nullopt;
  std::optional<double> init =
      constantOf(Element::of(op.getDpsInitOperand(0)->get()));
  if (init != 0.0)
    return std::nullopt;
  sum.init = *init;
  Element total =
      Element::of(op.getBlock()->getTerminator()->getOperand(0), op);
  if (isHalf(total.type()))
    sum.rounding = total.value.getDefiningOp();
  // Of the accumulator, each time.
  total = peel(total, sum.roundings);
  auto add = total.value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  sum.roundings += isHalf(total.type());
  Value accumulator = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  auto isAccumulator = [&](Element element) {
    unsigned roundings = 0;
    return peel(element, roundings).value == accumulator && !roundings;
  };
  Element first{add.getLhs(), total.at}, second{add.getRhs(), total.at};
  if (!isAccumulator(first))
    std::swap(first, second);
  if (!isAccumulator(first))
    return std::nullopt;
  sum.summand = second;
  return sum;
}

std::optional<WrittenSum> WrittenSum::match(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return matchLinalg(linalgOp);
  auto precSum = dyn_cast<SumOp>(op);
  auto nnSum = dyn_cast<nn::SumOp>(op);
  if (!precSum && !nnSum)
    return std::nullopt;
  WrittenSum sum;
  sum.summand = Element::of(op->getOperand(0));
  if (precSum && !sum.summand.type().isF32())
    return std::nullopt;
  if (nnSum &&
      (nnSum.getKeepdim() || nnSum.getAccumulate() != nn::Accumulate::f32))
    return std::nullopt;
  int64_t dim = precSum ? precSum.getDimension() : nnSum.getDimension();
  int64_t rank = sum.summand.at.getNumDims();
  sum.loops.assign(rank, utils::IteratorType::parallel);
  sum.loops[dim] = utils::IteratorType::reduction;
  sum.output = sum.summand.at.dropResult(dim);
  if (isHalf(getElementTypeOrSelf(op->getResult(0).getType())))
    sum.rounding = op;
  return sum;
}

static RankedTensorType wideTerms(Operation *op) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  return type.clone(Float32Type::get(op->getContext()));
}

bool WrittenSum::canReplace(Operation *op, ArrayRef<Element> leaves,
                            BodyInputs inputs, bool keepOrder) const {
  if (keepOrder && isa<SumOp, nn::SumOp>(op))
    return canWriteTensor(wideTerms(op), leaves);
  return inputs.reserveAll(leaves) &&
         areSizesKnown(cast<RankedTensorType>(op->getResult(0).getType()),
                       output.getResults(), inputs);
}

bool WrittenSum::replace(Operation *op, const Expression &term,
                         ArrayRef<Element> leaves, BodyInputs inputs,
                         bool keepOrder) const {
  if (!canReplace(op, leaves, inputs, keepOrder))
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (keepOrder && isa<SumOp, nn::SumOp>(op)) {
    Value terms = writeTensor(builder, loc, wideTerms(op), term, leaves);
    Operation *before = op->getOperand(0).getDefiningOp();
    op->setOperand(0, terms);
    if (rounding) {
      Value result = op->getResult(0);
      auto narrow = cast<RankedTensorType>(result.getType());
      result.setType(narrow.clone(builder.getF32Type()));
      builder.setInsertionPointAfter(op);
      Value rounded = writeRounding(builder, loc, result, narrow, op);
      result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
    }
    if (before && isOpTriviallyDead(before))
      eraseWithProducers(before);
    return true;
  }
  inputs.reserveAll(leaves);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<OpFoldResult> sizes =
      sizesOf(builder, loc, type, output.getResults(), inputs);
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getF32Type());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(init));
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  SmallVector<AffineMap> maps = inputs.maps;
  maps.push_back(output);
  auto wide = linalg::GenericOp::create(
      builder, loc, start.getType(), inputs.tensors, start, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Value> values;
        for (Element leaf : leaves)
          values.push_back(inputs.write(b, loc, leaf, arguments));
        Value value = arith::AddFOp::create(b, loc, arguments.back(),
                                            write(b, loc, term, values));
        linalg::YieldOp::create(b, loc, value);
      });
  Value result = wide.getResult(0);
  if (rounding)
    result = writeRounding(builder, loc, result, type, rounding);
  op->getResult(0).replaceAllUsesWith(result);
  eraseWithProducers(op);
  return true;
}
