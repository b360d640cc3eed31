// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Neighbours.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace prec;

static bool isParallel(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

Operation *prec::findQuantization(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  // Grows while it is walked.
  for (size_t i = 0; i < values.size(); ++i) {
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      for (Type type : user->getResultTypes()) {
        auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
        if (element && element.getWidth() <= 8)
          return user;
      }
      if (isa<linalg::YieldOp>(user)) {
        if (auto op = dyn_cast<linalg::LinalgOp>(user->getParentOp());
            op && isParallel(op))
          values.insert(op->getResult(use.getOperandNumber()));
        continue;
      }
      if (auto op = dyn_cast<linalg::LinalgOp>(user)) {
        if (isParallel(op))
          values.insert(op.getMatchingBlockArgument(&use));
        continue;
      }
      if (user->hasTrait<OpTrait::Elementwise>() ||
          isa_and_nonnull<tensor::TensorDialect>(user->getDialect()) ||
          isa<ObserveOp, MaterializeOp>(user))
        values.insert(user->result_begin(), user->result_end());
    }
  }
  return nullptr;
}

bool prec::isPerRow(Element element, unsigned hidden) {
  Element last =
      history(element, {/*slices=*/true, /*roundings=*/true, /*gathers=*/true})
          .back();
  return !last.at.isFunctionOfDim(hidden) &&
         !llvm::all_of(last.at.getResults(), llvm::IsaPred<AffineConstantExpr>);
}

/// The two inputs of a product of matrices at the output element `element`;
/// what is summed over has an index that is not known.
static SmallVector<Element> factorsOf(linalg::LinalgOp op, Element element) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> loops(op.getNumLoops(),
                                getAffineSymbolExpr(0, context));
  AffineMap output =
      op.getIndexingMapMatchingResult(cast<OpResult>(element.value));
  for (auto [i, expr] : llvm::enumerate(output.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops[dim.getPosition()] = element.at.getResult(i);
  SmallVector<Element> factors;
  for (OpOperand *input : op.getDpsInputOperands()) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
      results.push_back(expr.replaceDims(loops));
    factors.push_back({input->get(), AffineMap::get(element.at.getNumDims(), 1,
                                                    results, context)});
  }
  return factors;
}

/// Appends to `experts` what `element` comes from; true if that is an
/// activation.
static bool lookBack(Element element, unsigned hidden,
                     function_ref<bool(Element)> isActivation, unsigned depth,
                     bool beforeExperts, Experts &experts) {
  bool permuted = false;
  for (Element e : history(element, {/*slices=*/false, /*roundings=*/true,
                                     /*gathers=*/true})) {
    if (isActivation(e)) {
      experts.activation = e;
      return true;
    }
    permuted |= e.value.getDefiningOp<tensor::ExtractOp>() != nullptr;
    element = e;
  }
  if (!beforeExperts)
    experts.permuted |= permuted;
  Operation *def = element.value.getDefiningOp();
  if (!def || !depth)
    return false;
  if (isa<arith::MulFOp>(def) && !beforeExperts) {
    for (unsigned i : {0, 1}) {
      if (!isPerRow({def->getOperand(i), element.at}, hidden))
        continue;
      experts.weighting = def;
      return lookBack({def->getOperand(1 - i), element.at}, hidden,
                      isActivation, depth - 1, beforeExperts, experts);
    }
    return false;
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op || !linalg::isaContractionOpInterface(op))
    return false;
  return llvm::any_of(factorsOf(op, element), [&](Element factor) {
    return lookBack(factor, hidden, isActivation, depth - 1,
                    /*beforeExperts=*/true, experts);
  });
}

Experts prec::findExperts(Element terms, unsigned hidden,
                          function_ref<bool(Element)> isActivation) {
  Experts experts;
  lookBack(terms, hidden, isActivation, /*depth=*/8, /*beforeExperts=*/false,
           experts);
  return experts;
}
