// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace prec {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;

/// Operations that upstream folds to other bits: functions, and of a signaling
/// NaN and a number the greater or lesser number, to NaN.
static bool foldsWrongly(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
         isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
}

namespace {
struct Canonicalize : prec::impl::CanonicalizePassBase<Canonicalize> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && !foldsWrongly(op))
        operations.push_back(op);
    });
    // These are not among the operations that are looked at, so nothing folds
    // them, whatever becomes constant around them.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(operations, patterns, config);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
