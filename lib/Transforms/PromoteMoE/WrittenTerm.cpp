// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Probabilities.h"
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

bool prec::dependsOn(Element element, unsigned loop) {
  Element last = history(element, {/*slices=*/true, /*roundings=*/true}).back();
  Operation *def = last.value.getDefiningOp();
  if (last.isTensor())
    return last.at.isFunctionOfDim(loop);
  if (!def || !isa<linalg::LinalgOp>(def->getParentOp()))
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return last.at.getResult(index.getDim()).isFunctionOfDim(loop);
  return llvm::any_of(def->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) &&
           dependsOn({operand, last.at}, loop);
  });
}

bool prec::isAlongRows(Element element, unsigned loop) {
  if (element.isTensor())
    return element.at.getNumResults() &&
           element.at.getResult(element.at.getNumResults() - 1)
               .isFunctionOfDim(loop);
  auto extract = element.value.getDefiningOp<tensor::ExtractOp>();
  return extract && !extract.getIndices().empty() &&
         dependsOn({extract.getIndices().back(), element.at}, loop);
}

std::optional<WrittenTerm> WrittenTerm::match(Element element, unsigned hidden,
                                              bool isRoot) {
  WrittenTerm result;
  if (!isRoot)
    element = peel(element, result.roundings);
  auto mul = element.value.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return std::nullopt;
  result.roundings += isHalf(element.type()) && !isRoot;
  Element first{mul.getLhs(), element.at}, second{mul.getRhs(), element.at};
  Expression z = Expression::ofLeaf(0), weight = Expression::ofLeaf(1);
  bool isWeightFirst = !dependsOn(first, hidden);
  if (isWeightFirst)
    std::swap(first, second);
  if (dependsOn(second, hidden) || !dependsOn(first, hidden))
    return std::nullopt;
  result.term = isWeightFirst
                    ? Expression::of(Expression::Kind::mul, {weight, z})
                    : Expression::of(Expression::Kind::mul, {z, weight});
  bool rounded;
  result.z = origin(first);
  result.weight = beforeRounding(second, rounded);
  result.weightType = result.weight.type();
  result.roundings += rounded;
  auto extract = result.weight.value.getDefiningOp<tensor::ExtractOp>();
  result.isGathered = extract != nullptr;
  if (!extract || !isHalf(result.weightType))
    return result;
  // Gathered from rounded weights, as a whole.
  Element wide = beforeRounding(Element::of(extract.getTensor()), rounded);
  if (rounded && wide.isTensor() && wide.at.isIdentity() &&
      wide.type().isF32()) {
    ++result.roundings;
    result.inputs.replaceGathered(extract.getTensor(), wide.value);
    result.weightType = wide.type();
  }
  return result;
}
