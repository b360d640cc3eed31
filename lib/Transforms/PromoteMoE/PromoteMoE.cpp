// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Activations.h"
#include "Combinations.h"

#include "dialects/Prec/Prec.h"
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
    if (combine)
      promoteCombinations(root, report);
    if (activation)
      promoteActivations(root, report);
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
