// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Neighbours.h"
#include "Probabilities.h"
#include "Written.h"

#include "dialects/NN/NN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prec;

using Kind = Expression::Kind;

std::optional<unsigned> prec::hiddenLoop(Operation *root) {
  if (auto op = dyn_cast<linalg::LinalgOp>(root->getParentOp())) {
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (map.getNumResults() == 0 || !map.isPermutation())
      return std::nullopt;
    return map.getDimPosition(map.getNumResults() - 1);
  }
  auto type = dyn_cast<RankedTensorType>(root->getResult(0).getType());
  if (!type || type.getRank() == 0)
    return std::nullopt;
  return type.getRank() - 1;
}

Element prec::elementOf(Operation *root) {
  if (auto op = dyn_cast<linalg::LinalgOp>(root->getParentOp()))
    return Element::of(root->getResult(0), op);
  return Element::of(root->getResult(0));
}

Element prec::roundedBy(Operation *root) {
  Element element = elementOf(root);
  if (isa<arith::TruncFOp, RoundOp>(root))
    element.value = root->getOperand(0);
  return element;
}

namespace {

/// A product with a sigmoid or a silu in it. `factors` are the other ones, the
/// leaves 1, 2, ... of the formula.
struct Product {
  Expression formula;
  Element argument; ///< of the sigmoid or silu: leaf 0
  bool isSilu = false;
  StringRef unsupported;
  SmallVector<Element> factors;
  unsigned roundings = 0;

  Expression addFactor(Element factor) {
    factors.push_back(factor);
    return Expression::ofLeaf(factors.size());
  }
};

} // namespace

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

/// a / (1 + exp(-x)) with a = 1 or a = x.
static std::optional<Product> matchQuotient(arith::DivFOp div, AffineMap at) {
  Product product;
  Element sum = peel({div.getRhs(), at}, product.roundings);
  auto add = sum.value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  product.roundings += isHalf(sum.type());
  Element first{add.getLhs(), sum.at}, second{add.getRhs(), sum.at};
  if (constantOf(first) == 1.0)
    std::swap(first, second);
  if (constantOf(second) != 1.0)
    return std::nullopt;
  auto exponent = matchExpOfMinus(first, product.roundings);
  if (!exponent)
    return std::nullopt;
  product.argument = exponent->first;
  Element numerator{div.getLhs(), at};
  product.isSilu = constantOf(numerator) != 1.0;
  if (product.isSilu && !isSame(origin(numerator), origin(product.argument)))
    return std::nullopt;
  Expression x = Expression::ofLeaf(0);
  product.formula = Expression::of(
      Kind::div, {product.isSilu ? x : Expression::ofConstant(1.0),
                  Expression::onePlusExpOfMinus(x, exponent->second)});
  return product;
}

/// An operation of the nn dialect.
static std::optional<Product> matchFunction(Operation *op, AffineMap at) {
  if (!isa<nn::SiluOp, nn::SigmoidOp, nn::GeluOp>(op))
    return std::nullopt;
  Product product;
  product.argument = {op->getOperand(0), at};
  product.isSilu = !isa<nn::SigmoidOp>(op);
  if (isa<nn::GeluOp>(op))
    product.unsupported = "gelu";
  Attribute math = op->getAttr("math");
  Expression x = Expression::ofLeaf(0);
  product.formula = Expression::of(
      Kind::div, {product.isSilu ? x : Expression::ofConstant(1.0),
                  Expression::onePlusExpOfMinus(x, math)});
  return product;
}

/// The product that `element` is; `isRoot`: its rounding is that of the result.
static std::optional<Product> matchProduct(Element element, unsigned hidden,
                                           bool isRoot, unsigned depth) {
  unsigned roundings = 0;
  if (!isRoot)
    element = peel(element, roundings);
  Operation *def = element.value.getDefiningOp();
  if (!def)
    return std::nullopt;
  roundings += isHalf(element.type()) && !isRoot;
  std::optional<Product> product;
  if (auto div = dyn_cast<arith::DivFOp>(def))
    product = matchQuotient(div, element.at);
  else if (!isa<arith::MulFOp>(def))
    product = matchFunction(def, element.at);
  else if (depth) {
    for (unsigned side : {0, 1}) {
      product = matchProduct({def->getOperand(side), element.at}, hidden,
                             /*isRoot=*/false, depth - 1);
      if (!product)
        continue;
      // The other side: one factor, or up times probability.
      Element other{def->getOperand(1 - side), element.at};
      unsigned inner = 0;
      Element peeled = peel(other, inner);
      Expression factor;
      if (auto mul = peeled.value.getDefiningOp<arith::MulFOp>();
          mul && isPerRow({mul.getLhs(), peeled.at}, hidden) !=
                     isPerRow({mul.getRhs(), peeled.at}, hidden)) {
        Expression left = product->addFactor({mul.getLhs(), peeled.at});
        Expression right = product->addFactor({mul.getRhs(), peeled.at});
        factor = Expression::of(Kind::mul, {left, right});
        product->roundings += inner + isHalf(peeled.type());
      } else {
        factor = product->addFactor(other);
      }
      product->formula =
          side == 0 ? Expression::of(Kind::mul, {product->formula, factor})
                    : Expression::of(Kind::mul, {factor, product->formula});
      break;
    }
  }
  if (product)
    product->roundings += roundings;
  return product;
}

