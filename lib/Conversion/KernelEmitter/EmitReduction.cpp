// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace prec;

Value ReductionBase::lane(Value vector, int64_t index) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return vector::ExtractOp::create(e.builder(), loc, vector, index);
}

FailureOr<SmallVector<Value>>
ReductionBase::ascending(AffineExpr first, AffineExpr extent,
                         ArrayRef<Value> inits, KernelEmitter::LoopBody step) {
  SmallVector<Value> carried(inits);
  std::optional<int64_t> count = known(extent);
  if (!count || *count > e.unrollLimit)
    return e.loop(extent, inits,
                  [&](AffineExpr i, SmallVectorImpl<Value> &values) {
                    return step(e.space.simplify(first + i), values);
                  });
  for (int64_t i = 0; i < *count; ++i)
    if (failed(step(e.space.simplify(first + i), carried)))
      return failure();
  return carried;
}

namespace prec {

/// Emits the accumulators of one structured reduction that the demanded result
/// needs.
class ReductionEmitter : ReductionBase {
public:
  ReductionEmitter(KernelEmitter &emitter, const Demand &demand,
                   const Expansion &expansion)
      : ReductionBase(emitter, demand, expansion),
        op(cast<linalg::LinalgOp>(expansion.op)), body(*op.getBlock()) {}

  FailureOr<Value> run(SmallVectorImpl<Demand> &missing);

private:
  void findAccumulators();
  void findFrontier();
  Value yielded(unsigned number) {
    return body.getTerminator()->getOperand(number);
  }
  BlockArgument accumulator(unsigned number) {
    return body.getArgument(op.getDpsInitOperand(number)->getOperandNumber());
  }
  LogicalResult step(ArrayRef<AffineExpr> at, SmallVectorImpl<Value> &values);
  FailureOr<SmallVector<Value>>
  nest(unsigned depth, SmallVector<AffineExpr> &at, ArrayRef<Value> inits);
  FailureOr<SmallVector<Value>> innermost(SmallVector<AffineExpr> &at,
                                          ArrayRef<Value> inits);

  linalg::LinalgOp op;
  Block &body;
  SmallVector<unsigned> reduced;   ///< reduced loops, outermost first
  SmallVector<AffineExpr> extents; ///< of all loops
  SetVector<unsigned> needed;      ///< numbers of the accumulators
  /// Values of the body that no accumulator enters and that meet one: what can
  /// be computed for several elements at once.
  SetVector<Value> frontier;
};

} // namespace prec

/// The accumulators that the demanded one depends on.
void ReductionEmitter::findAccumulators() {
  needed.insert(cast<OpResult>(demand.value).getResultNumber());
  DenseSet<Value> seen;
  for (unsigned i = 0; i < needed.size(); ++i) {
    SmallVector<Value> stack{yielded(needed[i])};
    while (!stack.empty()) {
      Value value = stack.pop_back_val();
      if (value.getParentBlock() != &body || !seen.insert(value).second)
        continue;
      if (auto arg = dyn_cast<BlockArgument>(value)) {
        for (unsigned n = 0; n < op.getNumDpsInits(); ++n)
          if (arg == accumulator(n))
            needed.insert(n);
        continue;
      }
      llvm::append_range(stack, value.getDefiningOp()->getOperands());
    }
  }
}

void ReductionEmitter::findFrontier() {
  DenseSet<Value> entered;
  for (unsigned n : needed)
    entered.insert(accumulator(n));
  auto meets = [&](Value value) {
    if (value.getParentBlock() == &body && !entered.contains(value))
      frontier.insert(value);
  };
  for (Operation &inner : body.without_terminator()) {
    if (!llvm::any_of(inner.getOperands(),
                      [&](Value v) { return entered.contains(v); }))
      continue;
    entered.insert(inner.result_begin(), inner.result_end());
    llvm::for_each(inner.getOperands(), meets);
  }
  for (unsigned n : needed)
    meets(yielded(n));
}

/// One iteration: from the accumulators' values to the next ones.
LogicalResult ReductionEmitter::step(ArrayRef<AffineExpr> at,
                                     SmallVectorImpl<Value> &values) {
  SmallVector<AffineExpr> coords(at);
  for (auto [n, value] : llvm::zip_equal(needed, values))
    e.remember({accumulator(n), coords}, value);
  for (auto [n, value] : llvm::zip_equal(needed, values)) {
    FailureOr<Value> next = e.evaluate({yielded(n), coords});
    if (failed(next))
      return failure();
    if (auto type = dyn_cast<VectorType>(value.getType()))
      next = e.toVector(e.builder(), *next, type.getNumElements());
    value = *next;
  }
  return success();
}

