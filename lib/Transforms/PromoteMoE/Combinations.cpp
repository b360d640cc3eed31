// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Combinations and their gradients, operations and written-out ones, are
// promoted together or not at all.
#include "Combinations.h"
#include "Bonds.h"
#include "Neighbours.h"
#include "Operations.h"
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace prec;

static constexpr StringLiteral kCombination = "combination";
static constexpr StringLiteral kGradient = "combination's gradient";
static constexpr StringLiteral kForwardRefused =
    "its combination cannot be promoted";
static constexpr StringLiteral kGradientRefused =
    "its gradient cannot be promoted";

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Promotes operations that belong together; those in `refused` cannot be.
static void promoteOperations(Operation *root, Operations &refused,
                              Report &report) {
  SmallVector<moe::CombineOp> combinations;
  root->walk([&](moe::CombineOp op) { combinations.push_back(op); });
  auto gradientsOf = [](moe::CombineOp op) {
    SmallVector<moe::CombineGradOp> gradients;
    op->getParentOfType<FunctionOpInterface>().walk(
        [&](moe::CombineGradOp gradient) {
          if (gradient.getTerms() == op.getTerms())
            gradients.push_back(gradient);
        });
    return gradients;
  };
  for (moe::CombineOp op : combinations) {
    bool isHeld = false;
    for (moe::CombineGradOp gradient : gradientsOf(op))
      if (!refused.contains(gradient) && !canPromote(gradient, op, report)) {
        refused.insert(gradient);
        isHeld = true;
      }
    if (isHeld)
      report.leftAlone(op.getLoc(), kCombination, kGradientRefused);
    if (isHeld || !promote(op, report))
      refused.insert(op);
  }
  for (moe::CombineOp op : combinations)
    if (refused.contains(op))
      for (moe::CombineGradOp gradient : gradientsOf(op))
        if (refused.insert(gradient).second)
          report.leftAlone(gradient.getLoc(), kGradient, kForwardRefused);
  SmallVector<moe::CombineGradOp> gradients;
  root->walk([&](moe::CombineGradOp op) { gradients.push_back(op); });
  for (moe::CombineGradOp op : gradients)
    if (!refused.contains(op) && canPromote(op, moe::CombineOp(), report))
      promote(op, report);
}

//===----------------------------------------------------------------------===//
// Written out
//===----------------------------------------------------------------------===//

namespace {

struct Combination {
  Operation *op;
  SmallVector<Value> terms, weights; ///< what they are parts of
  bool isDone = true;                ///< nothing to promote
};

struct Gradient {
  Operation *op;
  std::optional<WrittenTermGradient> ofTerms;
  std::optional<WrittenWeightGradient> ofWeights; ///< if not of terms
  SmallVector<Operation *> forwards = {};
  bool isRefused = false;

  Value dy() const {
    return ofTerms ? ofTerms->term.z.value : ofWeights->dy.value;
  }
  unsigned roundings() const {
    return ofTerms ? ofTerms->term.roundings : ofWeights->roundings;
  }
  /// Whether its weights are 16-bit.
  bool isNarrow() const { return ofTerms && !ofTerms->term.weightType.isF32(); }
};

class Finder {
public:
  Finder(Operation *root, Operations &refused, Report &report)
      : root(root), refused(refused), report(report) {}
  void run();

private:
  void readCombinations();
  void readChains();
  void readGradients();
  bool isPartner(const Gradient &gradient, const Gradient &other);
  void decide(Gradient &gradient);
  StringRef whyUnknown(const Gradient &gradient);

  Operation *root;
  Operations &refused;
  Report &report;
  std::vector<Combination> combinations;
  std::vector<Gradient> gradients;
};

} // namespace

/// The tensor, or number, that `element` is a part of.
static Value wholeOf(Element element) {
  return history(element, {/*slices=*/true, /*roundings=*/true}).back().value;
}

/// Whether the weights, of type `weight`, of a written-out combination are f32
/// and nothing else has applied probabilities to its terms `z`; if not, says
/// so. `hidden` is the index along a row.
static bool canPromoteTerm(Operation *op, Element z, Type weight,
                           unsigned hidden, Report &report) {
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
    InFlightDiagnostic diagnostic = report.cannot(op->getLoc(), kCombination);
    if (experts.permuted && experts.weighting)
      diagnostic << "the permutation between the experts and it applies "
                    "probabilities already";
    else
      diagnostic << "the probability is applied twice";
    diagnostic.attachNote(other->getLoc()) << "applied here too";
    return false;
  }
  if (!weight.isF32()) {
    report.cannot(op->getLoc(), kCombination)
        << "expected router probabilities in f32 but got " << weight;
    return false;
  }
  return true;
}

