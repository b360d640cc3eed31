// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LevelR.h"
#include "prec/Transforms/Passes.h"

namespace prec {
#define GEN_PASS_DEF_VERIFYEXPLICITPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

namespace {
/// A program at the wrong level has an error on every line; nobody reads more.
constexpr unsigned kMaxErrors = 100;

struct VerifyExplicit : prec::impl::VerifyExplicitPassBase<VerifyExplicit> {
  void runOnOperation() override {
    if (failed(prec::verifyLevelR(getOperation(), kMaxErrors)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
