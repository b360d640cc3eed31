// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WrittenSigmoid.h"

#include "dialects/NN/NN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prec;

using Kind = Expression::Kind;

/// x and how exp is computed, of exp(-x); counts roundings.
static std::optional<std::pair<Element, Attribute>>
matchExpOfMinus(Element element, unsigned &roundings) {
  Element outer = peel(element, roundings);
  auto exp = outer.value.getDefiningOp<math::ExpOp>();
  if (!exp)
    return std::nullopt;
  roundings += isHalf(outer.type());
  Element inner = peel({exp.getOperand(), outer.at}, roundings);
  auto neg = inner.value.getDefiningOp<arith::NegFOp>();
  if (!neg)
    return std::nullopt;
  return std::make_pair(Element{neg.getOperand(), inner.at},
                        exp->getAttr("prec.math"));
}

std::optional<std::pair<Element, double>>
prec::matchScaled(Element element, unsigned &roundings) {
  unsigned rounded = 0;
  element = peel(element, rounded);
  auto mul = element.value.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return std::nullopt;
  rounded += isHalf(element.type());
  for (unsigned side : {0, 1}) {
    std::optional<double> constant =
        constantOf({mul->getOperand(side), element.at});
    if (!constant)
      continue;
    roundings += rounded;
    return std::make_pair(Element{mul->getOperand(1 - side), element.at},
                          *constant);
  }
  return std::nullopt;
}

static Expression formulaOf(bool isSilu, Expression numerator, Expression x,
                            Attribute math) {
  return Expression::of(Kind::div,
                        {isSilu ? numerator : Expression::ofConstant(1.0),
                         Expression::onePlusExpOfMinus(x, math)});
}

/// a / (1 + exp(-x)) with a = 1, a = x, or a = y where x is alpha * y.
static std::optional<Sigmoid> matchQuotient(arith::DivFOp div, AffineMap at) {
  Sigmoid sigmoid;
  Element sum = peel({div.getRhs(), at}, sigmoid.roundings);
  auto add = sum.value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  sigmoid.roundings += isHalf(sum.type());
  Element first{add.getLhs(), sum.at}, second{add.getRhs(), sum.at};
  if (constantOf(first) == 1.0)
    std::swap(first, second);
  if (constantOf(second) != 1.0)
    return std::nullopt;
  auto exponent = matchExpOfMinus(first, sigmoid.roundings);
  if (!exponent)
    return std::nullopt;
  auto [argument, math] = *exponent;
  sigmoid.argument = argument;
  Element numerator{div.getLhs(), at};
  sigmoid.isSilu = constantOf(numerator) != 1.0;
  Expression x = Expression::ofLeaf(0);
  sigmoid.formula = formulaOf(sigmoid.isSilu, x, x, math);
  if (auto scaled = matchScaled(argument, sigmoid.scaleRoundings)) {
    sigmoid.unscaled = scaled->first;
    sigmoid.alpha = scaled->second;
    Expression product =
        Expression::of(Kind::mul, {x, Expression::ofConstant(sigmoid.alpha)});
    sigmoid.ofUnscaled = formulaOf(sigmoid.isSilu, x, product, math);
  }
  if (!sigmoid.isSilu || isSame(origin(numerator), origin(argument)))
    return sigmoid;
  if (!sigmoid.unscaled ||
      !isSame(origin(numerator), origin(*sigmoid.unscaled)))
    return std::nullopt;
  sigmoid.unscale();
  return sigmoid;
}

/// An operation of the nn dialect.
static std::optional<Sigmoid> matchFunction(Operation *op, AffineMap at) {
  if (!isa<nn::SiluOp, nn::SigmoidOp, nn::GeluOp>(op))
    return std::nullopt;
  Sigmoid sigmoid;
  sigmoid.argument = {op->getOperand(0), at};
  sigmoid.isSilu = !isa<nn::SigmoidOp>(op);
  if (isa<nn::GeluOp>(op))
    sigmoid.unsupported = "gelu";
  Attribute math = op->getAttr("math");
  Expression x = Expression::ofLeaf(0);
  sigmoid.formula = formulaOf(sigmoid.isSilu, x, x, math);
  if (sigmoid.isSilu)
    return sigmoid;
  if (auto scaled = matchScaled(sigmoid.argument, sigmoid.scaleRoundings)) {
    sigmoid.unscaled = scaled->first;
    sigmoid.alpha = scaled->second;
    Expression product =
        Expression::of(Kind::mul, {x, Expression::ofConstant(sigmoid.alpha)});
    sigmoid.ofUnscaled = formulaOf(/*isSilu=*/false, x, product, math);
  }
  return sigmoid;
}

std::optional<Sigmoid> Sigmoid::match(Element element) {
  unsigned roundings = 0;
  element = peel(element, roundings);
  Operation *def = element.value.getDefiningOp();
  if (!def)
    return std::nullopt;
  auto div = dyn_cast<arith::DivFOp>(def);
  std::optional<Sigmoid> sigmoid =
      div ? matchQuotient(div, element.at) : matchFunction(def, element.at);
  if (sigmoid)
    sigmoid->roundings += roundings + isHalf(element.type());
  return sigmoid;
}

void Sigmoid::unscale() {
  argument = *unscaled;
  formula = ofUnscaled;
  roundings += scaleRoundings;
  unscaled.reset();
}
