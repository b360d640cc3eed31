// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowSums.h"
#include "SumArithmetic.h"

#include "dialects/Prec/Prec.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace prec {
#define GEN_PASS_DEF_ROUNDBYARITHMETICPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

namespace {

struct RoundByArithmetic
    : prec::impl::RoundByArithmeticPassBase<RoundByArithmetic> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (llvm::any_of(loop.getBody()->getOps<RoundOp>(), [&](RoundOp round) {
            Type to = getElementTypeOrSelf(round.getType());
            return f16 ? to.isF16() : to.isBF16();
          }))
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    Representability facts(getOperation());
    for (scf::ForOp loop : loops)
      roundRowSums(loop, facts,
                   *(f16 ? makeF16SumArithmetic() : makeBF16SumArithmetic()));
  }
};

} // namespace
