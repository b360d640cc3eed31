// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of gates are told by what they are in real numbers, since there are
// many ways to write them: as polynomials in the sigmoid and in what is
// multiplied with it.
#include "Neighbours.h"
#include "Probabilities.h"
#include "Written.h"
#include "WrittenSigmoid.h"

#include "dialects/NN/NN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <map>

using namespace mlir;
using namespace prec;

using Kind = Expression::Kind;

namespace {

/// Sums of products of variables: leaves, of which 0 is the gate, and kSigmoid.
class Polynomial {
public:
  using Monomial = std::vector<unsigned>; ///< sorted
  static constexpr unsigned kGate = 0, kSigmoid = ~0u;

  static Polynomial ofConstant(double value) {
    Polynomial result;
    result.add({}, value);
    return result;
  }
  static Polynomial of(unsigned variable) {
    Polynomial result;
    result.add({variable}, 1);
    return result;
  }
  Polynomial operator+(const Polynomial &other) const {
    Polynomial result = *this;
    for (auto &[monomial, factor] : other.terms)
      result.add(monomial, factor);
    return result;
  }
  Polynomial operator*(const Polynomial &other) const {
    Polynomial result;
    for (auto &[a, x] : terms)
      for (auto &[b, y] : other.terms) {
        Monomial product = a;
        llvm::append_range(product, b);
        llvm::sort(product);
        result.add(product, x * y);
      }
    return result;
  }
  Polynomial operator-() const { return *this * ofConstant(-1); }

  double at(const Monomial &monomial) const {
    auto it = terms.find(monomial);
    return it == terms.end() ? 0 : it->second;
  }

  std::map<Monomial, double> terms;

private:
  void add(const Monomial &monomial, double factor) {
    double &sum = terms[monomial];
    sum += factor;
    if (sum == 0)
      terms.erase(monomial);
  }
};

/// How a product without a sigmoid in it is taken apart.
struct Splitting {
  bool rows = true;   ///< a number for each row is a factor of its own
  bool others = true; ///< so are both factors of another product, once
};

/// Reads one gradient.
class Reader {
public:
  Reader(unsigned hidden, Element argument, const Sigmoid *alpha,
         bool splitOthers)
      : hidden(hidden), alpha(alpha), splitting{true, splitOthers} {
    gate = origin(argument);
    result.leaves.push_back(gate);
  }

  std::optional<WrittenGradient> run(Element root, bool isRoot);

private:
  struct Part {
    Expression expression;
    Polynomial polynomial;
  };
  std::optional<Part> read(Element element, bool isRoot);
  std::optional<Part> readSigmoid(const Sigmoid &sigmoid);
  std::optional<Part> readOperation(Operation *op, AffineMap at);
  std::optional<Part> readFunctionGradient(nn::SiluGradOp op, AffineMap at);
  Part readFactor(Element element, Splitting splitting);
  Part leafOf(Element leaf);
  bool isGate(Element element) { return isSame(origin(element), gate); }
  bool isGradient(const Polynomial &polynomial);

  unsigned hidden;
  const Sigmoid *alpha; ///< of which the gate is y, or null
  Splitting splitting;
  Element gate;
  unsigned budget = 256;                     ///< elements
  llvm::SmallDenseMap<unsigned, bool> isRow; ///< leaves
  WrittenGradient result;
};

} // namespace

/// Operations that a gradient is made of.
static bool isStep(Operation *op) {
  return isa_and_nonnull<arith::MulFOp, arith::AddFOp, arith::SubFOp,
                         arith::NegFOp, arith::SelectOp, math::FmaOp,
                         nn::SiluGradOp>(op);
}

