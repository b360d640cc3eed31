// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExactSteps.h"
#include "LevelR.h"

#include "dialects/Prec/Prec.h"
#include "prec/Transforms/DecomposeMoE.h"
#include "prec/Transforms/DecomposeNN.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace prec {
#define GEN_PASS_DEF_MAKEROUNDINGEXPLICITPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

namespace {

/// Rewrites the operations of a region from level M to level R, each once, in
/// place. Calling protocol: `rewrite` for every operation, then `cleanUp`.
///
/// Invariant: a value keeps its type and its bits. What was computed in a
/// 16-bit format is computed in f32 (f64 where f32 would round twice) and
/// rounded back; each 16-bit value is widened at most once, next to its
/// definition, so the work is linear in the number of operations.
class Rewriter {
public:
  explicit Rewriter(MLIRContext *context) : builder(context) {}

  void rewrite(Operation *op);
  void cleanUp();

private:
  Value widen(Value value);
  Value widenToF64(Value value);
  void widenOperands(Operation *op);
  Value roundBack(Location loc, Value wide, Type narrow,
                  RoundingMode mode = RoundingMode::nearest_even,
                  bool exact = false);

  void rewriteFloatOp(Operation *op);
  void rewriteExtF(arith::ExtFOp op);
  void rewriteTruncF(arith::TruncFOp op);
  void rewriteIntToFloat(Operation *op, bool isSigned);
  void rewriteFma(Operation *op);
  void rewriteFPowI(math::FPowIOp op);
  void rewriteClassification(Operation *op);

  Type wideType(Type type) { return withElement(type, builder.getF32Type()); }
  void replace(Operation *op, Value value);

  OpBuilder builder;
  /// The f32 form of a value of a storage format.
  DenseMap<Value, Value> wideOf;
  /// Operations that are erased at the end if nothing uses them: constants
  /// that were widened, and roundings back that are exact by construction.
  SmallVector<Operation *> maybeDead;
};

} // namespace

/// Results of these, of operands of a 16-bit format, are values of that format.
static bool isExact(Operation *op) {
  return isa<arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::RemFOp, math::AbsFOp,
             math::CopySignOp, math::FloorOp, math::CeilOp, math::RoundOp,
             math::RoundEvenOp, math::TruncOp>(op);
}

static bool isSixteenBit(Type type) {
  return isa<BFloat16Type, Float16Type>(getElementTypeOrSelf(type));
}

/// Level R says every rounding, so a flag that lets a later pass drop or move
/// one would contradict it. Not using a permission is always right.
static void dropFastMath(Operation *op) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!flagged)
    return;
  auto flags = flagged.getFastMathFlagsAttr();
  if (!flags || flags.getValue() == arith::FastMathFlags::none)
    return;
  // Casts have the attribute only where flags are set.
  if (auto ext = dyn_cast<arith::ExtFOp>(op))
    ext.removeFastmathAttr();
  else
    op->setAttr(flagged.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(),
                                              arith::FastMathFlags::none));
}

static RoundingMode convertMode(std::optional<arith::RoundingMode> mode) {
  switch (mode.value_or(arith::RoundingMode::to_nearest_even)) {
  case arith::RoundingMode::to_nearest_even:
    return RoundingMode::nearest_even;
  case arith::RoundingMode::downward:
    return RoundingMode::downward;
  case arith::RoundingMode::upward:
    return RoundingMode::upward;
  case arith::RoundingMode::toward_zero:
    return RoundingMode::toward_zero;
  case arith::RoundingMode::to_nearest_away:
    return RoundingMode::nearest_away;
  }
  llvm_unreachable("unknown rounding mode");
}

/// The elements of a constant in f32, exactly.
static TypedAttr widenAttribute(TypedAttr attr, Type type) {
  auto convert = [](APFloat value) {
    bool losesInfo;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value;
  };
  if (auto scalar = dyn_cast<FloatAttr>(attr))
    return FloatAttr::get(type, convert(scalar.getValue()));
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attr))
    return cast<TypedAttr>(
        dense.mapValues(getElementTypeOrSelf(type), [&](const APFloat &value) {
          return convert(value).bitcastToAPInt();
        }));
  return {};
}

Value Rewriter::widen(Value value) {
  if (!isStorageFloat(value.getType()))
    return value;
  if (Value wide = wideOf.lookup(value))
    return wide;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  Type type = wideType(value.getType());
  Value wide;
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (TypedAttr attr = widenAttribute(constant.getValue(), type)) {
      wide = arith::ConstantOp::create(builder, value.getLoc(), attr);
      maybeDead.push_back(constant);
    }
  if (!wide)
    wide = arith::ExtFOp::create(builder, value.getLoc(), type, value);
  return wideOf[value] = wide;
}

Value Rewriter::widenToF64(Value value) {
  return arith::ExtFOp::create(
      builder, value.getLoc(),
      withElement(value.getType(), builder.getF64Type()), widen(value));
}

