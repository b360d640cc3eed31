// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Neighbours.h"
#include "Probabilities.h"
#include "Written.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

bool prec::canPromoteCombination(Operation *op, Element z, Element weight,
                                 unsigned hidden, Report &report) {
  StringRef what = "combination";
  Experts experts = findExperts(z, hidden, [](Element element) {
    Operation *def = element.value.getDefiningOp();
    if (auto activation = dyn_cast_or_null<moe::ActivationOp>(def))
      return static_cast<bool>(activation.getProbability());
    if (!def || def->getNumResults() != 1)
      return false;
    std::optional<WrittenActivation> activation = WrittenActivation::match(def);
    return activation && activation->probabilities;
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
  if (!weight.type().isF32()) {
    report.cannot(op->getLoc(), what)
        << "expected router probabilities in f32 but got " << weight.type();
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {

/// sum over a loop of z * weight.
struct Reduction {
  Element z, weight;
  bool isWeightFirst = false;
  unsigned roundings = 0;
  AffineMap output; ///< from the three loops to the result
  SmallVector<utils::IteratorType> loops;
  double init = 0;               ///< +0 or -0
  Operation *rounding = nullptr; ///< of the accumulator, if it is 16 bits

  unsigned hidden() const { return output.getDimPosition(1); }
};

} // namespace

static bool dependsOn(Element element, unsigned loop) {
  return history(element, {/*slices=*/true, /*roundings=*/true})
      .back()
      .at.isFunctionOfDim(loop);
}

/// Fills in the two factors of the summand `element`.
static bool matchSummand(Element element, Reduction &sum) {
  element = peel(element, sum.roundings);
  auto mul = element.value.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  sum.roundings += isHalf(element.type());
  Element first{mul.getLhs(), element.at}, second{mul.getRhs(), element.at};
  sum.isWeightFirst = !dependsOn(first, sum.hidden());
  if (sum.isWeightFirst)
    std::swap(first, second);
  bool rounded;
  sum.z = origin(first);
  sum.weight = beforeRounding(second, rounded);
  sum.roundings += rounded;
  // All of [tokens, slots, hidden] in 16 bits, by all of [tokens, slots].
  return isHalf(sum.z.type()) && dependsOn(first, 0) && dependsOn(first, 1) &&
         dependsOn(first, 2) && !dependsOn(second, sum.hidden()) &&
         llvm::all_of(ArrayRef<unsigned>{0, 1, 2}, [&](unsigned loop) {
           return loop == sum.hidden() || dependsOn(second, loop);
         });
}

/// A linalg operation that adds along one of three loops.
static std::optional<Reduction> matchLinalg(linalg::LinalgOp op) {
  if (op.getNumLoops() != 3 || op.getNumReductionLoops() != 1 ||
      op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
    return std::nullopt;
  Reduction sum;
  sum.output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  sum.loops = op.getIteratorTypesArray();
  if (sum.output.getNumResults() != 2 || !sum.output.isProjectedPermutation())
    return std::nullopt;
  std::optional<double> init =
      constantOf(Element::of(op.getDpsInitOperand(0)->get()));
  if (init != 0.0)
    return std::nullopt;
  sum.init = *init;
  Element total =
      Element::of(op.getBlock()->getTerminator()->getOperand(0), op);
  if (isHalf(total.type())) {
    sum.rounding = total.value.getDefiningOp();
    ++sum.roundings; // of the accumulator, each time
  }
  unsigned last = 0;
  total = peel(total, last);
  auto add = total.value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  Value accumulator = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  auto isAccumulator = [&](Element element) {
    unsigned roundings = 0;
    return peel(element, roundings).value == accumulator && !roundings;
  };
  Element first{add.getLhs(), total.at}, second{add.getRhs(), total.at};
  if (!isAccumulator(first))
    std::swap(first, second);
  if (!isAccumulator(first) || !matchSummand(second, sum))
    return std::nullopt;
  return sum;
}

/// prec.sum along the middle one of three dimensions.
static std::optional<Reduction> matchSum(SumOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  if (type.getRank() != 3 || op.getDimension() != 1 ||
      !type.getElementType().isF32())
    return std::nullopt;
  MLIRContext *context = op.getContext();
  Reduction sum;
  sum.loops = {utils::IteratorType::parallel, utils::IteratorType::reduction,
               utils::IteratorType::parallel};
  sum.output = AffineMap::get(
      3, 0, {getAffineDimExpr(0, context), getAffineDimExpr(2, context)},
      context);
  return matchSummand(Element::of(op.getInput()), sum)
             ? std::optional<Reduction>(sum)
             : std::nullopt;
}

static std::optional<Reduction> matchReduction(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return matchLinalg(linalgOp);
  if (auto sum = dyn_cast<SumOp>(op))
    return matchSum(sum);
  return std::nullopt;
}

/// Writes the sum in f32 in place of `op`; false if its operands cannot be read
/// there.
static bool replace(Operation *op, const Reduction &sum) {
  BodyInputs inputs;
  if (!inputs.reserve(sum.z) || !inputs.reserve(sum.weight))
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<OpFoldResult> sizes =
      sizesOf(builder, loc, type, sum.output.getResults(), inputs);
  if (sizes.empty())
    return false;
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getF32Type());
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getF32FloatAttr(sum.init));
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  SmallVector<AffineMap> maps = inputs.maps;
  maps.push_back(sum.output);
  Expression z = Expression::ofLeaf(0), weight = Expression::ofLeaf(1);
  Expression term = sum.isWeightFirst
                        ? Expression::of(Expression::Kind::mul, {weight, z})
                        : Expression::of(Expression::Kind::mul, {z, weight});
  auto wide = linalg::GenericOp::create(
      builder, loc, init.getType(), inputs.tensors, init, maps, sum.loops,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value leaves[] = {inputs.write(b, loc, sum.z, arguments),
                          inputs.write(b, loc, sum.weight, arguments)};
        Value value = arith::AddFOp::create(b, loc, arguments.back(),
                                            write(b, loc, term, leaves));
        linalg::YieldOp::create(b, loc, value);
      });
  Value result = wide.getResult(0);
  if (sum.rounding)
    result = writeRounding(builder, loc, result, type, sum.rounding);
  op->getResult(0).replaceAllUsesWith(result);
  eraseWithProducers(op);
  return true;
}

static void promoteReductions(Operation *root, Report &report) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    std::optional<Reduction> sum = matchReduction(op);
    if (sum && sum->roundings &&
        canPromoteCombination(op, sum->z, sum->weight, sum->hidden(), report))
      found.push_back(op);
  });
  for (Operation *op : found) {
    Reduction sum = *matchReduction(op);
    Location loc = op->getLoc();
    if (replace(op, sum))
      report.promoted(loc, "combination",
                      "an f32 sum in order of the slots, one rounding");
    else
      report.leftAlone(loc, "combination",
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
  if (root->getNumResults() != 1 ||
      !isa<arith::AddFOp, arith::TruncFOp, RoundOp>(root) ||
      !isHalf(getElementTypeOrSelf(root->getResult(0).getType())))
    return std::nullopt;
  std::optional<unsigned> hidden = hiddenLoop(root);
  unsigned rounds = 0;
  bool isCast = !isa<arith::AddFOp>(root);
  if (!hidden ||
      (isCast &&
       (!uncast(elementOf(root), {.roundings = true}, rounds) || !rounds)))
    return std::nullopt;
  Chain chain;
  if (!chain.add(roundedBy(root), *hidden, /*isRoot=*/!isCast, /*depth=*/64,
                 chain.formula) ||
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
      possible = canPromoteCombination(op, chain.leaves[i], chain.leaves[i + 1],
                                       hidden, report);
    if (possible)
      markRoot(op);
  }
  forEachMarkedRoot(root, [&](Operation *op) {
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
  promoteReductions(root, report);
  promoteChains(root, report);
}
