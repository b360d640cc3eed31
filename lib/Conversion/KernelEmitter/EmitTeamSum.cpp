// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums by a team, in their order.
#include "TeamReduction.h"

#include "prec/Conversion/ABI.h"
#include "prec/Numerics/SumTree.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace prec;
using num::StepKind;

Value TeamReduction::add(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith::AddFOp::create(b(), loc, x, y);
}

/// Absent values are skipped.
Value TeamReduction::sumLine(StepKind kind, Values values) {
  if (kind == StepKind::Sequential) {
    Value total;
    for (Value value : values)
      total = add(total, value);
    return total;
  }
  for (size_t half = values.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      values[i] = kind == StepKind::Halving
                      ? add(values[i], values[i + half])
                      : add(values[2 * i], values[2 * i + 1]);
  return values.front();
}

int64_t TeamReduction::vectorWidth(int64_t count) {
  int64_t width = team.width;
  if (width == 1 || count % width != 0)
    return 1;
  AffineExpr lane = e.teamLane(width);
  AffineExpr probe = e.space.addVariable(std::nullopt);
  return e.isVectorizable(element(probe * width + lane), lane, width) ? width
                                                                      : 1;
}

/// A vector of `width` elements, by its number in the row; of one, the element.
FailureOr<Value> TeamReduction::elementsAt(AffineExpr place, int64_t width) {
  AffineExpr index = place;
  if (width > 1)
    index = index * width + e.teamLane(width);
  FailureOr<Value> value = e.evaluate(element(index));
  if (failed(value) || width == 1)
    return value;
  return e.toVector(b(), *value, width);
}

/// Calls `use` with the thread's elements, vector by vector; others' are
/// missing.
LogicalResult TeamReduction::elements(int64_t count, int64_t width,
                                      llvm::function_ref<void(Value)> use) {
  KernelEmitter::Team::AtShare meanwhile = std::move(team.meanwhile);
  team.meanwhile = nullptr;
  for (const KernelEmitter::Share &share : e.shareOf(count / width)) {
    FailureOr<Value> own = elementsAt(share.place, width);
    if (failed(own))
      return failure();
    Value vector = *own;
    if (share.isOwn)
      vector = arith::SelectOp::create(b(), loc, share.isOwn, vector,
                                       nothing(width));
    use(vector);
    if (meanwhile && failed(meanwhile(share, count, width)))
      return failure();
  }
  return success();
}

/// The sum of a thread's vectors, one after the other, in a loop that LLVM is
/// to unroll: what is here for one round is there for all, after most passes.
FailureOr<Value> TeamReduction::running(int64_t count, int64_t width) {
  KernelEmitter::Team::AtShare meanwhile = std::move(team.meanwhile);
  team.meanwhile = nullptr;
  FailureOr<Values> sums = e.loop(
      constant(count / width / team.size), nothing(width),
      [&](AffineExpr round, SmallVectorImpl<Value> &totals) -> LogicalResult {
        KernelEmitter::Share share{
            e.space.simplify(round * team.size + team.threadNumber), Value()};
        FailureOr<Value> own = elementsAt(share.place, width);
        if (failed(own))
          return failure();
        totals.front() = add(totals.front(), *own);
        return meanwhile ? meanwhile(share, count, width) : success();
      });
  if (failed(sums))
    return failure();
  MLIRContext *context = b().getContext();
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, {}, {}, {},
                                /*full=*/b().getBoolAttr(true), {}, {}, {});
  sums->front().getDefiningOp()->setAttr(
      kLoopAttrName,
      LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}));
  return sums->front();
}