/// Whether `whole` has all terms of `part` and more.
static bool isPartOf(const WrittenChain &part, const WrittenChain &whole) {
  return part.leaves.size() < whole.leaves.size() &&
         llvm::all_of(
             part.leaves,
             [&](const Element &leaf) {
               return llvm::any_of(whole.leaves, [&](const Element &other) {
                 return isSame(leaf, other);
               });
             });
}

/// Whether the sum can be promoted; if not, says so.
static bool canPromoteWritten(Operation *op, const WrittenCombination &sum,
                              Report &report) {
  const WrittenTerm &term = sum.term;
  if (!canPromoteTerm(op, term.z, term.weightType, sum.hidden, report))
    return false;
  if (sum.sum.canReplace(op, {term.z, term.weight}, term.inputs,
                         /*keepOrder=*/false))
    return true;
  report.leftAlone(op->getLoc(), kCombination, kUnreadable);
  return false;
}

static bool canPromoteWritten(Operation *op, const WrittenChain &chain,
                              Report &report) {
  for (size_t i = 0; i < chain.leaves.size(); i += 2)
    if (!canPromoteTerm(op, chain.leaves[i], chain.leaves[i + 1].type(),
                        *hiddenLoop(op), report))
      return false;
  if (canReplaceByExpression(op, chain.leaves))
    return true;
  report.leftAlone(op->getLoc(), kCombination, kUnreadable);
  return false;
}

void Finder::readCombinations() {
  root->walk([&](Operation *op) {
    if (auto combination = dyn_cast<moe::CombineOp>(op)) {
      Combination known{op, {wholeOf(Element::of(combination.getTerms()))}, {}};
      if (Value weights = combination.getWeights())
        known.weights.push_back(wholeOf(Element::of(weights)));
      combinations.push_back(std::move(known));
      return;
    }
    std::optional<WrittenCombination> sum = WrittenCombination::match(op);
    if (!sum)
      return;
    combinations.push_back({op,
                            {wholeOf(sum->term.z)},
                            {wholeOf(sum->term.weight)},
                            !sum->roundings()});
    if (sum->roundings() && !canPromoteWritten(op, *sum, report))
      refused.insert(op);
  });
}

void Finder::readChains() {
  SmallVector<std::pair<Operation *, WrittenChain>> found;
  root->walk([&](Operation *op) {
    if (std::optional<WrittenChain> chain = WrittenChain::match(op))
      found.emplace_back(op, std::move(*chain));
  });
  for (auto &[op, chain] : found) {
    // Partial sums are part of the whole one.
    const WrittenChain &part = chain;
    bool isPartial = llvm::any_of(
        found, [&](auto &other) { return isPartOf(part, other.second); });
    if (isPartial)
      continue;
    Combination combination{op, {}, {}, !chain.roundings};
    for (size_t i = 0; i < chain.leaves.size(); i += 2) {
      combination.terms.push_back(wholeOf(chain.leaves[i]));
      combination.weights.push_back(wholeOf(chain.leaves[i + 1]));
    }
    combinations.push_back(std::move(combination));
    if (chain.roundings && !canPromoteWritten(op, chain, report))
      refused.insert(op);
  }
}

void Finder::readGradients() {
  root->walk([&](Operation *op) {
    auto ofTerms = WrittenTermGradient::match(op);
    auto ofWeights = WrittenWeightGradient::match(op);
    if (ofTerms || ofWeights)
      gradients.push_back({op, std::move(ofTerms), std::move(ofWeights)});
  });
  auto link = [](Gradient &gradient, const Combination &combination) {
    if (!llvm::is_contained(gradient.forwards, combination.op))
      gradient.forwards.push_back(combination.op);
  };
  for (Gradient &gradient : gradients)
    for (Combination &combination : combinations)
      if (gradient.ofTerms
              ? llvm::is_contained(combination.weights,
                                   wholeOf(gradient.ofTerms->term.weight))
              : llvm::is_contained(combination.terms,
                                   wholeOf(gradient.ofWeights->z)))
        link(gradient, combination);
  // One of other weights is told by the other gradient.
  for (Gradient &gradient : gradients)
    if (gradient.isNarrow() && gradient.forwards.empty())
      for (Gradient &other : gradients)
        if (isPartner(gradient, other))
          llvm::append_range(gradient.forwards, other.forwards);
}

/// Whether the value, or what moves and casts make of it, is returned, and
/// nothing else is done with it.
static bool isOnlyReturned(Value value) {
  return !value.use_empty() && llvm::all_of(value.getUses(), [](OpOperand
                                                                    &use) {
    Operation *user = use.getOwner();
    if (isa<linalg::YieldOp>(user) &&
        isa<linalg::GenericOp>(user->getParentOp()))
      return isOnlyReturned(
          user->getParentOp()->getResult(use.getOperandNumber()));
    if (auto body = dyn_cast<linalg::GenericOp>(user))
      return body.isDpsInput(&use) &&
             isOnlyReturned(body.getMatchingBlockArgument(&use));
    if (user->hasTrait<OpTrait::ReturnLike>())
      return true;
    return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
               arith::ExtFOp, arith::TruncFOp, RoundOp>(user) &&
           isOnlyReturned(user->getResult(0));
  });
}

