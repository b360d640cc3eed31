// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotion of the operations of the moe dialect.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_OPERATIONS_H
#define LIB_TRANSFORMS_PROMOTEMOE_OPERATIONS_H

#include "Report.h"

#include "dialects/MoE/MoE.h"

namespace prec {

/// Each promotes its operation, or says through `report` why it cannot. An
/// operation that is promoted already stays as it is.
void promote(moe::ActivationOp op, Report &report);
void promote(moe::CombineOp op, Report &report);
void promote(moe::ActivationGradOp op, Report &report);
void promote(moe::CombineGradOp op, Report &report);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_OPERATIONS_H
