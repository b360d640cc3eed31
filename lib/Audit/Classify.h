// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Says what is different about two expressions that are not equal.
#ifndef PREC_LIB_AUDIT_CLASSIFY_H
#define PREC_LIB_AUDIT_CLASSIFY_H

#include "Inputs.h"
#include "prec/Audit/Tables.h"

namespace prec::audit {

struct Classification {
  Kind kind = Kind::Other;
  sym::Node where = 0; ///< the node of the expected expression it is about
  std::string explanation;
  std::string expectedTree, actualTree; ///< of a reassociation
};

/// `hints`: inputs on which parts of them differ.
/// `expected` and `actual` as the programs gave them, `expectedForm` and
/// `actualForm` their canonical forms; `format` of the results. `program`
/// tells which operation of the expected program a node belongs to: the
/// roundings of one operation are one.
Classification classify(sym::Graph &graph, Inputs &inputs,
                        const Inputs::Hints &hints, const Program &program,
                        sym::Node expected, sym::Node actual,
                        sym::Node expectedForm, sym::Node actualForm,
                        const num::Format &format);

/// Where two expressions of the same form begin to differ: whether their sums
/// have the same summands in another order; says so in `out`.
bool findReassociation(const sym::Graph &graph, sym::Node a, sym::Node b,
                       Classification &out);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_CLASSIFY_H