/// Replaces the one result. A f32 form that an operation before this one (in
/// an odd block order) asked for now belongs to the new value.
void Rewriter::replace(Operation *op, Value value) {
  Value result = op->getResult(0);
  if (Value wide = wideOf.lookup(result)) {
    wideOf.erase(result);
    wideOf.try_emplace(value, wide);
  }
  result.replaceAllUsesWith(value);
  op->erase();
}

void Rewriter::widenOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(widen(operand.get()));
}

/// `wide` rounded to the type `narrow`, at the builder's place. An exact one
/// lets users of the f32 form skip it.
Value Rewriter::roundBack(Location loc, Value wide, Type narrow,
                          RoundingMode mode, bool exact) {
  auto round = RoundOp::create(builder, loc, narrow, wide, mode,
                               /*saturate=*/false);
  if (exact) {
    wideOf[round] = wide;
    maybeDead.push_back(round);
  }
  return round;
}

/// An arith or math operation on floats: the same operation on f32, each
/// 16-bit result rounded back.
void Rewriter::rewriteFloatOp(Operation *op) {
  widenOperands(op);
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type narrow = result.getType();
    if (!isSixteenBit(narrow))
      continue;
    // The value itself becomes the f32 form; as in `replace`, an earlier f32
    // form belongs to the new value.
    Value earlier = wideOf.lookup(result);
    wideOf.erase(result);
    result.setType(wideType(narrow));
    Value rounded = roundBack(op->getLoc(), result, narrow,
                              RoundingMode::nearest_even, isExact(op));
    result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
    if (earlier)
      wideOf.try_emplace(rounded, earlier);
  }
}

void Rewriter::rewriteExtF(arith::ExtFOp op) {
  if (!isStorageFloat(op.getIn().getType()))
    return;
  builder.setInsertionPoint(op);
  Value wide = widen(op.getIn());
  Type element = getElementTypeOrSelf(op.getType());
  if (isStorageFloat(element))
    wide =
        roundBack(op.getLoc(), wide, op.getType(), RoundingMode::nearest_even,
                  /*exact=*/true);
  else if (!element.isF32())
    wide = arith::ExtFOp::create(builder, op.getLoc(), op.getType(), wide);
  replace(op, wide);
}

void Rewriter::rewriteTruncF(arith::TruncFOp op) {
  builder.setInsertionPoint(op);
  replace(op, roundBack(op.getLoc(), widen(op.getIn()), op.getType(),
                        convertMode(op.getRoundingmode())));
}

/// One rounding from the integer's exact value.
void Rewriter::rewriteIntToFloat(Operation *op, bool isSigned) {
  Type narrow = op->getResult(0).getType();
  if (!isStorageFloat(narrow))
    return;
  Value integer = op->getOperand(0);
  unsigned width =
      getElementTypeOrSelf(integer.getType()).getIntOrFloatBitWidth();
  if (width <= 24) {
    op->getResult(0).setType(wideType(narrow));
    builder.setInsertionPointAfter(op);
    Value rounded = roundBack(op->getLoc(), op->getResult(0), narrow);
    op->getResult(0).replaceAllUsesExcept(rounded, rounded.getDefiningOp());
    return;
  }
  if (width > 64)
    return;
  builder.setInsertionPoint(op);
  Value exact = emitOddIntToF64(builder, op->getLoc(), integer, isSigned);
  replace(op, roundBack(op->getLoc(), exact, narrow));
}

/// In f32 a fused multiply-add would round twice.
void Rewriter::rewriteFma(Operation *op) {
  Type narrow = op->getResult(0).getType();
  if (!isSixteenBit(narrow))
    return;
  builder.setInsertionPoint(op);
  Value odd =
      emitOddFma(builder, op->getLoc(), widenToF64(op->getOperand(0)),
                 widenToF64(op->getOperand(1)), widenToF64(op->getOperand(2)));
  replace(op, roundBack(op->getLoc(), odd, narrow));
}

/// A small constant power of a 16-bit value is exact in f64, and rounds to f32
/// and then to 16 bits as every function does. The square of any value is a
/// multiplication. Other powers stay `math.fpowi`, in f32 for 16 bits.
void Rewriter::rewriteFPowI(math::FPowIOp op) {
  APInt power;
  bool constant = matchPattern(op.getRhs(), m_ConstantInt(&power));
  Type type = op.getType();
  bool narrow = isSixteenBit(type);
  builder.setInsertionPoint(op);
  Location loc = op.getLoc();
  if (!constant || !power.isStrictlyPositive())
    return narrow ? rewriteFloatOp(op) : void();

  if (power == 1)
    return replace(op, op.getLhs());
  if (!narrow) {
    if (power == 2)
      replace(op, emitPower(builder, loc, op.getLhs(), 2));
    return;
  }
  // 53 bits hold six factors of 8 bits (bf16) or four of 11 (f16).
  bool isBF16 = getElementTypeOrSelf(type).isBF16();
  if (power.ugt(isBF16 ? 6 : 4))
    return rewriteFloatOp(op);
  Value wide;
  if (power == 2) {
    wide = emitPower(builder, loc, widen(op.getLhs()), 2);
  } else {
    Value exact =
        emitPower(builder, loc, widenToF64(op.getLhs()), power.getZExtValue());
    wide = roundBack(loc, exact, wideType(type));
  }
  replace(op, roundBack(loc, wide, type));
}

