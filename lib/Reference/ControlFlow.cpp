// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf and cf.assert; branches between blocks are in Evaluator.cpp.
#include "Interpreter.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec::ref;

static LogicalResult setAll(Interpreter &in, ResultRange results,
                            ArrayRef<Array> arrays) {
  for (auto [result, array] : llvm::zip_equal(results, arrays))
    if (failed(in.set(result, array)))
      return failure();
  return success();
}

static LogicalResult runFor(Interpreter &in, scf::ForOp op) {
  int64_t lower = in.integer(op.getLowerBound());
  int64_t upper = in.integer(op.getUpperBound());
  int64_t step = in.integer(op.getStep());
  if (step <= 0)
    return op.emitError() << "expected a positive step but got " << step;
  if (op.getUnsignedCmp() && (lower < 0 || upper < 0))
    return op.emitError("unsigned bounds beyond 63 bits are not supported");
  Element counter = *Element::of(op.getInductionVar().getType());
  SmallVector<Array> carried = in.takeAll(op.getInitArgsMutable());
  for (int64_t i = lower; i < upper;) {
    Array induction = Array::integer(in.domain, i, counter);
    SmallVector<Array> arguments{induction};
    llvm::append_range(arguments, std::move(carried));
    carried.clear();
    FailureOr<SmallVector<Array>> next =
        in.runBlock(*op.getBody(), std::move(arguments));
    if (failed(next))
      return failure();
    carried = std::move(*next);
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  return setAll(in, op.getResults(), carried);
}

static LogicalResult runWhile(Interpreter &in, scf::WhileOp op) {
  SmallVector<Array> values = in.takeAll(op.getInitsMutable());
  while (true) {
    FailureOr<SmallVector<Array>> before =
        in.runBlock(*op.getBeforeBody(), std::move(values));
    if (failed(before))
      return failure();
    uint8_t truth;
    if (!in.domain.toBools(before->front().data(), 1, &truth))
      return unsupportedInDomain(op.getConditionOp(), in.domain);
    before->erase(before->begin());
    if (!truth)
      return setAll(in, op.getResults(), *before);
    FailureOr<SmallVector<Array>> after =
        in.runBlock(*op.getAfterBody(), std::move(*before));
    if (failed(after))
      return failure();
    values = std::move(*after);
  }
}

LogicalResult prec::ref::runControlFlow(Interpreter &in, Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return runFor(in, loop); })
      .Case([&](scf::WhileOp loop) { return runWhile(in, loop); })
      .Case([&](scf::IfOp branch) -> LogicalResult {
        FailureOr<bool> truth = in.condition(op, branch.getCondition());
        if (failed(truth))
          return failure();
        Block *block = *truth ? branch.thenBlock() : branch.elseBlock();
        if (!block)
          return success();
        FailureOr<SmallVector<Array>> results = in.runBlock(*block, {});
        return failed(results) ? failure()
                               : setAll(in, op->getResults(), *results);
      })
      .Case([&](cf::AssertOp check) -> LogicalResult {
        FailureOr<bool> truth = in.condition(op, check.getArg());
        if (failed(truth) || *truth)
          return truth;
        return check.emitError() << "assertion failed: " << check.getMsg();
      })
      .Default([](Operation *other) { return unsupported(other); });
}
