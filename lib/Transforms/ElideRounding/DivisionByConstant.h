// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions that a multiplication may replace.
#ifndef PREC_LIB_TRANSFORMS_ELIDEROUNDING_DIVISIONBYCONSTANT_H
#define PREC_LIB_TRANSFORMS_ELIDEROUNDING_DIVISIONBYCONSTANT_H

#include "prec/Numerics/Format.h"

#include "llvm/ADT/APFloat.h"

#include <optional>

namespace prec {

/// 1 / `divisor` in its own format where that is exact: the divisor is a power
/// of two. Then x / d and x * (1 / d) are one real number, rounded once, for
/// every x: infinities, zeros and NaNs too.
std::optional<llvm::APFloat> exactReciprocal(const llvm::APFloat &divisor);

/// Whether x / `divisor` and x * `reciprocal`, computed in f32 and rounded to
/// `to` (nearest even), have the same bits for each of the 65,536 numbers x of
/// the 16-bit format `from`, NaN being equal to NaN. Tries them all.
bool reciprocalSuffices(const num::Format &from, float divisor,
                        float reciprocal, const num::Format &to);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_ELIDEROUNDING_DIVISIONBYCONSTANT_H
