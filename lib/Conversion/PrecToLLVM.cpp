// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/PrecToLLVM.h"

#include "prec/Analysis/Representability.h"
#include "prec/Analysis/ScaledRounding.h"
#include "prec/Conversion/NumberExtremes.h"
#include "prec/Conversion/Passes.h"
#include "prec/Conversion/RoundingExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace prec {
#define GEN_PASS_DEF_CONVERTPRECTOLLVMPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// A conversion to nearest even that is no fptrunc: InstCombine neither narrows
/// the arithmetic before it nor merges it with a widening after it.
static Value emitConstrained(OpBuilder &builder, Location loc, Value input,
                             Type resultType) {
  return LLVM::ConstrainedFPTruncIntr::create(
      builder, loc, resultType, input, LLVM::RoundingMode::NearestTiesToEven,
      LLVM::FPExceptionBehavior::Ignore);
}

/// The same for a scalar or a vector of one dimension. LLVM 22 fails to select
/// a constrained conversion of more lanes than a register has, and of odd
/// numbers of lanes: a register at a time, and halves of it for the rest.
static Value emitNativeRound(OpBuilder &builder, Location loc, Value input,
                             Type resultType, unsigned lanesOfRegister) {
  auto type = dyn_cast<VectorType>(resultType);
  if (!type)
    return emitConstrained(builder, loc, input, resultType);
  Value result =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  int64_t lanes = type.getNumElements();
  for (int64_t done = 0; done < lanes;) {
    int64_t piece = lanesOfRegister;
    while (piece > lanes - done)
      piece /= 2;
    if (piece == lanes)
      return emitConstrained(builder, loc, input, type);
    Value part = vector::ExtractStridedSliceOp::create(builder, loc, input,
                                                       done, piece, 1);
    Value rounded = emitConstrained(
        builder, loc, part, VectorType::get({piece}, type.getElementType()));
    result = vector::InsertStridedSliceOp::create(builder, loc, rounded, result,
                                                  done, 1);
    done += piece;
  }
  return result;
}

namespace {

/// f32 to f16 and f64 to f32 to nearest even where the CPU does it.
struct NativeRound : OpRewritePattern<RoundOp> {
  NativeRound(MLIRContext *context, bool nativeF16, unsigned lanes)
      : OpRewritePattern(context, /*benefit=*/2), nativeF16(nativeF16),
        lanesOfRegister(lanes) {}

  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getInput().getType());
    Type to = getElementTypeOrSelf(op.getType());
    bool native = (from.isF64() && to.isF32()) ||
                  (from.isF32() && to.isF16() && nativeF16);
    if (!native || op.getMode() != RoundingMode::nearest_even ||
        op.getSaturate())
      return rewriter.notifyMatchFailure(op, "has no instruction");
    auto type = dyn_cast<VectorType>(op.getType());
    if (!isa<FloatType>(op.getType()) &&
        (!type || type.getRank() != 1 || type.isScalable()))
      return rewriter.notifyMatchFailure(op, "expected a 1-D vector");
    rewriter.replaceOp(op, emitNativeRound(rewriter, op.getLoc(), op.getInput(),
                                           op.getType(), lanesOfRegister));
    return success();
  }

  bool nativeF16;
  unsigned lanesOfRegister;
};

} // namespace

/// x + 0x7fff + (x >> 16 & 1), a register at once, in one instruction: the bit
/// in its place and 0x7fff below it are two 16-bit integers, which it adds to
/// x, each times 1.
static Value addHalfByProducts(OpBuilder &builder, Location loc, Value bits) {
  auto type = cast<VectorType>(bits.getType());
  auto halves =
      VectorType::get(2 * type.getNumElements(), builder.getI16Type());
  auto constant = [&](VectorType of, int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            of, builder.getIntegerAttr(of.getElementType(), value)));
  };
  Value last =
      arith::AndIOp::create(builder, loc, bits, constant(type, 0x10000));
  Value terms =
      arith::OrIOp::create(builder, loc, last, constant(type, 0x7fff));
  Value factors = vector::BitCastOp::create(builder, loc, halves, terms);
  return LLVM::CallIntrinsicOp::create(
             builder, loc, type,
             builder.getStringAttr("llvm.x86.avx512.vpdpwssd." +
                                   Twine(32 * type.getNumElements())),
             ValueRange{bits, factors, constant(halves, 1)})
      .getResult(0);
}

namespace {

/// f32 to bf16 to nearest even without what is not needed. A NaN whose 16 low
/// bits are zero keeps its exponent when 0x7fff and one bit are added, and its
/// upper half is a NaN: no test for it. And the additions in one, where the CPU
/// can.
struct ShortRound : OpRewritePattern<RoundOp> {
  ShortRound(MLIRContext *context, const Representability &facts, bool vnni)
      : OpRewritePattern(context, /*benefit=*/2), facts(facts), vnni(vnni) {}

  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    if (!roundsTo16Bits(op) || !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "another rounding");
    BF16Rounding options;
    options.shortNaN = facts.of(op.getInput())->nans != num::NaNs::Any;
    auto addHalf = [&](Value bits) {
      return addHalfByProducts(rewriter, op.getLoc(), bits);
    };
    auto vector = dyn_cast<VectorType>(op.getType());
    if (vnni && vector && vector.getRank() == 1 && !vector.isScalable() &&
        llvm::is_contained({4, 8, 16}, vector.getNumElements()))
      options.addHalf = addHalf;
    rewriter.replaceOp(op,
                       emitBF16Rounding(rewriter, op.getLoc(), op.getInput(),
                                        op.getType(), options));
    return success();
  }

  const Representability &facts;
  bool vnni;
};

