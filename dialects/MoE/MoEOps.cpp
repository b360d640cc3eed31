// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers. (Cn) are the constraints of README.md; C1 and C2 are checked by
// ODS and by RoundingPointOpInterface.
#include "dialects/MoE/MoE.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

#define GET_OP_CLASSES
#include "dialects/MoE/MoEOps.cpp.inc"

/// Slots that a token may have: the selection keeps them all in registers.
static constexpr int64_t kMaxTopK = 64;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// (C3) `result` holds the first operand's element type, or f32, or narrows an
/// f32 operand.
static LogicalResult verifyResultElementType(Operation *op,
                                             RankedTensorType input,
                                             RankedTensorType result) {
  Type type = result.getElementType();
  if (type == input.getElementType() || type.isF32() ||
      input.getElementType().isF32())
    return success();
  return op->emitOpError() << "expected a result of " << input.getElementType()
                           << " or f32 elements but got " << type;
}

/// (C4) The element type of an operand beside the first is f32 or the format of
/// the points. A null one is absent.
static LogicalResult verifyElementType(RoundingPointOpInterface op,
                                       StringRef name, Value operand) {
  if (!operand)
    return success();
  Type type = typeOf(operand).getElementType(), format = op.getPointFormat();
  if (type.isF32() || type == format)
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected " << name << " of ";
  if (!format.isF32())
    error << format << " or ";
  return error << "f32 elements but got " << type;
}

static LogicalResult verifyRank(Operation *op, StringRef name, Value operand,
                                int64_t rank) {
  if (typeOf(operand).getRank() == rank)
    return success();
  return op->emitOpError() << "expected " << name << " of rank " << rank
                           << " but got " << typeOf(operand);
}

/// `type` has a shape that may be `expected`.
static LogicalResult verifyShape(Operation *op, StringRef name,
                                 ArrayRef<int64_t> expected, Value operand) {
  if (!operand)
    return success();
  RankedTensorType type = typeOf(operand);
  if (type.getRank() == static_cast<int64_t>(expected.size()) &&
      succeeded(verifyCompatibleShape(expected, type.getShape())))
    return success();
  return op->emitOpError() << "expected " << name << " of type "
                           << RankedTensorType::get(expected,
                                                    type.getElementType())
                           << " but got " << type;
}

/// The result has exactly the shape `expected`.
static LogicalResult
verifyResultShape(Operation *op, ArrayRef<int64_t> expected, Value result) {
  RankedTensorType type = typeOf(result);
  if (type.getShape() == expected)
    return success();
  return op->emitOpError() << "expected result type "
                           << RankedTensorType::get(expected,
                                                    type.getElementType())
                           << " but got " << type;
}

/// `parameter` has the shape of `of`'s last dimensions, one or more, and an
/// element type as in C4.
static LogicalResult verifyParameter(RoundingPointOpInterface op,
                                     StringRef name, Value of,
                                     Value parameter) {
  if (!parameter)
    return success();
  if (failed(verifyElementType(op, name, parameter)))
    return failure();
  RankedTensorType whole = typeOf(of), type = typeOf(parameter);
  int64_t rank = type.getRank();
  if (rank > 0 && rank <= whole.getRank() &&
      succeeded(verifyCompatibleShape(whole.getShape().take_back(rank),
                                      type.getShape())))
    return success();
  return op->emitOpError() << "expected " << name
                           << " shaped as the last dimensions of " << whole
                           << " but got " << type;
}

static LogicalResult verifyFinite(Operation *op, StringRef name,
                                  std::optional<APFloat> value) {
  if (!value || value->isFinite())
    return success();
  return op->emitOpError() << "expected " << name << " that is finite";
}

//===----------------------------------------------------------------------===//
// moe.activation
//===----------------------------------------------------------------------===//

LogicalResult ActivationOp::verify() {
  RankedTensorType input = getInput().getType();
  // (C5) There is a last dimension to work on.
  if (input.getRank() == 0)
    return emitOpError() << "expected an input of rank 1 or more but got "
                         << input;
  // (C6) One way to say where up is.
  if (getUp() && getLayout())
    return emitOpError() << "expected up or a layout but got both";
  SmallVector<int64_t> shape(input.getShape());
  if (getLayout()) {
    // (C7) The halves are known at compile time.
    if (ShapedType::isDynamic(shape.back()) || shape.back() % 2 != 0)
      return emitOpError()
             << "expected a last dimension that is static and even but got "
             << input;
    shape.back() /= 2;
  }
  // (C8) Up is like the input.
  if (getUp() && typeOf(getUp()).getElementType() != input.getElementType())
    return emitOpError() << "expected up of " << input.getElementType()
                         << " elements but got "
                         << typeOf(getUp()).getElementType();
  if (failed(verifyShape(*this, "up", shape, getUp())) ||
      // (C9)
      failed(verifyResultElementType(*this, input, getResult().getType())) ||
      failed(verifyResultShape(*this, shape, getResult())) ||
      // (C10)
      failed(verifyParameter(*this, "bias", getInput(), getBias())))
    return failure();
  if (getUpBias()) {
    if (!getUp())
      return emitOpError() << "expected up with up_bias";
    if (failed(verifyParameter(*this, "up_bias", getUp(), getUpBias())))
      return failure();
  }
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
  if (getAlpha() && (!getAlpha()->isFinite() || getAlpha()->isZero()))
    return emitOpError() << "expected an alpha that is finite and not zero";
  if (getLimit() && (!getLimit()->isFinite() || getLimit()->isNegative() ||
                     getLimit()->isZero()))
    return emitOpError() << "expected a limit that is finite and positive";
  if (getOffset() && !isGated())
    return emitOpError() << "offset needs an up";
  return verifyFinite(*this, "an offset", getOffset());
}

//===----------------------------------------------------------------------===//
// moe.combine
//===----------------------------------------------------------------------===//

LogicalResult CombineOp::verify() {
  // (C14) Slots of tokens, or rows that indices name.
  if (failed(verifyRank(*this, "terms", getTerms(), getIndices() ? 2 : 3)))
    return failure();
  if (getIndices() && failed(verifyRank(*this, "indices", getIndices(), 2)))
    return failure();
  RankedTensorType terms = getTerms().getType();
  ArrayRef<int64_t> slots = getIndices() ? typeOf(getIndices()).getShape()
                                         : terms.getShape().drop_back();
  int64_t tokens = slots[0], hidden = terms.getShape().back();
  // (C15) What each slot has.
  if (failed(verifyElementType(*this, "weights", getWeights())) ||
      failed(verifyShape(*this, "weights", slots, getWeights())) ||
      failed(verifyShape(*this, "keys", slots, getKeys())) ||
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
