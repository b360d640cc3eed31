// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MoEVerify.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

RankedTensorType moe::typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

LogicalResult moe::verifyResultElementType(Operation *op,
                                           RankedTensorType input,
                                           RankedTensorType result) {
  Type type = result.getElementType();
  if (type == input.getElementType() || type.isF32() ||
      input.getElementType().isF32())
    return success();
  return op->emitOpError() << "expected a result of " << input.getElementType()
                           << " or f32 elements but got " << type;
}

LogicalResult moe::verifyElementType(RoundingPointOpInterface op,
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

LogicalResult moe::verifyRank(Operation *op, StringRef name, Value operand,
                              int64_t rank) {
  if (typeOf(operand).getRank() == rank)
    return success();
  return op->emitOpError() << "expected " << name << " of rank " << rank
                           << " but got " << typeOf(operand);
}

LogicalResult moe::verifyShape(Operation *op, StringRef name,
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

LogicalResult moe::verifyResultShape(Operation *op, ArrayRef<int64_t> expected,
                                     Value result) {
  RankedTensorType type = typeOf(result);
  if (type.getShape() == expected)
    return success();
  return op->emitOpError() << "expected result type "
                           << RankedTensorType::get(expected,
                                                    type.getElementType())
                           << " but got " << type;
}

LogicalResult moe::verifyParameter(RoundingPointOpInterface op, StringRef name,
                                   Value of, Value parameter) {
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

LogicalResult moe::verifyFinite(Operation *op, StringRef name,
                                std::optional<APFloat> value) {
  if (!value || value->isFinite())
    return success();
  return op->emitOpError() << "expected " << name << " that is finite";
}

LogicalResult moe::verifyGateAndUp(Operation *op, RankedTensorType input,
                                   Value up, bool hasLayout,
                                   SmallVectorImpl<int64_t> &shape) {
  // (C5) There is a last dimension to work on.
  if (input.getRank() == 0)
    return op->emitOpError()
           << "expected an input of rank 1 or more but got " << input;
  // (C6) One way to say where up is.
  if (up && hasLayout)
    return op->emitOpError() << "expected up or a layout but got both";
  shape.assign(input.getShape().begin(), input.getShape().end());
  if (hasLayout) {
    // (C7) The halves are known at compile time.
    if (ShapedType::isDynamic(shape.back()) || shape.back() % 2 != 0)
      return op->emitOpError()
             << "expected a last dimension that is static and even but got "
             << input;
    shape.back() /= 2;
  }
  // (C8) Up is like the input.
  if (up && typeOf(up).getElementType() != input.getElementType())
    return op->emitOpError()
           << "expected up of " << input.getElementType()
           << " elements but got " << typeOf(up).getElementType();
  return verifyShape(op, "up", shape, up);
}

LogicalResult moe::verifySlots(RoundingPointOpInterface op, Value terms,
                               Value indices, Value weights,
                               ArrayRef<int64_t> &slots) {
  if (failed(verifyRank(op, "terms", terms, indices ? 2 : 3)) ||
      (indices && failed(verifyRank(op, "indices", indices, 2))))
    return failure();
  slots = indices ? typeOf(indices).getShape()
                  : typeOf(terms).getShape().drop_back();
  return failure(failed(verifyElementType(op, "weights", weights)) ||
                 failed(verifyShape(op, "weights", slots, weights)));
}

LogicalResult moe::verifyBiases(RoundingPointOpInterface op, Value input,
                                Value up, Value bias, Value upBias) {
  if (failed(verifyParameter(op, "bias", input, bias)))
    return failure();
  if (!upBias)
    return success();
  if (!up)
    return op->emitOpError() << "expected up with up_bias";
  return verifyParameter(op, "up_bias", up, upBias);
}

LogicalResult moe::verifyParameters(Operation *op, std::optional<APFloat> alpha,
                                    std::optional<APFloat> limit,
                                    std::optional<APFloat> offset,
                                    bool isGated) {
  if (alpha && (!alpha->isFinite() || alpha->isZero()))
    return op->emitOpError() << "expected an alpha that is finite and not zero";
  if (limit && (!limit->isFinite() || limit->isNegative() || limit->isZero()))
    return op->emitOpError() << "expected a limit that is finite and positive";
  if (offset && !isGated)
    return op->emitOpError() << "offset needs an up";
  return verifyFinite(op, "an offset", offset);
}
