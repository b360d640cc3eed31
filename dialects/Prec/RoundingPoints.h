// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named rounding points of composite operations.
#ifndef DIALECTS_PREC_ROUNDINGPOINTS_H
#define DIALECTS_PREC_ROUNDINGPOINTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"

namespace prec {

/// One named place in a composite operation's formula where a value may be
/// rounded.
struct RoundingPoint {
  enum class Default {
    Off,
    On,
    ByResultType, ///< on exactly if the result is narrower than f32; no switch
  };
  llvm::StringLiteral name;
  Default byDefault;
};

/// A discardable attribute of operations with rounding points: a string P asks
/// for a `prec.observe` of the value at each point, on or off, named P.point.
inline constexpr llvm::StringLiteral kObserveAttrName = "prec.observe";

namespace detail {
/// `settings` names `points` that are switches and sets booleans.
llvm::LogicalResult
verifyPointSettings(llvm::ArrayRef<RoundingPoint> points,
                    mlir::DictionaryAttr settings,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
/// What attributes are left without `points` and those of ODS itself.
llvm::SmallVector<llvm::StringRef>
getRuleNames(llvm::ArrayRef<llvm::StringRef> attributeNames);
/// The `points` attribute names points of `op` only and sets booleans.
llvm::LogicalResult verifyRoundingPoints(mlir::Operation *op);
} // namespace detail
} // namespace prec

#include "dialects/Prec/PrecInterfaces.h.inc"

#endif // DIALECTS_PREC_ROUNDINGPOINTS_H
