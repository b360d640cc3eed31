// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers. (Cn) are the constraints of README.md; C1 and C2 are checked by
// ODS and by RoundingPointOpInterface.
#include "MoEVerify.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

#define GET_OP_CLASSES
#include "dialects/MoE/MoEOps.cpp.inc"

/// Slots that a token may have: the selection keeps them all in registers.
static constexpr int64_t kMaxTopK = 64;

//===----------------------------------------------------------------------===//
// moe.activation
//===----------------------------------------------------------------------===//

LogicalResult ActivationOp::verify() {
  RankedTensorType input = getInput().getType();
  SmallVector<int64_t> shape;
  // (C5, C6, C7, C8)
  if (failed(verifyGateAndUp(*this, input, getUp(), getLayout().has_value(),
                             shape)))
    return failure();
  // (C9)
  if (failed(verifyResultElementType(*this, input, getResult().getType())) ||
      failed(verifyResultShape(*this, shape, getResult())) ||
      // (C10)
      failed(verifyBiases(*this, getInput(), getUp(), getBias(), getUpBias())))
    return failure();
  // (C11) One probability a row.
  if (failed(verifyElementType(*this, "probability", getProbability())) ||
      failed(verifyShape(*this, "probability", input.getShape().drop_back(),
                         getProbability())))
    return failure();
  // (C12) What only silu has.
  if (getFunction() != Function::silu) {
    if (getAlpha())
      return emitOpError() << "alpha needs the function silu";
    if (getForm() == SiluForm::product)
      return emitOpError() << "form product needs the function silu";
  }
  // (C13) The numbers are usable.
  return verifyParameters(*this, getAlpha(), getLimit(), getOffset(),
                          isGated());
}

//===----------------------------------------------------------------------===//
// moe.combine
//===----------------------------------------------------------------------===//

LogicalResult CombineOp::verify() {
  // (C14, C15) What each slot has.
  ArrayRef<int64_t> slots;
  if (failed(verifySlots(*this, getTerms(), getIndices(), getWeights(), slots)))
    return failure();
  RankedTensorType terms = getTerms().getType();
  int64_t tokens = slots[0], hidden = terms.getShape().back();
  if (failed(verifyShape(*this, "keys", slots, getKeys())) ||
      failed(verifyParameter(*this, "bias", getTerms(), getBias())) ||
      // (C16)
      failed(verifyResultElementType(*this, terms, getResult().getType())) ||
      failed(verifyResultShape(*this, {tokens, hidden}, getResult())) ||
      // (C17) What is added to the sum.
      failed(verifyElementType(*this, "shared", getShared())) ||
      failed(verifyShape(*this, "shared", {tokens, hidden}, getShared())) ||
      failed(verifyElementType(*this, "residual", getResidual())) ||
      failed(verifyShape(*this, "residual", {tokens, hidden}, getResidual())))
    return failure();
  if (Value logit = getSharedLogit()) {
    if (!getShared())
      return emitOpError() << "expected shared with shared_logit";
    SmallVector<int64_t> shape = {tokens};
    if (typeOf(logit).getRank() == 2)
      shape.push_back(1);
    if (failed(verifyElementType(*this, "shared_logit", logit)) ||
        failed(verifyShape(*this, "shared_logit", shape, logit)))
      return failure();
  }
  // (C18)
  if (failed(verifyFinite(*this, "a scale", getScale())))
    return failure();
  // (C19) A tree has no keys, and rounds nothing inside.
  if (!getOrder())
    return success();
  if (isByKeys())
    return emitOpError() << "expected order or by but got both";
  if (cast<RoundingPointOpInterface>(**this).isPointOn("accumulate"))
    return emitOpError() << "order needs points {accumulate = false}";
  return verifyOrderHolds(*this, *getOrder(), slots[1]);
}

//===----------------------------------------------------------------------===//
// moe.router
//===----------------------------------------------------------------------===//

/// (C24) Groups of equal, known size that hold enough experts.
static LogicalResult verifyGroups(RouterOp op, int64_t experts) {
  if (op.getGroups().has_value() != op.getTopGroups().has_value())
    return op.emitOpError() << "expected groups and top_groups together";
  if (!op.getGroups())
    return success();
  auto groups = static_cast<int64_t>(*op.getGroups());
  auto topGroups = static_cast<int64_t>(*op.getTopGroups());
  if (ShapedType::isDynamic(experts) || groups < 1 || experts % groups != 0)
    return op.emitOpError()
           << "expected a static number of experts that " << groups
           << " groups divide but got " << op.getLogits().getType();
  if (topGroups < 1 || topGroups > std::min(groups, kMaxTopK))
    return op.emitOpError()
           << "expected top_groups from 1 to " << std::min(groups, kMaxTopK)
           << " but got " << topGroups;
  int64_t perGroup = experts / groups;
  if (op.getGroupScore() == GroupScore::top2_sum && perGroup < 2)
    return op.emitOpError()
           << "top2_sum needs two experts a group but there is " << perGroup;
  auto topK = static_cast<int64_t>(op.getTopK());
  if (topK > topGroups * perGroup)
    return op.emitOpError()
           << "expected top_k of at most " << topGroups * perGroup
           << " experts in the selected groups but got " << topK;
  return success();
}

LogicalResult RouterOp::verify() {
  // (C20)
  if (failed(verifyRank(*this, "logits", getLogits(), 2)))
    return failure();
  RankedTensorType logits = getLogits().getType();
  int64_t tokens = logits.getDimSize(0), experts = logits.getDimSize(1);
  // (C21) As many as can be selected.
  auto topK = static_cast<int64_t>(getTopK());
  int64_t most =
      ShapedType::isDynamic(experts) ? kMaxTopK : std::min(experts, kMaxTopK);
  if (topK < 1 || topK > most)
    return emitOpError() << "expected top_k from 1 to " << most << " but got "
                         << topK;
  // (C22)
  if (failed(verifyResultElementType(*this, logits, getWeights().getType())) ||
      failed(verifyResultShape(*this, {tokens, topK}, getWeights())) ||
      failed(verifyResultShape(*this, {tokens, topK}, getIndices())) ||
      // (C23) One bias an expert.
      failed(verifyElementType(*this, "bias", getBias())) ||
      failed(verifyShape(*this, "bias", {experts}, getBias())) ||
      failed(verifyGroups(*this, experts)))
    return failure();
  // (C25) Weights that sum to one are not normalised again.
  if (getRenormalize() && getScoring() == Scoring::softmax_of_top)
    return emitOpError() << "renormalize needs scoring softmax or sigmoid";
  if (getEpsilon() && !getRenormalize())
    return emitOpError() << "epsilon needs renormalize";
  if (getEpsilon() && (!getEpsilon()->isFinite() ||
                       (getEpsilon()->isNegative() && !getEpsilon()->isZero())))
    return emitOpError()
           << "expected an epsilon that is finite and not negative";
  if (failed(verifyFinite(*this, "a scale", getScale())))
    return failure();
  // (C26) The orders have a place for every element.
  int64_t summed = getScoring() == Scoring::softmax_of_top ? topK : experts;
  if (failed(verifyOrderHolds(*this, getEffectiveOrder(), summed)))
    return failure();
  return verifyOrderHolds(*this, getEffectiveTotalOrder(), topK);
}
