// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/Passes.h"

#include "dialects/Prec/Prec.h"
#include "prec/Analysis/Representability.h"
#include "prec/Analysis/ScaledRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace prec {
#define GEN_PASS_DEF_ROUNDBYARITHMETICPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

namespace {

/// Numbers are kept times 2^100: 2^13 times 2^15, past which f16 is left to the
/// other way, is then past the largest f32.
constexpr float kScale = 0x1p100f;
constexpr int64_t kRegister = 16;

/// The body of a loop whose results are sums of products with factors of a row.
class Body {
public:
  Body(scf::ForOp loop, const Representability &facts)
      : loop(loop), block(*loop.getBody()), facts(facts) {}

  /// Whether all that comes of the products are such results, and more
  /// roundings than results go on in f32.
  bool matches();
  void rewrite();

private:
  bool visit(Operation &op);
  bool visitRound(RoundOp round);
  bool visitAdd(arith::AddFOp add);
  bool isProduct(RoundOp round);
  bool takeSlice();

  Value constant(ImplicitLocOpBuilder &b, Value like, float value);
  void emit(Operation *op);
  void emitProduct(RoundOp round);
  void emitSum(RoundOp round);
  Value isOutOfRange(ImplicitLocOpBuilder &b);

  scf::ForOp loop;
  Block &block;
  const Representability &facts;
  /// Roundings that go on in f32, of products and of sums; those of results.
  llvm::SetVector<RoundOp> products, sums, results;
  /// f32 values that are kept scaled, first ones first, and which of them are
  /// roundings of products: a zero among those has no sign.
  llvm::SetVector<Value> scaled;
  DenseSet<Value> unsignedZeros;
  /// f32 values, zeros among them having a sign, that are never -0.
  DenseSet<Value> neverMinusZero;
  /// What computes the results, in its order, and the first that is written.
  SmallVector<Operation *> slice;
  Operation *firstStore = nullptr;
  /// The scaled values.
  IRMapping fast;
};

struct RoundByArithmetic
    : prec::impl::RoundByArithmeticPassBase<RoundByArithmetic> {
  using Base::Base;
  void runOnOperation() override {
    Representability facts(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Body body(loop, facts); body.matches())
        body.rewrite();
  }
};

} // namespace

/// A constant number of all elements.
static std::optional<APFloat> splatOf(Value value) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant;
  return std::nullopt;
}

static bool isNearestF16(RoundOp round) {
  auto type = dyn_cast<VectorType>(round.getType());
  return type && type.getRank() == 1 && !type.isScalable() &&
         type.getNumElements() % kRegister == 0 &&
         type.getElementType().isF16() && roundsTo16Bits(round);
}

/// Whether all that uses it widens it to f32.
static bool goesOn(RoundOp round) {
  return llvm::all_of(round->getUsers(), [&](Operation *user) {
    return isa<arith::ExtFOp>(user) && user->getBlock() == round->getBlock() &&
           getElementTypeOrSelf(user->getResult(0)).isF32();
  });
}

/// The operand that is one number for all elements, and the other one.
static std::pair<vector::BroadcastOp, Value> factorsOf(arith::MulFOp product) {
  for (unsigned i : {0, 1})
    if (auto one = product->getOperand(i).getDefiningOp<vector::BroadcastOp>();
        one && one.getSourceType().isF32())
      return {one, product->getOperand(1 - i)};
  return {};
}

/// Of two f16 numbers, one of them the same for all elements, for sums alone.
bool Body::isProduct(RoundOp round) {
  auto product = round.getInput().getDefiningOp<arith::MulFOp>();
  if (!product || !goesOn(round) ||
      !llvm::all_of(round->getUsers(), [](Operation *widened) {
        return llvm::all_of(widened->getUsers(), llvm::IsaPred<arith::AddFOp>);
      }))
    return false;
  auto [one, other] = factorsOf(product);
  return one && loop.isDefinedOutsideOfLoop(one.getSource()) &&
         llvm::all_of(product->getOperands(), [&](Value factor) {
           return !scaled.contains(factor) && facts.of(factor)->fits(num::kF16);
         });
}

bool Body::visitRound(RoundOp round) {
  if (!isNearestF16(round))
    return !scaled.contains(round.getInput());
  bool isSum = scaled.contains(round.getInput());
  if (!isSum) {
    if (!isProduct(round))
      return true;
    products.insert(round);
  } else if (!goesOn(round)) {
    results.insert(round);
    return llvm::none_of(round->getUsers(), llvm::IsaPred<arith::ExtFOp>);
  } else {
    // The difference that is left of a zero is +0.
    if (!neverMinusZero.contains(round.getInput()))
      return false;
    sums.insert(round);
  }
  for (Operation *user : round->getUsers()) {
    scaled.insert(user->getResult(0));
    if (isSum)
      neverMinusZero.insert(user->getResult(0));
    else
      unsignedZeros.insert(user->getResult(0));
  }
  return true;
}

