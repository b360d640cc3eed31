// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowSums.h"
#include "RareCase.h"
#include "SumArithmetic.h"

#include "prec/Analysis/ScaledRounding.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace prec;

namespace {

/// The body of a loop whose results are sums of rounded products.
class Body {
public:
  Body(scf::ForOp loop, const Representability &facts,
       SumArithmetic &arithmetic)
      : loop(loop), block(*loop.getBody()), facts(facts),
        arithmetic(arithmetic) {}

  /// Whether all that comes of the products are such results, and the
  /// arithmetic pays.
  bool matches();
  void rewrite();

private:
  bool visit(Operation &op);
  bool visitRound(RoundOp round);
  bool visitAdd(arith::AddFOp add);
  bool isNeverMinusZero(Value value) const;
  bool isProduct(RoundOp round);
  void emit(Operation *op);
  Value isWrong(ImplicitLocOpBuilder &b, ValueRange lasts);

  scf::ForOp loop;
  Block &block;
  const Representability &facts;
  SumArithmetic &arithmetic;
  /// Roundings that go on in f32, of products and of sums; those of results.
  llvm::SetVector<RoundOp> products, sums, results;
  /// f32 values that arithmetic makes, and which of them are roundings of
  /// products: a zero among those has no sign.
  DenseSet<Value> made, unsignedZeros;
  /// f32 values, zeros among them having a sign, that are never -0.
  DenseSet<Value> neverMinusZero;
  /// Other f32 values that are added to products, and could be -0.
  llvm::SetVector<Value> terms;
  RareCase rareCase;
  /// What stands for the values that are made.
  IRMapping fast;
};

} // namespace

/// A constant number of all elements.
static std::optional<APFloat> splatOf(Value value) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant;
  return std::nullopt;
}

static bool isZero(Value value) {
  std::optional<APFloat> constant = splatOf(value);
  return constant && constant->isZero();
}

/// Whether all that uses it widens it to f32.
static bool goesOn(RoundOp round) {
  return llvm::all_of(round->getUsers(), [&](Operation *user) {
    return isa<arith::ExtFOp>(user) && user->getBlock() == round->getBlock() &&
           getElementTypeOrSelf(user->getResult(0)).isF32();
  });
}

/// For sums alone.
bool Body::isProduct(RoundOp round) {
  auto product = round.getInput().getDefiningOp<arith::MulFOp>();
  return product && goesOn(round) &&
         llvm::all_of(round->getUsers(),
                      [](Operation *widened) {
                        return llvm::all_of(widened->getUsers(),
                                            llvm::IsaPred<arith::AddFOp>);
                      }) &&
         llvm::none_of(product->getOperands(),
                       [&](Value factor) { return made.contains(factor); }) &&
         arithmetic.factors(product, loop, facts);
}

bool Body::visitRound(RoundOp round) {
  auto type = dyn_cast<VectorType>(round.getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !roundsTo16Bits(round) || !arithmetic.canRoundTo(type))
    return !made.contains(round.getInput());
  bool isSum = made.contains(round.getInput());
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
    made.insert(user->getResult(0));
    if (isSum)
      neverMinusZero.insert(user->getResult(0));
    else
      unsignedZeros.insert(user->getResult(0));
  }
  return true;
}

bool Body::isNeverMinusZero(Value value) const {
  std::optional<APFloat> constant = splatOf(value);
  return constant ? !constant->isNegZero() : neverMinusZero.contains(value);
}

bool Body::visitAdd(arith::AddFOp add) {
  for (unsigned i : {0, 1}) {
    Value term = add->getOperand(i), other = add->getOperand(1 - i);
    const bool isProduct = unsignedZeros.contains(other);
    if (!made.contains(term) && !isZero(term) &&
        !(isProduct && arithmetic.isTerm(term, facts)))
      return false;
    // The sign of a zero does not matter next to anything but -0.
    if (!isProduct || isNeverMinusZero(term))
      continue;
    if (made.contains(term) || isZero(term))
      return false;
    terms.insert(term);
  }
  made.insert(add);
  for (Value term : add->getOperands())
    if (isNeverMinusZero(term) || terms.contains(term))
      neverMinusZero.insert(add);
  return true;
}

