// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace prec;

#define GET_OP_CLASSES
#include "dialects/Prec/PrecOps.cpp.inc"

LogicalResult RoundOp::verify() {
  // C2
  Type element = getElementTypeOrSelf(getType());
  auto elementOf = [&](Type type) -> Type {
    if (auto shaped = dyn_cast<ShapedType>(type))
      return shaped.clone(element);
    return element;
  };
  if (elementOf(getInput().getType()) != getType())
    return emitOpError(
               "expected the result to have the operand's shape but got ")
           << getInput().getType() << " and " << getType();
  // C3
  Type from = getElementTypeOrSelf(getInput());
  if (element.getIntOrFloatBitWidth() >= from.getIntOrFloatBitWidth())
    return emitOpError("expected a format narrower than ")
           << from << " but got " << element;
  return success();
}

LogicalResult ObserveOp::verify() {
  // C1
  if (getName().empty())
    return emitOpError("expected a name that is not empty");
  return success();
}

LogicalResult prec::verifyOrderHolds(Operation *op, OrderAttr order,
                                     int64_t extent) {
  int64_t capacity = num::capacity(order.getOrder());
  if (capacity == num::SumOrder::kRest)
    return success();
  if (ShapedType::isDynamic(extent))
    return op->emitOpError(
               "expected an order of any number of elements but got one of ")
           << capacity;
  if (extent <= capacity)
    return success();
  return op->emitOpError("expected an order of ")
         << extent << " elements but got one of " << capacity;
}

LogicalResult LookupOp::verify() {
  // C1
  if (getTable().size() != kTableSize)
    return emitOpError("expected a table of ")
           << kTableSize << " words but got " << getTable().size();
  return success();
}

LogicalResult SumOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  // C1
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= input.getRank())
    return emitOpError("expected a dimension of the operand, 0 to ")
           << input.getRank() - 1 << " but got " << dimension;
  // C2, C3
  SmallVector<int64_t> shape(input.getShape());
  shape.erase(shape.begin() + dimension);
  auto expected = RankedTensorType::get(shape, input.getElementType());
  if (result != expected)
    return emitOpError("expected the result type ")
           << expected << " but got " << result;
  // C4
  return verifyOrderHolds(*this, getOrder(), input.getDimSize(dimension));
}

LogicalResult KernelOp::verify() {
  // C1
  if (getName().empty())
    return emitOpError("expected a name that is not empty");
  // C2
  if (getBody().getArgumentTypes() != getInputs().getTypes())
    return emitOpError("expected block arguments of the types ")
           << getInputs().getTypes() << " but got "
           << getBody().getArgumentTypes();
  return success();
}

LogicalResult YieldOp::verify() {
  // C3 of prec.kernel
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (getValues().getTypes() != kernel.getResultTypes())
    return emitOpError("expected the kernel's result types ")
           << kernel.getResultTypes() << " but got " << getValues().getTypes();
  return success();
}
