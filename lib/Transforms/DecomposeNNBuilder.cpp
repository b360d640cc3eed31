// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DecomposeNNBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

Type prec::nn::getSumType(MLIRContext *context, Accumulate accumulate) {
  if (accumulate == Accumulate::f64)
    return Float64Type::get(context);
  return Float32Type::get(context);
}

//===----------------------------------------------------------------------===//
// Formula
//===----------------------------------------------------------------------===//

Value Formula::constant(double value, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value Formula::constant(const APFloat &value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(f32(), value));
}

Value Formula::widen(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(builder, loc, type, value);
}

static Value createRound(OpBuilder &builder, Location loc, Type type,
                         Value value) {
  if (value.getType() == type)
    return value;
  return RoundOp::create(builder, loc, type, value, RoundingMode::nearest_even,
                         /*saturate=*/false);
}

Value Formula::toF32(Value value) {
  return createRound(builder, loc, f32(), value);
}

Value Formula::round(StringRef name, Value value) {
  Type format = op.getPointFormat();
  if (format.isF32() || !op.isPointOn(name))
    return value;
  return widen(createRound(builder, loc, format, value), value.getType());
}

Value Formula::result(Value value) {
  return createRound(builder, loc,
                     getElementTypeOrSelf(op->getResult(0).getType()), value);
}

Value Formula::selectGreater(Value a, Value b, Value yes, Value no) {
  Value greater =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  return arith::SelectOp::create(builder, loc, greater, yes, no);
}

Value Formula::reciprocalSqrt(RsqrtRule rule, Value a) {
  if (rule == RsqrtRule::rsqrt)
    return call<math::RsqrtOp>(a);
  return div(constant(1.0), round("sqrt", sqrt(a)));
}

Value Formula::divide(Divide rule, Value a, Value b) {
  if (rule == Divide::quotient)
    return div(a, b);
  return mul(a, div(constant(1.0, b.getType()), b));
}

Value Formula::number(OpFoldResult size, Type type) {
  if (auto fixed = dyn_cast<Attribute>(size))
    return constant(cast<IntegerAttr>(fixed).getInt(), type);
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                             cast<Value>(size));
  return arith::SIToFPOp::create(builder, loc, type, integer);
}

//===----------------------------------------------------------------------===//
// TensorBuilder
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> TensorBuilder::sizes(Value tensor) {
  return tensor::getMixedSizes(builder, loc, tensor);
}

AffineMap TensorBuilder::identityMap(int64_t rank) {
  return builder.getMultiDimIdentityMap(rank);
}

AffineMap TensorBuilder::dropMap(int64_t rank, int64_t dimension) {
  return identityMap(rank).dropResult(dimension);
}

AffineMap TensorBuilder::lastMap(int64_t rank, int64_t count) {
  return identityMap(rank).getMinorSubMap(count);
}

Value TensorBuilder::elementwise(ArrayRef<Input> inputs,
                                 ArrayRef<OpFoldResult> sizes, Type elementType,
                                 Body body) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(identityMap(sizes.size()));
  Value init = tensor::EmptyOp::create(builder, loc, sizes, elementType);
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), tensors, init, maps, iterators,
             [&](OpBuilder &b, Location, ValueRange elements) {
               Formula formula(b, loc, op, math);
               linalg::YieldOp::create(b, loc,
                                       body(formula, elements.drop_back()));
             })
      .getResult(0);
}

Value TensorBuilder::maximum(Value tensor, int64_t dimension) {
  SmallVector<OpFoldResult> kept = sizes(tensor);
  int64_t rank = kept.size();
  kept.erase(kept.begin() + dimension);
  Type f32 = builder.getF32Type();
  Value lowest = arith::ConstantOp::create(
      builder, loc,
      builder.getFloatAttr(
          f32, APFloat::getInf(APFloat::IEEEsingle(), /*Negative=*/true)));
  Value empty = tensor::EmptyOp::create(builder, loc, kept, f32);
  Value init = linalg::FillOp::create(builder, loc, lowest, empty).getResult(0);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[dimension] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             builder, loc, init.getType(), tensor, init,
             {identityMap(rank), dropMap(rank, dimension)}, iterators,
             [&](OpBuilder &b, Location, ValueRange elements) {
               Formula formula(b, loc, op);
               Value larger =
                   formula.max(formula.widen(elements[0]), elements[1]);
               linalg::YieldOp::create(b, loc, larger);
             })
      .getResult(0);
}

Value TensorBuilder::sum(Value tensor, int64_t dimension, OrderAttr order) {
  RankedTensorType type =
      RankedTensorType::Builder(cast<RankedTensorType>(tensor.getType()))
          .dropDim(dimension);
  return prec::SumOp::create(builder, loc, type, tensor, dimension, order);
}

Value TensorBuilder::widen(Value tensor, Type type) {
  if (getElementTypeOrSelf(tensor.getType()) == type)
    return tensor;
  SmallVector<OpFoldResult> extents = sizes(tensor);
  return elementwise(
      {{tensor, identityMap(extents.size())}}, extents, type,
      [&](Formula &f, ValueRange x) { return f.widen(x[0], type); });
}
