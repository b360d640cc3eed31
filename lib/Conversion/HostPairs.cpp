// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

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
