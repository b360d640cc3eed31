// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// Iterations of the loop over the elements of a short row, at most.
static constexpr int64_t kShortRow = 4;

/// Puts what loops without iterations start from in their place.
static void dropEmptyLoops(Block &block) {
  for (auto loop : llvm::make_early_inc_range(block.getOps<scf::ForOp>()))
    if (matchPattern(loop.getLowerBound(), m_Zero()) &&
        matchPattern(loop.getUpperBound(), m_Zero())) {
      loop.replaceAllUsesWith(loop.getInitArgs());
      loop.erase();
    }
}

/// The loop over the elements of a row, where the row is short and its elements
/// wait for a root of a sum, which is one number.
static scf::ForOp elementsOf(scf::ForOp rows) {
  auto inside = rows.getBody()->getOps<scf::ForOp>();
  if (!rows.getInitArgs().empty() || !llvm::hasSingleElement(inside))
    return {};
  scf::ForOp elements = *inside.begin();
  const int64_t iterations = prec::iterationsOf(elements);
  bool waits = llvm::any_of(*rows.getBody(), [](Operation &op) {
    return isa<math::SqrtOp, math::RsqrtOp>(op) &&
           op.getResult(0).getType().isF32();
  });
  auto isMovable = [&](Operation &op) {
    return &op == elements || prec::isMovable(op);
  };
  return waits && elements.getInitArgs().empty() && iterations > 0 &&
                 iterations <= kShortRow &&
                 llvm::all_of(*rows.getBody(), isMovable) &&
                 llvm::all_of(*elements.getBody(), prec::isMovable) &&
                 prec::readsNothingItWrites(rows)
             ? elements
             : scf::ForOp();
}

/// Two rows in each iteration; the last one twice where it has no neighbour.
static void pairRows(scf::ForOp rows) {
  std::optional<int64_t> first = getConstantIntValue(rows.getLowerBound()),
                         distance = getConstantIntValue(rows.getStep());
  dropEmptyLoops(*rows.getBody());
  scf::ForOp elements = elementsOf(rows);
  if (!elements || prec::shareFunctions(rows, elements) || first != 0 ||
      distance != 1)
    return;
  ImplicitLocOpBuilder b(rows.getLoc(), rows);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value two = arith::ConstantIndexOp::create(b, 2);
  Value count = rows.getUpperBound();
  Value last = arith::SubIOp::create(b, count, one);
  rows.setUpperBound(arith::DivUIOp::create(
      b, arith::AddIOp::create(b, count, one).getResult(), two));

  Block &body = *rows.getBody();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  b.setInsertionPointToStart(&body);
  Value pair = rows.getInductionVar();
  auto row = arith::MulIOp::create(b, pair, two);
  Value next = arith::AddIOp::create(b, row.getResult(), one);
  Value other = arith::MinSIOp::create(b, next, last);
  pair.replaceAllUsesExcept(row, row);
  IRMapping mapping;
  mapping.map(row.getResult(), other);
  // What stands before the elements of both rows, their elements, and what
  // stands behind them.
  b.setInsertionPoint(elements);
  for (Operation *op : ops) {
    if (op != elements) {
      b.clone(*op, mapping);
      continue;
    }
    SmallVector<Operation *> inside;
    for (Operation &element : elements.getBody()->without_terminator())
      inside.push_back(&element);
    b.setInsertionPoint(elements.getBody()->getTerminator());
    for (Operation *element : inside)
      b.clone(*element, mapping);
    b.setInsertionPoint(body.getTerminator());
  }
}

void prec::pairRows(func::FuncOp func) {
  for (auto loop : llvm::to_vector(func.getOps<scf::ForOp>()))
    ::pairRows(loop);
}

