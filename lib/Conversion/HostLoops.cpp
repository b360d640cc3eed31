// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"

#include "prec/Conversion/ABI.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace prec;

namespace {

/// The memory that a loop touches and that was there before it. Each argument
/// of a function and each allocation is memory of its own.
struct Touched {
  llvm::SmallPtrSet<Value, 4> read, written;

  explicit Touched(scf::ForOp loop) {
    loop.walk([&](Operation *op) {
      bool writes = isa<vector::StoreOp, vector::TransferWriteOp,
                        vector::MaskedStoreOp, memref::StoreOp>(op);
      for (Value operand : op->getOperands())
        if (isa<MemRefType>(operand.getType()) &&
            loop.isDefinedOutsideOfLoop(operand))
          (writes ? written : read).insert(operand);
    });
  }
  bool touches(Value memory) const {
    return read.contains(memory) || written.contains(memory);
  }
};

} // namespace

static bool isDisjoint(const llvm::SmallPtrSetImpl<Value> &memory,
                       const Touched &touched) {
  return llvm::none_of(memory,
                       [&](Value value) { return touched.touches(value); });
}

/// Whether `second` may run with `first`, and gains by it.
static bool isFusible(scf::ForOp first, scf::ForOp second) {
  if (!first.getInitArgs().empty() || !second.getInitArgs().empty() ||
      first.getUpperBound() != second.getUpperBound() ||
      !isEqualConstantIntOrValue(first.getSingleLowerBound().value(),
                                 second.getSingleLowerBound().value()) ||
      !isEqualConstantIntOrValue(first.getSingleStep().value(),
                                 second.getSingleStep().value()))
    return false;
  // Without loops inside, a row is an element.
  auto hasLoop = [](scf::ForOp loop) {
    return !loop.getBody()->getOps<scf::ForOp>().empty();
  };
  if (!hasLoop(first) || !hasLoop(second))
    return false;
  Touched one(first), other(second);
  return isDisjoint(one.written, other) && isDisjoint(other.written, one) &&
         llvm::any_of(one.read, [&](Value memory) {
           return other.read.contains(memory);
         });
}

/// Moves what stands between the loops before them; fails where that has
/// effects.
static LogicalResult hoistBetween(scf::ForOp first, scf::ForOp second) {
  SmallVector<Operation *> between;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    if (!isMemoryEffectFree(op))
      return failure();
    between.push_back(op);
  }
  for (Operation *op : between)
    op->moveBefore(first);
  return success();
}

void prec::fuseRowLoops(func::FuncOp func) {
  scf::ForOp last;
  for (auto loop : llvm::make_early_inc_range(func.getOps<scf::ForOp>())) {
    if (!last || !isFusible(last, loop) || failed(hoistBetween(last, loop))) {
      last = loop;
      continue;
    }
    // Its rows are asked for once.
    llvm::SmallPtrSet<Value, 4> asked;
    last.walk([&](memref::PrefetchOp op) { asked.insert(op.getMemref()); });
    loop.walk([&](memref::PrefetchOp op) {
      if (asked.contains(op.getMemref()))
        op.erase();
    });
    Block *body = last.getBody(), *other = loop.getBody();
    other->getTerminator()->erase();
    loop.getInductionVar().replaceAllUsesWith(last.getInductionVar());
    body->getOperations().splice(body->getTerminator()->getIterator(),
                                 other->getOperations());
    loop.erase();
  }
}

static void computeEarly(Block &block) {
  // What was moved behind an operation, the last of it; null is the start.
  DenseMap<Operation *, Operation *> behind;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!op.hasTrait<OpTrait::Elementwise>() && !isa<vector::BroadcastOp>(op))
      continue;
    if (!isMemoryEffectFree(&op))
      continue;
    Operation *last = nullptr;
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && definition->getBlock() == &block &&
          (!last || last->isBeforeInBlock(definition)))
        last = definition;
    Operation *&place = behind.try_emplace(last, last).first->second;
    if (place)
      op.moveAfter(place);
    else
      op.moveBefore(&block, block.begin());
    place = &op;
  }
}

void prec::computeEarly(func::FuncOp func) {
  func.walk([](Block *block) { ::computeEarly(*block); });
}

bool prec::readsNothingItWrites(scf::ForOp loop) {
  Touched touched(loop);
  return llvm::none_of(touched.written, [&](Value memory) {
    return touched.read.contains(memory);
  });
}

/// Whether the iterations of `loop` write memory that no iteration reads, and
/// nothing else.
static bool isParallel(scf::ForOp loop) {
  return loop.getInitArgs().empty() && !Touched(loop).written.empty() &&
         prec::readsNothingItWrites(loop);
}

/// Makes `loop` one of a range that prec.parallel.begin and end give, counted
/// from 0 on: it is a loop like that over all iterations.
static void markParallel(scf::ForOp loop, ModuleOp module) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type index = builder.getIndexType();
  auto call = [&](StringRef name, TypeRange results, ValueRange operands) {
    if (!module.lookupSymbol(name)) {
      OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
      func::FuncOp::create(
          atStart, loc, name,
          atStart.getFunctionType(operands.getTypes(), results))
          .setPrivate();
    }
    return func::CallOp::create(builder, loc, name, results, operands);
  };
  Value first = loop.getLowerBound();
  Value count =
      builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), first);
  Value begin = call(kParallelBeginName, index, count).getResult(0);
  Value end = call(kParallelEndName, index, {begin, count}).getResult(0);
  loop.setLowerBound(arith::ConstantIndexOp::create(builder, loc, 0));
  loop.setUpperBound(arith::SubIOp::create(builder, loc, end, begin));
  Value origin = builder.createOrFold<arith::AddIOp>(loc, begin, first);
  builder.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  auto iteration = arith::AddIOp::create(builder, loc, i, origin);
  i.replaceAllUsesExcept(iteration, iteration);
  builder.setInsertionPointAfter(loop);
  call(kParallelDoneName, {}, begin);
}

void prec::markParallelLoops(func::FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  for (auto loop : llvm::to_vector(func.getOps<scf::ForOp>()))
    if (isParallel(loop))
      markParallel(loop, module);
}
