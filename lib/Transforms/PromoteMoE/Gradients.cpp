// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gradients.h"
#include "Operations.h"
#include "Points.h"
#include "Probabilities.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

bool GradientPair::find(CombineOp combine, ActivationOp activation,
                        std::optional<GradientPair> &pair) {
  SmallVector<ActivationGradOp> activations;
  SmallVector<CombineGradOp> combinations;
  auto function = combine->getParentOfType<FunctionOpInterface>();
  function.walk([&](Operation *op) {
    if (auto grad = dyn_cast<ActivationGradOp>(op);
        grad && grad.getInput() == activation.getInput() &&
        grad.getProbability() == activation.getProbability())
      activations.push_back(grad);
    if (auto grad = dyn_cast<CombineGradOp>(op);
        grad && grad.getTerms() == combine.getTerms())
      combinations.push_back(grad);
  });
  if (activations.empty() && combinations.empty())
    return true;
  if (activations.size() != 1 || combinations.size() != 1)
    return false;
  CombineGradOp grad = combinations.front();
  pair = {activations.front(), grad};
  // The weights are made before the combination, their gradient is used after
  // the activation's.
  auto isBefore = [](Operation *a, Operation *b) {
    return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b);
  };
  return !grad.getWeights() && isBefore(combine, grad) &&
         isBefore(grad, pair->activation);
}

void GradientPair::moveProbability(Value weights) {
  OpBuilder builder(combine);
  auto newCombine = CombineGradOp::create(
      builder, combine.getLoc(), combine.getTermsGradient().getType(),
      weights.getType(), combine.getGradient(), combine.getTerms(), weights,
      combine.getIndices(), combine.getSlots(), combine.getScaleAttr(),
      combine.getOrderAttr(), combine.getPointsAttr());
  combine.getTermsGradient().replaceAllUsesWith(newCombine.getTermsGradient());

  builder.setInsertionPoint(activation);
  Value upGradient = activation.getUpGradient(),
        biasGradient = activation.getBiasGradient(),
        upBiasGradient = activation.getUpBiasGradient();
  auto typeOf = [](Value value) { return value ? value.getType() : Type(); };
  auto newActivation = ActivationGradOp::create(
      builder, activation.getLoc(), activation.getInputGradient().getType(),
      typeOf(upGradient), typeOf(biasGradient), typeOf(upBiasGradient), Type(),
      activation.getGradient(), activation.getInput(), activation.getUp(),
      activation.getBias(), activation.getUpBias(), Value(),
      activation.getFunctionAttr(), activation.getLayoutAttr(),
      activation.getDerivativeAttr(), activation.getFormAttr(),
      activation.getPackAttr(), activation.getAlphaAttr(),
      activation.getLimitAttr(), activation.getOffsetAttr(),
      activation.getOrderAttr(), activation.getRowsOrderAttr(),
      activation.getMathAttr(), activation.getPointsAttr());
  activation.getInputGradient().replaceAllUsesWith(
      newActivation.getInputGradient());
  if (upGradient)
    upGradient.replaceAllUsesWith(newActivation.getUpGradient());
  if (biasGradient)
    biasGradient.replaceAllUsesWith(newActivation.getBiasGradient());
  if (upBiasGradient)
    upBiasGradient.replaceAllUsesWith(newActivation.getUpBiasGradient());
  TypedValue<RankedTensorType> old = activation.getProbabilityGradient();
  old.replaceAllUsesWith(moveToRows(builder, newCombine.getWeightsGradient(),
                                    old.getType(), combine.getSlots()));
  activation->erase();
  combine->erase();
}

/// Makes `operand` the f32 tensor that it was rounded from, and `gradient` the
/// gradient of that, rounded for those that use it. False if it was not.
static bool widenOperand(OpOperand &operand, Value gradient) {
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  Value wide = beforeRounding(builder, operand.get());
  if (wide == operand.get())
    return false;
  Type narrow = gradient.getType();
  operand.set(wide);
  gradient.setType(wide.getType());
  builder.setInsertionPointAfter(op);
  auto rounded =
      arith::TruncFOp::create(builder, op->getLoc(), narrow, gradient);
  gradient.replaceAllUsesExcept(rounded, rounded);
  return true;
}

static constexpr StringLiteral kActivationGradient = "activation's gradient";
static constexpr StringLiteral kCombineGradient = "combination's gradient";

bool prec::canPromote(ActivationGradOp op, Report &report) {
  return hasHalfOperands(op, kActivationGradient, report) &&
         isGatedSilu(op.getLoc(), op.getFunction(), op.isGated(),
                     kActivationGradient, report);
}

void prec::promote(ActivationGradOp op, Report &report) {
  SmallVector<std::string> overridden;
  bool changed = switchOff(op, {}, overridden);
  if (op.getProbability())
    changed |= widenOperand(op.getProbabilityMutable()[0],
                            op.getProbabilityGradient());
  if (op.getDerivative() != Derivative::closed) {
    if (op.getDerivativeAttr())
      overridden.push_back("derivative");
    changed = true;
  }
  changed |= op.getForm() != SiluForm::product;
  op.setDerivative(Derivative::closed);
  op.setForm(SiluForm::product);
  if (changed)
    report.promoted(op.getLoc(), kActivationGradient,
                    withOverridden("the derivative in f32, one rounding for "
                                   "each gradient",
                                   overridden));
}

bool prec::canPromote(CombineGradOp op, CombineOp forward, Report &report) {
  if (!hasHalfOperands(op, kCombineGradient, report))
    return false;
  if (!op.getWeights()) {
    if (forward && !forward.getWeights())
      return true;
    report.cannot(op.getLoc(), kCombineGradient)
        << "expected router probabilities as weights";
    return false;
  }
  Type type = typeBeforeRounding(op.getWeights());
  if (!type.isF32())
    report.cannot(op.getLoc(), kCombineGradient)
        << "expected router probabilities in f32 but got " << type;
  return type.isF32();
}

void prec::promote(CombineGradOp op, Report &report) {
  bool changed =
      widenOperand(op.getWeightsMutable()[0], op.getWeightsGradient());
  SmallVector<std::string> overridden;
  changed |= switchOff(op, {"scaled"}, overridden);
  if (changed)
    report.promoted(
        op.getLoc(), kCombineGradient,
        withOverridden("products in f32, one rounding for each gradient",
                       overridden));
}
