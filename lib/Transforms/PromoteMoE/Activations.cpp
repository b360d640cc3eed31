// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations and their gradients, operations and written-out ones, are
// promoted together or not at all: all is decided before anything changes.
#include "Activations.h"
#include "Bonds.h"
#include "Neighbours.h"
#include "Operations.h"
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace prec;

static constexpr StringLiteral kActivation = "activation";
static constexpr StringLiteral kGradient = "activation's gradient";

namespace {

struct Activation {
  Operation *op;
  WrittenActivation form;

  bool isWritten() const { return !isa<moe::ActivationOp>(op); }
};

struct Gradient {
  Operation *op;
  WrittenGradient form;
  /// Other operations to promote: gradients of up and of the probability.
  SmallVector<Operation *> others = {};
  /// Activations that it is of and that are to be promoted.
  SmallVector<Operation *> forwards = {};
  bool hasUp = false; ///< the gradient of up is known
  bool isRefused = false;

  bool isWritten() const { return !isa<moe::ActivationGradOp>(op); }
};

class Finder {
public:
  Finder(Operation *root, Report &report);
  void run();

private:
  void readActivation(const Activation &activation);
  bool isUpGradient(const Activation &activation, const Gradient &gradient);
  void readProbabilityGradients();
  void refuse(Gradient &gradient);
  void explain(const Activation &activation);
  void explainUpGradient(const Gradient &gradient);
  void promoteAll();

  Operation *root;
  Report &report;
  std::vector<Activation> activations;
  std::vector<Gradient> gradients;
  /// Activations to promote.
  llvm::SetVector<Operation *> forwards;
  /// Activations that cannot be, or may not because of their gradients.
  Operations refused;
};

} // namespace

Finder::Finder(Operation *root, Report &report) : root(root), report(report) {
  root->walk([&](Operation *op) {
    if (auto activation = dyn_cast<moe::ActivationOp>(op))
      activations.push_back({op, WrittenActivation::of(activation)});
    if (auto gradient = dyn_cast<moe::ActivationGradOp>(op))
      gradients.push_back({op, WrittenGradient::of(gradient)});
    if (op->getNumResults() != 1)
      return;
    if (auto activation = WrittenActivation::read(op))
      activations.push_back({op, std::move(*activation)});
    if (auto gradient = WrittenGradient::match(op))
      gradients.push_back({op, std::move(*gradient)});
  });
  // What is part of a gradient may be one of something else.
  llvm::erase_if(gradients, [&](Gradient &inner) {
    return inner.isWritten() && llvm::any_of(gradients, [&](Gradient &outer) {
             return outer.op != inner.op &&
                    (outer.form.parts.contains(inner.op) ||
                     outer.form.parts.contains(
                         roundedBy(inner.op).value.getDefiningOp()));
           });
  });
}

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

/// Whether `b` has the factors of `a` and more.
static bool isPartOf(const WrittenActivation &a, const WrittenActivation &b) {
  return a.leaves.size() < b.leaves.size() &&
         llvm::all_of(
             a.leaves,
             [&](const Element &leaf) {
               return llvm::any_of(b.leaves, [&](const Element &other) {
                 return isSame(leaf, other);
               });
             });
}

/// Whether `a` is what `b` multiplies with a probability.
static bool isInnerOf(const WrittenActivation &a, const WrittenActivation &b) {
  return a.probabilities.size() < b.probabilities.size() && isPartOf(a, b);
}

/// Whether it can be promoted; if not, says so.
static bool canPromoteWritten(Operation *root,
                              const WrittenActivation &activation,
                              Report &report) {
  if (!activation.unsupported.empty()) {
    // Without a probability it is no expert's, as far as one can see.
    if (!activation.probabilities.empty())
      report.cannot(root->getLoc(), kActivation)
          << "expected a gated silu but got " << activation.unsupported;
    return false;
  }
  if (activation.probabilities.size() > 1) {
    report.cannot(root->getLoc(), kActivation)
        << "the probability is applied twice";
    return false;
  }
  if (Operation *quantization = findQuantization(root->getResult(0))) {
    report.cannotQuantized(root->getLoc(), kActivation, quantization);
    return false;
  }
  if (!canReplaceByExpression(root, activation.leaves)) {
    report.leftAlone(root->getLoc(), kActivation, kUnreadable);
    return false;
  }
  return true;
}

