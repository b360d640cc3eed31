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
  TypedValue<RankedTensorType> upGradient = activation.getUpGradient();
  auto newActivation = ActivationGradOp::create(
      builder, activation.getLoc(), activation.getInputGradient().getType(),
      upGradient ? upGradient.getType() : Type(), Type(),
      activation.getGradient(), activation.getInput(), activation.getUp(),
      activation.getBias(), activation.getUpBias(), Value(),
      activation.getFunctionAttr(), activation.getLayoutAttr(),
      activation.getDerivativeAttr(), activation.getFormAttr(),
      activation.getPackAttr(), activation.getAlphaAttr(),
      activation.getLimitAttr(), activation.getOffsetAttr(),
      activation.getOrderAttr(), activation.getMathAttr(),
      activation.getPointsAttr());
  activation.getInputGradient().replaceAllUsesWith(
      newActivation.getInputGradient());
  if (upGradient)
    upGradient.replaceAllUsesWith(newActivation.getUpGradient());
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

/// Whether the function of `grad` has a `ForwardOp` that `isOf` it and whose
/// `point`, off in a promoted one, is on: one that cannot be promoted.
template <typename ForwardOp>
static bool isForwardRefused(Operation *grad, StringRef point,
                             function_ref<bool(ForwardOp)> isOf) {
  bool refused = false;
  grad->getParentOfType<FunctionOpInterface>().walk([&](ForwardOp forward) {
    refused |= isOf(forward) &&
               cast<RoundingPointOpInterface>(*forward).isPointOn(point);
  });
  return refused;
}

void prec::promote(ActivationGradOp op, Report &report) {
  StringRef what = "activation's gradient";
  if (isForwardRefused<ActivationOp>(op, "silu", [&](ActivationOp forward) {
        return forward.getInput() == op.getInput() &&
               forward.getUp() == op.getUp();
      }))
    return report.leftAlone(op.getLoc(), what,
                            "its activation cannot be promoted");
  if (!hasHalfOperands(op, what, report) ||
      !isGatedSilu(op.getLoc(), op.getFunction(), op.isGated(), what, report))
    return;
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
    report.promoted(op.getLoc(), what,
                    withOverridden("the derivative in f32, one rounding for "
                                   "each gradient",
                                   overridden));
}

void prec::promote(CombineGradOp op, Report &report) {
  StringRef what = "combination's gradient";
  if (isForwardRefused<CombineOp>(op, "accumulate", [&](CombineOp forward) {
        return forward.getTerms() == op.getTerms();
      }))
    return report.leftAlone(op.getLoc(), what,
                            "its combination cannot be promoted");
  if (!hasHalfOperands(op, what, report))
    return;
  if (!op.getWeights()) {
    report.cannot(op.getLoc(), what)
        << "expected router probabilities as weights";
    return;
  }
  bool changed =
      widenOperand(op.getWeightsMutable()[0], op.getWeightsGradient());
  if (Type type = getElementTypeOrSelf(op.getWeights().getType());
      !type.isF32()) {
    report.cannot(op.getLoc(), what)
        << "expected router probabilities in f32 but got " << type;
    return;
  }
  SmallVector<std::string> overridden;
  changed |= switchOff(op, {"scaled"}, overridden);
  if (changed)
    report.promoted(
        op.getLoc(), what,
        withOverridden("products in f32, one rounding for each gradient",
                       overridden));
}
