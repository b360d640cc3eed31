// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rewrite stands with the theorem it rests on. "Equal" is bit for bit, any
// NaN being as good as another.
#include "DivisionByConstant.h"

#include "dialects/Prec/Prec.h"
#include "prec/Analysis/Representability.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace prec {
#define GEN_PASS_DEF_ELIDEROUNDINGPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;
using num::Representation;

static bool isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

static Type withElement(Type like, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(like))
    return shaped.clone(element);
  return element;
}

static bool isNearest(RoundOp round) {
  return round.getMode() == RoundingMode::nearest_even && !round.getSaturate();
}

/// Erases `op` and what only it used, where that computes nothing any more.
static void eraseIfDead(Operation *op) {
  SmallVector<Operation *> pending{op};
  while (!pending.empty()) {
    Operation *next = pending.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && !llvm::is_contained(pending, source))
        pending.push_back(source);
    next->erase();
  }
}

namespace {

class Elision {
public:
  Elision(Operation *root, bool nativeBF16, bool nativeF16, bool contract)
      : root(root), facts(root), nativeBF16(nativeBF16), nativeF16(nativeF16),
        contract(contract) {}

  void run() {
    forEach<arith::DivFOp>([&](arith::DivFOp op) { divideByConstant(op); });
    forEach<RoundOp>([&](RoundOp op) { dropIdentity(op); });
    forEach<scf::IfOp>([&](scf::IfOp op) { widenAfterChoice(op); });
    forEach<RoundOp>([&](RoundOp op) { useNative(op); });
    if (contract)
      forEach<arith::AddFOp, arith::SubFOp>(
          [&](Operation *op) { contractSum(op); });
  }

private:
  /// Calls `rewrite` for all operations of some kinds, in order. It may erase
  /// the operation and what it uses, but no other of these kinds.
  template <typename... OpTy, typename Rewrite> void forEach(Rewrite rewrite) {
    SmallVector<Operation *> ops;
    root->walk([&](Operation *op) {
      if (isa<OpTy...>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if constexpr (sizeof...(OpTy) == 1)
        rewrite((cast<OpTy>(op), ...));
      else
        rewrite(op);
    }
  }

  void divideByConstant(arith::DivFOp op);
  void dropIdentity(RoundOp op);
  void widenAfterChoice(scf::IfOp op);
  void useNative(RoundOp op);
  void contractSum(Operation *op);

  bool isNative(Type type) const {
    Type element = getElementTypeOrSelf(type);
    return element.isBF16() ? nativeBF16 : element.isF16() && nativeF16;
  }
  bool canNarrow(Value wide, Type narrow, unsigned depth = 0) const;
  Value narrowed(OpBuilder &builder, Value wide, Type narrow) const;

  Operation *root;
  Representability facts;
  bool nativeBF16, nativeF16, contract;
};

struct ElideRounding : prec::impl::ElideRoundingPassBase<ElideRounding> {
  using Base::Base;

  void runOnOperation() override {
    Elision(getOperation(), nativeBF16, nativeF16, contract).run();
  }
};

} // namespace

/// Operations on a narrow format that the same operation on the widened
/// operands equals exactly: the result is in the format.
static bool isExact(Operation *op) {
  return isa_and_nonnull<arith::NegFOp, math::AbsFOp, arith::MaximumFOp,
                         arith::MinimumFOp>(op);
}

/// T1, T2: division by a constant is a multiplication.
///
/// T1. d is a power of two whose reciprocal r is a number of the format: x / d
/// and x * r are the same real number, rounded once.
///
/// T2. x is a 16-bit number, and the quotient is used only rounded to 16 bits:
/// there are 65,536 inputs, and all are tried.
void Elision::divideByConstant(arith::DivFOp op) {
  APFloat divisor(0.0f);
  if (!matchPattern(op.getRhs(), m_ConstantFloat(&divisor)))
    return;
  std::optional<APFloat> reciprocal = exactReciprocal(divisor);
  if (!reciprocal) {
    auto widen = op.getLhs().getDefiningOp<arith::ExtFOp>();
    if (!widen || !isF32(op) || op->use_empty())
      return;
    Type from = getElementTypeOrSelf(widen.getIn().getType());
    if (!from.isBF16() && !from.isF16())
      return;
    float d = divisor.convertToFloat();
    reciprocal = APFloat(1.0f / d);
    for (Operation *user : op->getUsers()) {
      auto round = dyn_cast<RoundOp>(user);
      Type to = round ? getElementTypeOrSelf(round.getType()) : Type();
      if (!round || !isNearest(round) || !(to.isBF16() || to.isF16()) ||
          !reciprocalSuffices(*formatOf(from), d, reciprocal->convertToFloat(),
                              *formatOf(to)))
        return;
    }
  }
  OpBuilder builder(op);
  TypedAttr factor =
      FloatAttr::get(getElementTypeOrSelf(op.getType()), *reciprocal);
  if (auto shaped = dyn_cast<ShapedType>(op.getType())) {
    if (!shaped.hasStaticShape())
      return;
    factor = DenseElementsAttr::get(shaped, static_cast<Attribute>(factor));
  }
  Value constant = arith::ConstantOp::create(builder, op.getLoc(), factor);
  Value product =
      arith::MulFOp::create(builder, op.getLoc(), op.getLhs(), constant);
  op.replaceAllUsesWith(product);
  eraseIfDead(op);
}

/// T3. A rounding whose operand is a number of the format already is the
/// identity, and widening its result gives the operand: in every mode, and
/// saturating if there is no infinity. What uses the narrow value itself keeps
/// the rounding, which converts it.
void Elision::dropIdentity(RoundOp op) {
  Value wide = op.getInput();
  Representation set = *facts.of(wide);
  if (!set.fits(*formatOf(getElementTypeOrSelf(op.getType()))) ||
      (op.getSaturate() && set.hasInfinity))
    return;
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto widen = dyn_cast<arith::ExtFOp>(user);
    if (!widen || widen.getType() != wide.getType())
      continue;
    widen.replaceAllUsesWith(wide);
    widen.erase();
  }
  eraseIfDead(op);
}

/// Whether every element of a constant is a number of `format`.
static bool holds(const num::Format &format, Attribute constant) {
  auto fits = [&](const APFloat &value, Type type) {
    return Representation::of(*formatOf(type),
                              value.bitcastToAPInt().getZExtValue())
        .fits(format);
  };
  if (auto scalar = dyn_cast<FloatAttr>(constant))
    return fits(scalar.getValue(), scalar.getType());
  auto dense = dyn_cast<DenseFPElementsAttr>(constant);
  if (!dense)
    return false;
  Type type = dense.getElementType();
  if (dense.isSplat())
    return fits(dense.getSplatValue<APFloat>(), type);
  return llvm::all_of(dense.getValues<APFloat>(),
                      [&](const APFloat &value) { return fits(value, type); });
}

/// Whether a narrow value that equals `wide` costs nothing more, or a packed
/// operation.
bool Elision::canNarrow(Value wide, Type narrow, unsigned depth) const {
  constexpr unsigned kMaxDepth = 8;
  if (depth > kMaxDepth)
    return false;
  Attribute constant;
  if (matchPattern(wide, m_Constant(&constant)))
    return holds(*formatOf(narrow), constant);
  Operation *op = wide.getDefiningOp();
  if (auto widen = dyn_cast_or_null<arith::ExtFOp>(op))
    return getElementTypeOrSelf(widen.getIn().getType()) == narrow;
  if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op))
    return canNarrow(broadcast.getSource(), narrow, depth + 1);
  return isExact(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return canNarrow(operand, narrow, depth + 1);
         });
}

