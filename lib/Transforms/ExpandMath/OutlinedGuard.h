// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a GPU that are close, and computed again behind a call where that
// does not tell their rounding.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_OUTLINEDGUARD_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_OUTLINEDGUARD_H

#include "NarrowFunctions.h"

namespace prec {

/// Tests whether the rounding of a guarded product is known for all elements.
/// Where it is not, calls a new function of the symbol table that computes the
/// pairs of elements in question with right bits. Adds the choices for that
/// function to `narrow`, and its math functions to `functions`.
void insertOutlinedGuard(const NarrowFunctions::Guarded &guarded,
                         NarrowFunctions &narrow,
                         llvm::SmallVectorImpl<mlir::Operation *> &functions);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_OUTLINEDGUARD_H