/// The first sigmoid that `element` is computed from by steps.
static std::optional<Sigmoid> findSigmoid(Element element, unsigned depth) {
  if (std::optional<Sigmoid> sigmoid = Sigmoid::match(element))
    return sigmoid;
  unsigned roundings = 0;
  element = peel(element, roundings);
  Operation *def = element.value.getDefiningOp();
  if (!depth || !isStep(def))
    return std::nullopt;
  if (auto grad = dyn_cast<nn::SiluGradOp>(def)) {
    Sigmoid sigmoid;
    sigmoid.argument = {grad->getOperand(1), element.at};
    return sigmoid;
  }
  for (Value operand : def->getOperands())
    if (isa<FloatType>(getElementTypeOrSelf(operand.getType())))
      if (auto sigmoid = findSigmoid({operand, element.at}, depth - 1))
        return sigmoid;
  return std::nullopt;
}

Reader::Part Reader::leafOf(Element leaf) {
  for (auto [i, known] : llvm::enumerate(result.leaves))
    if (isSame(known, leaf))
      return {Expression::ofLeaf(i), Polynomial::of(i)};
  unsigned number = result.leaves.size();
  result.leaves.push_back(leaf);
  return {Expression::ofLeaf(number), Polynomial::of(number)};
}

/// An element without a sigmoid in it.
Reader::Part Reader::readFactor(Element element, Splitting split) {
  if (isGate(element))
    return {Expression::ofLeaf(0), Polynomial::of(Polynomial::kGate)};
  unsigned inner = 0;
  Element peeled = peel(element, inner);
  inner += isHalf(peeled.type());
  Operation *def = peeled.value.getDefiningOp();
  if (isa_and_nonnull<arith::MulFOp>(def)) {
    Element left{def->getOperand(0), peeled.at},
        right{def->getOperand(1), peeled.at};
    bool byGate = isGate(left) || isGate(right);
    bool byRow = isPerRow(left, hidden) != isPerRow(right, hidden);
    if (byGate || (byRow ? split.rows : split.others)) {
      (byRow ? split.rows : split.others) &= byGate;
      result.roundings += inner;
      result.parts.insert(def);
      Part a = readFactor(left, split), b = readFactor(right, split);
      return {Expression::of(Kind::mul, {a.expression, b.expression}),
              a.polynomial * b.polynomial};
    }
  }
  if (isa_and_nonnull<arith::AddFOp>(def))
    for (unsigned side : {0, 1})
      if (std::optional<double> offset =
              constantOf({def->getOperand(side), peeled.at})) {
        result.roundings += inner;
        Part x = leafOf(origin({def->getOperand(1 - side), peeled.at}));
        return {Expression::of(Kind::add,
                               {x.expression, Expression::ofConstant(*offset)}),
                x.polynomial + Polynomial::ofConstant(*offset)};
      }
  if (!isPerRow(element, hidden))
    return leafOf(origin(element));
  bool rounded;
  Part leaf = leafOf(beforeRounding(element, rounded));
  result.roundings += rounded;
  isRow[leaf.expression.leaf] = true;
  return leaf;
}

std::optional<Reader::Part> Reader::readSigmoid(const Sigmoid &found) {
  Sigmoid sigmoid = found;
  if (alpha) {
    if (!sigmoid.unscaled || sigmoid.alpha != alpha->alpha)
      return std::nullopt;
    sigmoid.unscale();
  }
  if (!sigmoid.unsupported.empty() || !isGate(sigmoid.argument))
    return std::nullopt;
  result.roundings += sigmoid.roundings;
  Polynomial s = Polynomial::of(Polynomial::kSigmoid);
  return Part{sigmoid.formula,
              sigmoid.isSilu ? s * Polynomial::of(Polynomial::kGate) : s};
}

