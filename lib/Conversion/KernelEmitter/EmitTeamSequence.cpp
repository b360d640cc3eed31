// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by a team that take one element after the other. The threads
// compute the elements together and put them into shared memory; a warp takes
// them from there in order and hands the result to the others.
#include "TeamReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace prec;

/// Elements that are read before the first of them is needed.
static constexpr int64_t kAhead = 16;

/// Joins `count` values in order. `valuesAt` gives so many from `first` on.
FailureOr<Value> TeamReduction::inSequence(AffineExpr count, Value init,
                                           ValuesAt valuesAt, Join join) {
  auto some = [&](AffineExpr first, int64_t number, Value total) {
    for (Value value : valuesAt(first, number))
      total = join(total, value);
    return total;
  };
  FailureOr<Values> total =
      e.loop(count.floorDiv(kAhead), init,
             [&](AffineExpr i, SmallVectorImpl<Value> &values) {
               values.front() = some(i * kAhead, kAhead, values.front());
               return success();
             });
  if (failed(total))
    return failure();
  AffineExpr rest = e.space.simplify(count % kAhead);
  AffineExpr first = e.space.simplify(count - rest);
  if (std::optional<int64_t> number = known(rest))
    return some(first, *number, total->front());
  total = e.loop(rest, total->front(),
                 [&](AffineExpr i, SmallVectorImpl<Value> &values) {
                   values.front() = some(first + i, 1, values.front());
                   return success();
                 });
  if (failed(total))
    return failure();
  return total->front();
}

Value TeamReduction::isInFirstWarp() {
  return arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::ult, team.thread,
                               e.indexConstant(kWarp));
}

/// The same of values in shared memory, by the team's first warp; the others
/// have `init`.
FailureOr<Value> TeamReduction::byFirstWarp(const Buffer &buffer,
                                            AffineExpr count, Value init,
                                            Join join) {
  auto valuesAt = [&](AffineExpr first, int64_t number) {
    return loadLine(buffer, first, number);
  };
  auto all = [&] { return inSequence(count, init, valuesAt, join); };
  if (team.size <= kWarp)
    return all();
  return e.choose(isInFirstWarp(), init.getType(), all,
                  [&]() -> FailureOr<Value> { return init; });
}

/// What the team's first warp has, for all.
Value TeamReduction::ofFirstWarp(Value value) {
  if (team.size <= kWarp)
    return value;
  Buffer result = allocate(value.getType(), 1);
  // All of the warp write the same.
  (void)onlyIf(isInFirstWarp(), [&] {
    store(result, constant(0), value);
    return success();
  });
  barrier();
  return load(result, constant(0));
}

FailureOr<Value> TeamReduction::inOrder(Value init, Join join) {
  if (std::optional<int64_t> count = known(extent())) {
    int64_t width = vectorWidth(*count);
    if (team.holds(*count, width))
      if (std::optional<Buffer> row = rowBuffer(*count, width)) {
        if (failed(stage(*row, width, *count, /*padding=*/0)))
          return failure();
        FailureOr<Value> total =
            byFirstWarp(*row, constant(*count), init, join);
        if (failed(total))
          return failure();
        return ofFirstWarp(*total);
      }
  }
  // Piece by piece: for rows of any length.
  constexpr int64_t kElements = 4; // of a thread
  const int64_t piece = kElements * team.size;
  Buffer buffer = allocate(elementType(), piece);
  auto put = [&](AffineExpr first, AffineExpr place) -> LogicalResult {
    FailureOr<Value> value = e.evaluate(element(first + place));
    if (failed(value))
      return failure();
    store(buffer, place, *value);
    return success();
  };
  auto joined = [&](AffineExpr count, Value total) {
    barrier();
    FailureOr<Value> next = byFirstWarp(buffer, count, total, join);
    // The next piece takes its place.
    barrier();
    return next;
  };
  FailureOr<Values> whole =
      e.loop(e.space.simplify(extent().floorDiv(piece)), init,
             [&](AffineExpr i, SmallVectorImpl<Value> &values) {
               for (const KernelEmitter::Share &share : e.shareOf(piece))
                 if (failed(put(i * piece, share.place)))
                   return failure();
               FailureOr<Value> next = joined(constant(piece), values.front());
               if (succeeded(next))
                 values.front() = *next;
               return LogicalResult(next);
             });
  if (failed(whole))
    return failure();
  AffineExpr rest = e.space.simplify(extent() % piece);
  if (known(rest) == 0)
    return ofFirstWarp(whole->front());
  AffineExpr first = e.space.simplify(extent() - rest);
  for (const KernelEmitter::Share &share : e.shareOf(piece)) {
    Value place = indexOf(share.place);
    if (failed(onlyIf(e.isBelow(place, rest), [&] {
          // A variable of this scope, which its element must not leave.
          return put(first, variable(place, piece));
        })))
      return failure();
  }
  FailureOr<Value> total = joined(rest, whole->front());
  if (failed(total))
    return failure();
  return ofFirstWarp(*total);
}
