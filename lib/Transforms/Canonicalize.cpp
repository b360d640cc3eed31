// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace prec {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;

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
      if (op != getOperation() &&
          !isa_and_nonnull<math::MathDialect>(op->getDialect()))
        operations.push_back(op);
    });
    // Functions of the math dialect are not among the operations that are
    // looked at, so nothing folds them, whatever becomes constant around them.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(operations, patterns, config);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
