// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/PrecToNVVM.h"

#include "prec/Conversion/NumberExtremes.h"
#include "prec/Conversion/Passes.h"
#include "prec/Conversion/RoundingExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace prec {
#define GEN_PASS_DEF_CONVERTPRECTONVVMPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// The PTX suffix of a mode, or nothing for nearest_away, which PTX lacks.
static StringRef suffix(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::nearest_even:
    return "rn";
  case RoundingMode::toward_zero:
    return "rz";
  case RoundingMode::upward:
    return "rp";
  case RoundingMode::downward:
    return "rm";
  case RoundingMode::nearest_away:
    return "";
  }
  llvm_unreachable("unknown rounding mode");
}

static Value callIntrinsic(OpBuilder &builder, Location loc, Type result,
                           const Twine &name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(
             builder, loc, result, builder.getStringAttr("llvm.nvvm." + name),
             operands)
      .getResult(0);
}

/// A scalar, or a 1-D vector of fixed length.
static bool isFlat(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable();
  return isa<FloatType>(type);
}

/// The elements of a flat value.
static SmallVector<Value> unpack(OpBuilder &builder, Location loc,
                                 Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, value, i));
  return elements;
}

/// A flat value of `type` from words that each hold two of its elements (or of
/// its one element), lower half first. Words are kept whole, so that they are
/// stored, or widened again, without being taken apart.
static Value packPairs(OpBuilder &builder, Location loc, Type type,
                       ArrayRef<Value> words) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector) {
    Value low = arith::TruncIOp::create(
        builder, loc, builder.getIntegerType(width), words.front());
    return arith::BitcastOp::create(builder, loc, type, low);
  }
  auto count = int64_t(words.size());
  Value packed = vector::FromElementsOp::create(
      builder, loc, VectorType::get({count}, words.front().getType()), words);
  auto padded = VectorType::get({2 * count}, vector.getElementType());
  Value lanes = vector::BitCastOp::create(builder, loc, padded, packed);
  if (padded == vector)
    return lanes;
  return vector::ExtractStridedSliceOp::create(builder, loc, lanes, 0,
                                               vector.getNumElements(), 1);
}

/// Replaces the operation by its elements: a vector of them, or the only one.
static void replaceByElements(PatternRewriter &rewriter, Operation *op,
                              ArrayRef<Value> elements) {
  Type type = op->getResult(0).getType();
  if (isa<VectorType>(type))
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
  else
    rewriter.replaceOp(op, elements.front());
}