bool Body::visitAdd(arith::AddFOp add) {
  auto isNeverMinusZero = [&](Value value) {
    std::optional<APFloat> constant = splatOf(value);
    return constant ? !constant->isNegZero() : neverMinusZero.contains(value);
  };
  for (unsigned i : {0, 1}) {
    Value term = add->getOperand(i), other = add->getOperand(1 - i);
    std::optional<APFloat> constant = splatOf(term);
    if (!scaled.contains(term) && !(constant && constant->isZero()))
      return false;
    // The sign of a zero does not matter next to anything but -0.
    if (unsignedZeros.contains(term) && !isNeverMinusZero(other))
      return false;
  }
  scaled.insert(add);
  if (isNeverMinusZero(add.getLhs()) || isNeverMinusZero(add.getRhs()))
    neverMinusZero.insert(add);
  return true;
}

/// False if it makes something else of a scaled value.
bool Body::visit(Operation &op) {
  if (auto round = dyn_cast<RoundOp>(op))
    return visitRound(round);
  if (llvm::none_of(op.getOperands(),
                    [&](Value value) { return scaled.contains(value); }))
    return op.getNumRegions() == 0;
  auto add = dyn_cast<arith::AddFOp>(op);
  return add && visitAdd(add);
}

/// Collects what computes the results; false if it cannot be computed again
/// before the first store.
bool Body::takeSlice() {
  DenseSet<Operation *> needed;
  for (Operation &op : llvm::reverse(block)) {
    if (isa<vector::StoreOp, memref::StoreOp>(op)) {
      firstStore = &op;
      continue;
    }
    bool isNeeded = false;
    if (auto round = dyn_cast<RoundOp>(op))
      isNeeded = results.contains(round);
    isNeeded |= llvm::any_of(
        op.getUsers(), [&](Operation *user) { return needed.contains(user); });
    if (!isNeeded)
      continue;
    if (!isMemoryEffectFree(&op) && !isa<vector::LoadOp, memref::LoadOp>(op))
      return false;
    needed.insert(&op);
    slice.push_back(&op);
  }
  std::reverse(slice.begin(), slice.end());
  return firstStore && slice.back()->isBeforeInBlock(firstStore);
}

bool Body::matches() {
  if (!loop.getInitArgs().empty())
    return false;
  for (Operation &op : block.without_terminator())
    if (!visit(op))
      return false;
  // A value that nothing takes is no result's.
  return !results.empty() && products.size() + sums.size() > results.size() &&
         takeSlice();
}

Value Body::constant(ImplicitLocOpBuilder &b, Value like, float value) {
  Attribute number = b.getF32FloatAttr(value);
  if (auto type = dyn_cast<VectorType>(like.getType()))
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, number));
  return arith::ConstantOp::create(b, cast<TypedAttr>(number));
}

/// The one of the larger magnitude, with the sign of `x`; `y`, if `x` is NaN.
static Value largerMagnitude(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto type = cast<VectorType>(x.getType());
  auto part = VectorType::get({kRegister}, type.getElementType());
  auto integer = [&](unsigned width, int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(b.getIntegerType(width), value));
  };
  SmallVector<Value> constants = {integer(32, 3), integer(16, -1),
                                  integer(32, 4)};
  auto range = [&](Value u, Value v) -> Value {
    return LLVM::CallIntrinsicOp::create(
               b, part, b.getStringAttr("llvm.x86.avx512.mask.range.ps.512"),
               ValueRange{u, v, constants[0], u, constants[1], constants[2]})
        .getResult(0);
  };
  if (type == part)
    return range(x, y);
  Value result = y;
  for (int64_t done = 0; done < type.getNumElements(); done += kRegister) {
    auto slice = [&](Value whole) -> Value {
      return vector::ExtractStridedSliceOp::create(b, whole, done, kRegister,
                                                   1);
    };
    result = vector::InsertStridedSliceOp::create(b, range(slice(x), slice(y)),
                                                  result, done, 1);
  }
  return result;
}

