// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Points.h"
#include "Elements.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace prec;

bool prec::switchOff(RoundingPointOpInterface op, ArrayRef<StringRef> kept,
                     SmallVectorImpl<std::string> &overridden) {
  auto off = BoolAttr::get(op->getContext(), false);
  auto on = BoolAttr::get(op->getContext(), true);
  NamedAttrList settings(op.getPointSettings());
  bool changed = false;
  for (const RoundingPoint &point : op.getRoundingPoints()) {
    if (point.byDefault == RoundingPoint::Default::ByResultType ||
        llvm::is_contained(kept, point.name))
      continue;
    Attribute old = settings.set(point.name, off);
    changed |= old != off;
    if (old == on)
      overridden.push_back(std::string(point.name));
  }
  op.setPointSettings(settings.getDictionary(op->getContext()));
  return changed;
}

std::string prec::withOverridden(StringRef how,
                                 ArrayRef<std::string> overridden) {
  if (overridden.empty())
    return how.str();
  return (how + "; overrides what the operation or a profile said of " +
          llvm::join(overridden, ", "))
      .str();
}

bool prec::hasHalfOperands(RoundingPointOpInterface op, StringRef what,
                           Report &report) {
  if (isHalf(op.getPointFormat()))
    return true;
  report.cannot(op->getLoc(), what)
      << "expected bf16 or f16 operands but got " << op.getPointFormat();
  return false;
}

bool prec::isGatedSilu(Location loc, moe::Function function, bool isGated,
                       StringRef what, Report &report) {
  if (function == moe::Function::silu && isGated)
    return true;
  report.cannot(loc, what) << "expected a gated silu but got "
                           << stringifyFunction(function)
                           << (isGated ? "" : " without up");
  return false;
}
