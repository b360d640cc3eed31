// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotion of the operations of the moe dialect.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_OPERATIONS_H
#define LIB_TRANSFORMS_PROMOTEMOE_OPERATIONS_H

#include "Report.h"

#include "dialects/MoE/MoE.h"

namespace prec {

/// Whether the operation can be promoted; if not, says so. Nothing changes.
bool canPromote(moe::ActivationOp op, Report &report);
bool canPromote(moe::ActivationGradOp op, Report &report);
/// `forward`: the combination whose probability comes to it, or null.
bool canPromote(moe::CombineGradOp op, moe::CombineOp forward, Report &report);

/// Each promotes its operation, which can be. One that is promoted already
/// stays as it is.
void promote(moe::ActivationOp op, Report &report);
void promote(moe::ActivationGradOp op, Report &report);
void promote(moe::CombineGradOp op, Report &report);
/// The same, or says why it cannot be and gives false.
bool promote(moe::CombineOp op, Report &report);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_OPERATIONS_H