/// False if it makes something else of a value that arithmetic makes.
bool Body::visit(Operation &op) {
  if (auto round = dyn_cast<RoundOp>(op))
    return visitRound(round);
  if (llvm::none_of(op.getOperands(),
                    [&](Value value) { return made.contains(value); }))
    return op.getNumRegions() == 0;
  auto add = dyn_cast<arith::AddFOp>(op);
  return add && visitAdd(add);
}

bool Body::matches() {
  if (!loop.getInitArgs().empty())
    return false;
  for (Operation &op : block.without_terminator())
    if (!visit(op))
      return false;
  // A value that nothing takes is no result's.
  return !results.empty() &&
         arithmetic.pays(products.size() + sums.size(), results.size()) &&
         rareCase.find(block, results);
}

/// Emits what stands for the results of an operation, before it.
void Body::emit(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (auto round = dyn_cast<RoundOp>(op)) {
    Value rounded;
    if (products.contains(round)) {
      auto [x, w] = *arithmetic.factors(
          round.getInput().getDefiningOp<arith::MulFOp>(), loop, facts);
      rounded = arithmetic.product(b, x, w, loop);
    } else if (sums.contains(round)) {
      rounded = arithmetic.round(b, fast.lookup(round.getInput()));
    } else {
      return;
    }
    for (Operation *user : round->getUsers())
      fast.map(user->getResult(0), rounded);
    return;
  }
  auto add = dyn_cast<arith::AddFOp>(op);
  if (!add || !made.contains(add))
    return;
  for (unsigned i : {0, 1})
    if (unsignedZeros.contains(add->getOperand(i)) &&
        isZero(add->getOperand(1 - i))) {
      fast.map(add.getResult(),
               arithmetic.addZero(b, fast.lookup(add->getOperand(i))));
      return;
    }
  fast.map(add.getResult(),
           arithmetic.add(b, fast.lookupOrDefault(add.getLhs()),
                          fast.lookupOrDefault(add.getRhs())));
}

/// Where any of `lasts` is infinite or NaN, from which products and sums make
/// nothing else, or a term is -0, whose bits are the least integer. All vectors
/// have one length: they are of one loop's elements.
Value Body::isWrong(ImplicitLocOpBuilder &b, ValueRange lasts) {
  Value sum, least;
  for (Value last : lasts) {
    Value zero = f32Constant(b, last, 0);
    sum = math::FmaOp::create(b, last, zero, sum ? sum : zero);
  }
  Value wrong = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, sum, sum);
  if (terms.empty())
    return wrong;
  auto type = cast<VectorType>(sum.getType()).clone(b.getI32Type());
  for (Value term : terms) {
    Value bits = arith::BitcastOp::create(b, type, term);
    least = least ? arith::MinSIOp::create(b, least, bits) : bits;
  }
  Value minusZero = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getI32IntegerAttr(std::numeric_limits<int32_t>::min())));
  Value any =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, least, minusZero);
  return arith::OrIOp::create(b, wrong, any);
}

void Body::rewrite() {
  for (Operation *op : rareCase.ops())
    emit(op);
  SmallVector<Value> lasts;
  for (RoundOp round : results) {
    ImplicitLocOpBuilder b(round.getLoc(), round);
    lasts.push_back(arithmetic.last(b, fast.lookup(round.getInput())));
  }
  rareCase.choose(
      loop, results, [&](ImplicitLocOpBuilder &b) { return isWrong(b, lasts); },
      [&](ImplicitLocOpBuilder &b, size_t i) {
        return arithmetic.result(
            b, lasts[i], cast<VectorType>(RoundOp(results[i]).getType()));
      });
}

void prec::roundRowSums(scf::ForOp loop, const Representability &facts,
                        SumArithmetic &arithmetic) {
  Body body(loop, facts, arithmetic);
  if (body.matches())
    body.rewrite();
}
