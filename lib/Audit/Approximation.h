// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How far the result of an approximate instruction may lie from the value of
/// the function: the bounds that the PTX ISA states.
#ifndef PREC_LIB_AUDIT_APPROXIMATION_H
#define PREC_LIB_AUDIT_APPROXIMATION_H

#include "prec/Audit/Lanes.h"

namespace prec::audit {

/// Widens lane i of `out`, the exact bounds of `e`, by the error of the
/// instruction.
void widen(const sym::Expr &e, const Lanes *const in[3], size_t i, Lanes &out);

/// The bound in words: "ex2.approx: relative error 2^-22".
std::string describeApproximation(const sym::Expr &e);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_APPROXIMATION_H