/// Of two activations with the gate and the two factors of a written-out
/// gradient, an operation or else the first is the forward one, the other the
/// gradient of up.
bool Finder::isUpGradient(const Activation &activation,
                          const Gradient &gradient) {
  if (!activation.isWritten() || !gradient.isWritten())
    return false;
  auto isOther = [&](const Activation &other) {
    return other.form.ups.size() == 1 && gradient.form.isOf(other.form) &&
           !isSameInWhole(other.form.leaves[other.form.ups[0]],
                          activation.form.leaves[activation.form.ups[0]]);
  };
  const Activation *forward = nullptr;
  bool isOnly = true;
  for (const Activation &other : activations) {
    if (other.form.ups.size() != 1 || !gradient.form.isOf(other.form))
      continue;
    isOnly &= !isOther(other);
    if (!forward || (forward->isWritten() && !other.isWritten()))
      forward = &other;
  }
  return isOnly ? forward->isWritten() : isOther(*forward);
}

void Finder::readActivation(const Activation &activation) {
  auto [op, form] = activation;
  bool isInner = activation.isWritten() &&
                 llvm::any_of(activations, [&](const Activation &other) {
                   return other.form.ups.size() == 1 &&
                          isInnerOf(activation.form, other.form);
                 });
  SmallVector<Gradient *> own;
  for (Gradient &gradient : gradients)
    if (gradient.form.isOf(activation.form))
      own.push_back(&gradient);
  if (isInner) {
    // A gradient that uses it is promoted too.
    if (!op->getResult(0).hasOneUse() && form.roundings && own.empty())
      report.leftAlone(op->getLoc(), kActivation,
                       "it has uses before its probability is applied");
    return;
  }
  bool isOfUp = false;
  for (Gradient *gradient : own) {
    if (!isUpGradient(activation, *gradient))
      continue;
    isOfUp = gradient->hasUp = true;
    if (form.roundings)
      gradient->others.push_back(op);
  }
  if (isOfUp || (activation.isWritten() && !form.roundings))
    return;
  for (Gradient *gradient : own)
    gradient->forwards.push_back(op);
  auto known = dyn_cast<moe::ActivationOp>(op);
  if (known ? canPromote(known, report) : canPromoteWritten(op, form, report))
    forwards.insert(op);
  else
    refused.insert(op);
}

/// Says why a product with a silu is no activation.
void Finder::explain(const Activation &activation) {
  // Without a probability it is no expert's, as far as one can see.
  if (!activation.form.roundings || activation.form.probabilities.size() != 1)
    return;
  bool isInner = llvm::any_of(activations, [&](const Activation &other) {
    return isPartOf(activation.form, other.form);
  });
  if (isInner)
    return;
  report.leftAlone(activation.op->getLoc(), kActivation,
                   activation.form.ups.empty()
                       ? "expected a gated silu but got silu without up"
                       : "it has more factors than a gate, an up and a "
                         "probability");
}

/// Sums of dy * silu(gate) * up along rows.
static std::optional<WrittenActivation> readSummand(const WrittenSum &sum) {
  auto term = WrittenActivation::read(sum.summand, sum.reduced(),
                                      /*isRoot=*/false);
  if (!term || term->ups.size() != 2 || !term->probabilities.empty())
    return std::nullopt;
  return term;
}

void Finder::readProbabilityGradients() {
  if (gradients.empty())
    return;
  root->walk([&](Operation *op) {
    std::optional<WrittenSum> sum = WrittenSum::match(op);
    if (!sum)
      return;
    std::optional<WrittenActivation> term = readSummand(*sum);
    if (!term || !(term->roundings + sum->roundings))
      return;
    for (Gradient &gradient : gradients)
      if (gradient.form.isOf(*term))
        gradient.others.push_back(op);
  });
}

//===----------------------------------------------------------------------===//
// What is decided
//===----------------------------------------------------------------------===//

/// Refuses a gradient that cannot be promoted though its activation can, and
/// says why.
void Finder::refuse(Gradient &gradient) {
  if (isHeld(gradient, refused))
    return;
  if (auto op = dyn_cast<moe::ActivationGradOp>(gradient.op)) {
    gradient.isRefused = !canPromote(op, report);
  } else if (gradient.form.roundings &&
             !canReplaceByExpression(gradient.op, gradient.form.leaves)) {
    report.leftAlone(gradient.op->getLoc(), kGradient, kUnreadable);
    gradient.isRefused = true;
  }
}

