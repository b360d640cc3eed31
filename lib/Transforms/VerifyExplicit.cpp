// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LevelR.h"
#include "prec/Transforms/Passes.h"

namespace prec {
#define GEN_PASS_DEF_VERIFYEXPLICITPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

namespace {
struct VerifyExplicit : prec::impl::VerifyExplicitPassBase<VerifyExplicit> {
  void runOnOperation() override {
    if (failed(prec::verifyLevelR(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
