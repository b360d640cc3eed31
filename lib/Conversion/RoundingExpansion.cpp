// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/RoundingExpansion.h"

#include "prec/Numerics/Format.h"
#include "prec/Numerics/Rounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace prec;

static Type withElement(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

namespace {

/// Emits integer operations of one width on the lanes of one shape.
class Lanes {
public:
  Lanes(OpBuilder &builder, Location loc, Type like, unsigned width)
      : builder(builder), loc(loc),
        type(withElement(like, builder.getIntegerType(width))), width(width) {}

  Value constant(uint64_t value) {
    auto element = builder.getIntegerAttr(builder.getIntegerType(width),
                                          APInt(width, value));
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(vector, element));
    return arith::ConstantOp::create(builder, loc, element);
  }
  Value bits(Value value) {
    return arith::BitcastOp::create(builder, loc, type, value);
  }
  /// The low bits, as a value of the float type `result`.
  Value floatOf(Value value, Type result) {
    unsigned to = getElementTypeOrSelf(result).getIntOrFloatBitWidth();
    if (to != width)
      value = arith::TruncIOp::create(
          builder, loc, withElement(type, builder.getIntegerType(to)), value);
    return arith::BitcastOp::create(builder, loc, result, value);
  }

  Value add(Value a, Value b) { return emit<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return emit<arith::SubIOp>(a, b); }
  Value bitAnd(Value a, Value b) { return emit<arith::AndIOp>(a, b); }
  Value bitOr(Value a, Value b) { return emit<arith::OrIOp>(a, b); }
  Value bitXor(Value a, Value b) { return emit<arith::XOrIOp>(a, b); }
  Value shl(Value a, Value b) { return emit<arith::ShLIOp>(a, b); }
  Value shr(Value a, Value b) { return emit<arith::ShRUIOp>(a, b); }
  Value min(Value a, Value b) { return emit<arith::MinUIOp>(a, b); }
  Value add(Value a, uint64_t b) { return b ? add(a, constant(b)) : a; }
  Value sub(Value a, uint64_t b) { return b ? sub(a, constant(b)) : a; }
  Value bitAnd(Value a, uint64_t b) { return bitAnd(a, constant(b)); }
  Value bitOr(Value a, uint64_t b) { return bitOr(a, constant(b)); }
  Value shl(Value a, uint64_t b) { return b ? shl(a, constant(b)) : a; }
  Value shr(Value a, uint64_t b) { return b ? shr(a, constant(b)) : a; }

  Value compare(arith::CmpIPredicate predicate, Value a, uint64_t b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, constant(b));
  }
  Value isNegative(Value bits) {
    return compare(arith::CmpIPredicate::slt, bits, 0);
  }
  Value isNaN(Value value) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value,
                                 value);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value select(Value condition, uint64_t a, Value b) {
    return select(condition, constant(a), b);
  }

private:
  template <typename Op> Value emit(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }

  OpBuilder &builder;
  Location loc;
  Type type;
  unsigned width;
};

/// The magnitude that is cut and how many of its low bits go.
struct Cut {
  Value magnitude;
  Value amount;
};

} // namespace

/// What to add to a magnitude before the cut, so that the cut rounds.
static Value roundingAddend(Lanes &lanes, RoundingMode mode, Value bits,
                            const Cut &cut) {
  // 2^(amount-1) - 1, the largest sum of cut-off bits below a half.
  auto belowHalf = [&] {
    Value one = lanes.constant(1);
    return lanes.sub(lanes.shl(one, lanes.sub(cut.amount, 1)), 1);
  };
  switch (mode) {
  case RoundingMode::nearest_even: {
    Value last = lanes.bitAnd(lanes.shr(cut.magnitude, cut.amount), 1);
    return lanes.add(belowHalf(), last);
  }
  case RoundingMode::nearest_away:
    return lanes.add(belowHalf(), 1);
  case RoundingMode::toward_zero:
    return lanes.constant(0);
  case RoundingMode::upward:
  case RoundingMode::downward: {
    Value all = lanes.sub(lanes.shl(lanes.constant(1), cut.amount), 1);
    Value zero = lanes.constant(0);
    Value negative = lanes.isNegative(bits);
    return mode == RoundingMode::upward ? lanes.select(negative, zero, all)
                                        : lanes.select(negative, all, zero);
  }
  }
  llvm_unreachable("unknown rounding mode");
}

/// The largest magnitude a result may have: what an overflow becomes.
static Value overflowLimit(Lanes &lanes, RoundingMode mode, bool saturate,
                           const num::Format &from, const num::Format &to,
                           Value bits, Value magnitude) {
  if (saturate)
    return lanes.constant(to.maxFinite());
  if (mode == RoundingMode::nearest_even || mode == RoundingMode::nearest_away)
    return lanes.constant(to.infOrNaN());
  // Rounding towards zero never leaves the finite numbers, an infinity aside.
  Value finite = lanes.constant(to.maxFinite());
  Value limit = lanes.select(
      lanes.compare(arith::CmpIPredicate::eq, magnitude, from.expMask()),
      to.infOrNaN(), finite);
  if (mode == RoundingMode::toward_zero)
    return limit;
  Value negative = lanes.isNegative(bits);
  Value infinite = lanes.constant(to.infOrNaN());
  return mode == RoundingMode::upward ? lanes.select(negative, limit, infinite)
                                      : lanes.select(negative, infinite, limit);
}