namespace {

/// f64 to f32 in the four modes of PTX.
struct RoundF64 : OpRewritePattern<RoundOp> {
  RoundF64(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    StringRef mode = suffix(op.getMode());
    if (!to.isF32() || mode.empty() || op.getSaturate() ||
        !isFlat(op.getType()))
      return rewriter.notifyMatchFailure(op, "has no instruction");
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (Value element : unpack(rewriter, loc, op.getInput()))
      results.push_back(
          callIntrinsic(rewriter, loc, to, "d2f." + mode, element));
    replaceByElements(rewriter, op, results);
    return success();
  }
};

/// f32 to bf16, f16 and the 8-bit formats, two elements at a time.
struct RoundPairs : OpRewritePattern<RoundOp> {
  RoundPairs(MLIRContext *context, unsigned sm)
      : OpRewritePattern(context, /*benefit=*/2), sm(sm) {}

  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getInput().getType()).isF32() ||
        !isFlat(op.getType()))
      return rewriter.notifyMatchFailure(op, "not flat f32");
    Type to = getElementTypeOrSelf(op.getType());
    StringRef one, two; // the intrinsics of one element (if any) and of two
    if (isa<BFloat16Type>(to))
      one = "f2bf16.", two = "ff2bf16x2.";
    else if (isa<Float16Type>(to))
      one = "f2f16.", two = "ff2f16x2.";
    else if (isa<Float8E4M3FNType>(to))
      two = "ff.to.e4m3x2.";
    else
      two = "ff.to.e5m2x2.";
    bool nearest = op.getMode() == RoundingMode::nearest_even;
    // The 8-bit conversions exist to nearest and saturating only, the 16-bit
    // ones to nearest and towards zero.
    bool eightBits = to.getIntOrFloatBitWidth() == 8;
    bool native =
        eightBits ? nearest && op.getSaturate() && sm >= 89
                  : (nearest || op.getMode() == RoundingMode::toward_zero) &&
                        !op.getSaturate();
    if (!native)
      return rewriter.notifyMatchFailure(op, "has no instruction");

    Location loc = op.getLoc();
    StringRef mode = suffix(op.getMode());
    SmallVector<Value> elements = unpack(rewriter, loc, op.getInput());
    if (isa<FloatType>(op.getType()) && !one.empty()) {
      rewriter.replaceOp(
          op, callIntrinsic(rewriter, loc, to, one + mode, elements));
      return success();
    }
    if (elements.size() % 2)
      elements.push_back(elements.back());
    Type word = rewriter.getIntegerType(2 * to.getIntOrFloatBitWidth());
    SmallVector<Value> words;
    for (size_t i = 0; i < elements.size(); i += 2) {
      // The first operand becomes the upper half.
      Value operands[] = {elements[i + 1], elements[i]};
      if (eightBits) {
        words.push_back(
            callIntrinsic(rewriter, loc, word, two + mode, operands));
        continue;
      }
      Value pair = callIntrinsic(rewriter, loc, VectorType::get({2}, to),
                                 two + mode, operands);
      words.push_back(LLVM::BitcastOp::create(rewriter, loc, word, pair));
    }
    rewriter.replaceOp(op, packPairs(rewriter, loc, op.getType(), words));
    return success();
  }

  unsigned sm;
};

/// bf16 to f32 for vectors of even length: each word of two elements gives one
/// by a shift and one by a mask.
struct WidenBF16Pairs : OpRewritePattern<arith::ExtFOp> {
  WidenBF16Pairs(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<VectorType>(op.getIn().getType());
    auto to = dyn_cast<VectorType>(op.getType());
    if (!from || !from.getElementType().isBF16() ||
        !to.getElementType().isF32() || !isFlat(to) || to.getNumElements() % 2)
      return rewriter.notifyMatchFailure(op, "not pairs of bf16");
    Location loc = op.getLoc();
    int64_t pairs = to.getNumElements() / 2;
    auto words = VectorType::get({pairs}, rewriter.getI32Type());
    auto constant = [&](uint32_t value) -> Value {
      return arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(words, APInt(32, value)));
    };
    Value packed = vector::BitCastOp::create(rewriter, loc, words, op.getIn());
    Value low = arith::ShLIOp::create(rewriter, loc, packed, constant(16));
    Value high =
        arith::AndIOp::create(rewriter, loc, packed, constant(0xffff0000));
    SmallVector<int64_t> mask;
    for (int64_t i = 0; i < pairs; ++i)
      llvm::append_values(mask, i, pairs + i);
    Value bits = vector::ShuffleOp::create(rewriter, loc, low, high, mask);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, to, bits);
    return success();
  }
};

/// Arithmetic in bf16 where the target has only its fma: x * y is x * y + -0,
/// and x +- y is x * 1 +- y. Both are exact but for the one rounding, and keep
/// the signs of zeros.
template <typename OpTy> struct ThroughFma : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isBF16() ||
        !isa<FloatType, VectorType>(type))
      return rewriter.notifyMatchFailure(op, "not bf16");
    auto constant = [&](float value) -> Value {
      TypedAttr number =
          rewriter.getFloatAttr(getElementTypeOrSelf(type), value);
      if (auto vector = dyn_cast<VectorType>(type))
        number = DenseElementsAttr::get(vector, static_cast<Attribute>(number));
      return arith::ConstantOp::create(rewriter, op.getLoc(), number);
    };
    Value x = op.getLhs(), y = op.getRhs();
    if constexpr (std::is_same_v<OpTy, arith::MulFOp>)
      rewriter.replaceOpWithNewOp<math::FmaOp>(op, x, y, constant(-0.0f));
    else if constexpr (std::is_same_v<OpTy, arith::AddFOp>)
      rewriter.replaceOpWithNewOp<math::FmaOp>(op, x, constant(1.0f), y);
    else
      rewriter.replaceOpWithNewOp<math::FmaOp>(op, y, constant(-1.0f), x);
    return success();
  }
};