/// Whether the two are both gradients of one combination, also where that is
/// not there.
bool Finder::isPartner(const Gradient &gradient, const Gradient &other) {
  if (!gradient.ofTerms == !other.ofTerms || gradient.dy() != other.dy())
    return false;
  return isOnlyReturned((gradient.ofTerms ? gradient : other).op->getResult(0));
}

/// Other computations have these formulas too: says why one without its
/// combination and without the other gradient may be such a one.
StringRef Finder::whyUnknown(const Gradient &gradient) {
  if (!gradient.forwards.empty())
    return "";
  for (Gradient &other : gradients)
    if (isPartner(gradient, other))
      return gradient.isNarrow() || other.isNarrow()
                 ? "its router probabilities are not f32"
                 : "";
  if (!isOnlyReturned(gradient.op->getResult(0)))
    return "nothing says that it is a combination's: its result has other uses";
  for (Gradient &other : gradients)
    if (other.dy() == gradient.dy() && other.ofTerms &&
        !isOnlyReturned(other.op->getResult(0)))
      return "nothing says that it is a combination's: another product of the "
             "same gradient has other uses";
  return "";
}

void Finder::decide(Gradient &gradient) {
  Location loc = gradient.op->getLoc();
  if (isHeld(gradient, refused))
    return;
  if (gradient.isNarrow() && !gradient.forwards.empty()) {
    report.cannot(loc, kGradient)
        << "expected router probabilities in f32 but got "
        << gradient.ofTerms->term.weightType;
    gradient.isRefused = true;
    return;
  }
  if (!gradient.roundings())
    return;
  if (StringRef why = whyUnknown(gradient); !why.empty()) {
    report.leftAlone(loc, kGradient, why);
    gradient.isRefused = true;
    return;
  }
  bool isReadable =
      gradient.ofTerms
          ? canReplaceByExpression(gradient.op, {gradient.ofTerms->term.z,
                                                 gradient.ofTerms->term.weight})
          : gradient.ofWeights->sum.canReplace(
                gradient.op, {gradient.ofWeights->dy, gradient.ofWeights->z},
                BodyInputs(), /*keepOrder=*/true);
  if (isReadable)
    return;
  report.leftAlone(loc, kGradient, kUnreadable);
  gradient.isRefused = true;
}

/// Promotes what was marked, and says how; an empty string if it cannot be.
static StringRef rewrite(Operation *op, StringRef what) {
  if (what == kGradient) {
    if (auto weight = WrittenWeightGradient::match(op))
      return weight->sum.replace(op, weight->term, {weight->dy, weight->z},
                                 BodyInputs(), /*keepOrder=*/true)
                 ? "products in f32, one rounding for each gradient"
                 : "";
    auto term = WrittenTermGradient::match(op);
    return term && replaceByExpression(op, term->term.term,
                                       {term->term.z, term->term.weight})
               ? "products in f32, one rounding for each gradient"
               : "";
  }
  if (auto sum = WrittenCombination::match(op)) {
    if (!sum->sum.replace(op, sum->term.term, {sum->term.z, sum->term.weight},
                          sum->term.inputs, /*keepOrder=*/false))
      return "";
    return sum->term.isGathered
               ? "an f32 sum in the program's order, one rounding"
               : "an f32 sum in order of the slots, one rounding";
  }
  std::optional<WrittenChain> chain = WrittenChain::match(op);
  return chain && replaceByExpression(op, chain->formula, chain->leaves)
             ? "an f32 sum in the program's order, one rounding"
             : "";
}

void Finder::run() {
  readCombinations();
  readChains();
  readGradients();
  for (Gradient &gradient : gradients)
    decide(gradient);
  holdTogether(
      gradients, refused,
      [&](const Gradient &gradient) {
        if (gradient.roundings())
          report.leftAlone(gradient.op->getLoc(), kGradient, kForwardRefused);
      },
      [&](Operation *forward) {
        report.leftAlone(forward->getLoc(), kCombination, kGradientRefused);
      });
  for (Combination &combination : combinations)
    if (!combination.isDone && !refused.contains(combination.op))
      markRoot(combination.op, kCombination);
  for (Gradient &gradient : gradients)
    if (gradient.roundings() && !gradient.isRefused)
      markRoot(gradient.op, kGradient);
  promoteMarkedRoots(root, report, rewrite);
}

void prec::promoteCombinations(Operation *root, Report &report) {
  Operations refused;
  promoteOperations(root, refused, report);
  Finder(root, refused, report).run();
}