/// The row's sum from each thread's elements, by registers and exchange.
FailureOr<Value> TeamReduction::inRegisters(const TeamLayout &layout,
                                            int64_t count, int64_t width) {
  OrderDigits rest = layout.digits;
  const SmallVector<int64_t> original(rest.radices);
  ArrayRef<TeamLayout::Place> places = layout.places;

  // Slots: lanes innermost once they are apart, then vectors. Vectors that are
  // summed one after the other are not kept.
  Values slots;
  size_t local = layout.local;
  num::SumStep first = local > 0 ? rest.steps.front() : num::SumStep();
  bool isRunning = local > 0 && first.kind == StepKind::Sequential &&
                   places[first.digit] == TeamLayout::Vector &&
                   rest.radices[first.digit] == layout.numVectors;
  if (isRunning && team.readsOnce && count % (width * team.size) == 0) {
    FailureOr<Value> sum = running(count, width);
    if (failed(sum))
      return failure();
    slots.push_back(*sum);
  } else if (failed(elements(count, width, [&](Value vector) {
               if (isRunning && !slots.empty())
                 slots.front() = add(slots.front(), vector);
               else
                 slots.push_back(vector);
             })))
    return failure();
  if (isRunning) {
    rest.pop();
    --local;
  } else {
    slots.resize(layout.numVectors);
  }
  bool apart = width == 1;
  auto slotStride = [&](unsigned digit) {
    int64_t product = 1;
    for (unsigned d = 0; d < digit; ++d)
      if (places[d] == TeamLayout::Vector ||
          (places[d] == TeamLayout::Lane && apart))
        product *= rest.radices[d];
    return product;
  };
  for (size_t i = 0; i < local; ++i) {
    num::SumStep step = rest.steps.front();
    if (places[step.digit] == TeamLayout::Lane && !apart) {
      Values split;
      for (Value vector : slots)
        for (int64_t l = 0; l < width; ++l)
          split.push_back(vector ? lane(vector, l) : Value());
      slots = std::move(split);
      apart = true;
    }
    int64_t radix = rest.radices[step.digit], inner = slotStride(step.digit);
    Values sums;
    for (size_t s = 0; s < slots.size() / radix; ++s) {
      size_t first = s / inner * inner * radix + s % inner;
      Values line;
      for (int64_t k = 0; k < radix; ++k)
        line.push_back(slots[first + k * inner]);
      sums.push_back(sumLine(step.kind, line));
    }
    slots = std::move(sums);
    rest.pop();
  }
  Value value = slots.front();
  if (!value)
    value = nothing();
  // From here on a place is a thread.
  OrderDigits threads;
  threads.steps = rest.steps;
  for (auto [radix, place] : llvm::zip_equal(rest.radices, places))
    threads.radices.push_back(place == TeamLayout::Thread ? radix : 1);
  // Steps within a warp that come before those across warps.
  int64_t warp = std::min(team.size, kWarp);
  while (!threads.steps.empty()) {
    num::SumStep step = threads.steps.front();
    int64_t place = 1;
    for (unsigned d = 0; d < step.digit; ++d)
      place *= places[d] == TeamLayout::Thread ? original[d] : 1;
    int64_t radix = threads.radices[step.digit];
    if (place * radix > warp)
      break;
    OrderDigits one;
    one.radices = {place, radix};
    one.steps = {{1, step.kind}};
    value = warpSteps(value, one, warpLane(), warp);
    threads.pop();
  }
  if (threads.steps.empty())
    return value;
  // The others go through shared memory, one for each sum.
  Buffer buffer = allocate(value.getType(), threads.count());
  AffineExpr index = constant(0);
  int64_t from = 1, to = 1;
  Value isFirst;
  for (unsigned d = 0; d < original.size(); ++d) {
    if (places[d] != TeamLayout::Thread)
      continue;
    AffineExpr digit =
        e.space.simplify(team.threadNumber.floorDiv(from) % original[d]);
    if (threads.radices[d] > 1) {
      index = index + digit * to;
      to *= original[d];
    } else if (original[d] > 1) {
      Value zero = arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::eq,
                                         indexOf(digit), e.indexConstant(0));
      isFirst = isFirst
                    ? arith::AndIOp::create(b(), loc, isFirst, zero).getResult()
                    : zero;
    }
    from *= original[d];
  }
  if (failed(onlyIf(isFirst, [&] {
        store(buffer, index, value);
        return success();
      })))
    return failure();
  barrier();
  return finish(buffer, threads);
}