/// Where `to` has a smaller exponent range, a result below its normal range
/// is a multiple of its smallest subnormal: its significand is cut by more.
static Cut findCut(Lanes &lanes, RoundingMode mode, const num::Format &from,
                   const num::Format &to, Value magnitude) {
  const uint64_t shift = from.fracBits - to.fracBits;
  const uint64_t rebias = from.bias - to.bias;
  if (!rebias)
    return {magnitude, lanes.constant(shift)};
  const uint64_t firstNormal = rebias + 1;
  // Past this depth nothing is left but the rounding direction.
  const uint64_t deepest = from.fracBits + 2;
  Value exponent = lanes.shr(magnitude, from.fracBits);
  Value significand =
      lanes.bitOr(lanes.bitAnd(magnitude, from.fracMask()), from.minNormal());
  // The source's own subnormals and zero have no implicit one. To nearest it
  // does not matter: they are far below half of the smallest result.
  if (mode == RoundingMode::upward || mode == RoundingMode::downward)
    significand = lanes.select(
        lanes.compare(arith::CmpIPredicate::ult, magnitude, from.minNormal()),
        magnitude, significand);
  Value deeper =
      lanes.min(lanes.sub(lanes.constant(shift + firstNormal), exponent),
                lanes.constant(deepest));
  Value subnormal = lanes.compare(arith::CmpIPredicate::ult, magnitude,
                                  firstNormal << from.fracBits);
  Value rebiased = lanes.sub(magnitude, rebias << from.fracBits);
  return {lanes.select(subnormal, significand, rebiased),
          lanes.select(subnormal, deeper, lanes.constant(shift))};
}

Value prec::emitBF16Rounding(OpBuilder &builder, Location loc, Value input,
                             Type resultType, const BF16Rounding &options) {
  constexpr unsigned shift = num::kF32.fracBits - num::kBF16.fracBits;
  Lanes lanes(builder, loc, input.getType(), num::kF32.width());
  Value bits = lanes.bits(input);
  // The sign needs no care, and an overflow carries into the exponent of
  // infinity by itself. Where the bits below are zero, nothing carries.
  Value rounded;
  if (options.addHalf) {
    rounded = options.addHalf(bits);
  } else {
    Value last = lanes.bitAnd(lanes.shr(bits, shift), 1);
    rounded =
        lanes.add(lanes.add(bits, (uint64_t(1) << (shift - 1)) - 1), last);
  }
  if (!options.shortNaN)
    rounded = lanes.select(lanes.isNaN(input), num::kBF16.quietNaN() << shift,
                           rounded);
  return lanes.floatOf(lanes.shr(rounded, shift), resultType);
}

Value prec::emitScaled(OpBuilder &builder, Location loc, Value x, Value factor,
                       const num::Format &format) {
  Lanes lanes(builder, loc, x.getType(), num::kF32.width());
  // Numbers whose last place is the format's smallest one: 2^-110 of bf16, 1/2
  // of f16, and half of that, so that what is left lies between two powers of
  // two.
  const float step = std::ldexp(1.0f, 1 - format.bias - int(format.fracBits));
  Value large = lanes.floatOf(
      lanes.constant(num::bitCast<uint32_t>(step * 0x1.8p23f)), x.getType());
  Value rounded;
  if (&format == &num::kF16) {
    Value sum = math::FmaOp::create(builder, loc, x, factor, large);
    rounded = arith::SubFOp::create(builder, loc, sum, large);
  } else {
    // Subtracted and added again: the other way round 2^-85 is lost, whose
    // lower neighbour is nearer than its upper one.
    Value magnitude = lanes.floatOf(
        lanes.bitAnd(lanes.bits(x), num::kF32.absMask()), x.getType());
    Value minus = arith::NegFOp::create(builder, loc, magnitude);
    Value rest = math::FmaOp::create(builder, loc, minus, factor, large);
    rounded = arith::SubFOp::create(builder, loc, large, rest);
  }
  // A zero has no sign then.
  Value sign = lanes.bitAnd(lanes.bits(x), num::kF32.signMask());
  return lanes.floatOf(lanes.bitOr(lanes.bits(rounded), sign), x.getType());
}

Value prec::emitUpperHalf(OpBuilder &builder, Location loc, Value input,
                          Type resultType) {
  Lanes lanes(builder, loc, input.getType(), num::kF32.width());
  return lanes.floatOf(lanes.shr(lanes.bits(input), 16), resultType);
}

