// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Neighbours.h"
#include "Probabilities.h"
#include "Written.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

bool prec::canPromoteCombination(Operation *op, Element z, Type weight,
                                 unsigned hidden, Report &report) {
  StringRef what = "combination";
  Experts experts = findExperts(z, hidden, [](Element element) {
    Operation *def = element.value.getDefiningOp();
    if (auto activation = dyn_cast_or_null<moe::ActivationOp>(def))
      return static_cast<bool>(activation.getProbability());
    if (!def || def->getNumResults() != 1)
      return false;
    std::optional<WrittenActivation> activation = WrittenActivation::match(def);
    return activation && !activation->probabilities.empty();
  });
  Operation *other = experts.weighting;
  if (experts.activation && !other)
    other = experts.activation->value.getDefiningOp();
  if (other) {
    InFlightDiagnostic diagnostic = report.cannot(op->getLoc(), what);
    if (experts.permuted && experts.weighting)
      diagnostic << "the permutation between the experts and it applies "
                    "probabilities already";
    else
      diagnostic << "the probability is applied twice";
    diagnostic.attachNote(other->getLoc()) << "applied here too";
    return false;
  }
  if (!weight.isF32()) {
    report.cannot(op->getLoc(), what)
        << "expected router probabilities in f32 but got " << weight;
    return false;
  }
  return true;
}

static constexpr StringLiteral kCombination = "combination";

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

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

static void promoteReductions(Operation *root, Report &report) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    std::optional<WrittenCombination> sum = WrittenCombination::match(op);
    if (sum && sum->roundings() &&
        canPromoteCombination(op, sum->term.z, sum->term.weightType,
                              sum->hidden, report))
      found.push_back(op);
  });
  for (Operation *op : found) {
    WrittenCombination sum = *WrittenCombination::match(op);
    Location loc = op->getLoc();
    if (sum.sum.replace(op, sum.term.term, {sum.term.z, sum.term.weight},
                        sum.term.inputs, /*keepOrder=*/false))
      report.promoted(loc, kCombination,
                      sum.term.isGathered
                          ? "an f32 sum in the program's order, one rounding"
                          : "an f32 sum in order of the slots, one rounding");
    else
      report.leftAlone(loc, kCombination,
                       "its operands cannot be read in one place");
  }
}

//===----------------------------------------------------------------------===//
// Chains of additions
//===----------------------------------------------------------------------===//

namespace {

/// z0 * w0 + z1 * w1 + ..., as the program adds them, perhaps from 0.
struct Chain {
  Expression formula;
  SmallVector<Element> leaves; ///< z0, w0, z1, w1, ...
  Value source;                ///< what all weights are parts of
  unsigned roundings = 0;      ///< before that of the result

  static std::optional<Chain> match(Operation *root);

private:
  bool add(Element element, unsigned hidden, bool isRoot, unsigned depth,
           Expression &formula);
  bool addTerm(Element mul, unsigned hidden, Expression &formula);
};

} // namespace

bool Chain::addTerm(Element mul, unsigned hidden, Expression &formula) {
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
bool Chain::add(Element element, unsigned hidden, bool isRoot, unsigned depth,
                Expression &formula) {
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

std::optional<Chain> Chain::match(Operation *root) {
  auto from = WrittenRoot::match<arith::AddFOp>(root);
  if (!from)
    return std::nullopt;
  Chain chain;
  if (!chain.add(from->element, from->hidden, /*isRoot=*/!from->isCast,
                 /*depth=*/64, chain.formula) ||
      chain.leaves.size() < 4) // at least two terms
    return std::nullopt;
  return chain;
}

/// Whether `whole` has all terms of `part` and more.
static bool isPartOf(const Chain &part, const Chain &whole) {
  return part.leaves.size() < whole.leaves.size() &&
         llvm::all_of(
             part.leaves,
             [&](const Element &leaf) {
               return llvm::any_of(whole.leaves, [&](const Element &other) {
                 return isSame(leaf, other);
               });
             });
}

static void promoteChains(Operation *root, Report &report) {
  SmallVector<std::pair<Operation *, Chain>> found;
  root->walk([&](Operation *op) {
    if (std::optional<Chain> chain = Chain::match(op))
      found.emplace_back(op, std::move(*chain));
  });
  for (auto &[op, chain] : found) {
    if (!chain.roundings)
      continue;
    // Partial sums are part of the whole one.
    const Chain &part = chain;
    bool isPartial = llvm::any_of(
        found, [&](auto &other) { return isPartOf(part, other.second); });
    if (isPartial)
      continue;
    unsigned hidden = *hiddenLoop(op);
    bool possible = true;
    for (size_t i = 0; i < chain.leaves.size() && possible; i += 2)
      possible = canPromoteCombination(
          op, chain.leaves[i], chain.leaves[i + 1].type(), hidden, report);
    if (possible)
      markRoot(op, kCombination);
  }
  forEachMarkedRoot(root, [&](Operation *op, StringRef) {
    std::optional<Chain> chain = Chain::match(op);
    Location loc = op->getLoc();
    if (chain && replaceByExpression(op, chain->formula, chain->leaves))
      report.promoted(loc, "combination",
                      "an f32 sum in the program's order, one rounding");
    else
      report.leftAlone(loc, "combination",
                       "its operands cannot be read in one place");
  });
}

void prec::promoteWrittenCombinations(Operation *root, Report &report) {
  // Gradients are told by the combinations that they are of.
  promoteWrittenCombinationGradients(root, report);
  promoteReductions(root, report);
  promoteChains(root, report);
}
