// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace prec {
#define GEN_PASS_DEF_OVERLAPITERATIONSPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;

/// Of fewer iterations none has a next one.
static constexpr int64_t kFewIterations = 2;

/// Fewer operations before a division are over before a processor's window is.
static constexpr int64_t kShortChain = 16;

/// Whether `op` costs less than a register that is kept for its result: a load,
/// a change of type that is no conversion of f16, an index.
static bool isCheap(Operation *op) {
  if (auto widen = dyn_cast<arith::ExtFOp>(op))
    return !getElementTypeOrSelf(widen.getIn().getType()).isF16();
  return isa<vector::LoadOp, memref::LoadOp, vector::BroadcastOp,
             CastOpInterface>(op) ||
         !isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
}

namespace {

/// The operations of a loop's body in two parts.
class Stages {
public:
  /// Drops what nothing uses, which would have values kept for it.
  explicit Stages(scf::ForOp loop) : block(*loop.getBody()) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  /// Finds the parts; fails where the first does not exist, is short, makes
  /// choices, or needs what the iteration before computed.
  LogicalResult find();
  /// Makes the second part compute what is cheap itself, and moves constants
  /// out of the loop.
  void separate();
  /// All operations but the terminator, with their part; each part's are evenly
  /// among the other's.
  std::vector<std::pair<Operation *, unsigned>> schedule();

private:
  Block &block;
  SetVector<Value> divisors;
  SetVector<Operation *> early;
};

struct OverlapIterations
    : prec::impl::OverlapIterationsPassBase<OverlapIterations> {
  using Base::Base;
  void runOnOperation() override;
};

} // namespace

LogicalResult Stages::find() {
  auto isInside = [&](Operation *op) { return op->getBlock() == &block; };
  BackwardSliceOptions options(isInside);
  options.inclusive = options.omitBlockArguments = true;
  for (auto divide : block.getOps<arith::DivFOp>()) {
    Value divisor = divide.getRhs();
    Operation *definition = divisor.getDefiningOp();
    if (isa<VectorType>(divisor.getType()) && definition &&
        isInside(definition) && divisors.insert(divisor) &&
        failed(getBackwardSlice(divisor, &early, options)))
      return failure();
  }
  auto isCarried = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &block &&
           argument.getArgNumber() > 0;
  };
  for (Operation *op : early)
    if (op->getNumRegions() != 0 || llvm::any_of(op->getOperands(), isCarried))
      return failure();
  return success(llvm::count_if(early, std::not_fn(isCheap)) > kShortChain);
}

void Stages::separate() {
  for (auto constant :
       llvm::make_early_inc_range(block.getOps<arith::ConstantOp>()))
    constant->moveBefore(block.getParentOp());
  // From the last one on, so that what a copy needs is copied, too.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!early.contains(&op) || !isCheap(&op))
      continue;
    auto isLate = [&](OpOperand &use) {
      return !early.contains(use.getOwner());
    };
    if (!llvm::any_of(op.getUses(), isLate))
      continue;
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(&op);
    op.replaceUsesWithIf(builder.clone(op)->getResults(), isLate);
  }
}

std::vector<std::pair<Operation *, unsigned>> Stages::schedule() {
  SmallVector<Operation *> parts[2];
  for (Operation &op : block.without_terminator())
    parts[early.contains(&op) ? 0 : 1].push_back(&op);
  std::vector<std::pair<Operation *, unsigned>> result;
  size_t next[2] = {0, 0};
  while (result.size() < parts[0].size() + parts[1].size()) {
    // That of which the smaller share is there.
    bool isSecond = next[0] * parts[1].size() > next[1] * parts[0].size();
    result.emplace_back(parts[isSecond][next[isSecond]++], isSecond);
  }
  return result;
}

/// Whether iterations of `loop` may overlap: they are several, or not known,
/// from 0 on one by one, and none is left for a later one.
static bool mayOverlap(scf::ForOp loop) {
  // Upstream's last iterations of a loop of unknown length are not those of one
  // that does not begin at 0.
  const bool isUnknown = !getConstantIntValue(loop.getUpperBound()) &&
                         getConstantIntValue(loop.getLowerBound()) == 0 &&
                         getConstantIntValue(loop.getStep()) == 1;
  return (isUnknown || prec::iterationsOf(loop) >= kFewIterations) &&
         prec::readsNothingItWrites(loop) &&
         llvm::all_of(*loop.getBody(), prec::isMovable);
}

/// Puts `loop` in one branch of a choice, and a copy in the other, which is
/// taken where the iterations, not known before, are few.
static void chooseByIterations(IRRewriter &rewriter, scf::ForOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value few = arith::ConstantIndexOp::create(rewriter, loc, kFewIterations);
  Value isFew = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                      loop.getUpperBound(), few);
  auto choice = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), isFew,
                                  /*withElseRegion=*/true);
  rewriter.replaceAllUsesWith(loop.getResults(), choice.getResults());
  rewriter.setInsertionPointToStart(choice.thenBlock());
  Operation *copy = rewriter.clone(*loop);
  loop->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  if (loop.getNumResults() == 0)
    return;
  scf::YieldOp::create(rewriter, loc, copy->getResults());
  rewriter.setInsertionPointAfter(loop);
  scf::YieldOp::create(rewriter, loc, loop.getResults());
}

void OverlapIterations::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  getOperation().walk([&](scf::ForOp loop) {
    if (mayOverlap(loop))
      loops.push_back(loop);
  });
  IRRewriter rewriter(&getContext());
  for (scf::ForOp loop : loops) {
    Stages stages(loop);
    if (failed(stages.find()))
      continue;
    stages.separate();
    if (!getConstantIntValue(loop.getUpperBound()))
      chooseByIterations(rewriter, loop);
    scf::PipeliningOption options;
    options.getScheduleFn =
        [&](scf::ForOp,
            std::vector<std::pair<Operation *, unsigned>> &schedule) {
          schedule = stages.schedule();
        };
    // Where they are not known, the choice has seen that they are enough.
    options.supportDynamicLoops = true;
    options.predicateFn = [](RewriterBase &, Operation *op, Value) {
      return op;
    };
    rewriter.setInsertionPoint(loop);
    // Nothing is left to fail: the iterations are as many as the parts, or
    // more.
    (void)scf::pipelineForLoop(rewriter, loop, options);
  }
}
