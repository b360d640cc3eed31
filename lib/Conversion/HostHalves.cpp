// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

int64_t prec::iterationsOf(scf::ForOp loop) {
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  return upper && matchPattern(loop.getLowerBound(), m_Zero()) &&
                 matchPattern(loop.getStep(), m_One())
             ? *upper
             : 0;
}

/// Whether `condition` is: i * c < n * c, for the loop's i and a positive c.
static bool isFirst(Value condition, Value i, int64_t n) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  APInt limit, factor(64, 1);
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&limit)))
    return false;
  Value scaled = compare.getLhs();
  if (auto product = scaled.getDefiningOp<arith::MulIOp>()) {
    if (!matchPattern(product.getRhs(), m_ConstantInt(&factor)))
      return false;
    scaled = product.getLhs();
  }
  return scaled == i && factor.isStrictlyPositive() &&
         limit.getSExtValue() == factor.getSExtValue() * n;
}

bool prec::isMovable(Operation &op) {
  if (isMemoryEffectFree(&op) ||
      isa<vector::LoadOp, vector::StoreOp, memref::LoadOp, memref::StoreOp,
          memref::PrefetchOp, scf::YieldOp>(op))
    return true;
  return isa<scf::IfOp>(op) &&
         llvm::all_of(op.getRegions(), [](Region &region) {
           return llvm::all_of(region.getOps(), prec::isMovable);
         });
}

namespace {

/// Indices as sums of products of constants and anything.
class LinearIndices {
public:
  /// The value known first that equals `value`.
  Value find(Value value) {
    Form form = formOf(value);
    for (const auto &[known, other] : forms)
      if (known == form && other.getType() == value.getType())
        return other;
    forms.push_back({std::move(form), value});
    return value;
  }

private:
  struct Form {
    int64_t constant = 0;
    llvm::SmallMapVector<Value, int64_t, 4> factors;

    bool operator==(const Form &other) const {
      return constant == other.constant &&
             factors.size() == other.factors.size() &&
             llvm::all_of(factors, [&](const auto &entry) {
               auto same = other.factors.find(entry.first);
               return same != other.factors.end() &&
                      same->second == entry.second;
             });
    }
  };

  Form formOf(Value value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return {*constant, {}};
    if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
      Form form = formOf(sum.getLhs()), other = formOf(sum.getRhs());
      form.constant += other.constant;
      for (auto [what, factor] : other.factors)
        form.factors[what] += factor;
      form.factors.remove_if([](auto &entry) { return entry.second == 0; });
      return form;
    }
    if (auto product = value.getDefiningOp<arith::MulIOp>())
      if (auto by = getConstantIntValue(product.getRhs()); by && *by != 0) {
        Form form = formOf(product.getLhs());
        form.constant *= *by;
        for (auto &entry : form.factors)
          entry.second *= *by;
        return form;
      }
    Form form;
    form.factors[value] = 1;
    return form;
  }

  std::vector<std::pair<Form, Value>> forms;
};

} // namespace

void prec::joinIndices(Block &block) {
  LinearIndices indices;
  for (Operation &op : block)
    if (isa<arith::AddIOp, arith::MulIOp>(op) &&
        op.getResult(0).getType().isIndex())
      if (Value same = indices.find(op.getResult(0)); same != op.getResult(0))
        op.getResult(0).replaceAllUsesWith(same);
}

/// Drops prefetches of what an earlier one of the block fetches.
static void dropRepeatedPrefetches(Block &block) {
  SmallVector<memref::PrefetchOp> known;
  for (auto prefetch :
       llvm::make_early_inc_range(block.getOps<memref::PrefetchOp>())) {
    if (llvm::any_of(known, [&](memref::PrefetchOp other) {
          return other->getOperands() == prefetch->getOperands() &&
                 other->getAttrDictionary() == prefetch->getAttrDictionary();
        }))
      prefetch.erase();
    else
      known.push_back(prefetch);
  }
}

void prec::sinkWrites(Block &block) {
  SmallVector<Operation *> prefetches, stores;
  for (Operation &op : block) {
    if (isa<memref::PrefetchOp>(op))
      prefetches.push_back(&op);
    else if (isa<vector::StoreOp, memref::StoreOp>(op))
      stores.push_back(&op);
  }
  for (Operation *op : llvm::concat<Operation *>(prefetches, stores))
    op->moveBefore(block.getTerminator());
  dropRepeatedPrefetches(block);
}

/// Puts the region that is run in place of a choice whose condition is known.
static void inlineChoice(scf::IfOp choice, bool condition) {
  Region &taken = condition ? choice.getThenRegion() : choice.getElseRegion();
  if (!taken.empty()) {
    Operation *yield = taken.front().getTerminator();
    choice.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    choice->getBlock()->getOperations().splice(choice->getIterator(),
                                               taken.front().getOperations());
  }
  choice.erase();
}

static void joinHalves(scf::ForOp loop) {
  const int64_t iterations = prec::iterationsOf(loop);
  if (!loop.getInitArgs().empty() || iterations < 2 || iterations % 2 != 0 ||
      !prec::readsNothingItWrites(loop) ||
      !llvm::all_of(*loop.getBody(), prec::isMovable))
    return;
  const int64_t half = iterations / 2;
  Value i = loop.getInductionVar();
  SmallVector<scf::IfOp> choices;
  for (auto choice : loop.getOps<scf::IfOp>())
    if (isFirst(choice.getCondition(), i, half))
      choices.push_back(choice);
  if (choices.empty())
    return;

  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value distance = arith::ConstantIndexOp::create(b, half);
  loop.setUpperBound(distance);
  Block &block = *loop.getBody();
  SmallVector<Operation *> body;
  for (Operation &op : block.without_terminator())
    body.push_back(&op);
  b.setInsertionPoint(block.getTerminator());
  IRMapping second;
  second.map(i, arith::AddIOp::create(b, i, distance).getResult());
  for (Operation *op : body)
    b.clone(*op, second);
  for (scf::IfOp choice : choices) {
    inlineChoice(cast<scf::IfOp>(second.lookup(choice.getOperation())), false);
    inlineChoice(choice, true);
  }
  prec::joinIndices(block);
  prec::sinkWrites(block);
}

void prec::joinHalves(func::FuncOp func) {
  func.walk([](scf::ForOp loop) { ::joinHalves(loop); });
}
