// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_AUDIT_REBUILD_H
#define PREC_LIB_AUDIT_REBUILD_H

#include "prec/Symbolic/Graph.h"

namespace prec::audit {

/// The node that the graph makes of an operation, by the function that makes
/// its kind; an opaque operation is one that the graph knows already.
sym::Node rebuild(sym::Graph &graph, const sym::Expr &e);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_REBUILD_H
