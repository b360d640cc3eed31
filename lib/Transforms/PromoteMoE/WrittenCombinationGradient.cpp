// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace prec;

std::optional<WrittenTermGradient> WrittenTermGradient::match(Operation *root) {
  auto from = WrittenRoot::match<arith::MulFOp>(root);
  if (!from || from->element.at.getNumDims() != 3 || from->hidden != 2)
    return std::nullopt;
  std::optional<WrittenTerm> term =
      WrittenTerm::match(from->element, from->hidden, /*isRoot=*/!from->isCast);
  if (!term || !isHalf(term->z.type()) || dependsOn(term->z, 1) ||
      !dependsOn(term->z, 0) || !dependsOn(term->weight, 0) ||
      !dependsOn(term->weight, 1))
    return std::nullopt;
  return WrittenTermGradient{std::move(*term)};
}

std::optional<WrittenWeightGradient>
WrittenWeightGradient::match(Operation *op) {
  std::optional<WrittenSum> sum = WrittenSum::match(op);
  if (!sum || sum->loops.size() != 3)
    return std::nullopt;
  WrittenWeightGradient result{*sum, {}, {}, {}, sum->roundings};
  unsigned hidden = sum->reduced(), token = sum->output.getDimPosition(0),
           slot = sum->output.getDimPosition(1);
  Element summand = peel(sum->summand, result.roundings);
  auto mul = summand.value.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return std::nullopt;
  result.roundings += isHalf(summand.type());
  Element first{mul.getLhs(), summand.at}, second{mul.getRhs(), summand.at};
  Expression dy = Expression::ofLeaf(0), z = Expression::ofLeaf(1);
  bool isTermFirst = dependsOn(first, slot);
  if (isTermFirst)
    std::swap(first, second);
  result.dy = origin(first);
  result.z = origin(second);
  result.term = isTermFirst ? Expression::of(Expression::Kind::mul, {z, dy})
                            : Expression::of(Expression::Kind::mul, {dy, z});
  for (Element element : {result.dy, result.z})
    if (!isHalf(element.type()) || !element.isTensor() ||
        !dependsOn(element, token) || !isAlongRows(element, hidden))
      return std::nullopt;
  if (dependsOn(result.dy, slot) || !dependsOn(result.z, slot))
    return std::nullopt;
  return result;
}
