// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Symbolic/Ops.h"

using namespace prec;
using namespace prec::sym;

namespace {
enum Property : uint8_t {
  Arithmetic = 1,
  Reads = 2, ///< numbers
  Gives = 4, ///< a number of `format`
  NaN = 8,   ///< makes NaNs canonical
  Monotone = 16
};
} // namespace

static unsigned propertiesOf(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Fma:
  case Op::Sqrt:
  case Op::Minimum:
  case Op::Maximum:
  case Op::MinNum:
  case Op::MaxNum:
    return Arithmetic | Reads | Gives | NaN | Monotone;
  case Op::CopySign:
    return Arithmetic | Gives;
  case Op::Flush:
  case Op::Saturate:
  case Op::Relu:
    return Reads | Gives | Monotone;
  case Op::RoundIntegral:
  case Op::Function:
    return Reads | Gives | NaN | Monotone;
  case Op::Convert:
    return Reads | Gives | NaN | Monotone;
  case Op::FromInteger:
    return Gives;
  case Op::ToInteger:
  case Op::Compare:
    return Reads;
  default:
    return 0;
  }
}

bool prec::sym::isArithmetic(Op op) { return propertiesOf(op) & Arithmetic; }

bool prec::sym::isLeafLike(Op op) {
  return op == Op::Leaf || op == Op::Constant || op == Op::Undefined;
}

FormatId prec::sym::resultFormat(const Expr &e) {
  if (!(propertiesOf(e.op) & Gives))
    return FormatId::None;
  return e.op == Op::Convert ? e.to : e.format;
}

/// bf16 to f32 may be a shift of bits, whoever writes it.
static bool mayBeShift(const Expr &e) {
  return e.op == Op::Convert && formatOf(e.to)->width() >= 32;
}

bool prec::sym::readsNumbers(const Expr &e) {
  return (propertiesOf(e.op) & Reads) && !mayBeShift(e);
}

bool prec::sym::makesNaN(const Expr &e) {
  return (propertiesOf(e.op) & NaN) && !mayBeShift(e);
}

uint64_t prec::sym::canonicalNaN(const num::Format &format) {
  return format == num::kF64 ? format.quietNaN() : format.absMask();
}

bool prec::sym::isMonotone(const Expr &e) {
  if (e.op == Op::Function && (FunctionId(e.index) == FunctionId::Sin ||
                               FunctionId(e.index) == FunctionId::Cos))
    return false;
  return propertiesOf(e.op) & Monotone;
}