/// The factors of `element` that are not the same all along a row.
static void readFactors(Element element, unsigned hidden,
                        SmallVectorImpl<Element> &factors) {
  if (isPerRow(element, hidden))
    return;
  unsigned roundings = 0;
  Element peeled = peel(element, roundings);
  auto mul = peeled.value.getDefiningOp<arith::MulFOp>();
  if (!mul || factors.size() > 2) {
    factors.push_back(element);
    return;
  }
  for (Value factor : mul->getOperands())
    readFactors({factor, peeled.at}, hidden, factors);
}

/// Whether `op` computes the product of dy, a factor of `gradient`, and an
/// argument of the function.
static bool isByArgument(Operation *op, const WrittenGradient &gradient) {
  auto from = WrittenRoot::match<arith::MulFOp>(op);
  if (!from)
    return false;
  SmallVector<Element> factors;
  readFactors(from->element, from->hidden, factors);
  if (factors.size() != 2)
    return false;
  auto isKnown = [&](const Element &factor) {
    return llvm::any_of(gradient.leaves, [&](const Element &leaf) {
      return isSameInWhole(origin(factor), leaf);
    });
  };
  if (!isKnown(factors[0]))
    std::swap(factors[0], factors[1]);
  unsigned roundings = 0;
  auto argument = dyn_cast<BlockArgument>(peel(factors[1], roundings).value);
  return isKnown(factors[0]) && !isKnown(factors[1]) && argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Says that the gradient of up is not promoted.
void Finder::explainUpGradient(const Gradient &gradient) {
  Operation *product = nullptr;
  root->walk([&](Operation *op) {
    if (!product && isByArgument(op, gradient.form))
      product = op;
  });
  report.leftAlone(
      product ? product->getLoc() : gradient.op->getLoc(), kGradient,
      product ? "the gradient of up is a product with an argument, "
                "and nothing says that this is silu of the gate"
              : "the gradient of up is not computed from the gate");
}

//===----------------------------------------------------------------------===//
// What is done
//===----------------------------------------------------------------------===//

/// Promotes what was marked, and says how; an empty string if it cannot be.
static StringRef rewrite(Operation *op, StringRef what) {
  if (std::optional<WrittenSum> sum = WrittenSum::match(op)) {
    std::optional<WrittenActivation> term = readSummand(*sum);
    if (term && sum->replace(op, term->formula, term->leaves, BodyInputs(),
                             /*keepOrder=*/true))
      return "the probability's gradient a sum of f32 products";
    return "";
  }
  if (auto gradient = WrittenGradient::match(op))
    return replaceByExpression(op, gradient->formula, gradient->leaves)
               ? "inner roundings dropped, one at the result"
               : "";
  auto activation = WrittenActivation::match(op);
  return activation && replaceByExpression(op, activation->formula,
                                           activation->leaves)
             ? "inner roundings dropped, one at the result"
             : "";
}

void Finder::promoteAll() {
  for (Operation *op : forwards) {
    if (refused.contains(op))
      continue;
    if (auto activation = dyn_cast<moe::ActivationOp>(op))
      promote(activation, report);
    else
      markRoot(op, kActivation);
  }
  for (Gradient &gradient : gradients) {
    if (gradient.isRefused)
      continue;
    if (auto op = dyn_cast<moe::ActivationGradOp>(gradient.op)) {
      promote(op, report);
      continue;
    }
    if (gradient.form.roundings)
      markRoot(gradient.op, kGradient);
    for (Operation *other : gradient.others)
      markRoot(other, kGradient);
  }
  promoteMarkedRoots(root, report, rewrite);
}

void Finder::run() {
  for (const Activation &activation : activations) {
    if (!activation.isWritten() || activation.form.ups.size() == 1)
      readActivation(activation);
    else
      explain(activation);
  }
  readProbabilityGradients();
  for (Gradient &gradient : gradients)
    refuse(gradient);
  holdTogether(
      gradients, refused,
      [&](const Gradient &gradient) {
        report.leftAlone(gradient.op->getLoc(), kGradient,
                         "its activation cannot be promoted");
      },
      [&](Operation *forward) {
        report.leftAlone(forward->getLoc(), kActivation,
                         "its gradient cannot be promoted");
      });
  for (const Gradient &gradient : gradients)
    if (gradient.isWritten() && !gradient.isRefused && !gradient.hasUp)
      explainUpGradient(gradient);
  explainOtherFunctions(
      root,
      [&](Operation *op) {
        return llvm::any_of(activations, [&](const Activation &activation) {
          return activation.op == op;
        });
      },
      report);
  promoteAll();
}

void prec::promoteActivations(Operation *root, Report &report) {
  Finder(root, report).run();
}
