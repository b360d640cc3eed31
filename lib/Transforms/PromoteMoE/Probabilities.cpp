// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Probabilities.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

Element prec::beforeRounding(Element element, bool &rounded) {
  Element source = element;
  rounded = false;
  SmallVector<Element> elements =
      history(element, {/*slices=*/true, /*roundings=*/true});
  for (size_t i = 1; i < elements.size(); ++i) {
    if (!isHalf(elements[i - 1].type()) || !elements[i].type().isF32())
      continue;
    source = elements[i];
    rounded = true;
  }
  return origin(source);
}

/// A tensor of the sizes of `like` and of `element`.
static Value emptyLike(OpBuilder &builder, Value like, Type element) {
  Location loc = like.getLoc();
  return tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, like), element);
}

/// What `tensor` was rounded from, if that is a tensor.
static std::optional<Element> findWide(Value tensor) {
  bool rounded;
  Element source = beforeRounding(Element::of(tensor), rounded);
  return rounded && source.isTensor() ? std::optional(source) : std::nullopt;
}

Type prec::typeBeforeRounding(Value tensor) {
  std::optional<Element> wide = findWide(tensor);
  return wide ? wide->type() : getElementTypeOrSelf(tensor.getType());
}

Value prec::beforeRounding(OpBuilder &builder, Value tensor) {
  std::optional<Element> wide = findWide(tensor);
  if (!wide)
    return tensor;
  Element source = *wide;
  if (source.at.isIdentity())
    return source.value;
  unsigned rank = source.at.getNumDims();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value init = emptyLike(builder, tensor, builder.getF32Type());
  return linalg::GenericOp::create(
             builder, tensor.getLoc(), init.getType(), source.value, init,
             ArrayRef{source.at, builder.getMultiDimIdentityMap(rank)}, loops,
             [](OpBuilder &b, Location loc, ValueRange elements) {
               linalg::YieldOp::create(b, loc, elements[0]);
             })
      .getResult(0);
}

/// rows[index] for each of the indices, 0 for one that is not that of a row.
static Value gather(OpBuilder &builder, Value rows, Value indices) {
  Location loc = rows.getLoc();
  Type element = getElementTypeOrSelf(rows.getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  auto one = RankedTensorType::get({1}, element);
  Value none = tensor::SplatOp::create(builder, loc, zero, one);
  Value padded =
      tensor::ConcatOp::create(builder, loc, 0, ValueRange{rows, none});
  Value count = getValueOrCreateConstantIndexOp(
      builder, loc, tensor::getMixedSize(builder, loc, rows, 0));
  Value init = emptyLike(builder, indices, element);
  int64_t rank = cast<RankedTensorType>(indices.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), indices, init,
             ArrayRef{identity, identity}, loops,
             [&](OpBuilder &b, Location loc, ValueRange elements) {
               Value row = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                                      elements[0]);
               Value exists = arith::CmpIOp::create(
                   b, loc, arith::CmpIPredicate::ult, row, count);
               row = arith::SelectOp::create(b, loc, exists, row, count);
               Value value = tensor::ExtractOp::create(b, loc, padded, row);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

Value prec::moveToSlots(OpBuilder &builder, Value probability, AffineMap row,
                        Value terms, Value indices) {
  auto type = cast<RankedTensorType>(terms.getType());
  AffineExpr first = builder.getAffineDimExpr(0),
             second = builder.getAffineDimExpr(1);
  if (indices)
    return row.getNumResults() == 1 && row.getResult(0) == first
               ? gather(builder, probability, indices)
               : Value();
  if (row.getNumResults() == 2 && row.getResult(0) == first &&
      row.getResult(1) == second)
    return probability;
  int64_t slots = type.getDimSize(1);
  if (row.getNumResults() != 1 || ShapedType::isDynamic(slots) ||
      row.getResult(0) != first * slots + second)
    return {};
  Location loc = terms.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, terms);
  auto result = RankedTensorType::get(
      type.getShape().drop_back(), getElementTypeOrSelf(probability.getType()));
  return tensor::ExpandShapeOp::create(builder, loc, result, probability,
                                       ArrayRef{ReassociationIndices{0, 1}},
                                       ArrayRef(sizes).drop_back());
}

Value prec::moveToRows(OpBuilder &builder, Value weights, RankedTensorType type,
                       Value slots) {
  Location loc = weights.getLoc();
  Value result = weights;
  if (slots || type.getRank() == 1) {
    SmallVector<ReassociationIndices> all = {{0, 1}};
    result = tensor::CollapseShapeOp::create(builder, loc, weights, all);
  }
  if (slots)
    result = gather(builder, result, slots);
  auto wide = type.clone(builder.getF32Type());
  if (result.getType() != wide)
    result = tensor::CastOp::create(builder, loc, wide, result);
  if (!type.getElementType().isF32())
    result = arith::TruncFOp::create(builder, loc, type, result);
  return result;
}
