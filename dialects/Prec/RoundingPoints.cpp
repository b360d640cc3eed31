// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/RoundingPoints.h"

#include "dialects/Prec/Spelling.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace prec;

#include "dialects/Prec/PrecInterfaces.cpp.inc"

static const RoundingPoint *findPoint(ArrayRef<RoundingPoint> points,
                                      StringRef name) {
  const auto *it = llvm::find_if(
      points, [&](const RoundingPoint &point) { return point.name == name; });
  return it == points.end() ? nullptr : it;
}

bool RoundingPointOpInterface::isPointOn(StringRef name) {
  const RoundingPoint *point = findPoint(getRoundingPoints(), name);
  assert(point && "the operation has no such point");
  if (point->byDefault == RoundingPoint::Default::ByResultType)
    return getElementTypeOrSelf((*this)->getResult(0).getType())
               .getIntOrFloatBitWidth() < 32;
  if (DictionaryAttr settings = getPointSettings())
    if (auto setting = settings.getAs<BoolAttr>(name))
      return setting.getValue();
  return point->byDefault == RoundingPoint::Default::On;
}

void RoundingPointOpInterface::setPoint(StringRef name, bool on) {
  const RoundingPoint *point = findPoint(getRoundingPoints(), name);
  assert(point && point->byDefault != RoundingPoint::Default::ByResultType &&
         "the operation has no such switch");
  MLIRContext *context = (*this)->getContext();
  NamedAttrList settings(getPointSettings());
  if (on == (point->byDefault == RoundingPoint::Default::On))
    settings.erase(name);
  else
    settings.set(name, BoolAttr::get(context, on));
  setPointSettings(settings.empty() ? DictionaryAttr()
                                    : settings.getDictionary(context));
}

bool RoundingPointOpInterface::hasOperand(StringRef name) {
  const auto *it = llvm::find(getOperandNames(), name);
  assert(it != getOperandNames().end() && "the operation has no such operand");
  auto position = it - getOperandNames().begin();
  if (auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(
          (*this)
              ->getInherentAttr("operandSegmentSizes")
              .value_or(Attribute())))
    return sizes[position] > 0;
  return position < (*this)->getNumOperands();
}

LogicalResult prec::detail::verifyRoundingPoints(Operation *op) {
  auto pointOp = cast<RoundingPointOpInterface>(op);
  DictionaryAttr settings = pointOp.getPointSettings();
  if (!settings)
    return success();
  return verifyPointSettings(pointOp.getRoundingPoints(), settings,
                             [&] { return op->emitOpError(); });
}

LogicalResult prec::detail::verifyPointSettings(
    ArrayRef<RoundingPoint> points, DictionaryAttr settings,
    llvm::function_ref<InFlightDiagnostic()> emitError) {
  for (NamedAttribute setting : settings) {
    StringRef name = setting.getName();
    const RoundingPoint *point = findPoint(points, name);
    if (!point) {
      SmallVector<StringRef> known = llvm::map_to_vector(
          points,
          [](const RoundingPoint &known) -> StringRef { return known.name; });
      return emitError() << "expected a rounding point ("
                         << llvm::join(known, ", ") << ") but got '" << name
                         << "'" << didYouMean(name, known);
    }
    if (point->byDefault == RoundingPoint::Default::ByResultType)
      return emitError() << "rounding point '" << name
                         << "' follows from the result type and cannot be set";
    if (!isa<BoolAttr>(setting.getValue()))
      return emitError() << "expected true or false for rounding point '"
                         << name << "' but got " << setting.getValue();
  }
  return success();
}

SmallVector<StringRef>
prec::detail::getRuleNames(ArrayRef<StringRef> attributeNames) {
  return llvm::filter_to_vector(attributeNames, [](StringRef name) {
    return name != "points" && !name.ends_with("SegmentSizes");
  });
}