/// The flushing form of each instruction: the others are several.
struct Approximate : OpRewritePattern<ApproximateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ApproximateOp op,
                                PatternRewriter &rewriter) const override {
    if (!isFlat(op.getType()))
      return rewriter.notifyMatchFailure(op, "not flat");
    StringRef name = op.getFunction() == HardwareFunction::exp2
                         ? "ex2.approx.ftz.f"
                         : "rcp.approx.ftz.f";
    SmallVector<Value> results;
    for (Value element : unpack(rewriter, op.getLoc(), op.getInput()))
      results.push_back(callIntrinsic(rewriter, op.getLoc(),
                                      rewriter.getF32Type(), name, element));
    replaceByElements(rewriter, op, results);
    return success();
  }
};

/// The lesser magnitude of x and a number, with the sign of x: one instruction,
/// for two 16-bit elements at a time.
struct LimitMagnitude : OpRewritePattern<math::CopySignOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CopySignOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getRhs();
    auto least = op.getLhs().getDefiningOp<arith::MinNumFOp>();
    auto magnitude =
        least ? least.getLhs().getDefiningOp<math::AbsFOp>() : math::AbsFOp();
    APFloat limit(0.0f);
    Type type = getElementTypeOrSelf(op.getType());
    if (!magnitude || magnitude.getOperand() != x ||
        !(type.isBF16() || type.isF16()) || !isFlat(op.getType()) ||
        !matchPattern(least.getRhs(), m_ConstantFloat(&limit)) ||
        limit.isNegative())
      return rewriter.notifyMatchFailure(op, "is no limit of a magnitude");
    Location loc = op.getLoc();
    StringRef suffix = type.isBF16() ? "bf16" : "f16";
    auto call = [&](Type type, Value value, StringRef x2) -> Value {
      TypedAttr most = rewriter.getFloatAttr(getElementTypeOrSelf(type), limit);
      if (auto pair = dyn_cast<VectorType>(type))
        most = DenseElementsAttr::get(pair, static_cast<Attribute>(most));
      Value constant = arith::ConstantOp::create(rewriter, loc, most);
      return callIntrinsic(rewriter, loc, type,
                           "fmin.xorsign.abs." + suffix + x2,
                           {value, constant});
    };
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector) {
      rewriter.replaceOp(op, call(type, x, ""));
      return success();
    }
    auto pairType = VectorType::get({2}, type);
    SmallVector<Value> elements = unpack(rewriter, loc, x);
    if (elements.size() % 2)
      elements.push_back(elements.back());
    SmallVector<Value> words;
    for (size_t i = 0; i < elements.size(); i += 2) {
      Value pair = vector::FromElementsOp::create(
          rewriter, loc, pairType, ValueRange{elements[i], elements[i + 1]});
      words.push_back(LLVM::BitcastOp::create(
          rewriter, loc, rewriter.getI32Type(), call(pairType, pair, "x2")));
    }
    rewriter.replaceOp(op, packPairs(rewriter, loc, vector, words));
    return success();
  }
};

/// bf16 and f16 to f64 are conversions of their own.
struct WidenToF64 : OpRewritePattern<arith::ExtFOp> {
  WidenToF64(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64() ||
        !getElementTypeOrSelf(op.getIn().getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "is not bf16 to f64");
    rewriter.replaceOpWithNewOp<LLVM::FPExtOp>(op, op.getType(), op.getIn());
    return success();
  }
};

