// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the promotions of all operations of the moe dialect do with points.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_POINTS_H
#define LIB_TRANSFORMS_PROMOTEMOE_POINTS_H

#include "Report.h"

#include "dialects/MoE/MoE.h"
#include "dialects/Prec/Prec.h"

namespace prec {

/// Writes into `op` that its points are off, but for those in `kept`, and also
/// where that is their default: no profile sets what an operation says itself.
/// Appends to `overridden` those that it said are on. False if nothing changes.
bool switchOff(RoundingPointOpInterface op,
               llvm::ArrayRef<llvm::StringRef> kept,
               llvm::SmallVectorImpl<std::string> &overridden);

/// For a remark: `how`, and what the operation or a profile had said otherwise.
std::string withOverridden(llvm::StringRef how,
                           llvm::ArrayRef<std::string> overridden);

/// Whether the operation has 16-bit points; if not, says so.
bool hasHalfOperands(RoundingPointOpInterface op, llvm::StringRef what,
                     Report &report);

/// Whether an activation, or what a gradient is of, is a gated silu; if not,
/// says so.
bool isGatedSilu(mlir::Location loc, moe::Function function, bool isGated,
                 llvm::StringRef what, Report &report);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_POINTS_H
