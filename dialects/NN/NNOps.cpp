// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers. (Cn) are the constraints of README.md; C1 and C2 are checked by
// ODS and by RoundingPointOpInterface, C15 by verifyOrderHolds.
#include "dialects/NN/NN.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace prec;
using namespace prec::nn;

#define GET_OP_CLASSES
#include "dialects/NN/NNOps.cpp.inc"

/// (C3) The result holds the input's element type, or f32.
static LogicalResult verifyResultElementType(Operation *op,
                                             RankedTensorType input,
                                             RankedTensorType result) {
  Type type = result.getElementType();
  if (type == input.getElementType() || type.isF32())
    return success();
  return op->emitOpError() << "expected a result of " << input.getElementType()
                           << " or f32 elements but got " << type;
}

static LogicalResult verifyResultShape(Operation *op,
                                       ArrayRef<int64_t> expected,
                                       RankedTensorType result) {
  if (result.getShape() == expected)
    return success();
  return op->emitOpError() << "expected result type "
                           << RankedTensorType::get(expected,
                                                    result.getElementType())
                           << " but got " << result;
}

/// (C4) The result of an operation that keeps the shape.
static LogicalResult verifySameShape(Operation *op, RankedTensorType input,
                                     RankedTensorType result) {
  if (failed(verifyResultElementType(op, input, result)))
    return failure();
  return verifyResultShape(op, input.getShape(), result);
}

/// (C5) The dimension exists.
static LogicalResult verifyDimension(Operation *op, RankedTensorType input,
                                     int64_t dimension) {
  if (dimension >= 0 && dimension < input.getRank())
    return success();
  return op->emitOpError() << "expected a dimension of " << input << " but got "
                           << dimension;
}

/// (C5, C6) A reduction over `dimension`.
static LogicalResult verifyReduction(Operation *op, RankedTensorType input,
                                     int64_t dimension, bool keepdim,
                                     RankedTensorType result) {
  if (failed(verifyDimension(op, input, dimension)) ||
      failed(verifyResultElementType(op, input, result)))
    return failure();
  SmallVector<int64_t> expected(input.getShape());
  if (keepdim)
    expected[dimension] = 1;
  else
    expected.erase(expected.begin() + dimension);
  return verifyResultShape(op, expected, result);
}

/// (C7) There is a last dimension to work on.
static LogicalResult verifyHasLast(Operation *op, RankedTensorType input) {
  if (input.getRank() > 0)
    return success();
  return op->emitOpError() << "expected an input of rank 1 or more but got "
                           << input;
}

/// (C8) `parameter` has the shape of the input's last dimensions and the
/// input's element type or f32. A null one is absent.
static LogicalResult verifyParameter(Operation *op, StringRef name,
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

/// (C9) eps is a finite number that is not negative.
static LogicalResult verifyEps(Operation *op, const APFloat &eps) {
  if (eps.isFinite() && (eps.isZero() || !eps.isNegative()))
    return success();
  return op->emitOpError() << "expected an eps that is finite and not negative";
}

/// (C10) A point that is on must be in the formula.
static LogicalResult verifyPointExists(RoundingPointOpInterface op,
                                       StringRef point, bool exists,
                                       StringRef needs) {
  if (exists || !op.isPointOn(point))
    return success();
  return op->emitOpError() << "rounding point '" << point << "' needs "
                           << needs;
}

LogicalResult SoftplusOp::verify() {
  // (C11) log1p(exp(x * beta)) / beta needs a finite beta other than zero.
  if (!getBeta().isFinite() || getBeta().isZero())
    return emitOpError() << "expected a beta that is finite and not zero";
  // (C12) Every comparison with NaN is false.
  if (getThreshold().isNaN())
    return emitOpError() << "expected a threshold that is a number";
  return success();
}

static LogicalResult verifySqrtPoint(RoundingPointOpInterface op,
                                     RsqrtRule rule, StringRef attribute) {
  return verifyPointExists(op, "sqrt", rule == RsqrtRule::one_over_sqrt,
                           (attribute + " one_over_sqrt").str());
}

LogicalResult RsqrtOp::verify() {
  return verifySqrtPoint(*this, getRule(), "rule");
}

template <typename OpTy> static LogicalResult verifySumOrMean(OpTy op) {
  RankedTensorType input = op.getInput().getType();
  if (failed(verifyReduction(op, input, op.getDimension(), op.getKeepdim(),
                             op.getResult().getType())))
    return failure();
  // (C15)
  return verifyOrderHolds(op, op.getEffectiveOrder(),
                          input.getDimSize(op.getDimension()));
}

LogicalResult nn::SumOp::verify() { return verifySumOrMean(*this); }

LogicalResult MeanOp::verify() { return verifySumOrMean(*this); }

LogicalResult SoftmaxOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyDimension(*this, input, getDimension())) ||
      failed(verifySameShape(*this, input, getResult().getType())))
    return failure();
  // (C15)
  return verifyOrderHolds(*this, getEffectiveOrder(),
                          input.getDimSize(getDimension()));
}

LogicalResult RMSNormOp::verify() {
  RankedTensorType input = getInput().getType();
  // (C13) 1 + w needs a w.
  if (getOnePlus() && !getWeight())
    return emitOpError() << "expected a weight with one_plus";
  if (failed(verifyHasLast(*this, input)) ||
      failed(verifySameShape(*this, input, getResult().getType())) ||
      failed(verifyParameter(*this, "weight", input, getWeight())) ||
      failed(verifyEps(*this, getEps())) ||
      failed(verifyOrderHolds(*this, getEffectiveOrder(),
                              input.getShape().back())) ||
      failed(verifySqrtPoint(*this, getRstd(), "rstd")))
    return failure();
  return verifyPointExists(*this, "weight", getOnePlus(), "one_plus");
}

LogicalResult LayerNormOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyHasLast(*this, input)) ||
      failed(verifySameShape(*this, input, getResult().getType())) ||
      failed(verifyParameter(*this, "weight", input, getWeight())) ||
      failed(verifyParameter(*this, "bias", input, getBias())) ||
      failed(verifyEps(*this, getEps())) ||
      failed(verifyOrderHolds(*this, getEffectiveOrder(),
                              input.getShape().back())) ||
      failed(verifySqrtPoint(*this, getRstd(), "rstd")) ||
      failed(verifyPointExists(*this, "normalized",
                               getForm() != LayerNormForm::shift_fma,
                               "form center or center_fma")))
    return failure();
  return verifyPointExists(*this, "scaled", getForm() == LayerNormForm::center,
                           "form center");
}

LogicalResult RopeOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyHasLast(*this, input)) ||
      failed(verifySameShape(*this, input, getResult().getType())))
    return failure();
  // (C14) The halves are known at compile time.
  int64_t last = input.getShape().back();
  if (ShapedType::isDynamic(last) || last % 2 != 0)
    return emitOpError()
           << "expected a last dimension that is static and even but got "
           << input;
  if (failed(verifyParameter(*this, "cos", input, getCos())))
    return failure();
  return verifyParameter(*this, "sin", input, getSin());
}
