// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Operations.h"
#include "Written.h"

#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace prec {
#define GEN_PASS_DEF_PROMOTEMOEPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// Promotes the operations of one kind that are there now: on the way others
/// are replaced.
template <typename OpTy>
static void promoteAll(Operation *root, Report &report) {
  SmallVector<OpTy> ops;
  root->walk([&](OpTy op) { ops.push_back(op); });
  for (OpTy op : ops)
    promote(op, report);
}

namespace {
struct PromoteMoE : prec::impl::PromoteMoEPassBase<PromoteMoE> {
  using PromoteMoEPassBase::PromoteMoEPassBase;

  void runOnOperation() override {
    if (!activation && !combine)
      return markAllAnalysesPreserved();
    Operation *root = getOperation();
    if (onUnsupported != "error" && onUnsupported != "warn") {
      root->emitError("expected on-unsupported error or warn but got ")
          << onUnsupported;
      return signalPassFailure();
    }
    Report report(onUnsupported == "error");
    // Combinations first: they take the probabilities of activations.
    if (combine) {
      promoteAll<moe::CombineOp>(root, report);
      promoteAll<moe::CombineGradOp>(root, report);
      promoteWrittenCombinations(root, report);
    }
    if (activation) {
      promoteAll<moe::ActivationOp>(root, report);
      promoteAll<moe::ActivationGradOp>(root, report);
      promoteWrittenActivations(root, report);
    }
    for (StringRef what : {"activation", "combination"}) {
      std::string gradient = (what + "'s gradient").str();
      if (report.hasPromoted(what) != report.hasPromoted(gradient))
        report.alone(root->getLoc(), report.hasPromoted(what) ? what : gradient,
                     report.hasPromoted(what) ? gradient : what);
    }
    if (report.failed())
      signalPassFailure();
  }
};
} // namespace
