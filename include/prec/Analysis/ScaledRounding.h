// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_ANALYSIS_SCALEDROUNDING_H
#define PREC_ANALYSIS_SCALEDROUNDING_H

#include "dialects/Prec/Prec.h"

#include <optional>

namespace prec {

/// Whether `op` rounds f32, a scalar or a vector, to bf16 to nearest even.
bool roundsToBF16(RoundOp op);

/// A product of a bf16 number, widened to f32, and a power of two from 2^-16 to
/// 1/2.
struct ScaledBF16 {
  unsigned number; ///< which operand of the product is the number
  float scale;     ///< the power, which the other one is
};

/// That which `op` rounds to bf16, if it is one; only subnormal results change.
std::optional<ScaledBF16> scaledBF16(RoundOp op);

} // namespace prec

#endif // PREC_ANALYSIS_SCALEDROUNDING_H
