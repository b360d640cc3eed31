// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers. (Cn) are the constraints of README.md; C1 and C2 are checked by
// ODS and by RoundingPointOpInterface, C15 by verifyOrderHolds.
#include "NNVerify.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

#define GET_OP_CLASSES
#include "dialects/NN/NNOps.cpp.inc"

LogicalResult SoftplusOp::verify() {
  return verifySoftplus(*this, getBeta(), getThreshold());
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
