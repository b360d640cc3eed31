// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the gradients. (Cn) are the constraints of README.md; those that
// ODS checks are not here.
#include "NNVerify.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

LogicalResult SoftplusGradOp::verify() {
  return verifySoftplus(*this, getBeta(), getThreshold());
}

/// (C3, C5, C16, C17) The gradient of a reduction over `dimension`.
template <typename OpTy> static LogicalResult verifyExpansion(OpTy op) {
  RankedTensorType gradient = op.getGradient().getType();
  RankedTensorType result = op.getResult().getType();
  int64_t dimension = op.getDimension();
  if (failed(verifyDimension(op, result, dimension)) ||
      failed(verifyResultElementType(op, gradient, result)))
    return failure();
  // (C16)
  SmallVector<int64_t> expected =
      reducedShape(result.getShape(), dimension, op.getKeepdim());
  if (gradient.getShape() != ArrayRef(expected))
    return op->emitOpError()
           << "expected a gradient of type "
           << RankedTensorType::get(expected, gradient.getElementType())
           << " but got " << gradient;
  // (C17)
  if (result.isDynamicDim(dimension) == static_cast<bool>(op.getSize()))
    return success();
  return op->emitOpError() << "expected a size exactly if dimension "
                           << dimension << " of the result is dynamic";
}

LogicalResult SumGradOp::verify() { return verifyExpansion(*this); }

LogicalResult MeanGradOp::verify() { return verifyExpansion(*this); }

LogicalResult SoftmaxGradOp::verify() {
  RankedTensorType gradient = getGradient().getType();
  if (failed(verifyDimension(*this, gradient, getDimension())) ||
      failed(verifySameShape(*this, gradient, getResult().getType())))
    return failure();
  // (C15)
  return verifyOrderHolds(*this, getEffectiveOrder(),
                          gradient.getDimSize(getDimension()));
}

/// What the gradients of a norm share.
template <typename OpTy> static LogicalResult verifyStatistics(OpTy op) {
  RankedTensorType input = op.getInput().getType();
  if (failed(verifyHasLast(op, input)) || failed(verifyEps(op, op.getEps())) ||
      failed(verifyOrderHolds(op, op.getEffectiveOrder(),
                              input.getShape().back())))
    return failure();
  return verifySqrtPoint(op, op.getRstd(), "rstd");
}

LogicalResult RMSNormGradOp::verify() {
  RankedTensorType input = getInput().getType();
  // (C13) 1 + w needs a w.
  if (getOnePlus() && !getWeight())
    return emitOpError() << "expected a weight with one_plus";
  if (failed(verifyStatistics(*this)) ||
      failed(verifySameShape(*this, input, getResult().getType())) ||
      failed(verifyParameter(*this, "weight", input, getWeight())) ||
      failed(verifyPointExists(*this, "weighted", getWeight() != nullptr,
                               "a weight")))
    return failure();
  return verifyPointExists(*this, "weight", getOnePlus(), "one_plus");
}

/// (C3, C15, C18) The gradient of a norm at its weight.
template <typename OpTy> static LogicalResult verifyWeightGradient(OpTy op) {
  RankedTensorType input = op.getInput().getType();
  RankedTensorType result = op.getResult().getType();
  if (failed(verifyStatistics(op)) ||
      failed(verifyResultElementType(op, input, result)))
    return failure();
  // (C18)
  int64_t rank = result.getRank();
  if (rank == 0 || rank > input.getRank() ||
      input.getShape().take_back(rank) != result.getShape())
    return op.emitOpError() << "expected a result of the last dimensions of "
                            << input << " but got " << result;
  // (C15)
  int64_t rows = 1;
  for (int64_t size : input.getShape().drop_back(rank))
    rows = ShapedType::isDynamic(size) || ShapedType::isDynamic(rows)
               ? ShapedType::kDynamic
               : rows * size;
  return verifyOrderHolds(op, op.getEffectiveRowsOrder(), rows);
}

LogicalResult RMSNormWeightGradOp::verify() {
  return verifyWeightGradient(*this);
}

LogicalResult LayerNormGradOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyStatistics(*this)) ||
      failed(verifySameShape(*this, input, getResult().getType())) ||
      failed(verifyParameter(*this, "weight", input, getWeight())) ||
      failed(verifyPointExists(*this, "weighted", getWeight() != nullptr,
                               "a weight")))
    return failure();
  return verifyPointExists(*this, "normalized",
                           getForm() == LayerNormGradForm::closed,
                           "form closed");
}

LogicalResult LayerNormWeightGradOp::verify() {
  return verifyWeightGradient(*this);
}