/// The loop over elements that ends the body of `rows`, if it needs, of what
/// stands before it, only indices and numbers, which go to `carried`.
static scf::ForOp elementsBehind(scf::ForOp rows,
                                 llvm::SetVector<Value> &carried) {
  Block &body = *rows.getBody();
  scf::ForOp elements = elementsOf(rows);
  if (!elements || elements->getNextNode() != body.getTerminator())
    return {};
  llvm::SetVector<Value> needed;
  getUsedValuesDefinedAbove(elements.getRegion(), needed);
  for (Value value : needed) {
    if (value.getParentBlock() != &body || value.getType().isIndex())
      continue;
    if (!value.getType().isF32())
      return {};
    carried.insert(value);
  }
  return carried.empty() ? scf::ForOp() : elements;
}

/// Makes a loop give, with its last iteration, `ahead` in place of the `known`
/// numbers that it needs. What no iteration needs LLVM would compute behind it.
static ValueRange passOn(scf::ForOp loop, ValueRange known, ValueRange ahead) {
  SmallVector<Value> numbers(ahead);
  auto choose = [&](OpBuilder &builder, Location loc,
                    ArrayRef<BlockArgument> carried) {
    ImplicitLocOpBuilder b(loc, builder);
    Value i = carried.front().getOwner()->getArgument(0);
    Value last =
        arith::ConstantIndexOp::create(b, prec::iterationsOf(loop) - 1);
    Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, i, last);
    return llvm::map_to_vector(
        llvm::zip_equal(numbers, carried), [&](auto choice) -> Value {
          auto [then, now] = choice;
          return arith::SelectOp::create(b, isLast, then, now);
        });
  };
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  // A loop is known to be able to.
  auto result = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, known, /*replaceInitOperandUsesInLoop=*/true, choose));
  return result.getResults();
}

/// Computes the numbers that the elements of a row need in the iteration
/// before.
static void computeAhead(scf::ForOp rows) {
  llvm::SetVector<Value> carried;
  scf::ForOp elements = elementsBehind(rows, carried);
  if (!elements)
    return;
  Block &body = *rows.getBody();
  ImplicitLocOpBuilder b(rows.getLoc(), rows);
  auto yieldNumbers = [&](Value iteration) {
    IRMapping mapping;
    mapping.map(rows.getInductionVar(), iteration);
    for (Operation &op : body.without_terminator())
      if (&op != elements)
        b.clone(op, mapping);
    scf::YieldOp::create(b, llvm::map_to_vector(carried, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  };

  Value begin = rows.getLowerBound(), end = rows.getUpperBound();
  // There may be no rows.
  Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, begin, end);
  auto first =
      scf::IfOp::create(b, SmallVector<Type>(carried.size(), b.getF32Type()),
                        any, /*withElseRegion=*/true);
  b.setInsertionPointToStart(first.thenBlock());
  yieldNumbers(begin);
  b.setInsertionPointToStart(first.elseBlock());
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  scf::YieldOp::create(b, SmallVector<Value>(carried.size(), zero));

  b.setInsertionPoint(rows);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value last = arith::SubIOp::create(b, end, one);
  auto loop =
      scf::ForOp::create(b, begin, end, rows.getStep(), first.getResults());
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  Value next = arith::AddIOp::create(b, i, one);
  yieldNumbers(arith::MinSIOp::create(b, next, last));

  // What is left is the elements and their indices.
  for (auto [value, known] : llvm::zip_equal(carried, loop.getRegionIterArgs()))
    replaceAllUsesInRegionWith(value, known, elements.getRegion());
  rows.getInductionVar().replaceAllUsesWith(i);
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (&op == elements ||
        (op.getNumResults() == 1 && op.getResult(0).getType().isIndex()))
      op.moveBefore(loop.getBody()->getTerminator());
  Operation *yield = loop.getBody()->getTerminator();
  yield->setOperands(
      passOn(elements, loop.getRegionIterArgs(), yield->getOperands()));
  rows.erase();
}

void prec::computeAhead(func::FuncOp func) {
  for (auto loop : llvm::to_vector(func.getOps<scf::ForOp>()))
    ::computeAhead(loop);
}