/// The narrow value, where there is one.
Value Elision::narrowed(OpBuilder &builder, Value wide, Type narrow) const {
  Type type = withElement(wide.getType(), narrow);
  Location loc = wide.getLoc();
  Attribute constant;
  if (matchPattern(wide, m_Constant(&constant))) {
    // It folds to the constant.
    return builder.createOrFold<RoundOp>(loc, type, wide);
  }
  Operation *op = wide.getDefiningOp();
  if (auto widen = dyn_cast<arith::ExtFOp>(op))
    return widen.getIn();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(narrowed(builder, operand, narrow));
  OperationState state(loc, op->getName(), operands, type, op->getAttrs());
  return builder.create(state)->getResult(0);
}

/// A choice between two widened numbers is the widened choice: what computes
/// with it sees a narrow operand.
void Elision::widenAfterChoice(scf::IfOp op) {
  for (OpResult result : op.getResults()) {
    Type wide = result.getType();
    if (!isF32(result))
      continue;
    unsigned number = result.getResultNumber();
    Operation *yields[] = {op.thenYield(), op.elseYield()};
    for (Type narrow : {Type(BFloat16Type::get(op.getContext())),
                        Type(Float16Type::get(op.getContext()))}) {
      if (!isNative(narrow) || !llvm::all_of(yields, [&](Operation *yield) {
            return canNarrow(yield->getOperand(number), narrow);
          }))
        continue;
      for (Operation *yield : yields) {
        OpBuilder builder(yield);
        Value value = yield->getOperand(number);
        yield->setOperand(number, narrowed(builder, value, narrow));
        eraseIfDead(value.getDefiningOp());
      }
      result.setType(withElement(wide, narrow));
      OpBuilder after(op->getContext());
      after.setInsertionPointAfter(op);
      Value widened = arith::ExtFOp::create(after, op.getLoc(), wide, result);
      result.replaceAllUsesExcept(widened, widened.getDefiningOp());
      break;
    }
  }
}

