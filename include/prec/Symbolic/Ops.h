// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all code that handles operations must know of them, in one place.
#ifndef PREC_SYMBOLIC_OPS_H
#define PREC_SYMBOLIC_OPS_H

#include "prec/Symbolic/Graph.h"

namespace prec::sym {

/// Whether Graph::arithmetic builds it.
bool isArithmetic(Op op);
/// A leaf of the graph: an element, a constant, or memory without a value.
bool isLeafLike(Op op);
/// The format of the result where the operation says it; None for bits, and for
/// sign operations and choices, which keep what they are given.
FormatId resultFormat(const Expr &e);
/// Whether the operation reads its operands as numbers of `format`, so that it
/// does not matter which NaN one is.
bool readsNumbers(const Expr &e);
/// Whether a GPU makes NaN results canonical.
bool makesNaN(const Expr &e);
/// The NaN that a GPU makes: all ones but the sign; of f64 the quiet one.
uint64_t canonicalNaN(const num::Format &format);
/// Whether the result never falls, or never rises, in each operand while the
/// others stay: its extremes are at those of the operands. Of a division only
/// away from a zero of the divisor.
bool isMonotone(const Expr &e);

} // namespace prec::sym

#endif // PREC_SYMBOLIC_OPS_H