std::optional<Reader::Part> Reader::readFunctionGradient(nn::SiluGradOp op,
                                                         AffineMap at) {
  if (!isGate({op->getOperand(1), at}))
    return std::nullopt;
  Part c = readFactor({op->getOperand(0), at}, splitting);
  Expression x = Expression::ofLeaf(0), one = Expression::ofConstant(1);
  Expression s = Expression::of(
      Kind::div, {one, Expression::onePlusExpOfMinus(x, op->getAttr("math"))});
  Expression complement = Expression::of(Kind::sub, {one, s});
  Expression slope =
      op.getMultiplyAdd() == nn::MultiplyAdd::fused
          ? Expression::of(Kind::fma, {x, complement, one})
          : Expression::of(Kind::add,
                           {one, Expression::of(Kind::mul, {x, complement})});
  Polynomial g = Polynomial::of(Polynomial::kGate),
             sigmoid = Polynomial::of(Polynomial::kSigmoid);
  return Part{
      Expression::of(Kind::mul,
                     {Expression::of(Kind::mul, {c.expression, s}), slope}),
      c.polynomial * (sigmoid + g * sigmoid + -(g * sigmoid * sigmoid))};
}

std::optional<Reader::Part> Reader::readOperation(Operation *op, AffineMap at) {
  if (auto grad = dyn_cast<nn::SiluGradOp>(op))
    return readFunctionGradient(grad, at);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // 0 outside a limit, where the condition may be any.
    bool zeroFirst = constantOf({select.getTrueValue(), at}) == 0.0;
    Value value = zeroFirst ? select.getFalseValue() : select.getTrueValue();
    Value other = zeroFirst ? select.getTrueValue() : select.getFalseValue();
    if (constantOf({other, at}) != 0.0)
      return std::nullopt;
    std::optional<Part> part = read({value, at}, /*isRoot=*/false);
    if (!part)
      return std::nullopt;
    Expression condition =
        leafOf(origin({select.getCondition(), at})).expression;
    Expression zero = Expression::ofConstant(0);
    return Part{Expression::of(Kind::select,
                               {condition, zeroFirst ? zero : part->expression,
                                zeroFirst ? part->expression : zero}),
                part->polynomial};
  }
  SmallVector<Part> x;
  for (Value operand : op->getOperands()) {
    std::optional<Part> part = read({operand, at}, /*isRoot=*/false);
    if (!part)
      return std::nullopt;
    x.push_back(std::move(*part));
  }
  auto with = [&](Kind kind, Polynomial polynomial) {
    std::vector<Expression> operands;
    for (Part &part : x)
      operands.push_back(std::move(part.expression));
    return Part{Expression::of(kind, std::move(operands)),
                std::move(polynomial)};
  };
  if (isa<arith::MulFOp>(op))
    return with(Kind::mul, x[0].polynomial * x[1].polynomial);
  if (isa<arith::AddFOp>(op))
    return with(Kind::add, x[0].polynomial + x[1].polynomial);
  if (isa<arith::SubFOp>(op))
    return with(Kind::sub, x[0].polynomial + -x[1].polynomial);
  if (isa<arith::NegFOp>(op))
    return with(Kind::neg, -x[0].polynomial);
  return with(Kind::fma, x[0].polynomial * x[1].polynomial + x[2].polynomial);
}

std::optional<Reader::Part> Reader::read(Element element, bool isRoot) {
  if (!budget--)
    return budget = 0, std::nullopt;
  if (!isRoot) {
    if (isGate(element))
      return Part{Expression::ofLeaf(0), Polynomial::of(Polynomial::kGate)};
    if (std::optional<double> constant = constantOf(element))
      return Part{Expression::ofConstant(*constant),
                  Polynomial::ofConstant(*constant)};
    if (!findSigmoid(element, /*depth=*/12))
      return readFactor(element, splitting);
    if (std::optional<Sigmoid> sigmoid = Sigmoid::match(element))
      return readSigmoid(*sigmoid);
  }
  unsigned roundings = 0;
  Element peeled = isRoot ? element : peel(element, roundings);
  Operation *def = peeled.value.getDefiningOp();
  if (!isStep(def))
    return std::nullopt;
  result.roundings += roundings + (isHalf(peeled.type()) && !isRoot);
  result.parts.insert(def);
  return readOperation(def, peeled.at);
}