/// Shared memory for a row; nothing where there is not enough.
std::optional<TeamReduction::Buffer> TeamReduction::rowBuffer(int64_t count,
                                                              int64_t width) {
  Type type = elementType();
  Buffer buffer = layout(count, width);
  int64_t elements = buffer.count * team.count, bytes = 0;
  for (Value memory : team.rowMemory) {
    auto has = cast<MemRefType>(memory.getType());
    if (has.getElementType() == type && has.getNumElements() >= elements) {
      // The last reduction may still be read.
      barrier();
      buffer.memory = memory;
      return buffer;
    }
    bytes += has.getNumElements() * has.getElementTypeBitWidth() / 8;
  }
  if (bytes + elements * type.getIntOrFloatBitWidth() / 8 > kMaxStaged)
    return std::nullopt;
  buffer.memory = team.memory(e.scopes.front()->builder, type, elements);
  team.rowMemory.push_back(buffer.memory);
  return buffer;
}

/// The row to shared memory, and `padding` missing values beyond it.
LogicalResult TeamReduction::stage(const Buffer &buffer, int64_t width,
                                   int64_t count, int64_t padding) {
  Values vectors;
  if (failed(elements(count, width,
                      [&](Value vector) { vectors.push_back(vector); })))
    return failure();
  for (auto [share, vector] :
       llvm::zip_equal(e.shareOf(count / width), vectors))
    if (failed(onlyIf(share.isOwn, [&, share = share, vector = vector] {
          store(buffer, share.place * width, vector);
          return success();
        })))
      return failure();
  if (padding > 0)
    for (const KernelEmitter::Share &share : e.shareOf(padding))
      if (failed(onlyIf(share.isOwn, [&] {
            store(buffer, share.place + count, nothing());
            return success();
          })))
        return failure();
  barrier();
  return success();
}

/// The line of values that a sum of the next step is made of.
FailureOr<Value> TeamReduction::lineAt(const Buffer &buffer,
                                       const OrderDigits &rest,
                                       AffineExpr number) {
  num::SumStep step = rest.steps.front();
  int64_t radix = rest.radices[step.digit], stride = rest.stride(step.digit);
  AffineExpr first = e.space.simplify(
      e.space.simplify(number.floorDiv(stride)) * (stride * radix) +
      e.space.simplify(number % stride));
  if (radix <= kMaxLine)
    return sumLine(step.kind, loadLine(buffer, first, radix, stride));
  // Only sequential steps are that long.
  return inSequence(
      constant(radix), nothing(),
      [&](AffineExpr from, int64_t number) {
        return loadLine(buffer, first + from * stride, number, stride);
      },
      [&](Value x, Value y) { return add(x, y); });
}

FailureOr<Value> TeamReduction::finish(Buffer buffer, OrderDigits rest) {
  int64_t warp = std::min(team.size, kWarp);
  while (true) {
    if (rest.steps.empty())
      return load(buffer, constant(0));
    num::SumStep step = rest.steps.front();
    int64_t stride = rest.stride(step.digit);
    // Levels at a time, as many as leave every thread of a warp one sum.
    if (step.kind != StepKind::Sequential) {
      int64_t radix = rest.radices[step.digit];
      int64_t low = step.kind == StepKind::Halving ? radix / 2 : 2;
      int64_t others = rest.count() / radix;
      auto sums = [&] {
        return others * (step.kind == StepKind::Halving ? low : radix / low);
      };
      // At least a factor of 2; more while the sums outnumber the warp.
      while (sums() > warp &&
             (step.kind == StepKind::Halving ? radix / low : low) < 16 &&
             (step.kind == StepKind::Halving ? low > 1 : low < radix))
        low = step.kind == StepKind::Halving ? low / 2 : low * 2;
      if (low > 1 && low < radix)
        rest.splitAt(stride * low);
      step = rest.steps.front();
    }
    int64_t radix = rest.radices[step.digit];
    int64_t sums = rest.count() / radix;
    if (sums <= warp && radix <= kMaxLine) {
      AffineExpr number = warpLane();
      int64_t group = llvm::PowerOf2Ceil(sums);
      number = e.space.simplify(number % group);
      if (group != sums) {
        Value clamped = arith::MinUIOp::create(b(), loc, indexOf(number),
                                               e.indexConstant(sums - 1));
        number = variable(clamped, sums);
      }
      FailureOr<Value> value = lineAt(buffer, rest, number);
      if (failed(value))
        return failure();
      rest.pop();
      return warpSteps(*value, rest, number, group);
    }
    OrderDigits after = rest;
    after.pop();
    // Each thread of a warp will read eight neighbours next.
    bool readsVectors = !after.steps.empty() &&
                        after.stride(after.steps.front().digit) == 1 &&
                        after.radices[after.steps.front().digit] == 8;
    Buffer next = allocate(getElementTypeOrSelf(demand.value.getType()), sums,
                           readsVectors ? 8 : 1);
    if (failed(deal(next, sums,
                    [&](AffineExpr own) { return lineAt(buffer, rest, own); })))
      return failure();
    rest = std::move(after);
    buffer = next;
  }
}

