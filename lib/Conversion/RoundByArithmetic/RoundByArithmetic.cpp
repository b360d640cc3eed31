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
    SmallVector<std::pair<scf::ForOp, bool>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      for (auto round : loop.getBody()->getOps<RoundOp>()) {
        Type to = getElementTypeOrSelf(round.getType());
        if (!to.isF16() && !(to.isBF16() && bf16))
          continue;
        loops.push_back({loop, to.isF16()});
        return;
      }
    });
    if (loops.empty())
      return;
    Representability facts(getOperation());
    for (auto [loop, isF16] : loops)
      roundRowSums(
          loop, facts,
          *(isF16 ? makeF16SumArithmetic(hasRange) : makeBF16SumArithmetic()));
  }
};

} // namespace