/// Roundings of 16-bit numbers times powers of two, and which operand of the
/// product the number is.
using ScaledRounds = DenseMap<Operation *, unsigned>;

/// Such roundings are those of subnormal results, by arithmetic in f32. What
/// widens the result has it already.
struct ScaledRound : OpRewritePattern<RoundOp> {
  ScaledRound(MLIRContext *context, const ScaledRounds &scaled, unsigned lanes)
      : OpRewritePattern(context, /*benefit=*/3), scaled(scaled), lanes(lanes) {
  }

  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    auto found = scaled.find(op);
    if (found == scaled.end())
      return rewriter.notifyMatchFailure(op, "not a scaled number");
    const bool isBF16 = getElementTypeOrSelf(op.getType()).isBF16();
    auto product = op.getInput().getDefiningOp<arith::MulFOp>();
    Value rounded =
        emitScaled(rewriter, op.getLoc(), product->getOperand(found->second),
                   product->getOperand(1 - found->second),
                   isBF16 ? num::kBF16 : num::kF16);
    for (Operation *user : op->getUsers())
      if (isa<arith::ExtFOp>(user) &&
          user->getResultTypes().front() == product.getType())
        rewriter.replaceAllUsesWith(user->getResult(0), rounded);
    rewriter.replaceOp(
        op, isBF16 ? emitUpperHalf(rewriter, op.getLoc(), rounded, op.getType())
                   : emitNativeRound(rewriter, op.getLoc(), rounded,
                                     op.getType(), lanes));
    return success();
  }

  const ScaledRounds &scaled;
  unsigned lanes;
};

/// A table in two registers, looked up for the lanes of a third; a scalar or
/// less than a register an element at a time.
struct Lookup : OpRewritePattern<LookupOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LookupOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto table = [&](ArrayRef<int32_t> words) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getI32VectorAttr(words));
    };
    auto element = [&](Value place) -> Value {
      Value low = arith::ConstantOp::create(
          rewriter, loc, rewriter.getI32IntegerAttr(LookupOp::kTableSize - 1));
      place = arith::AndIOp::create(rewriter, loc, place, low);
      return LLVM::ExtractElementOp::create(rewriter, loc, table(op.getTable()),
                                            place);
    };
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type && op.getType().isInteger()) {
      rewriter.replaceOp(op, element(op.getPlace()));
      return success();
    }
    if (!type || type.getRank() != 1 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "expected a 1-D vector");

    constexpr int64_t kLanes = LookupOp::kTableSize / 2;
    auto row = VectorType::get(kLanes, rewriter.getI32Type());
    Value result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    int64_t done = 0;
    for (; done + kLanes <= type.getNumElements(); done += kLanes) {
      Value places = vector::ExtractStridedSliceOp::create(
          rewriter, loc, op.getPlace(), done, kLanes, 1);
      Value found =
          LLVM::CallIntrinsicOp::create(
              rewriter, loc, row,
              rewriter.getStringAttr("llvm.x86.avx512.vpermi2var.d.512"),
              ValueRange{table(op.getTable().take_front(kLanes)), places,
                         table(op.getTable().take_back(kLanes))})
              .getResult(0);
      result = vector::InsertStridedSliceOp::create(rewriter, loc, found,
                                                    result, done, 1);
    }
    for (; done < type.getNumElements(); ++done) {
      Value place =
          vector::ExtractOp::create(rewriter, loc, op.getPlace(), done);
      result =
          vector::InsertOp::create(rewriter, loc, element(place), result, done);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

/// Of f16 those where the CPU converts: it then has fused multiply-adds, too.
static ScaledRounds findScaledRounds(Operation *root, bool nativeF16) {
  ScaledRounds scaled;
  root->walk([&](RoundOp op) {
    auto type = dyn_cast<VectorType>(op.getType());
    if (type && (type.getRank() != 1 || type.isScalable()))
      return;
    if (getElementTypeOrSelf(op.getType()).isF16() && !nativeF16)
      return;
    if (auto found = scaledNumber(op))
      scaled[op] = found->number;
  });
  return scaled;
}

namespace {

struct ConvertPrecToLLVM
    : prec::impl::ConvertPrecToLLVMPassBase<ConvertPrecToLLVM> {
  using Base::Base;

  void runOnOperation() override {
    // Of the values before any is rewritten.
    Representability facts(getOperation());
    RewritePatternSet patterns(&getContext());
    PrecToLLVMOptions options;
    options.nativeF16 = nativeF16;
    options.lanes = lanes;
    options.vnni = vnni;
    options.facts = &facts;
    populatePrecToLLVMPatterns(patterns, options);
    ScaledRounds scaled;
    if (vnni) // and fused multiply-adds
      scaled = findScaledRounds(getOperation(), nativeF16);
    patterns.add<ScaledRound>(&getContext(), scaled, lanes);
    if (failed(applyRoundingLowering(getOperation(), std::move(patterns))))
      return signalPassFailure();
    RewritePatternSet extremes(&getContext());
    populateNumberExtremesPatterns(extremes);
    walkAndApplyPatterns(getOperation(), std::move(extremes));
  }
};

} // namespace

void prec::populatePrecToLLVMPatterns(RewritePatternSet &patterns,
                                      const PrecToLLVMOptions &options) {
  populateRoundingExpansionPatterns(patterns);
  populateWideningExpansionPatterns(patterns, /*expandF16=*/!options.nativeF16);
  populateDropObservePatterns(patterns);
  patterns.add<Lookup>(patterns.getContext());
  if (options.facts)
    patterns.add<ShortRound>(patterns.getContext(), *options.facts,
                             options.vnni);
  patterns.add<NativeRound>(patterns.getContext(), options.nativeF16,
                            options.lanes);
}
