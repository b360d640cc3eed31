// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where two expressions begin to differ.
#ifndef PREC_LIB_AUDIT_DIVERGENCE_H
#define PREC_LIB_AUDIT_DIVERGENCE_H

#include "prec/Audit/Audit.h"
#include "prec/Audit/Canonical.h"

namespace prec::audit {

/// The operands of x and y that the other one has not, whichever way they are
/// paired.
std::pair<std::vector<sym::Node>, std::vector<sym::Node>>
differing(const sym::Expr &x, const sym::Expr &y);

/// The nodes of `program`'s expression `root` that its canonical form shows
/// first to differ from `wanted`, the canonical form of the other one: the
/// deepest ones on the way down along the operands that differ, outermost last.
/// Only nodes that a location is known of.
std::vector<sym::Node> divergence(const sym::Graph &graph, Canonical &canonical,
                                  const Program &program, sym::Node root,
                                  sym::Node wanted);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_DIVERGENCE_H
