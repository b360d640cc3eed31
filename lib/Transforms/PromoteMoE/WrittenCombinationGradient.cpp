// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of a combination, [tokens, slots, hidden]: R(dy * R(w)) of a
// term, the sum of R(dy * z) along a row of a weight. Other computations have
// these formulas too, so there must be the combination that they are of, or
// both, of one dy and with nothing done to the first.
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace prec;

static constexpr StringLiteral kGradient = "combination's gradient";

namespace {

/// R(dy * w) for each term.
struct TermGradient {
  Operation *root;
  WrittenTerm term; ///< z being dy

  static std::optional<TermGradient> match(Operation *root);
};

/// The sum of dy * z along a row.
struct WeightGradient {
  Operation *root;
  WrittenSum sum;
  Element dy, z; ///< leaves of the term
  Expression term;
  unsigned roundings = 0;

  static std::optional<WeightGradient> match(Operation *op);
};

} // namespace

std::optional<TermGradient> TermGradient::match(Operation *root) {
  auto from = WrittenRoot::match<arith::MulFOp>(root);
  if (!from || from->element.at.getNumDims() != 3 || from->hidden != 2)
    return std::nullopt;
  std::optional<WrittenTerm> term =
      WrittenTerm::match(from->element, from->hidden, /*isRoot=*/!from->isCast);
  if (!term || !isHalf(term->z.type()) || dependsOn(term->z, 1) ||
      !dependsOn(term->z, 0) || !dependsOn(term->weight, 0) ||
      !dependsOn(term->weight, 1))
    return std::nullopt;
  return TermGradient{root, std::move(*term)};
}

std::optional<WeightGradient> WeightGradient::match(Operation *op) {
  std::optional<WrittenSum> sum = WrittenSum::match(op);
  if (!sum || sum->loops.size() != 3)
    return std::nullopt;
  WeightGradient result{op, *sum, {}, {}, {}, sum->roundings};
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

/// Whether the value, or what moves and casts make of it, is returned, and
/// nothing else is done with it.
static bool isOnlyReturned(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<linalg::YieldOp>(user) &&
               isa<linalg::GenericOp>(user->getParentOp()))
             return isOnlyReturned(
                 user->getParentOp()->getResult(use.getOperandNumber()));
           if (user->hasTrait<OpTrait::ReturnLike>())
             return true;
           return isa<tensor::CastOp, tensor::ExpandShapeOp,
                      tensor::CollapseShapeOp, arith::ExtFOp>(user) &&
                  isOnlyReturned(user->getResult(0));
         });
}

void prec::promoteWrittenCombinationGradients(Operation *root, Report &report) {
  std::vector<WrittenCombination> combinations;
  std::vector<TermGradient> ofTerms;
  std::vector<WeightGradient> ofWeights;
  root->walk([&](Operation *op) {
    if (auto combination = WrittenCombination::match(op))
      combinations.push_back(std::move(*combination));
    if (auto gradient = TermGradient::match(op))
      ofTerms.push_back(std::move(*gradient));
    if (auto gradient = WeightGradient::match(op))
      ofWeights.push_back(std::move(*gradient));
  });
  auto areBoth = [&](const TermGradient &term, const WeightGradient &weight) {
    return term.term.z.value == weight.dy.value &&
           isOnlyReturned(term.root->getResult(0));
  };
  SmallVector<Operation *> found;
  for (TermGradient &gradient : ofTerms) {
    bool isKnown = llvm::any_of(combinations,
                                [&](WrittenCombination &combination) {
                                  return combination.term.weight.value ==
                                         gradient.term.weight.value;
                                }) ||
                   llvm::any_of(ofWeights, [&](WeightGradient &weight) {
                     return areBoth(gradient, weight);
                   });
    if (gradient.term.roundings && isKnown)
      found.push_back(gradient.root);
  }
  for (WeightGradient &gradient : ofWeights) {
    bool isKnown =
        llvm::any_of(combinations,
                     [&](WrittenCombination &combination) {
                       return combination.term.z.value == gradient.z.value;
                     }) ||
        llvm::any_of(ofTerms, [&](TermGradient &term) {
          return areBoth(term, gradient);
        });
    if (gradient.roundings && isKnown)
      found.push_back(gradient.root);
  }
  for (Operation *op : found)
    markRoot(op, kGradient);
  forEachMarkedRoot(root, [&](Operation *op, StringRef what) {
    Location loc = op->getLoc();
    bool isDone = false;
    if (auto weight = WeightGradient::match(op)) {
      isDone = weight->sum.replace(op, weight->term, {weight->dy, weight->z},
                                   BodyInputs(), /*keepOrder=*/true);
    } else if (auto term = TermGradient::match(op)) {
      isDone = replaceByExpression(op, term->term.term,
                                   {term->term.z, term->term.weight});
    }
    if (isDone)
      report.promoted(loc, what,
                      "products in f32, one rounding for each gradient");
    else
      report.leftAlone(loc, what, "its operands cannot be read in one place");
  });
}
