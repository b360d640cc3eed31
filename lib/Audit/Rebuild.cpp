// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rebuild.h"

#include "prec/Symbolic/Ops.h"

using namespace prec;
using sym::Expr;
using sym::Graph;
using sym::Node;
using sym::Op;

Node prec::audit::rebuild(Graph &graph, const Expr &e) {
  const auto &[a, b, c] = e.operands;
  if (sym::isArithmetic(e.op))
    return graph.arithmetic(e.op, e.format, a, b, c, e.rounding, e.flags);
  switch (e.op) {
  case Op::Constant:
    return graph.constant(e.bits, e.width);
  case Op::Leaf:
    return graph.leaf(e.index, e.bits);
  case Op::Undefined:
    return graph.undefined(e.width);
  case Op::Neg:
    return graph.neg(a);
  case Op::Abs:
    return graph.abs(a);
  case Op::Flush:
  case Op::Saturate:
  case Op::Relu:
    return graph.modify(e.op, e.format, a);
  case Op::Convert:
    return graph.convert(e.format, e.to, a, e.rounding, e.index != 0);
  case Op::RoundIntegral:
    return graph.roundIntegral(e.format, a, e.rounding);
  case Op::FromInteger:
    return graph.fromInteger(e.format, e.index != 0, a, e.rounding);
  case Op::ToInteger:
    return graph.toInteger(e.format, e.index != 0, e.width, a, e.rounding);
  case Op::Function:
    return graph.function(sym::FunctionId(e.index), e.format, a, e.flags);
  case Op::Compare:
    return graph.compare(e.format, e.index, a, b);
  case Op::Concat:
    return graph.concat(a, b);
  case Op::Extract:
    return graph.extract(a, e.index, e.width);
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return graph.logic(e.op, a, b);
  case Op::Not:
    return graph.logicalNot(a);
  case Op::Equal:
    return graph.equal(a, b);
  case Op::Choice:
    return graph.choice(a, b, c);
  case Op::Opaque:
    return graph.opaque(graph.opaqueName(e.index), e.width, nullptr, a, b, c);
  default:
    return 0; // arithmetic, above
  }
}
