// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Neighbours.h"
#include "Probabilities.h"
#include "Written.h"
#include "WrittenSigmoid.h"

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

std::optional<WrittenRoot> WrittenRoot::of(Operation *root) {
  if (!isHalf(getElementTypeOrSelf(root->getResult(0).getType())))
    return std::nullopt;
  std::optional<unsigned> hidden = hiddenLoop(root);
  if (!hidden)
    return std::nullopt;
  // A rounding must be one that may be taken for the result's.
  unsigned rounds = 0;
  bool isCast = isa<arith::TruncFOp, RoundOp>(root);
  if (isCast &&
      (!uncast(elementOf(root), {.roundings = true}, rounds) || !rounds))
    return std::nullopt;
  return WrittenRoot{roundedBy(root), *hidden, isCast};
}

namespace {

/// A product with a sigmoid or a silu in it, `factors` being the other ones.
/// Leaves of the formula: 0 is what the sigmoid is of, then come the factors.
struct Product {
  Sigmoid sigmoid;
  Expression formula;
  SmallVector<Element> factors;
  unsigned roundings = 0;
  /// Where it is a product with a number for each row: the other factor.
  std::optional<Element> beforeProbability;

  /// The factor `element` as an expression: a leaf, a leaf plus a constant, or
  /// a product with a number for each row of the two.
  Expression addFactor(Element element, unsigned hidden);
};

} // namespace

Expression Product::addFactor(Element element, unsigned hidden) {
  unsigned inner = 0;
  Element peeled = peel(element, inner);
  inner += isHalf(peeled.type());
  if (auto mul = peeled.value.getDefiningOp<arith::MulFOp>()) {
    Element left{mul.getLhs(), peeled.at}, right{mul.getRhs(), peeled.at};
    if (isPerRow(left, hidden) != isPerRow(right, hidden)) {
      roundings += inner;
      Expression first = addFactor(left, hidden);
      return Expression::of(Kind::mul, {first, addFactor(right, hidden)});
    }
  }
  if (auto add = peeled.value.getDefiningOp<arith::AddFOp>())
    for (unsigned side : {0, 1})
      if (std::optional<double> offset =
              constantOf({add->getOperand(side), peeled.at})) {
        roundings += inner;
        factors.push_back({add->getOperand(1 - side), peeled.at});
        return Expression::of(Kind::add, {Expression::ofLeaf(factors.size()),
                                          Expression::ofConstant(*offset)});
      }
  factors.push_back(element);
  return Expression::ofLeaf(factors.size());
}

/// The product that `element` is; `isRoot`: its rounding is that of the result.
static std::optional<Product> matchProduct(Element element, unsigned hidden,
                                           bool isRoot, unsigned depth) {
  unsigned roundings = 0;
  Element peeled = isRoot ? element : peel(element, roundings);
  Operation *def = peeled.value.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (!isa<arith::MulFOp>(def)) {
    std::optional<Sigmoid> sigmoid = Sigmoid::match(element);
    if (!sigmoid)
      return std::nullopt;
    return Product{*sigmoid, sigmoid->formula, {}, sigmoid->roundings, {}};
  }
  if (!depth)
    return std::nullopt;
  roundings += isHalf(peeled.type()) && !isRoot;
  for (unsigned side : {0, 1}) {
    Element own{def->getOperand(side), peeled.at},
        other{def->getOperand(1 - side), peeled.at};
    std::optional<Product> product =
        matchProduct(own, hidden, /*isRoot=*/false, depth - 1);
    if (!product)
      continue;
    Expression factor = product->addFactor(other, hidden);
    product->formula =
        side == 0 ? Expression::of(Kind::mul, {product->formula, factor})
                  : Expression::of(Kind::mul, {factor, product->formula});
    product->roundings += roundings;
    product->beforeProbability.reset();
    if (isPerRow(other, hidden))
      product->beforeProbability = own;
    return product;
  }
  return std::nullopt;
}

/// Where no factor is what the sigmoid is of, but one is y of a sigmoid of
/// alpha * y, makes y that.
static void unscale(Product &product) {
  Sigmoid &sigmoid = product.sigmoid;
  auto isFactor = [&](Element x) {
    return llvm::any_of(product.factors, [&](Element factor) {
      return isSame(origin(factor), origin(x));
    });
  };
  if (sigmoid.isSilu || !sigmoid.unscaled || isFactor(sigmoid.argument) ||
      !isFactor(*sigmoid.unscaled))
    return;
  product.roundings += sigmoid.scaleRoundings;
  // The one place of leaf 0 is the sigmoid's exponent.
  product.formula = product.formula.withLeaf(
      0, Expression::of(Kind::mul, {Expression::ofLeaf(0),
                                    Expression::ofConstant(sigmoid.alpha)}));
  sigmoid.unscale();
}

/// Whether `op` rounds a product to 16 bits, or may.
static bool isRounding(Operation *op) {
  return isa<arith::MulFOp, arith::TruncFOp, RoundOp>(op) &&
         isHalf(getElementTypeOrSelf(op->getResult(0).getType()));
}

std::optional<WrittenActivation> WrittenActivation::read(Operation *root) {
  auto from = WrittenRoot::match<arith::MulFOp>(root);
  if (!from)
    return std::nullopt;
  return read(from->element, from->hidden, /*isRoot=*/!from->isCast);
}