/// Q * (s + a g s - a g s s), Q being dy * up [* p] or dy * (up + offset) [*
/// p].
bool Reader::isGradient(const Polynomial &polynomial) {
  using Monomial = Polynomial::Monomial;
  double a = alpha ? alpha->alpha : 1;
  std::vector<std::pair<Monomial, double>> factors; // of Q
  for (auto &[monomial, factor] : polynomial.terms) {
    if (llvm::count(monomial, Polynomial::kSigmoid) != 1 ||
        llvm::is_contained(monomial, Polynomial::kGate))
      continue;
    Monomial rest = monomial;
    rest.pop_back(); // the sigmoid comes last
    factors.push_back({rest, factor});
    Monomial first = rest;
    first.insert(first.begin(), Polynomial::kGate);
    first.push_back(Polynomial::kSigmoid);
    Monomial second = first;
    second.push_back(Polynomial::kSigmoid);
    if (polynomial.at(first) != a * factor ||
        polynomial.at(second) != -a * factor)
      return false;
  }
  if (factors.empty() || factors.size() > 2 ||
      polynomial.terms.size() != 3 * factors.size())
    return false;
  llvm::sort(factors,
             [](auto &x, auto &y) { return x.first.size() > y.first.size(); });
  const Monomial &largest = factors.front().first;
  if (factors.front().second != 1 ||
      std::adjacent_find(largest.begin(), largest.end()) != largest.end())
    return false;
  unsigned rows = 0;
  for (unsigned leaf : largest) {
    if (isRow.lookup(leaf))
      ++rows;
    else
      result.factors.push_back(result.leaves[leaf]);
  }
  if (rows > 1 || result.factors.size() != 2)
    return false;
  // The part with the offset lacks up.
  return factors.size() == 1 ||
         (factors[1].first.size() + 1 == largest.size() &&
          llvm::all_of(factors[1].first, [&](unsigned leaf) {
            return llvm::is_contained(largest, leaf);
          }));
}

std::optional<WrittenGradient> Reader::run(Element root, bool isRoot) {
  std::optional<Part> part = read(root, isRoot);
  if (!part || !isGradient(part->polynomial))
    return std::nullopt;
  result.formula = std::move(part->expression);
  return std::move(result);
}

std::optional<WrittenGradient> WrittenGradient::match(Operation *root) {
  auto from = WrittenRoot::match<arith::MulFOp, arith::AddFOp, arith::SubFOp,
                                 nn::SiluGradOp>(root);
  if (!from)
    return std::nullopt;
  std::optional<Sigmoid> sigmoid = findSigmoid(from->element, /*depth=*/12);
  if (!sigmoid)
    return std::nullopt;
  for (bool splitOthers : {true, false}) {
    for (bool unscaled : {false, true}) {
      if (unscaled && !sigmoid->unscaled)
        continue;
      Element argument = unscaled ? *sigmoid->unscaled : sigmoid->argument;
      Reader reader(from->hidden, argument, unscaled ? &*sigmoid : nullptr,
                    splitOthers);
      if (auto gradient = reader.run(from->element, /*isRoot=*/!from->isCast))
        return gradient;
    }
  }
  return std::nullopt;
}

WrittenGradient WrittenGradient::of(moe::ActivationGradOp op) {
  WrittenGradient gradient;
  auto [gate, up] = gateAndUp(op.getInput(), op.getUp(), op.getLayout());
  gradient.leaves.push_back(gate);
  if (up)
    gradient.factors.push_back(*up);
  return gradient;
}

bool WrittenGradient::isOf(const WrittenActivation &activation) const {
  return isSameInWhole(leaves.front(), activation.gate()) &&
         activation.ups.empty() == factors.empty() &&
         llvm::all_of(activation.ups, [&](unsigned up) {
           return llvm::any_of(factors, [&](const Element &factor) {
             return isSameInWhole(factor, activation.leaves[up]);
           });
         });
}