FailureOr<SmallVector<Value>>
ReductionEmitter::innermost(SmallVector<AffineExpr> &at,
                            ArrayRef<Value> inits) {
  unsigned loop = reduced.back();
  AffineExpr extent = extents[loop];
  int64_t width = e.reductionWidth;
  auto one = [&](AffineExpr i, SmallVectorImpl<Value> &values) {
    at[loop] = i;
    return step(at, values);
  };
  std::optional<int64_t> count = known(extent);
  bool isLong = !count || *count >= width;
  if (width == 1 || !isLong || e.laneOf(demand.coords))
    return ascending(constant(0), extent, inits, one);

  // What does not depend on the accumulators is computed `width` elements at
  // once; then they are taken one by one, in order.
  AffineExpr laneVariable = e.addLane(width);
  auto demandsAt = [&](AffineExpr first) {
    at[loop] = first + laneVariable;
    SmallVector<Demand> demands;
    for (Value value : frontier)
      demands.push_back({value, at});
    return demands;
  };
  AffineExpr probe = e.space.addVariable(std::nullopt);
  if (!e.isVectorizable(demandsAt(probe * width), laneVariable, width))
    return ascending(constant(0), extent, inits, one);
  AffineExpr full = e.space.simplify(extent.floorDiv(width));
  FailureOr<SmallVector<Value>> values = e.loop(
      full, inits,
      [&](AffineExpr chunk, SmallVectorImpl<Value> &values) -> LogicalResult {
        AffineExpr first = chunk * width;
        SmallVector<Value> vectors;
        for (const Demand &next : demandsAt(first)) {
          FailureOr<Value> vector = e.evaluate(next);
          if (failed(vector))
            return failure();
          vectors.push_back(*vector);
        }
        for (int64_t i = 0; i < width; ++i) {
          at[loop] = first + i;
          for (auto [value, vector] : llvm::zip_equal(frontier, vectors))
            e.remember({value, at}, lane(vector, i));
          if (failed(step(at, values)))
            return failure();
        }
        return success();
      });
  if (failed(values))
    return failure();
  return ascending(e.space.simplify(full * width),
                   e.space.simplify(extent % width), *values, one);
}

FailureOr<SmallVector<Value>>
ReductionEmitter::nest(unsigned depth, SmallVector<AffineExpr> &at,
                       ArrayRef<Value> inits) {
  if (depth + 1 == reduced.size())
    return innermost(at, inits);
  unsigned loop = reduced[depth];
  return ascending(
      constant(0), extents[loop], inits,
      [&](AffineExpr i, SmallVectorImpl<Value> &values) -> LogicalResult {
        at[loop] = i;
        FailureOr<SmallVector<Value>> inner =
            nest(depth + 1, at, ArrayRef<Value>(values));
        if (failed(inner))
          return failure();
        values.assign(inner->begin(), inner->end());
        return success();
      });
}

FailureOr<Value> ReductionEmitter::run(SmallVectorImpl<Demand> &missing) {
  extents = loopExtents(op, e.sizes);
  std::optional<int64_t> total = 1;
  for (unsigned i = 0; i < loops.size(); ++i) {
    if (loops[i])
      continue;
    reduced.push_back(i);
    std::optional<int64_t> extent = known(extents[i]);
    total = total && extent ? std::optional<int64_t>(*total * *extent)
                            : std::nullopt;
  }
  findAccumulators();
  findFrontier();

  SmallVector<AffineExpr> at(loops);
  for (unsigned i : reduced)
    at[i] = constant(0);
  SmallVector<Value> inits;
  for (unsigned n : needed)
    inits.push_back(e.need(
        operandAt(op, op.getDpsInitOperand(n)->getOperandNumber(), at, e.space),
        missing));
  // The elements of a short reduction are demanded up front, which keeps the
  // evaluation of chains of such reductions off the call stack.
  if (total && *total <= e.unrollLimit) {
    for (int64_t i = 0; i < *total; ++i) {
      int64_t rest = i;
      for (unsigned loop : llvm::reverse(reduced)) {
        at[loop] = constant(rest % *known(extents[loop]));
        rest /= *known(extents[loop]);
      }
      for (Value value : frontier)
        e.need({value, at}, missing);
    }
  }
  if (!missing.empty())
    return Value();

  KernelEmitter::CurrentScope scope(e, e.homeOf(demand.coords));
  if (AffineExpr lane = e.laneOf(demand.coords))
    for (Value &init : inits)
      init = e.toVector(e.builder(), init, e.widthOf(lane));
  FailureOr<SmallVector<Value>> values = nest(0, at, inits);
  if (failed(values))
    return failure();
  // The other accumulators are results too, where they have the same map.
  AffineMap map = op.getIndexingMapMatchingResult(cast<OpResult>(demand.value));
  for (auto [n, value] : llvm::zip_equal(needed, *values))
    if (auto result = cast<OpResult>(op->getResult(n));
        op.getIndexingMapMatchingResult(result) == map)
      e.remember({result, demand.coords}, value);
  return values->front();
}

FailureOr<Value> prec::emitReduction(KernelEmitter &emitter,
                                     const Demand &demand,
                                     const Expansion &expansion,
                                     SmallVectorImpl<Demand> &missing) {
  return ReductionEmitter(emitter, demand, expansion).run(missing);
}