/// x + (y << n) for n of at least 32 in 64 bits: only the upper half of x
/// changes.
struct AddToUpperHalf : OpRewritePattern<arith::AddIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddIOp op,
                                PatternRewriter &rewriter) const override {
    auto shift = op.getRhs().getDefiningOp<arith::ShLIOp>();
    APInt amount;
    if (!shift || !getElementTypeOrSelf(op.getType()).isInteger(64) ||
        !matchPattern(shift.getRhs(), m_ConstantInt(&amount)) ||
        amount.ult(32) || amount.uge(64))
      return rewriter.notifyMatchFailure(op, "changes the lower half");
    auto vector = dyn_cast<VectorType>(op.getType());
    if (vector && !(vector.getRank() == 1 && !vector.isScalable()))
      return rewriter.notifyMatchFailure(op, "not flat");
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    auto halves = VectorType::get({2}, i32);
    auto constant = [&](uint64_t value) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getI32IntegerAttr(value));
    };
    auto half = [&](Value word, unsigned which) -> Value {
      Value both = LLVM::BitcastOp::create(rewriter, loc, halves, word);
      return LLVM::ExtractElementOp::create(rewriter, loc, both,
                                            constant(which));
    };
    SmallVector<Value> results;
    for (auto [x, y] : llvm::zip_equal(unpack(rewriter, loc, op.getLhs()),
                                       unpack(rewriter, loc, shift.getLhs()))) {
      Value moved = arith::ShLIOp::create(rewriter, loc, half(y, 0),
                                          constant(amount.getZExtValue() - 32));
      Value upper = arith::AddIOp::create(rewriter, loc, half(x, 1), moved);
      Value both = LLVM::BitcastOp::create(rewriter, loc, halves, x);
      both = LLVM::InsertElementOp::create(rewriter, loc, both, upper,
                                           constant(1));
      results.push_back(
          LLVM::BitcastOp::create(rewriter, loc, rewriter.getI64Type(), both));
    }
    replaceByElements(rewriter, op, results);
    return success();
  }
};

struct ConvertPrecToNVVM
    : prec::impl::ConvertPrecToNVVMPassBase<ConvertPrecToNVVM> {
  using Base::Base;

  void runOnOperation() override {
    if (sm < 80) {
      emitError(UnknownLoc::get(&getContext()),
                "convert-prec-to-nvvm: expected sm of at least 80 but got ")
          << sm.getValue();
      return signalPassFailure();
    }
    WalkResult known = getOperation()->walk([&](NVVM::GriddepcontrolOp op) {
      if (sm >= 90)
        return WalkResult::advance();
      emitError(op.getLoc(),
                "dependent launches need sm_90 or newer but the target is "
                "sm_")
          << sm.getValue();
      return WalkResult::interrupt();
    });
    if (known.wasInterrupted())
      return signalPassFailure();
    // LLVM expands it into a division and a multiplication, which round.
    WalkResult exact = getOperation()->walk([](arith::RemFOp op) {
      op.emitOpError("has no exact form on GPUs");
      return WalkResult::interrupt();
    });
    if (exact.wasInterrupted())
      return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    PrecToNVVMOptions options;
    options.sm = sm;
    populatePrecToNVVMPatterns(patterns, options);
    if (failed(applyRoundingLowering(getOperation(), std::move(patterns))))
      return signalPassFailure();
    RewritePatternSet extremes(&getContext());
    populateNumberExtremesPatterns(extremes);
    walkAndApplyPatterns(getOperation(), std::move(extremes));
  }
};

} // namespace

void prec::populatePrecToNVVMPatterns(RewritePatternSet &patterns,
                                      const PrecToNVVMOptions &options) {
  populateRoundingExpansionPatterns(patterns);
  populateWideningExpansionPatterns(patterns, /*expandF16=*/false);
  populateDropObservePatterns(patterns);
  patterns.add<RoundPairs>(patterns.getContext(), options.sm);
  patterns.add<AddToUpperHalf, Approximate, RoundF64, WidenBF16Pairs>(
      patterns.getContext());
  if (options.sm >= 86)
    patterns.add<LimitMagnitude>(patterns.getContext());
  if (options.sm >= 90)
    patterns.add<WidenToF64>(patterns.getContext());
  if (options.sm < 90)
    patterns.add<ThroughFma<arith::AddFOp>, ThroughFma<arith::SubFOp>,
                 ThroughFma<arith::MulFOp>>(patterns.getContext());
}