/// The sum of values that the threads of a warp hold: the thread with `number`
/// n, among `group` neighbouring threads, holds value n. Each thread gets it.
Value TeamReduction::warpSteps(Value value, const OrderDigits &rest,
                               AffineExpr number, int64_t group) {
  for (const num::SumStep &step : rest.steps) {
    // Sums stay where all their values were: strides are those of the start.
    int64_t radix = rest.radices[step.digit], stride = rest.stride(step.digit);
    bool isHalving = step.kind == StepKind::Halving;
    if (step.kind != StepKind::Sequential && llvm::isPowerOf2_64(stride)) {
      // Both partners get their sum; addition is commutative.
      for (int64_t half = radix / 2, level = 1; half > 0;
           half /= 2, level *= 2) {
        int64_t offset = (isHalving ? half : level) * stride;
        value = add(value, exchangeXor(value, offset));
      }
      continue;
    }
    // Values of a line by their threads.
    AffineExpr line = e.space.simplify(
        number -
        e.space.simplify(e.space.simplify(number.floorDiv(stride)) % radix) *
            stride);
    AffineExpr base = e.space.simplify(
        team.laneNumber - e.space.simplify(team.laneNumber % group));
    Values values;
    for (int64_t k = 0; k < radix; ++k) {
      Value from = arith::IndexCastOp::create(
          b(), loc, b().getI32Type(), indexOf(base + line + k * stride));
      values.push_back(exchange(value, from, gpu::ShuffleMode::IDX));
    }
    value = sumLine(step.kind, values);
  }
  return value;
}

/// Deals `sums` sums over threads: each computes its own by number and writes
/// it to the buffer, which a barrier then makes visible.
LogicalResult
TeamReduction::deal(const Buffer &buffer, int64_t sums,
                    llvm::function_ref<FailureOr<Value>(AffineExpr own)> sum) {
  for (int64_t first = 0; first < sums; first += team.size) {
    AffineExpr number = e.space.simplify(team.threadNumber + first);
    Value isOwn;
    if (first + team.size > sums)
      isOwn = arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::ult,
                                    indexOf(number), e.indexConstant(sums));
    if (failed(onlyIf(isOwn, [&]() -> LogicalResult {
          // The number is below `sums` in here.
          AffineExpr own = variable(indexOf(number), sums);
          FailureOr<Value> total = sum(own);
          if (failed(total))
            return failure();
          store(buffer, own, *total);
          return success();
        })))
      return failure();
  }
  barrier();
  return success();
}

/// A step over the outermost digit first, whose sums are dealt over threads:
/// each reads its elements itself. For rows of any length.
FailureOr<Value> TeamReduction::dealt(int64_t sums) {
  const num::SumOrder &order = cast<SumOp>(expansion.op).getOrder().getOrder();
  Buffer buffer = allocate(nothing().getType(), sums);
  auto sumOf = [&](AffineExpr own) -> FailureOr<Value> {
    AffineExpr rounds =
        e.space.simplify((extent() - own + (sums - 1)).floorDiv(sums));
    FailureOr<Values> total = e.loop(
        rounds, nothing(), [&](AffineExpr i, SmallVectorImpl<Value> &values) {
          FailureOr<Value> next = e.evaluate(element(own + i * sums));
          if (failed(next))
            return failure();
          values.front() = add(values.front(), *next);
          return success();
        });
    if (failed(total))
      return failure();
    return total->front();
  };
  if (failed(deal(buffer, sums, sumOf)))
    return failure();
  OrderDigits rest;
  for (int64_t digit : order.digits)
    rest.radices.push_back(digit == num::SumOrder::kRest ? 1 : digit);
  for (const num::SumStep &step : ArrayRef(order.steps).drop_front())
    if (rest.radices[step.digit] > 1)
      rest.steps.push_back(step);
  return finish(buffer, rest);
}

