// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the gradients. (Cn) are the constraints of README.md.
#include "MoEVerify.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

/// (C30) There is a gradient of `operand` if there is that, of its type.
static LogicalResult verifyGradientOf(Operation *op, StringRef name,
                                      Value operand, Value gradient) {
  if (!operand != !gradient)
    return op->emitOpError()
           << "expected the gradient of " << name << " exactly if there is one";
  if (!operand || operand.getType() == gradient.getType())
    return success();
  return op->emitOpError() << "expected the gradient of " << name << " of type "
                           << operand.getType() << " but got "
                           << gradient.getType();
}

/// (C30, C26) The gradient of a bias is there only if that is, of its type, and
/// `rows_order` has a place for every row.
static LogicalResult verifyBiasGradient(ActivationGradOp op, StringRef name,
                                        Value bias, Value gradient) {
  if (!gradient)
    return success();
  if (!bias)
    return op.emitOpError() << "a gradient of " << name << " needs a " << name;
  if (failed(verifyGradientOf(op, name, bias, gradient)))
    return failure();
  int64_t rows = 1;
  for (int64_t size : op.getInput().getType().getShape().drop_back(
           cast<RankedTensorType>(bias.getType()).getRank()))
    rows = ShapedType::isDynamic(size) || ShapedType::isDynamic(rows)
               ? ShapedType::kDynamic
               : rows * size;
  return verifyOrderHolds(op, op.getEffectiveRowsOrder(), rows);
}

LogicalResult ActivationGradOp::verify() {
  RankedTensorType input = getInput().getType();
  SmallVector<int64_t> shape;
  // (C5, C6, C7, C8)
  if (failed(verifyGateAndUp(*this, input, getUp(), getLayout().has_value(),
                             shape)) ||
      // (C27)
      failed(verifyElementType(*this, "a gradient", getGradient())) ||
      failed(verifyShape(*this, "a gradient", shape, getGradient())) ||
      // (C10)
      failed(
          verifyBiases(*this, getInput(), getUp(), getBias(), getUpBias())) ||
      // (C11)
      failed(verifyElementType(*this, "probability", getProbability())) ||
      failed(verifyShape(*this, "probability", input.getShape().drop_back(),
                         getProbability())) ||
      // (C30)
      failed(verifyGradientOf(*this, "the input", getInput(),
                              getInputGradient())) ||
      failed(verifyGradientOf(*this, "up", getUp(), getUpGradient())) ||
      failed(verifyGradientOf(*this, "the probability", getProbability(),
                              getProbabilityGradient())) ||
      failed(verifyBiasGradient(*this, "bias", getBias(), getBiasGradient())) ||
      failed(verifyBiasGradient(*this, "up_bias", getUpBias(),
                                getUpBiasGradient())) ||
      // (C13)
      failed(verifyParameters(*this, getAlpha(), getLimit(), getOffset(),
                              isGated())))
    return failure();
  // (C12, C28) What only silu has.
  if (getFunction() != Function::silu) {
    if (getAlpha())
      return emitOpError() << "alpha needs the function silu";
    if (getForm() == SiluForm::product)
      return emitOpError() << "form product needs the function silu";
    if (getDerivative() != Derivative::steps)
      return emitOpError() << "derivative "
                           << stringifyDerivative(getDerivative())
                           << " needs the function silu";
  }
  // (C29)
  if (getPack() != Pack::concat && !getLayout())
    return emitOpError() << "pack " << stringifyPack(getPack())
                         << " needs a layout";
  // (C26)
  return verifyOrderHolds(*this, getEffectiveOrder(), shape.back());
}

LogicalResult CombineGradOp::verify() {
  // (C14, C31)
  if (static_cast<bool>(getIndices()) != static_cast<bool>(getSlots()))
    return emitOpError() << "expected indices and slots together";
  // (C15)
  ArrayRef<int64_t> slots;
  if (failed(verifySlots(*this, getTerms(), getIndices(), getWeights(), slots)))
    return failure();
  RankedTensorType terms = getTerms().getType();
  int64_t hidden = terms.getShape().back();
  if (failed(verifyShape(*this, "slots", terms.getShape().drop_back(),
                         getSlots())) ||
      // (C27)
      failed(verifyElementType(*this, "a gradient", getGradient())) ||
      failed(verifyShape(*this, "a gradient", {slots[0], hidden},
                         getGradient())) ||
      // (C30)
      failed(verifyGradientOf(*this, "the terms", getTerms(),
                              getTermsGradient())) ||
      failed(verifyGradientOf(*this, "the weights", getWeights(),
                              getWeightsGradient())) ||
      // (C18)
      failed(verifyFinite(*this, "a scale", getScale())))
    return failure();
  // (C26)
  return verifyOrderHolds(*this, getEffectiveOrder(), hidden);
}
