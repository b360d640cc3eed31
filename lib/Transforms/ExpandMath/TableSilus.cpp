// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TableSilus.h"

#include "FunctionCall.h"
#include "MLIRBuilder.h"

#include "prec/Analysis/ScaledRounding.h"
#include "prec/Numerics/TableSilu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prec;

namespace {

/// Of what silu is rounded: a 16-bit number, of bf16 times a power of two.
struct Argument {
  Value number; ///< widened to f32
  float scale;
};

} // namespace

/// The sign of a bf16 number.
static constexpr int16_t kSign = int16_t(0x8000);

template <typename OpTy> static OpTy onlyUsedHere(Value value) {
  auto op = value.getDefiningOp<OpTy>();
  if (!op || !op->hasOneUse() || op.getFastmath() != arith::FastMathFlags::none)
    return {};
  return op;
}

static std::optional<Argument> matchSilu(RoundOp op) {
  if (!roundsTo16Bits(op))
    return std::nullopt;
  auto quotient = onlyUsedHere<arith::DivFOp>(op.getInput());
  if (!quotient)
    return std::nullopt;
  auto sum = onlyUsedHere<arith::AddFOp>(quotient.getRhs());
  Value summand = sum ? onePlusWhat(sum) : Value();
  if (!summand)
    return std::nullopt;
  auto exponential = onlyUsedHere<math::ExpOp>(summand);
  if (!exponential || !isCorrectlyRounded(exponential))
    return std::nullopt;
  auto minus = exponential.getOperand().getDefiningOp<arith::NegFOp>();
  Value x = quotient.getLhs();
  auto widen = x.getDefiningOp<arith::ExtFOp>();
  if (!minus || minus.getOperand() != x || !widen ||
      widen.getIn().getType() != op.getType())
    return std::nullopt;
  const bool isBF16 = getElementTypeOrSelf(op.getType()).isBF16();
  if (auto rounded = widen.getIn().getDefiningOp<RoundOp>())
    if (auto scaled = scaledNumber(rounded); scaled && isBF16)
      return Argument{
          rounded.getInput().getDefiningOp()->getOperand(scaled->number),
          scaled->scale};
  return Argument{x, 1};
}

/// Erases `op` and what only it needs.
static void eraseUnused(Operation *op) {
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand.getDefiningOp());
}

static void expand(RoundOp op, const Argument &argument) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MLIRBuilder b(builder, loc, op.getInput().getType());
  num::expand::TableSilu<MLIRBuilder> table(b);
  MLIRBuilder::F32 x = b.wrap(argument.number);
  if (getElementTypeOrSelf(op.getType()).isF16()) {
    Operation *quotient = op.getInput().getDefiningOp();
    op.getInputMutable().assign(table.ofF16(x).value);
    eraseUnused(quotient);
    return;
  }
  MLIRBuilder::I32 word = table.ofBF16(x, argument.scale);
  Type narrow = builder.getI16Type();
  if (auto vector = dyn_cast<VectorType>(op.getType()))
    narrow = vector.clone(narrow);
  Value upper = b.shiftRight(word, 16).value;
  Value result = arith::TruncIOp::create(builder, loc, narrow, upper);
  // All numbers of a register have their signs at once.
  Value sign = arith::ConstantOp::create(
      builder, loc,
      isa<VectorType>(narrow)
          ? TypedAttr(DenseElementsAttr::get(cast<VectorType>(narrow),
                                             builder.getI16IntegerAttr(kSign)))
          : builder.getI16IntegerAttr(kSign));
  Value bits = arith::BitcastOp::create(
      builder, loc, narrow,
      argument.number.getDefiningOp<arith::ExtFOp>().getIn());
  bits = arith::AndIOp::create(builder, loc, bits, sign);
  result = arith::OrIOp::create(builder, loc, result, bits);
  op.getResult().replaceAllUsesWith(
      arith::BitcastOp::create(builder, loc, op.getType(), result));
  eraseUnused(op);
}

void prec::expandTableSilus(Operation *root) {
  SmallVector<std::pair<RoundOp, Argument>> found;
  root->walk([&](RoundOp op) {
    if (auto argument = matchSilu(op))
      found.push_back({op, *argument});
  });
  for (auto [op, argument] : found)
    expand(op, argument);
}