/// ATen's rule for a contiguous row; see num::SumTree. The cascades of its
/// accumulators' lanes are dealt over threads.
FailureOr<Value> TeamReduction::atenRow(int64_t count) {
  const num::SumOrder &order = cast<SumOp>(expansion.op).getOrder().getOrder();
  int64_t lanes = order.digits[0], accumulators = order.digits[1];
  int64_t sums = lanes * accumulators, vectors = count / lanes;
  int64_t rounds = vectors / accumulators;
  int64_t width = vectorWidth(count);
  std::optional<Buffer> row;
  if (team.holds(count, width))
    row = rowBuffer(count, width);
  if (row && failed(stage(*row, width, count, /*padding=*/0)))
    return failure();
  auto valueAt = [&](AffineExpr index) -> FailureOr<Value> {
    return row ? load(*row, index) : e.evaluate(element(index));
  };
  Buffer parts = allocate(nothing().getType(), sums);
  auto cascadeOf = [&](AffineExpr own) {
    return emitCascade(
        e, demand, expansion, constant(rounds),
        [&](AffineExpr step) { return valueAt(step * sums + own); });
  };
  if (failed(deal(parts, sums, cascadeOf)))
    return failure();
  // A lane's accumulators; the vectors left over join the first.
  int64_t group = llvm::PowerOf2Ceil(lanes);
  Value place = indexOf(warpLane() % group);
  if (group != lanes)
    place = arith::MinUIOp::create(b(), loc, place, e.indexConstant(lanes - 1));
  AffineExpr own = variable(place, lanes);
  Value lane = load(parts, own);
  for (int64_t v = rounds * accumulators; v < vectors; ++v) {
    FailureOr<Value> value = valueAt(own + v * lanes);
    if (failed(value))
      return failure();
    lane = add(lane, *value);
  }
  for (int64_t a = 1; a < accumulators; ++a)
    lane = add(lane, load(parts, own + a * lanes));
  // The elements left over come first, then the lanes.
  Value total;
  for (int64_t i = vectors * lanes; i < count; ++i) {
    FailureOr<Value> value = valueAt(constant(i));
    if (failed(value))
      return failure();
    total = add(total, *value);
  }
  AffineExpr base = e.space.simplify(team.laneNumber -
                                     e.space.simplify(team.laneNumber % group));
  for (int64_t l = 0; l < lanes; ++l) {
    Value from = arith::IndexCastOp::create(b(), loc, b().getI32Type(),
                                            indexOf(base + l));
    total = add(total, exchange(lane, from, gpu::ShuffleMode::IDX));
  }
  return total;
}

FailureOr<Value> TeamReduction::sum() {
  const num::SumOrder &order = cast<SumOp>(expansion.op).getOrder().getOrder();
  std::optional<int64_t> count = known(extent());
  if (count) {
    if (std::optional<OrderDigits> rest = OrderDigits::get(order, *count)) {
      int64_t width = vectorWidth(*count);
      if (team.holds(*count, width)) {
        if (auto layout = TeamLayout::get(*rest, width, team.size))
          return inRegisters(*layout, *count, width);
        if (std::optional<Buffer> row = rowBuffer(rest->count(), width)) {
          if (failed(stage(*row, width, *count, rest->count() - *count)))
            return failure();
          return finish(*row, *rest);
        }
      }
    }
    if (order.ragged == num::Ragged::AtenCPU && *count >= order.digits[0] &&
        order.digits[0] <= std::min(team.size, kWarp))
      return atenRow(*count);
  }
  int64_t sums = 1;
  for (int64_t digit : order.digits)
    sums *= digit == num::SumOrder::kRest ? 1 : digit;
  if (order.ragged == num::Ragged::Skip && sums <= kMaxDealt && sums > 1 &&
      order.digits.back() == num::SumOrder::kRest &&
      order.steps.front() ==
          num::SumStep{static_cast<unsigned>(order.digits.size() - 1),
                       StepKind::Sequential})
    return dealt(sums);
  if (order.digits.size() == 1)
    return inOrder(nothing(), [&](Value x, Value y) { return add(x, y); });
  return byOneThread();
}
