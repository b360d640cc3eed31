// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Operations.h"
#include "Gradients.h"
#include "Neighbours.h"
#include "Points.h"
#include "Probabilities.h"
#include "Written.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

static constexpr StringLiteral kActivation = "activation";

bool prec::canPromote(ActivationOp op, Report &report) {
  if (!hasHalfOperands(op, kActivation, report) ||
      !isGatedSilu(op.getLoc(), op.getFunction(), op.isGated(), kActivation,
                   report))
    return false;
  Operation *quantization = findQuantization(op.getResult());
  if (quantization)
    report.cannotQuantized(op.getLoc(), kActivation, quantization);
  return !quantization;
}

void prec::promote(ActivationOp op, Report &report) {
  OpBuilder builder(op);
  SmallVector<std::string> overridden;
  bool changed = switchOff(op, {"gate_cast", "up_cast"}, overridden);
  if (Value narrow = op.getProbability()) {
    Value wide = beforeRounding(builder, narrow);
    changed |= wide != narrow;
    op.getProbabilityMutable().assign(wide);
  }
  if (changed)
    report.promoted(op.getLoc(), kActivation,
                    withOverridden("one rounding, at the result", overridden));
}

/// The activation with a probability that is written out and ends in `element`.
static std::optional<WrittenActivation> readWritten(Element element) {
  Operation *def = element.value.getDefiningOp();
  if (!def || def->getNumResults() != 1)
    return std::nullopt;
  std::optional<WrittenActivation> activation = WrittenActivation::match(def);
  return activation && !activation->probabilities.empty() ? activation
                                                          : std::nullopt;
}

/// Whether the tensor that `op` makes, or that the linalg operation with `op`
/// in its body makes of it, has one use.
static bool hasOneUse(Operation *op) {
  if (!op->getResult(0).hasOneUse())
    return false;
  auto body = dyn_cast<linalg::LinalgOp>(op->getParentOp());
  return !body || (body->getNumResults() == 1 &&
                   isa<linalg::YieldOp>(*op->user_begin()) &&
                   body->getResult(0).hasOneUse());
}

/// The tensor without its last dimensions, of size 1 each, at which `at` has
/// constant indices; `at` loses these.
static Value dropUnits(OpBuilder &builder, Value tensor, AffineMap &at) {
  auto type = cast<RankedTensorType>(tensor.getType());
  unsigned rank = type.getRank();
  while (rank > 1 && type.getDimSize(rank - 1) == 1 &&
         isa<AffineConstantExpr>(at.getResult(rank - 1)))
    --rank;
  if (rank == type.getRank())
    return tensor;
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < rank; ++dim)
    groups.push_back({dim});
  for (unsigned dim = rank; dim < type.getRank(); ++dim)
    groups.back().push_back(dim);
  at = at.getMajorSubMap(rank);
  return tensor::CollapseShapeOp::create(builder, tensor.getLoc(), tensor,
                                         groups);
}

/// As takeProbability, of an activation that is written out.
static bool takeWrittenProbability(CombineOp op, Element element,
                                   const WrittenActivation &activation,
                                   Report &report) {
  StringRef what = "combination";
  Operation *root = element.value.getDefiningOp();
  auto cannotMove = [&](StringRef why) {
    InFlightDiagnostic diagnostic = report.cannot(op.getLoc(), what);
    diagnostic << "cannot move the probability of the activation to it: "
               << why;
    diagnostic.attachNote(root->getLoc()) << "the activation is here";
    return false;
  };
  if (op.getBias())
    return cannotMove("it has a bias");
  if (activation.probabilities.size() > 1 || !activation.beforeProbability)
    return cannotMove("it is not the activation's last factor");
  bool hasGradient = false;
  op->getParentOfType<FunctionOpInterface>().walk([&](CombineGradOp grad) {
    hasGradient |= grad.getTerms() == op.getTerms();
  });
  if (hasGradient)
    return cannotMove("that of its gradient cannot move to the gradient of the "
                      "combination");
  if (!hasOneUse(root))
    return cannotMove("the activation has other uses");
  Element probability = activation.leaves[activation.probabilities[0]];
  if (!probability.type().isF32()) {
    report.cannot(op.getLoc(), what)
        << "expected router probabilities in f32 but got "
        << probability.type();
    return false;
  }
  OpBuilder builder(op);
  Value weights;
  if (probability.isTensor()) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr index : probability.at.getResults())
      indices.push_back(index.replaceDims(element.at.getResults()));
    AffineMap row = simplifyAffineMap(AffineMap::get(element.at.getNumDims(),
                                                     element.at.getNumSymbols(),
                                                     indices, op.getContext()));
    Value tensor = dropUnits(builder, probability.value, row);
    weights = moveToSlots(builder, tensor, row, op.getTerms(), op.getIndices());
  }
  Location loc = root->getLoc();
  if (!weights)
    return cannotMove("its rows are not those of the activation");
  if (!replaceByExpression(root, Expression::ofLeaf(0),
                           *activation.beforeProbability))
    return cannotMove("its operands cannot be read in one place");
  op.getWeightsMutable().assign(weights);
  report.promoted(loc, "activation",
                  "its probability moved to the combination");
  return true;
}

