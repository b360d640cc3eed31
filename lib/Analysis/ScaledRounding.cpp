// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/ScaledRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace prec;

bool prec::roundsTo16Bits(RoundOp op) {
  Type to = getElementTypeOrSelf(op.getType());
  return isa<FloatType, VectorType>(op.getType()) &&
         getElementTypeOrSelf(op.getInput().getType()).isF32() &&
         (to.isBF16() || to.isF16()) &&
         op.getMode() == RoundingMode::nearest_even && !op.getSaturate();
}

std::optional<ScaledNumber> prec::scaledNumber(RoundOp op) {
  auto product = op.getInput().getDefiningOp<arith::MulFOp>();
  if (!product || !roundsTo16Bits(op))
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    auto widen = product->getOperand(i).getDefiningOp<arith::ExtFOp>();
    APFloat scale(0.0f);
    if (widen && widen.getIn().getType() == op.getType() &&
        matchPattern(product->getOperand(1 - i), m_ConstantFloat(&scale)) &&
        !scale.isNegative() && scale.getExactLog2() < 0 &&
        scale.getExactLog2() >= -16)
      return ScaledNumber{i, scale.convertToFloat()};
  }
  return std::nullopt;
}