std::optional<WrittenActivation> WrittenActivation::match(Operation *root) {
  if (!isa<arith::MulFOp, arith::TruncFOp, RoundOp>(root) ||
      !isHalf(getElementTypeOrSelf(root->getResult(0).getType())))
    return std::nullopt;
  std::optional<unsigned> hidden = hiddenLoop(root);
  if (!hidden)
    return std::nullopt;
  // A rounding must be one that may be taken for the result's.
  unsigned rounds = 0;
  bool isCast = !isa<arith::MulFOp>(root);
  if (isCast &&
      (!uncast(elementOf(root), {.roundings = true}, rounds) || !rounds))
    return std::nullopt;
  std::optional<Product> product =
      matchProduct(roundedBy(root), *hidden,
                   /*isRoot=*/!isCast, /*depth=*/6);
  if (!product)
    return std::nullopt;

  WrittenActivation activation;
  activation.formula = std::move(product->formula);
  activation.roundings = product->roundings;
  activation.unsupported = product->unsupported;
  Element gate = origin(product->argument);
  activation.leaves.push_back(gate);
  bool isSilu = product->isSilu;
  unsigned ups = 0;
  for (Element factor : product->factors) {
    if (!isSilu && isSame(origin(factor), gate)) {
      isSilu = true;
      activation.leaves.push_back(gate);
      continue;
    }
    if (!isPerRow(factor, *hidden)) {
      ++ups;
      activation.leaves.push_back(origin(factor));
      continue;
    }
    bool rounded;
    ++activation.probabilities;
    activation.leaves.push_back(beforeRounding(factor, rounded));
    activation.roundings += rounded;
  }
  if (!isSilu || ups != 1)
    return std::nullopt;
  return activation;
}

/// Whether `a` is what `b` multiplies with a probability.
static bool isInnerOf(const WrittenActivation &a, const WrittenActivation &b) {
  if (a.probabilities >= b.probabilities)
    return false;
  return llvm::all_of(a.leaves, [&](const Element &leaf) {
    return llvm::any_of(
        b.leaves, [&](const Element &other) { return isSame(leaf, other); });
  });
}

/// Whether it can be promoted; if not, says so.
static bool canPromote(Operation *root, const WrittenActivation &activation,
                       Report &report) {
  StringRef what = "activation";
  if (!activation.unsupported.empty()) {
    // Without a probability it is no expert's, as far as one can see.
    if (activation.probabilities)
      report.cannot(root->getLoc(), what)
          << "expected a gated silu but got " << activation.unsupported;
    return false;
  }
  if (activation.probabilities > 1) {
    report.cannot(root->getLoc(), what) << "the probability is applied twice";
    return false;
  }
  if (Operation *quantization = findQuantization(root->getResult(0))) {
    InFlightDiagnostic diagnostic = report.cannot(root->getLoc(), what);
    diagnostic << "its result is quantized to "
               << getElementTypeOrSelf(quantization->getResult(0).getType());
    diagnostic.attachNote(quantization->getLoc()) << "quantized here";
    return false;
  }
  return true;
}

void prec::promoteWrittenActivations(Operation *root, Report &report) {
  SmallVector<std::pair<Operation *, WrittenActivation>> found;
  root->walk([&](Operation *op) {
    if (op->getNumResults() == 1)
      if (std::optional<WrittenActivation> activation =
              WrittenActivation::match(op))
        found.emplace_back(op, std::move(*activation));
  });
  for (auto &[op, activation] : found) {
    if (!activation.roundings)
      continue;
    const WrittenActivation &inner = activation;
    bool isInner = llvm::any_of(
        found, [&](auto &other) { return isInnerOf(inner, other.second); });
    if (isInner) {
      if (!op->getResult(0).hasOneUse())
        report.leftAlone(op->getLoc(), "activation",
                         "it has uses before its probability is applied");
      continue;
    }
    if (canPromote(op, activation, report))
      markRoot(op);
  }
  forEachMarkedRoot(root, [&](Operation *op) {
    std::optional<WrittenActivation> activation = WrittenActivation::match(op);
    Location loc = op->getLoc();
    if (activation &&
        replaceByExpression(op, activation->formula, activation->leaves))
      report.promoted(loc, "activation",
                      "inner roundings dropped, one at the result");
    else
      report.leftAlone(loc, "activation",
                       "its operands cannot be read in one place");
  });
}
