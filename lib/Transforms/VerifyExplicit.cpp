// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/Passes.h"

namespace prec {
#define GEN_PASS_DEF_VERIFYEXPLICITPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

namespace {
struct VerifyExplicit : prec::impl::VerifyExplicitPassBase<VerifyExplicit> {
  void runOnOperation() override {}
};
} // namespace
