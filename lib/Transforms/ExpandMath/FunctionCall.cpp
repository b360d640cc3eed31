// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionCall.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;

std::optional<prec::FunctionCall> prec::functionOf(Operation *op) {
  using num::MathFunction;
  using Result = std::optional<FunctionCall>;
  auto is = [](MathFunction function) { return Result({function}); };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](math::ExpOp) { return is(MathFunction::Exp); })
      .Case([&](math::Exp2Op) { return is(MathFunction::Exp2); })
      .Case([&](math::ExpM1Op) { return is(MathFunction::Expm1); })
      .Case([&](math::LogOp) { return is(MathFunction::Log); })
      .Case([&](math::Log2Op) { return is(MathFunction::Log2); })
      .Case([&](math::Log10Op) { return is(MathFunction::Log10); })
      .Case([&](math::Log1pOp) { return is(MathFunction::Log1p); })
      .Case([&](math::TanhOp) { return is(MathFunction::Tanh); })
      .Case([&](math::ErfOp) { return is(MathFunction::Erf); })
      .Case([&](math::SinOp) { return is(MathFunction::Sin); })
      .Case([&](math::CosOp) { return is(MathFunction::Cos); })
      .Case([&](math::RsqrtOp) { return is(MathFunction::Rsqrt); })
      .Case([&](math::FPowIOp power) -> Result {
        APInt n;
        if (!matchPattern(power.getRhs(), m_ConstantInt(&n)) ||
            n.slt(-kMaxPower) || n.sgt(kMaxPower))
          return std::nullopt;
        return FunctionCall{MathFunction::Powi,
                            static_cast<int>(n.getSExtValue())};
      })
      .Default([](Operation *) { return Result(); });
}

Value prec::onePlusWhat(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  for (unsigned i : {0, 1}) {
    if (sum && matchPattern(sum->getOperand(i), m_OneFloat()))
      return sum->getOperand(1 - i);
  }
  return {};
}

bool prec::isCorrectlyRounded(Operation *op) {
  auto kind = op->getAttrOfType<MathAttr>("prec.math");
  return !kind || kind.getKind() == MathKind::correctly_rounded;
}
