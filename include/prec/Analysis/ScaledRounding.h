// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_ANALYSIS_SCALEDROUNDING_H
#define PREC_ANALYSIS_SCALEDROUNDING_H

#include "dialects/Prec/Prec.h"

#include <optional>

namespace prec {

/// Whether `op` rounds f32, a scalar or a vector, to bf16 or f16 to nearest
/// even.
bool roundsTo16Bits(RoundOp op);

/// A product of a 16-bit number, widened to f32, and a power of two from 2^-16
/// to 1/2.
struct ScaledNumber {
  unsigned number; ///< which operand of the product is the number
  float scale;     ///< the power, which the other one is
};

/// That which `op` rounds to the number's format, if it is one; only subnormal
/// results change.
std::optional<ScaledNumber> scaledNumber(RoundOp op);

} // namespace prec

#endif // PREC_ANALYSIS_SCALEDROUNDING_H
