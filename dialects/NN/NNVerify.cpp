// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NNVerify.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

LogicalResult nn::verifyResultElementType(Operation *op, RankedTensorType input,
                                          RankedTensorType result) {
  Type type = result.getElementType();
  if (type == input.getElementType() || type.isF32())
    return success();
  return op->emitOpError() << "expected a result of " << input.getElementType()
                           << " or f32 elements but got " << type;
}

LogicalResult nn::verifyResultShape(Operation *op, ArrayRef<int64_t> expected,
                                    RankedTensorType result) {
  if (result.getShape() == expected)
    return success();
  return op->emitOpError() << "expected result type "
                           << RankedTensorType::get(expected,
                                                    result.getElementType())
                           << " but got " << result;
}

LogicalResult nn::verifySameShape(Operation *op, RankedTensorType input,
                                  RankedTensorType result) {
  if (failed(verifyResultElementType(op, input, result)))
    return failure();
  return verifyResultShape(op, input.getShape(), result);
}

LogicalResult nn::verifyDimension(Operation *op, RankedTensorType input,
                                  int64_t dimension) {
  if (dimension >= 0 && dimension < input.getRank())
    return success();
  return op->emitOpError() << "expected a dimension of " << input << " but got "
                           << dimension;
}

SmallVector<int64_t> nn::reducedShape(ArrayRef<int64_t> shape,
                                      int64_t dimension, bool keepdim) {
  SmallVector<int64_t> reduced(shape);
  if (keepdim)
    reduced[dimension] = 1;
  else
    reduced.erase(reduced.begin() + dimension);
  return reduced;
}

LogicalResult nn::verifyReduction(Operation *op, RankedTensorType input,
                                  int64_t dimension, bool keepdim,
                                  RankedTensorType result) {
  if (failed(verifyDimension(op, input, dimension)) ||
      failed(verifyResultElementType(op, input, result)))
    return failure();
  return verifyResultShape(
      op, reducedShape(input.getShape(), dimension, keepdim), result);
}

LogicalResult nn::verifyHasLast(Operation *op, RankedTensorType input) {
  if (input.getRank() > 0)
    return success();
  return op->emitOpError() << "expected an input of rank 1 or more but got "
                           << input;
}

LogicalResult nn::verifyParameter(Operation *op, StringRef name,
                                  RankedTensorType input, Value parameter) {
  if (!parameter)
    return success();
  auto type = cast<RankedTensorType>(parameter.getType());
  if (type.getElementType() != input.getElementType() &&
      !type.getElementType().isF32())
    return op->emitOpError()
           << "expected a " << name << " of " << input.getElementType()
           << " or f32 elements but got " << type.getElementType();
  int64_t rank = type.getRank();
  if (rank > 0 && rank <= input.getRank() &&
      succeeded(verifyCompatibleShape(input.getShape().take_back(rank),
                                      type.getShape())))
    return success();
  return op->emitOpError() << "expected a " << name
                           << " shaped as the last dimensions of " << input
                           << " but got " << type;
}

LogicalResult nn::verifyEps(Operation *op, const APFloat &eps) {
  if (eps.isFinite() && (eps.isZero() || !eps.isNegative()))
    return success();
  return op->emitOpError() << "expected an eps that is finite and not negative";
}

LogicalResult nn::verifyPointExists(RoundingPointOpInterface op,
                                    StringRef point, bool exists,
                                    StringRef needs) {
  if (exists || !op.isPointOn(point))
    return success();
  return op->emitOpError() << "rounding point '" << point << "' needs "
                           << needs;
}

LogicalResult nn::verifySqrtPoint(RoundingPointOpInterface op, RsqrtRule rule,
                                  StringRef attribute) {
  return verifyPointExists(op, "sqrt", rule == RsqrtRule::one_over_sqrt,
                           (attribute + " one_over_sqrt").str());
}

LogicalResult nn::verifySoftplus(Operation *op, const APFloat &beta,
                                 const APFloat &threshold) {
  // log1p(exp(x * beta)) / beta needs a finite beta other than zero.
  if (!beta.isFinite() || beta.isZero())
    return op->emitOpError() << "expected a beta that is finite and not zero";
  // Every comparison with NaN is false.
  if (threshold.isNaN())
    return op->emitOpError() << "expected a threshold that is a number";
  return success();
}
