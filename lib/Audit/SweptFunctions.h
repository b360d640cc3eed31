// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions as the operations that our kernels compute them with.
#ifndef PREC_LIB_AUDIT_SWEPTFUNCTIONS_H
#define PREC_LIB_AUDIT_SWEPTFUNCTIONS_H

#include "prec/Audit/Canonical.h"

namespace prec::audit {

/// The expansion of a correctly rounded function of an f32 number
/// (prec/Numerics/MathExpansion.h, or DoubleFloatExpansion.h), which bench/sweep
/// compares with the function on every f32 input; 0 where there is none.
sym::Node sweptFunction(sym::Graph &graph, sym::FunctionId function,
                        sym::Node x, Expansion expansion);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_SWEPTFUNCTIONS_H
