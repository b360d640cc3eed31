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

Value Formula::observe(StringRef name, Value value) {
  auto prefix = op->getAttrOfType<StringAttr>(kObserveAttrName);
  if (!prefix)
    return value;
  return ObserveOp::create(builder, loc, value.getType(), value,
                           (prefix.getValue() + "." + name).str());
}

Value Formula::round(StringRef name, Value value) {
  Type format = op.getPointFormat();
  if (!format.isF32() && op.isPointOn(name))
    value = widen(createRound(builder, loc, format, value), value.getType());
  return observe(name, value);
}

Value Formula::result(Value value, unsigned number) {
  Type type = getElementTypeOrSelf(op->getResult(number).getType());
  if (auto wide = value.getDefiningOp<arith::ExtFOp>();
      wide && wide.getIn().getType() == type)
    value = wide.getIn();
  else
    value = createRound(builder, loc, type, value);
  return observe("result", value);
}

Value Formula::gelu(Approximation approximation, Value a) {
  Value half = mul(a, constant(0.5));
  if (approximation == Approximation::none) {
    Value inner = mul(a, constant(0.70710678118654752440)); // sqrt(1/2)
    return mul(half, add(call<math::ErfOp>(inner), constant(1.0)));
  }
  Value cube = mul(mul(a, a), a);
  Value inner = mul(constant(0.79788456080286535588), // sqrt(2/pi)
                    add(a, mul(constant(0.044715), cube)));
  return mul(half, add(call<math::TanhOp>(inner), constant(1.0)));
}

Value Formula::select(arith::CmpFPredicate predicate, Value a, Value b,
                      Value yes, Value no) {
  Value condition = arith::CmpFOp::create(builder, loc, predicate, a, b);
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value Formula::siluGradient(MultiplyAdd rule, Value g, Value x) {
  Value s = sigmoid(x);
  Value scaled = mul(g, s);
  Value one = constant(1.0);
  Value complement = sub(one, s);
  Value slope = rule == MultiplyAdd::fused ? fma(x, complement, one)
                                           : add(mul(x, complement), one);
  return mul(scaled, slope);
}

Value Formula::geluSlope(Approximation approximation, Value x) {
  Value one = constant(1.0), half = constant(0.5);
  if (approximation == Approximation::none) {
    Value erf = call<math::ErfOp>(
        mul(x, constant(0.70710678118654752440))); // sqrt(1/2)
    Value distribution = mul(half, add(erf, one));
    Value exponential = call<math::ExpOp>(mul(mul(constant(-0.5), x), x));
    Value density =
        mul(exponential, constant(0.39894228040143267794)); // 1/sqrt(2 pi)
    return add(distribution, mul(x, density));
  }
  Value scale = constant(0.79788456080286535588); // sqrt(2/pi)
  // 3 * 0.044715 is a product of f32 numbers.
  APFloat kappa(0.044715f), three(3.0f);
  three.multiply(kappa, APFloat::rmNearestTiesToEven);
  Value square = mul(x, x);
  Value cube = mul(square, x);
  Value tanh =
      call<math::TanhOp>(mul(scale, add(x, mul(constant(kappa), cube))));
  Value left = mul(half, add(tanh, one));
  Value slopeOfInner = mul(scale, add(mul(constant(three), square), one));
  Value right = mul(mul(mul(half, x), sub(one, mul(tanh, tanh))), slopeOfInner);
  return add(left, right);
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

AffineMap TensorBuilder::oneMap(int64_t rank, int64_t dimension) {
  return dropMap(rank, dimension)
      .insertResult(builder.getAffineConstantExpr(0), dimension);
}

AffineMap TensorBuilder::lastMap(int64_t rank, int64_t count) {
  return identityMap(rank).getMinorSubMap(count);
}

Value TensorBuilder::generic(ArrayRef<Input> inputs, Input output, Body body) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(output.map);
  SmallVector<utils::IteratorType> iterators(output.map.getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : output.map.getResults())
    iterators[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  return linalg::GenericOp::create(builder, loc, output.tensor.getType(),
                                   tensors, output.tensor, maps, iterators,
                                   [&](OpBuilder &b, Location, ValueRange all) {
                                     Formula formula(b, loc, op, math);
                                     linalg::YieldOp::create(
                                         b, loc, body(formula, all));
                                   })
      .getResult(0);
}

Value TensorBuilder::sliceOfLast(Value tensor, int64_t start, int64_t extent,
                                 int64_t stride) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> extents = sizes(tensor);
  extents.back() = builder.getIndexAttr(extent);
  // A slice of nothing would start out of bounds.
  if (llvm::is_contained(type.getShape(), 0))
    return tensor::EmptyOp::create(builder, loc, extents,
                                   type.getElementType());
  SmallVector<OpFoldResult> offsets(extents.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(extents.size(), builder.getIndexAttr(1));
  offsets.back() = builder.getIndexAttr(start);
  strides.back() = builder.getIndexAttr(stride);
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, extents,
                                        strides);
}

Value TensorBuilder::filled(ArrayRef<OpFoldResult> sizes, TypedAttr value) {
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, value.getType());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value TensorBuilder::elementwise(ArrayRef<Input> inputs,
                                 ArrayRef<OpFoldResult> sizes, Type elementType,
                                 Body body) {
  Value init = tensor::EmptyOp::create(builder, loc, sizes, elementType);
  return generic(inputs, {init, identityMap(sizes.size())},
                 [&](Formula &f, ValueRange elements) {
                   return body(f, elements.drop_back());
                 });
}

Value TensorBuilder::maximum(Value tensor, int64_t dimension) {
  SmallVector<OpFoldResult> kept = sizes(tensor);
  int64_t rank = kept.size();
  kept.erase(kept.begin() + dimension);
  Value init =
      filled(kept, builder.getFloatAttr(builder.getF32Type(),
                                        APFloat::getInf(APFloat::IEEEsingle(),
                                                        /*Negative=*/true)));
  return generic({{tensor, identityMap(rank)}},
                 {init, dropMap(rank, dimension)},
                 [](Formula &f, ValueRange elements) {
                   return f.max(f.widen(elements[0]), elements[1]);
                 });
}

Value TensorBuilder::sum(Value tensor, int64_t dimension, OrderAttr order) {
  RankedTensorType type =
      RankedTensorType::Builder(cast<RankedTensorType>(tensor.getType()))
          .dropDim(dimension);
  return prec::SumOp::create(builder, loc, type, tensor, dimension, order);
}

Value TensorBuilder::sumOverOuter(Value tensor, int64_t outer,
                                  OrderAttr order) {
  if (outer > 1) {
    SmallVector<ReassociationIndices> groups(1);
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    for (int64_t d = 0; d < rank; ++d) {
      if (d >= outer)
        groups.emplace_back();
      groups.back().push_back(d);
    }
    tensor = tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
  }
  return outer > 0 ? sum(tensor, 0, order) : tensor;
}

Value TensorBuilder::widen(Value tensor, Type type) {
  if (getElementTypeOrSelf(tensor.getType()) == type)
    return tensor;
  SmallVector<OpFoldResult> extents = sizes(tensor);
  return elementwise(
      {{tensor, identityMap(extents.size())}}, extents, type,
      [&](Formula &f, ValueRange x) { return f.widen(x[0], type); });
}