/// T4. An addition, subtraction or multiplication in f32 of two bf16 or two f16
/// numbers, then rounded to their format (nearest even), equals the operation
/// of the format itself, rounded once: 24 bits are more than twice 8 or 11 and
/// two, subnormal and overflowing results were swept (prec-sweep add-bf16 and
/// so on: all pairs). Not so for fma, whose f32 form rounds twice.
///
/// T5. Negation, absolute value, maximum and minimum of numbers of a format are
/// numbers of the format.
void Elision::useNative(RoundOp op) {
  Operation *source = op.getInput().getDefiningOp();
  Type narrow = getElementTypeOrSelf(op.getType());
  if (!source || !isNative(narrow) || !isF32(op.getInput()) || !isNearest(op))
    return;
  if (!isExact(source) &&
      !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(source))
    return;
  // The f32 result is needed anyway.
  if (!llvm::all_of(source->getUsers(), [&](Operation *user) {
        auto round = dyn_cast<RoundOp>(user);
        return round && isNearest(round) && round.getType() == op.getType();
      }))
    return;
  if (!llvm::all_of(source->getOperands(),
                    [&](Value operand) { return canNarrow(operand, narrow); }))
    return;
  OpBuilder builder(source);
  SmallVector<Value> operands;
  for (Value operand : source->getOperands())
    operands.push_back(narrowed(builder, operand, narrow));
  OperationState state(source->getLoc(), source->getName(), operands,
                       op.getType(), source->getAttrs());
  op.replaceAllUsesWith(builder.create(state)->getResult(0));
  eraseIfDead(op);
}

/// T6. Where the product a * b of two f32 numbers is exact (its significant
/// bits, smallest unit and largest exponent fit into f32), a * b + c rounded
/// twice is fma(a, b, c), rounded once; so are c - a * b = fma(-a, b, c) and
/// a * b - c = fma(a, b, -c), zeros and their signs included.
void Elision::contractSum(Operation *op) {
  if (!isF32(op->getResult(0)))
    return;
  for (unsigned i : {0u, 1u}) {
    auto product = op->getOperand(i).getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      continue;
    std::optional<Representation> a = facts.of(product.getLhs());
    std::optional<Representation> b = facts.of(product.getRhs());
    if (!exactMultiply(*a, *b).fits(num::kF32))
      continue;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value x = product.getLhs(), y = product.getRhs(), z = op->getOperand(1 - i);
    if (isa<arith::SubFOp>(op)) {
      Value &negated = i == 0 ? z : x;
      negated = arith::NegFOp::create(builder, loc, negated);
    }
    Value fused = math::FmaOp::create(builder, loc, x, y, z);
    op->getResult(0).replaceAllUsesWith(fused);
    eraseIfDead(op);
    return;
  }
}