/// Gives a combination without weights the probability of the activation that
/// feeds it, which loses it. False after a diagnostic.
static bool takeProbability(CombineOp op, const Experts &experts,
                            Report &report) {
  StringRef what = "combination";
  if (experts.activation)
    if (auto written = readWritten(*experts.activation))
      return takeWrittenProbability(op, *experts.activation, *written, report);
  auto activation =
      experts.activation
          ? experts.activation->value.getDefiningOp<ActivationOp>()
          : ActivationOp();
  if (!activation || !activation.getProbability()) {
    report.cannot(op.getLoc(), what)
        << "expected router probabilities, as weights or in an activation that "
           "feeds it";
    return false;
  }
  auto cannotMove = [&](StringRef why) {
    InFlightDiagnostic diagnostic = report.cannot(op.getLoc(), what);
    diagnostic << "cannot move the probability of the activation to it: "
               << why;
    diagnostic.attachNote(activation.getLoc()) << "the activation is here";
    return false;
  };
  if (op.getBias())
    return cannotMove("it has a bias");
  std::optional<GradientPair> gradients;
  if (!GradientPair::find(op, activation, gradients))
    return cannotMove("that of its gradient cannot move to the gradient of the "
                      "combination");
  // The gradients have uses of their own; they change together.
  auto isInGradient = [&](Operation *user) {
    if (!gradients)
      return false;
    CombineGradOp first = gradients->combine;
    Operation *inBlock = first->getBlock()->findAncestorOpInBlock(*user);
    return inBlock && !inBlock->isBeforeInBlock(first);
  };
  if (llvm::count_if(activation->getUsers(), isInGradient) + 1 !=
      std::distance(activation->use_begin(), activation->use_end()))
    return cannotMove("the activation has other uses");
  OpBuilder builder(op);
  Value probability = beforeRounding(builder, activation.getProbability());
  Type type = getElementTypeOrSelf(probability.getType());
  if (!type.isF32()) {
    report.cannot(op.getLoc(), what)
        << "expected router probabilities in f32 but got " << type;
    return false;
  }
  AffineMap at = experts.activation->at;
  AffineMap row = AffineMap::get(at.getNumDims(), at.getNumSymbols(),
                                 at.getResults().drop_back(), op.getContext());
  Value weights =
      moveToSlots(builder, probability, row, op.getTerms(), op.getIndices());
  if (!weights)
    return cannotMove("its rows are not those of the activation");
  op.getWeightsMutable().assign(weights);
  activation.getProbabilityMutable().clear();
  if (gradients)
    gradients->moveProbability(weights);
  report.promoted(activation.getLoc(), "activation",
                  "its probability moved to the combination");
  return true;
}

bool prec::promote(CombineOp op, Report &report) {
  StringRef what = "combination";
  if (!hasHalfOperands(op, what, report))
    return false;
  auto terms = cast<RankedTensorType>(op.getTerms().getType());
  Experts experts = findExperts(
      Element::of(op.getTerms()), terms.getRank() - 1, [](Element element) {
        return element.value.getDefiningOp<ActivationOp>() ||
               readWritten(element);
      });
  if (experts.weighting) {
    InFlightDiagnostic diagnostic = report.cannot(op.getLoc(), what);
    if (experts.permuted)
      diagnostic << "the permutation between the experts and it applies "
                    "probabilities already";
    else if (op.getWeights())
      diagnostic << "the probability is applied twice";
    else
      diagnostic << "expected the outputs of experts but got products with "
                    "probabilities";
    diagnostic.attachNote(experts.weighting->getLoc())
        << "applied here" << (op.getWeights() ? " too" : "");
    return false;
  }
  bool changed = false;
  OpBuilder builder(op);
  if (Value narrow = op.getWeights()) {
    if (experts.activation) {
      Operation *other = experts.activation->value.getDefiningOp();
      auto activation = dyn_cast<ActivationOp>(other);
      if (!activation || activation.getProbability()) {
        InFlightDiagnostic diagnostic = report.cannot(op.getLoc(), what);
        diagnostic << "the probability is applied twice";
        diagnostic.attachNote(other->getLoc()) << "applied here too";
        return false;
      }
    }
    Value wide = beforeRounding(builder, narrow);
    if (Type type = getElementTypeOrSelf(wide.getType()); !type.isF32()) {
      report.cannot(op.getLoc(), what)
          << "expected router probabilities in f32 but got " << type;
      return false;
    }
    changed = wide != narrow;
    op.getWeightsMutable().assign(wide);
  } else {
    if (!takeProbability(op, experts, report))
      return false;
    changed = true;
  }
  SmallVector<std::string> overridden;
  changed |= switchOff(
      op, {"sum", "scaled", "shared_gate", "shared", "combined"}, overridden);
  if (op.isByKeys()) {
    overridden.push_back("sequence");
    changed = true;
  }
  if (op.getOrder()) {
    overridden.push_back("order");
    op.removeOrderAttr();
    changed = true;
  }
  if (op.getAccumulate() != nn::Accumulate::f32)
    overridden.push_back("accumulate");
  changed |= op.getAccumulate() != nn::Accumulate::f32;
  op.setSequence(Sequence::slots);
  op.setAccumulate(nn::Accumulate::f32);
  if (changed)
    report.promoted(
        op.getLoc(), what,
        withOverridden("an f32 sum in order of the slots, one rounding",
                       overridden));
  return true;
}