/// Classes are sizes, which comparisons tell of any type; a subnormal f16 is a
/// normal f32, so the bound is that of the type that the program names.
void Rewriter::rewriteClassification(Operation *op) {
  Value value = op->getOperand(0);
  auto element = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  Value wide = widen(value);
  auto wideElement = cast<FloatType>(getElementTypeOrSelf(wide.getType()));
  const llvm::fltSemantics &wideFormat = wideElement.getFloatSemantics();
  auto compare = [&](arith::CmpFPredicate predicate, APFloat bound) -> Value {
    bool losesInfo;
    bound.convert(wideFormat, APFloat::rmNearestTiesToEven, &losesInfo);
    Value magnitude = math::AbsFOp::create(builder, loc, wide);
    Value limit = emitConstantLike(builder, loc, wide,
                                   FloatAttr::get(wideElement, bound));
    return arith::CmpFOp::create(builder, loc, predicate, magnitude, limit);
  };
  APFloat inf = APFloat::getInf(wideFormat);
  Value result;
  if (isa<math::IsNaNOp>(op)) {
    result = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                   wide, wide);
  } else if (isa<math::IsInfOp>(op)) {
    result = compare(arith::CmpFPredicate::OEQ, inf);
  } else {
    result = compare(arith::CmpFPredicate::OLT, inf);
    if (isa<math::IsNormalOp>(op))
      result = arith::AndIOp::create(
          builder, loc, result,
          compare(arith::CmpFPredicate::OGE,
                  APFloat::getSmallestNormalized(element.getFloatSemantics())));
  }
  replace(op, result);
}

void Rewriter::rewrite(Operation *op) {
  dropFastMath(op);
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) &&
      !isa<vector::FMAOp>(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](arith::ExtFOp ext) { rewriteExtF(ext); })
      .Case([&](arith::TruncFOp trunc) { rewriteTruncF(trunc); })
      .Case([&](arith::SIToFPOp) { rewriteIntToFloat(op, true); })
      .Case([&](arith::UIToFPOp) { rewriteIntToFloat(op, false); })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](Operation *op) { widenOperands(op); })
      .Case<math::FmaOp, vector::FMAOp>([&](Operation *op) { rewriteFma(op); })
      .Case([&](math::FPowIOp power) { rewriteFPowI(power); })
      .Case<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(
          [&](Operation *op) { rewriteClassification(op); })
      // Exactly the float operations of arith and math have fast-math flags;
      // scaled casts are left to the check that follows.
      .Case<arith::ScalingExtFOp, arith::ScalingTruncFOp>([](Operation *) {})
      .Case([&](arith::ArithFastMathInterface) {
        if (llvm::any_of(op->getOperandTypes(), isSixteenBit))
          rewriteFloatOp(op);
      });
}

void Rewriter::cleanUp() {
  // A rounding that was dead may have been the only user of another one.
  for (Operation *op : llvm::reverse(maybeDead))
    if (op->use_empty())
      op->erase();
}

/// Nothing at level R asks how an engine rounds.
static void eraseProfiles(Operation *root) {
  root->walk<WalkOrder::PreOrder>([](ProfileOp profile) {
    profile.erase();
    return WalkResult::skip();
  });
}

/// Composite operations: what takes their place is level R already.
static void decomposeComposites(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  populateDecomposeMoEPatterns(patterns);
  populateDecomposeNNPatterns(patterns);
  walkAndApplyPatterns(root, std::move(patterns));
}

/// Named operations hide their arithmetic in a body that their verifier
/// prescribes; as linalg.generic it can be said.
static void generalizeLinalg(Operation *root) {
  SmallVector<linalg::LinalgOp> named;
  root->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp, linalg::BroadcastOp,
             linalg::TransposeOp>(op))
      named.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    // What cannot be generalized stays, for the check that follows.
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

namespace {
struct MakeRoundingExplicit
    : prec::impl::MakeRoundingExplicitPassBase<MakeRoundingExplicit> {
  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(verifyFloatTypes(root)))
      return signalPassFailure();
    eraseProfiles(root);
    decomposeComposites(root);
    generalizeLinalg(root);

    SmallVector<Operation *> operations;
    root->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { operations.push_back(op); });
    Rewriter rewriter(&getContext());
    for (Operation *op : operations)
      rewriter.rewrite(op);
    rewriter.cleanUp();

    if (failed(verifyLevelR(root, /*maxErrors=*/1)))
      signalPassFailure();
  }
};
} // namespace
