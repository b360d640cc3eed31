// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/Passes.h"

namespace prec {
#define GEN_PASS_DEF_CONVERTPRECTOLLVMPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

namespace {
struct ConvertPrecToLLVM
    : prec::impl::ConvertPrecToLLVMPassBase<ConvertPrecToLLVM> {
  void runOnOperation() override {}
};
} // namespace
