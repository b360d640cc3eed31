// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace prec;

/// The value of the type `narrow` that `wide` was widened from, if its
/// definition says so by arith.extf alone.
static Value widenedFrom(Value wide, Type narrow) {
  while (auto ext = wide.getDefiningOp<arith::ExtFOp>()) {
    wide = ext.getIn();
    if (wide.getType() == narrow)
      return wide;
  }
  return {};
}

/// Constants are rounded by the numerics library. A value that came exactly
/// from the result's format is that value again, except that `saturate` changes
/// infinities.
OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  if (!getSaturate())
    if (Value origin = widenedFrom(getInput(), getType()))
      return origin;

  Type narrow = getElementTypeOrSelf(getType());
  const num::Format &from = *formatOf(getElementTypeOrSelf(getInput()));
  const num::Format &to = *formatOf(narrow);
  auto round = [&](const APFloat &value) {
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    return APInt(to.width(), num::round(from, bits, to, numericsMode(getMode()),
                                        getSaturate()));
  };
  if (auto scalar = dyn_cast_if_present<FloatAttr>(adaptor.getInput()))
    return FloatAttr::get(narrow,
                          APFloat(cast<FloatType>(narrow).getFloatSemantics(),
                                  round(scalar.getValue())));
  if (auto dense = dyn_cast_if_present<DenseFPElementsAttr>(adaptor.getInput()))
    return dense.mapValues(narrow, round);
  return {};
}
