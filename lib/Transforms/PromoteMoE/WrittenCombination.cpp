// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Neighbours.h"
#include "Probabilities.h"
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace prec;

std::optional<WrittenCombination> WrittenCombination::match(Operation *op) {
  std::optional<WrittenSum> sum = WrittenSum::match(op);
  if (!sum || sum->loops.size() != 3)
    return std::nullopt;
  unsigned slot = sum->reduced();
  unsigned token = sum->output.getDimPosition(0);
  unsigned hidden = sum->output.getDimPosition(1);
  std::optional<WrittenTerm> term =
      WrittenTerm::match(sum->summand, hidden, /*isRoot=*/false);
  // All of [tokens, slots, hidden] in 16 bits, by all of [tokens, slots].
  if (!term || !isHalf(term->z.type()) || !isAlongRows(term->z, hidden) ||
      !dependsOn(term->z, token) || !dependsOn(term->z, slot) ||
      !dependsOn(term->weight, token) || !dependsOn(term->weight, slot))
    return std::nullopt;
  return WrittenCombination{std::move(*sum), std::move(*term), hidden};
}

bool WrittenChain::addTerm(Element mul, unsigned hidden, Expression &formula) {
  Operation *op = mul.value.getDefiningOp();
  Element first{op->getOperand(0), mul.at}, second{op->getOperand(1), mul.at};
  bool isWeightFirst = isPerRow(first, hidden);
  if (isWeightFirst)
    std::swap(first, second);
  Element z = origin(first);
  if (!isHalf(z.type()) || isPerRow(first, hidden) || !isPerRow(second, hidden))
    return false;
  Value whole =
      history(second, {/*slices=*/true, /*roundings=*/true}).back().value;
  if (source && source != whole)
    return false;
  source = whole;
  bool rounded;
  Expression termLeaf = Expression::ofLeaf(leaves.size());
  Expression weightLeaf = Expression::ofLeaf(leaves.size() + 1);
  leaves.push_back(z);
  leaves.push_back(beforeRounding(second, rounded));
  roundings += rounded;
  if (isWeightFirst)
    std::swap(termLeaf, weightLeaf);
  formula = Expression::of(Expression::Kind::mul, {termLeaf, weightLeaf});
  return true;
}

/// Reads the sum or term `element`; `isRoot`: its rounding is the result's.
bool WrittenChain::add(Element element, unsigned hidden, bool isRoot,
                       unsigned depth, Expression &formula) {
  if (!depth)
    return false;
  if (!isRoot)
    element = peel(element, roundings);
  if (std::optional<double> constant = constantOf(element)) {
    formula = Expression::ofConstant(*constant);
    return *constant == 0.0;
  }
  Operation *def = element.value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp>(def))
    return false;
  roundings += isHalf(element.type()) && !isRoot;
  if (isa<arith::MulFOp>(def))
    return addTerm(element, hidden, formula);
  Expression left, right;
  if (!add({def->getOperand(0), element.at}, hidden, /*isRoot=*/false,
           depth - 1, left) ||
      !add({def->getOperand(1), element.at}, hidden, /*isRoot=*/false,
           depth - 1, right))
    return false;
  formula = Expression::of(Expression::Kind::add, {left, right});
  return true;
}

std::optional<WrittenChain> WrittenChain::match(Operation *root) {
  auto from = WrittenRoot::match<arith::AddFOp>(root);
  if (!from)
    return std::nullopt;
  WrittenChain chain;
  if (!chain.add(from->element, from->hidden, /*isRoot=*/!from->isCast,
                 /*depth=*/64, chain.formula) ||
      chain.leaves.size() < 4) // at least two terms
    return std::nullopt;
  return chain;
}