std::optional<WrittenActivation>
WrittenActivation::read(Element element, unsigned hidden, bool isRoot) {
  std::optional<Product> product =
      matchProduct(element, hidden, isRoot, /*depth=*/6);
  if (!product)
    return std::nullopt;
  unscale(*product);

  WrittenActivation activation;
  activation.formula = std::move(product->formula);
  activation.roundings = product->roundings;
  activation.unsupported = product->sigmoid.unsupported;
  activation.beforeProbability = product->beforeProbability;
  Element gate = origin(product->sigmoid.argument);
  activation.leaves.push_back(gate);
  bool isSilu = product->sigmoid.isSilu;
  for (Element factor : product->factors) {
    if (!isSilu && isSame(origin(factor), gate)) {
      isSilu = true;
      activation.leaves.push_back(gate);
      continue;
    }
    if (!isPerRow(factor, hidden)) {
      activation.ups.push_back(activation.leaves.size());
      activation.leaves.push_back(origin(factor));
      continue;
    }
    bool rounded;
    activation.probabilities.push_back(activation.leaves.size());
    activation.leaves.push_back(beforeRounding(factor, rounded));
    activation.roundings += rounded;
  }
  return isSilu ? std::optional<WrittenActivation>(std::move(activation))
                : std::nullopt;
}

std::optional<WrittenActivation> WrittenActivation::match(Operation *root) {
  std::optional<WrittenActivation> activation = read(root);
  if (activation && activation->ups.size() != 1)
    return std::nullopt;
  return activation;
}

std::pair<Element, std::optional<Element>>
prec::gateAndUp(Value input, Value up, std::optional<moe::Layout> layout) {
  Element gate = Element::of(input);
  if (up)
    return {gate, Element::of(up)};
  if (!layout)
    return {gate, std::nullopt};
  auto type = cast<RankedTensorType>(input.getType());
  unsigned hidden = type.getRank() - 1;
  AffineExpr index = gate.at.getResult(hidden);
  auto at = [&](AffineExpr last) {
    SmallVector<AffineExpr> indices(gate.at.getResults());
    indices[hidden] = last;
    return Element{input,
                   AffineMap::get(hidden + 1, 0, indices, input.getContext())};
  };
  if (*layout == moe::Layout::interleaved)
    return {at(index * 2), at(index * 2 + 1)};
  return {gate, at(index + type.getDimSize(hidden) / 2)};
}

WrittenActivation WrittenActivation::of(moe::ActivationOp op) {
  WrittenActivation activation;
  auto [gate, up] = gateAndUp(op.getInput(), op.getUp(), op.getLayout());
  activation.leaves.push_back(gate);
  if (up) {
    activation.ups.push_back(1);
    activation.leaves.push_back(*up);
  }
  return activation;
}

/// The name of a function in what `element` is computed from by arithmetic, of
/// those that activations have; empty if there is none. `budget`: elements.
static StringRef findFunction(Element element, unsigned &budget) {
  unsigned roundings = 0;
  element = peel(element, roundings);
  Operation *def = element.value.getDefiningOp();
  if (!budget || !def || def->getNumRegions() || def->getNumResults() != 1 ||
      !isa<FloatType>(element.type()))
    return "";
  --budget;
  if (isa<math::TanhOp>(def))
    return "gelu_tanh";
  if (isa<math::ErfOp>(def))
    return "gelu";
  if (!def->hasTrait<OpTrait::Elementwise>())
    return "";
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(def))
    for (Value operand : def->getOperands())
      if (constantOf({operand, element.at}) == 0.0)
        return "relu";
  for (Value operand : def->getOperands())
    if (StringRef name = findFunction({operand, element.at}, budget);
        !name.empty())
      return name;
  return "";
}

/// Takes the product `element` apart: `rows` counts factors that are one number
/// for each row, `name` is that of a function in another one, `parts` are the
/// products in it.
static void readFactors(Element element, unsigned hidden, unsigned depth,
                        unsigned &rows, StringRef &name,
                        llvm::SmallPtrSetImpl<Operation *> &parts) {
  unsigned roundings = 0;
  Element peeled = peel(element, roundings);
  auto mul = peeled.value.getDefiningOp<arith::MulFOp>();
  if (mul && depth && !isPerRow(element, hidden)) {
    parts.insert(mul);
    for (Value factor : mul->getOperands())
      readFactors({factor, peeled.at}, hidden, depth - 1, rows, name, parts);
    return;
  }
  if (isPerRow(element, hidden)) {
    ++rows;
  } else if (name.empty()) {
    unsigned budget = 32;
    name = findFunction(element, budget);
  }
}

void prec::explainOtherFunctions(Operation *root,
                                 function_ref<bool(Operation *)> isKnown,
                                 Report &report) {
  std::vector<std::pair<Operation *, StringRef>> found;
  llvm::SmallPtrSet<Operation *, 16> inner;
  root->walk([&](Operation *op) {
    std::optional<unsigned> hidden =
        isRounding(op) ? hiddenLoop(op) : std::nullopt;
    if (!hidden || isKnown(op))
      return;
    unsigned rows = 0;
    StringRef name;
    llvm::SmallPtrSet<Operation *, 16> parts;
    Element product = roundedBy(op);
    readFactors(product, *hidden, /*depth=*/6, rows, name, parts);
    if (rows != 1 || name.empty())
      return;
    found.emplace_back(op, name);
    parts.erase(product.value.getDefiningOp());
    inner.insert(parts.begin(), parts.end());
  });
  for (auto [op, name] : found)
    if (!inner.contains(roundedBy(op).value.getDefiningOp()))
      report.leftAlone(op->getLoc(), "activation",
                       ("expected a gated silu but got " + name).str());
}
