// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShortNaN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// Values that are looked at for one answer, at most.
static constexpr unsigned kMaxValues = 256;

static bool isMask(Value value, uint64_t mask) {
  APInt bits;
  return matchPattern(value, m_ConstantInt(&bits)) && bits == mask;
}

/// The float whose bits `bits` are but for the sign; null if not known.
static Value withoutSignChange(Value bits) {
  if (auto cast = bits.getDefiningOp<arith::BitcastOp>())
    return cast.getIn();
  Operation *op = bits.getDefiningOp();
  if (!op || !getElementTypeOrSelf(bits.getType()).isInteger(32))
    return {};
  // Constants are on the right.
  if (isa<arith::AndIOp>(op) && isMask(op->getOperand(1), 0x7FFFFFFF))
    return withoutSignChange(op->getOperand(0));
  if (!isa<arith::OrIOp, arith::XOrIOp>(op))
    return {};
  for (unsigned i : {0, 1})
    if (auto sign = op->getOperand(i).getDefiningOp<arith::AndIOp>();
        sign && isMask(sign.getRhs(), 0x80000000))
      return withoutSignChange(op->getOperand(1 - i));
  return {};
}

/// Whether NaN that is made of integers is short, `sources` aside.
static bool isShortBitcast(arith::BitcastOp op,
                           SmallVectorImpl<Value> &sources) {
  Value bits = op.getIn();
  if (auto shift = bits.getDefiningOp<arith::ShLIOp>()) {
    // The fraction has 23 or 52 bits, of which bf16 keeps 7.
    unsigned width =
        getElementTypeOrSelf(bits.getType()).getIntOrFloatBitWidth();
    APInt amount;
    return matchPattern(shift.getRhs(), m_ConstantInt(&amount)) &&
           amount.uge(width == 32 ? 16 : 45);
  }
  Value source = withoutSignChange(bits);
  if (!source || !isa<FloatType>(getElementTypeOrSelf(source.getType())))
    return false;
  sources.push_back(source);
  return true;
}

bool prec::hasShortNaN(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (values.size() > kMaxValues)
      return false;
    APFloat constant(0.0f);
    if (matchPattern(values[i], m_ConstantFloat(&constant))) {
      if (constant.isNaN() &&
          constant.bitcastToAPInt().countTrailingZeros() <
              (&constant.getSemantics() == &APFloat::IEEEdouble() ? 45u : 16u))
        return false;
      continue;
    }
    Operation *op = values[i].getDefiningOp();
    if (!op)
      return false;
    if (auto widen = dyn_cast<arith::ExtFOp>(op);
        widen && getElementTypeOrSelf(widen.getIn().getType()).isBF16())
      continue;
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      continue;
    SmallVector<Value> sources;
    if (auto cast = dyn_cast<arith::BitcastOp>(op)) {
      if (!isShortBitcast(cast, sources))
        return false;
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      sources = {select.getTrueValue(), select.getFalseValue()};
    } else if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                   arith::NegFOp, arith::ExtFOp, arith::TruncFOp, math::AbsFOp,
                   math::SqrtOp, math::FmaOp, vector::ShapeCastOp>(op)) {
      sources.assign(op->operand_begin(), op->operand_end());
    } else {
      return false;
    }
    for (Value source : sources) {
      Type type = getElementTypeOrSelf(source.getType());
      if (!type.isF32() && !type.isF64())
        return false;
      values.insert(source);
    }
  }
  return true;
}