/// R(x * w) as m - (m - x * w), where m is 2^13 x * w: the difference in the
/// brackets is rounded where f16 rounds x * w, a tie to the even one, since m
/// is even there. Of a subnormal result that place is that of 0.75 * 2^13 times
/// the least normal number. A product of 2^15 or more makes m infinite, and all
/// that is NaN.
void Body::emitProduct(RoundOp round) {
  auto product = round.getInput().getDefiningOp<arith::MulFOp>();
  auto [one, x] = factorsOf(product);
  ImplicitLocOpBuilder b(round.getLoc(), loop);
  Value w = one.getSource();
  auto times = [&](float factor) -> Value {
    b.setInsertionPoint(loop);
    Value scalar = arith::MulFOp::create(b, w, constant(b, w, factor));
    b.setInsertionPoint(round);
    return vector::BroadcastOp::create(b, product.getType(), scalar);
  };
  Value large = times(kScale * 8192), small = times(kScale);
  Value least = constant(b, x, 0.75f * kScale);
  Value m = largerMagnitude(b, arith::MulFOp::create(b, x, large), least);
  Value rest = math::FmaOp::create(b, arith::NegFOp::create(b, x), small, m);
  Value rounded = arith::SubFOp::create(b, m, rest);
  for (Operation *user : round->getUsers())
    fast.map(user->getResult(0), rounded);
}

/// R(u) as 2^13 u - (2^13 - 1) u, of which the second product is rounded: sums
/// of f16 numbers have no bits that a subnormal result has not. It is infinite
/// from about 2^15 on.
void Body::emitSum(RoundOp round) {
  ImplicitLocOpBuilder b(round.getLoc(), round);
  Value u = fast.lookup(round.getInput());
  Value rest = arith::MulFOp::create(b, u, constant(b, u, 8191));
  Value rounded = math::FmaOp::create(b, u, constant(b, u, 8192),
                                      arith::NegFOp::create(b, rest));
  for (Operation *user : round->getUsers())
    fast.map(user->getResult(0), rounded);
}

void Body::emit(Operation *op) {
  if (auto round = dyn_cast<RoundOp>(op)) {
    if (products.contains(round))
      emitProduct(round);
    else if (sums.contains(round))
      emitSum(round);
    return;
  }
  auto add = dyn_cast<arith::AddFOp>(op);
  if (!add || !scaled.contains(add))
    return;
  // Rounded products are never -0: they are what they are plus 0.
  for (unsigned i : {0, 1})
    if (unsignedZeros.contains(add->getOperand(i)) &&
        splatOf(add->getOperand(1 - i))) {
      fast.map(add.getResult(), fast.lookup(add->getOperand(i)));
      return;
    }
  ImplicitLocOpBuilder b(op->getLoc(), op);
  fast.map(add.getResult(),
           arith::AddFOp::create(b, fast.lookupOrDefault(add.getLhs()),
                                 fast.lookupOrDefault(add.getRhs()))
               .getResult());
}

/// Whether any sum is infinite or NaN: from infinity and NaN, products and sums
/// make nothing else.
Value Body::isOutOfRange(ImplicitLocOpBuilder &b) {
  Value sum;
  for (RoundOp round : results) {
    Value u = fast.lookup(round.getInput()), zero = constant(b, u, 0);
    // Vectors of one length: they are of one loop's elements.
    sum = math::FmaOp::create(b, u, zero, sum ? sum : zero);
  }
  Value nan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, sum, sum);
  Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR, nan);
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  return LLVM::ExpectOp::create(b, any, no);
}

/// The same index, by code that LLVM does not look into.
static Value hidden(ImplicitLocOpBuilder &b, Value index) {
  Value word = arith::IndexCastOp::create(b, b.getI64Type(), index);
  auto same = LLVM::InlineAsmOp::create(
      b, word.getType(), word, /*asm_string=*/"", /*constraints=*/"=r,0",
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
  return arith::IndexCastOp::create(b, index.getType(), same.getResult(0));
}

void Body::rewrite() {
  for (Operation *op : slice)
    emit(op);
  ImplicitLocOpBuilder b(loop.getLoc(), firstStore);
  SmallVector<Type> types;
  for (RoundOp round : results)
    types.push_back(round.getType());
  auto choice = scf::IfOp::create(b, types, isOutOfRange(b),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);

  b.setInsertionPointToStart(choice.thenBlock());
  // What is loaded is loaded again, not kept in registers until here: from
  // where LLVM does not see that it is the same.
  IRMapping again;
  Value i = loop.getInductionVar();
  again.map(i, hidden(b, i));
  for (Operation *op : slice)
    b.clone(*op, again);
  SmallVector<Value> yielded;
  for (RoundOp round : results)
    yielded.push_back(again.lookup(round.getResult()));
  scf::YieldOp::create(b, yielded);

  b.setInsertionPointToStart(choice.elseBlock());
  yielded.clear();
  for (RoundOp round : results) {
    Value u = fast.lookup(round.getInput());
    Value unscaled = arith::MulFOp::create(b, u, constant(b, u, 1 / kScale));
    yielded.push_back(RoundOp::create(b, round.getType(), unscaled));
  }
  scf::YieldOp::create(b, yielded);

  for (auto [round, result] :
       llvm::zip(results.getArrayRef(), choice.getResults()))
    RoundOp(round).getResult().replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(slice))
    if (op->use_empty())
      op->erase();
}
