// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {
/// A loop with results.
struct Sum {
  /// It, and the loops in it, each the only one in the one before.
  SmallVector<scf::ForOp> nest;
  /// The product of their iterations.
  int64_t steps;
};
} // namespace

/// `loop` as a sum; without loops where the iterations are not known.
static Sum sumOf(scf::ForOp loop) {
  Sum sum{{}, 1};
  while (loop) {
    int64_t iterations = prec::iterationsOf(loop);
    auto inside = loop.getBody()->getOps<scf::ForOp>();
    if (iterations == 0 || llvm::range_size(inside) > 1)
      return {};
    sum.steps *= iterations;
    sum.nest.push_back(loop);
    loop = inside.empty() ? scf::ForOp() : *inside.begin();
  }
  return sum;
}

bool prec::isFunction(Operation &op) {
  return isa_and_present<math::MathDialect>(op.getDialect()) &&
         !isa<math::FmaOp>(op);
}

/// Whether both compute the same function of vectors of the same size.
static bool shareFunction(scf::ForOp one, scf::ForOp other) {
  return llvm::any_of(*one.getBody(), [&](Operation &op) {
    return prec::isFunction(op) &&
           llvm::any_of(*other.getBody(), [&](Operation &same) {
             return same.getName() == op.getName() &&
                    same.getResultTypes() == op.getResultTypes();
           });
  });
}

/// Whether `op`, and what is in it, writes nothing, and reads no memory of
/// `written`.
static bool readsOther(Operation *op,
                       const llvm::SmallSetVector<Value, 2> &written) {
  WalkResult result = op->walk([&](Operation *inside) {
    if (isMemoryEffectFree(inside) || isa<memref::PrefetchOp>(inside) ||
        inside->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    if (isa<vector::LoadOp, memref::LoadOp>(inside) &&
        !written.contains(inside->getOperand(0)))
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// The memory that `loop` writes.
static llvm::SmallSetVector<Value, 2> writtenBy(scf::ForOp loop) {
  llvm::SmallSetVector<Value, 2> written;
  loop.walk([&](Operation *op) {
    if (auto store = dyn_cast<vector::StoreOp>(op))
      written.insert(store.getBase());
    else if (auto element = dyn_cast<memref::StoreOp>(op))
      written.insert(element.getMemRef());
  });
  return written;
}

/// The last loop before `loop` with a result, if nothing that stands before
/// `loop` from there on touches memory of `written`.
static scf::ForOp sumBefore(scf::ForOp loop,
                            const llvm::SmallSetVector<Value, 2> &written) {
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (!readsOther(op, written))
      return {};
    if (auto sum = dyn_cast<scf::ForOp>(op))
      return sum.getInitArgs().empty() ? scf::ForOp() : sum;
  }
  return {};
}

/// Moves what `loop` needs from behind `sum` before it; fails where that is the
/// sum itself.
static LogicalResult moveNeeded(scf::ForOp sum, scf::ForOp loop) {
  llvm::SetVector<Value> needed;
  getUsedValuesDefinedAbove(loop.getRegion(), needed);
  auto isNeeded = [&](Operation *op) {
    return llvm::any_of(op->getResults(),
                        [&](Value value) { return needed.contains(value); });
  };
  SmallVector<Operation *> moved;
  for (Operation *op = loop->getPrevNode(); op != sum; op = op->getPrevNode()) {
    if (!isNeeded(op))
      continue;
    if (op->getNumRegions() != 0)
      return failure();
    needed.insert_range(op->getOperands());
    moved.push_back(op);
  }
  if (isNeeded(sum))
    return failure();
  for (Operation *op : llvm::reverse(moved))
    op->moveBefore(sum);
  return success();
}

/// Whether a vector that is loaded up to `last` is also loaded behind it.
static bool haveSameLoad(Operation *last) {
  SmallVector<vector::LoadOp> known;
  bool isBehind = false;
  for (Operation &op : *last->getBlock()) {
    if (auto load = dyn_cast<vector::LoadOp>(op)) {
      if (!isBehind)
        known.push_back(load);
      else if (llvm::any_of(known, [&](vector::LoadOp other) {
                 return other->getOperands() == load->getOperands() &&
                        other.getType() == load.getType();
               }))
        return true;
    }
    isBehind |= &op == last;
  }
  return false;
}

/// Loops before `loop` with results, the first one first, that compute the same
/// functions and have, together, at most its iterations.
static SmallVector<Sum> sumsBefore(scf::ForOp loop, int64_t iterations) {
  llvm::SmallSetVector<Value, 2> written = writtenBy(loop);
  SmallVector<Sum> sums;
  scf::ForOp found = loop;
  while ((found = sumBefore(found, written))) {
    Sum sum = sumOf(found);
    if (sum.nest.empty() || sum.steps > iterations ||
        !shareFunction(sum.nest.back(), loop))
      break;
    iterations -= sum.steps;
    sums.insert(sums.begin(), std::move(sum));
  }
  return sums;
}

/// Computes the iterations of `loop` from `first` on in the steps of `sum`;
/// fails, and changes nothing, where none of them loads the same.
static LogicalResult join(Sum &sum, int64_t first, scf::ForOp loop) {
  Block &block = *sum.nest.back().getBody();
  ImplicitLocOpBuilder b(loop.getLoc(), block.getTerminator());
  Operation *last = block.getTerminator()->getPrevNode();
  Value step;
  for (scf::ForOp level : sum.nest) {
    Value i = level.getInductionVar();
    if (step) {
      Value count =
          arith::ConstantIndexOp::create(b, prec::iterationsOf(level));
      i = arith::AddIOp::create(b, arith::MulIOp::create(b, step, count), i);
    }
    step = i;
  }
  if (first != 0)
    step = arith::AddIOp::create(b, step,
                                 arith::ConstantIndexOp::create(b, first));
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), step);
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, mapping);
  prec::joinIndices(block);
  if (!haveSameLoad(last)) {
    while (block.getTerminator()->getPrevNode() != last)
      block.getTerminator()->getPrevNode()->erase();
    return failure();
  }
  prec::sinkWrites(block);
  return success();
}

static void joinSums(scf::ForOp loop) {
  const int64_t iterations = prec::iterationsOf(loop);
  if (!loop.getInitArgs().empty() || iterations == 0 ||
      !prec::readsNothingItWrites(loop) ||
      !llvm::all_of(*loop.getBody(), prec::isMovable))
    return;
  SmallVector<Sum> sums = sumsBefore(loop, iterations);
  while (!sums.empty() && failed(moveNeeded(sums.front().nest.front(), loop)))
    sums.erase(sums.begin());
  int64_t first = 0;
  for (Sum &sum : sums) {
    if (failed(join(sum, first, loop)))
      break;
    first += sum.steps;
  }
  if (first == iterations) {
    loop.erase();
  } else if (first > 0) {
    OpBuilder b(loop);
    loop.setLowerBound(arith::ConstantIndexOp::create(b, loop.getLoc(), first));
  }
}

void prec::joinSums(func::FuncOp func) {
  func.walk([](scf::ForOp loop) { ::joinSums(loop); });
}