Value prec::emitRounding(OpBuilder &builder, Location loc, Value input,
                         Type resultType, RoundingMode mode, bool saturate) {
  const num::Format &from = *formatOf(getElementTypeOrSelf(input.getType()));
  const num::Format &to = *formatOf(getElementTypeOrSelf(resultType));
  if (&from == &num::kF32 && &to == &num::kBF16 &&
      mode == RoundingMode::nearest_even && !saturate)
    return emitBF16Rounding(builder, loc, input, resultType, {});
  Lanes lanes(builder, loc, input.getType(), from.width());
  Value bits = lanes.bits(input);
  Value nan = lanes.isNaN(input);
  Value magnitude = lanes.bitAnd(bits, from.absMask());
  Value sign =
      lanes.bitAnd(lanes.shr(bits, from.width() - to.width()), to.signMask());
  Cut cut = findCut(lanes, mode, from, to, magnitude);
  Value sum = lanes.add(cut.magnitude, roundingAddend(lanes, mode, bits, cut));
  Value result = lanes.min(
      lanes.shr(sum, cut.amount),
      overflowLimit(lanes, mode, saturate, from, to, bits, magnitude));
  result = lanes.select(nan, to.quietNaN(), result);
  return lanes.floatOf(lanes.bitOr(result, sign), resultType);
}

Value prec::emitWidening(OpBuilder &builder, Location loc, Value input) {
  const num::Format &from = *formatOf(getElementTypeOrSelf(input.getType()));
  const num::Format &to = num::kF32;
  Type resultType = withElement(input.getType(), builder.getF32Type());
  Lanes narrow(builder, loc, input.getType(), from.width());
  Lanes lanes(builder, loc, input.getType(), to.width());
  Value bits = arith::ExtUIOp::create(
      builder, loc, withElement(input.getType(), builder.getI32Type()),
      narrow.bits(input));
  const unsigned shift = to.fracBits - from.fracBits;
  if (from.bias == to.bias) // bf16 is the upper half of f32
    return lanes.floatOf(lanes.shl(bits, shift), resultType);

  Value magnitude = lanes.bitAnd(bits, from.absMask());
  Value sign =
      lanes.shl(lanes.bitAnd(bits, from.signMask()), to.width() - from.width());
  Value shifted = lanes.shl(magnitude, shift);
  Value result =
      lanes.add(shifted, uint64_t(to.bias - from.bias) << to.fracBits);
  // A subnormal is an integer times the smallest one; the product is normal
  // and exact.
  Value count = arith::SIToFPOp::create(builder, loc, resultType, magnitude);
  Value unit = lanes.floatOf(
      lanes.constant(uint64_t(to.bias + from.minExp() - int(from.fracBits))
                     << to.fracBits),
      resultType);
  Value scaled = arith::MulFOp::create(builder, loc, count, unit);
  result = lanes.select(
      lanes.compare(arith::CmpIPredicate::ult, magnitude, from.minNormal()),
      lanes.bits(scaled), result);
  // Infinity, where there is one, and NaN: all exponent bits.
  Value special =
      lanes.compare(arith::CmpIPredicate::uge, magnitude, from.infOrNaN());
  result =
      from.hasInf
          ? lanes.select(special, lanes.bitOr(shifted, to.expMask()), result)
          : lanes.select(special, to.quietNaN(), result);
  return lanes.floatOf(lanes.bitOr(result, sign), resultType);
}

static bool isScalarOrVector(Type type) {
  return isa<FloatType, VectorType>(type);
}

namespace {

struct ExpandRound : OpRewritePattern<RoundOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    if (!isScalarOrVector(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a scalar or vector");
    rewriter.replaceOp(op, emitRounding(rewriter, op.getLoc(), op.getInput(),
                                        op.getType(), op.getMode(),
                                        op.getSaturate()));
    return success();
  }
};

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  ExpandExtF(MLIRContext *context, bool expandF16)
      : OpRewritePattern(context), expandF16(expandF16) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    Type to = getElementTypeOrSelf(op.getType());
    if (!isScalarOrVector(op.getType()) || !(to.isF32() || to.isF64()) ||
        from.isF32() || !formatOf(from) || (from.isF16() && !expandF16))
      return rewriter.notifyMatchFailure(op, "has an instruction");
    Value wide = emitWidening(rewriter, op.getLoc(), op.getIn());
    if (to.isF64())
      wide = arith::ExtFOp::create(rewriter, op.getLoc(), op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }

  bool expandF16;
};

struct DropObserve : OpRewritePattern<ObserveOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ObserveOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

} // namespace

void prec::populateRoundingExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandRound>(patterns.getContext());
}

void prec::populateWideningExpansionPatterns(RewritePatternSet &patterns,
                                             bool expandF16) {
  patterns.add<ExpandExtF>(patterns.getContext(), expandF16);
}

void prec::populateDropObservePatterns(RewritePatternSet &patterns) {
  patterns.add<DropObserve>(patterns.getContext());
}

LogicalResult prec::applyRoundingLowering(Operation *root,
                                          RewritePatternSet &&patterns) {
  walkAndApplyPatterns(root, std::move(patterns));
  WalkResult left = root->walk([](RoundOp op) {
    op.emitOpError("expected a scalar or a vector but got ")
        << op.getType() << "; lower tensors to loops first";
    return WalkResult::interrupt();
  });
  return failure(left.wasInterrupted());
}
