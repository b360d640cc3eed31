// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/RoundingPoints.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

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

LogicalResult prec::detail::verifyRoundingPoints(Operation *op) {
  auto pointOp = cast<RoundingPointOpInterface>(op);
  DictionaryAttr settings = pointOp.getPointSettings();
  if (!settings)
    return success();
  ArrayRef<RoundingPoint> points = pointOp.getRoundingPoints();
  for (NamedAttribute setting : settings) {
    StringRef name = setting.getName();
    const RoundingPoint *point = findPoint(points, name);
    if (!point) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "expected a rounding point (";
      llvm::interleaveComma(points, diag, [&](const RoundingPoint &known) {
        diag << known.name;
      });
      return diag << ") but got '" << name << "'";
    }
    if (point->byDefault == RoundingPoint::Default::ByResultType)
      return op->emitOpError()
             << "rounding point '" << name
             << "' follows from the result type and cannot be set";
    if (!isa<BoolAttr>(setting.getValue()))
      return op->emitOpError() << "expected true or false for rounding point '"
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
