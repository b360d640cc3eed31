// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row's elements lie in its threads' registers: element i of the row is lane
// i % width of vector i / width, and thread t has the vectors t, t + size, ...
// An order's digits are places of that layout as well. A step of the order is
// carried out
//  - in registers, where its digit is one of lanes or of a thread's vectors;
//  - by exchange within a warp, where its digit is one of a warp's threads;
//  - else through shared memory: the values are written there in the order of
//    their remaining digits, and the sums of the step are dealt over threads.
//
// A missing element is -0, the identity of addition for every value.
#include "EmitTeam.h"

#include "EmitReduction.h"

#include "prec/Analysis/KernelRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace prec;
using num::StepKind;

/// Threads that exchange values without shared memory.
static constexpr int64_t kWarp = 32;
/// Elements of a row that a thread keeps in registers.
static constexpr int64_t kMaxElements = 64;
/// Values that a step sums without a loop.
static constexpr int64_t kMaxLine = 64;
/// Bytes of rows in shared memory; a block has 48 KiB without asking for more.
static constexpr int64_t kMaxStaged = 40 * 1024;
/// Sums that a step over the last digit of a row in memory may have.
static constexpr int64_t kMaxDealt = 1024;

namespace prec {

class TeamReduction : ReductionBase {
public:
  TeamReduction(KernelEmitter &emitter, const Demand &demand,
                const Expansion &expansion)
      : ReductionBase(emitter, demand, expansion), expansion(expansion),
        team(*emitter.team) {}

  FailureOr<Value> run(SmallVectorImpl<Demand> &missing);

private:
  using Values = SmallVector<Value>;
  using Steps = SmallVector<num::SumStep>;

  /// Values in shared memory, one after the other for each team.
  struct Buffer {
    Value memory;
    int64_t count = 0; ///< of a team
    /// Elements of the vectors that were written: their halves lie apart, so
    /// that neighbouring threads write to different banks.
    int64_t width = 1;
  };
  /// What is left of an order: digits, innermost first, and their steps.
  struct Rest {
    SmallVector<int64_t> radices;
    Steps steps;
    int64_t count() const {
      int64_t product = 1;
      for (int64_t radix : radices)
        product *= radix;
      return product;
    }
    int64_t stride(unsigned digit) const {
      int64_t product = 1;
      for (unsigned d = 0; d < digit; ++d)
        product *= radices[d];
      return product;
    }
    /// A step is done.
    void pop() {
      radices[steps.front().digit] = 1;
      steps.erase(steps.begin());
    }
  };

  OpBuilder &b() { return e.builder(); }
  Value indexOf(AffineExpr expr) {
    return e.indexValue(e.space.simplify(expr));
  }
  Value i32(int64_t value) { return e.constant(b().getI32IntegerAttr(value)); }
  /// The thread's number in its warp, or in its team if that is smaller.
  AffineExpr warpLane() {
    return team.size <= kWarp ? team.threadNumber
                              : e.space.simplify(team.threadNumber % kWarp);
  }
  /// A variable of the current scope for a computed index below `extent`.
  AffineExpr variable(Value value, int64_t extent) {
    return e.addVariable(value, extent);
  }

  // Shared memory.
  static Buffer layout(int64_t count, int64_t width);
  Buffer allocate(Type type, int64_t count, int64_t width = 1);
  AffineExpr position(const Buffer &buffer, AffineExpr index);
  Value load(const Buffer &buffer, AffineExpr index);
  Value loadFour(const Buffer &buffer, AffineExpr index);
  void store(const Buffer &buffer, AffineExpr index, Value value);
  void barrier() { gpu::BarrierOp::create(b(), loc); }
  LogicalResult onlyIf(Value condition, llvm::function_ref<LogicalResult()> f);

  // Exchange within a warp.
  Value exchange(Value value, Value lane, gpu::ShuffleMode mode);
  Value exchangeXor(Value value, int64_t offset);

  // Any reduction.
  FailureOr<Value> byOneThread();

  // Reductions whose order does not matter.
  Operation *combiner(Value &element);
  FailureOr<Value> anyOrder(Operation *combine, Value element);

  // Sums.
  Demand element(AffineExpr index);
  Value nothing(int64_t width = 1);
  Value add(Value x, Value y);
  Value sumLine(StepKind kind, Values values);
  std::optional<Rest> resolve(int64_t count);
  int64_t vectorWidth(int64_t count);
  FailureOr<Values> elements(int64_t count, int64_t width);
  FailureOr<Value> sum();
  FailureOr<Value> inRegisters(const Rest &rest, ArrayRef<Value> vectors,
                               int64_t width);
  FailureOr<Value> dealt(int64_t sums);
  FailureOr<Value> atenRow(int64_t count);
  std::optional<Buffer> rowBuffer(int64_t count, int64_t width);
  /// The row to shared memory, and `padding` missing values beyond it.
  LogicalResult stage(const Buffer &buffer, ArrayRef<Value> vectors,
                      int64_t width, int64_t count, int64_t padding);
  /// The sum of values in shared memory that a barrier has made visible.
  FailureOr<Value> finish(Buffer buffer, Rest rest);
  FailureOr<Value> lineAt(const Buffer &buffer, const Rest &rest,
                          AffineExpr sumNumber);
  Value warpSteps(Value value, Rest rest, AffineExpr number, int64_t group);

  const Expansion &expansion;
  KernelEmitter::Team &team;
};

} // namespace prec

//===----------------------------------------------------------------------===//
// Shared memory and exchange
//===----------------------------------------------------------------------===//

/// Distance between the two halves of vectors of 8: a multiple of 32 words and
/// a half, so that a read along both meets each bank once.
static int64_t halfStride(int64_t count) {
  return llvm::alignTo(count / 2, kWarp) + kWarp / 2;
}

TeamReduction::Buffer TeamReduction::layout(int64_t count, int64_t width) {
  Buffer buffer;
  buffer.width = width;
  buffer.count = width == 8 ? 2 * halfStride(count) : llvm::alignTo(count, 4);
  return buffer;
}

TeamReduction::Buffer TeamReduction::allocate(Type type, int64_t count,
                                              int64_t width) {
  Buffer buffer = layout(count, width);
  buffer.memory =
      team.memory(e.scopes.front()->builder, type, buffer.count * team.count);
  return buffer;
}

AffineExpr TeamReduction::position(const Buffer &buffer, AffineExpr index) {
  if (buffer.width == 8) {
    AffineExpr half = e.space.simplify(index.floorDiv(4) % 2);
    AffineExpr vector = e.space.simplify(index.floorDiv(8));
    index =
        half * (buffer.count / 2) + vector * 4 + e.space.simplify(index % 4);
  }
  if (team.count > 1)
    index = index + team.number * buffer.count;
  return e.space.simplify(index);
}

Value TeamReduction::load(const Buffer &buffer, AffineExpr index) {
  return memref::LoadOp::create(b(), loc, buffer.memory,
                                ValueRange(indexOf(position(buffer, index))));
}

/// Four neighbours from a multiple of four on.
Value TeamReduction::loadFour(const Buffer &buffer, AffineExpr index) {
  Type type = cast<MemRefType>(buffer.memory.getType()).getElementType();
  auto op =
      vector::LoadOp::create(b(), loc, VectorType::get(4, type), buffer.memory,
                             ValueRange(indexOf(position(buffer, index))));
  op.setAlignment(4 * type.getIntOrFloatBitWidth() / 8);
  return op.getResult();
}

/// Stores an element, or a vector of neighbouring ones from `index` on.
void TeamReduction::store(const Buffer &buffer, AffineExpr index, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    memref::StoreOp::create(b(), loc, value, buffer.memory,
                            ValueRange(indexOf(position(buffer, index))));
    return;
  }
  int64_t width = type.getNumElements();
  int64_t piece = std::min<int64_t>(width, 4);
  for (int64_t first = 0; first < width; first += piece) {
    Value part = value;
    if (piece < width)
      part = vector::ExtractStridedSliceOp::create(b(), loc, value, first,
                                                   piece, 1);
    auto op = vector::StoreOp::create(
        b(), loc, part, buffer.memory,
        ValueRange(indexOf(position(buffer, index + first))));
    op.setAlignment(piece * type.getElementTypeBitWidth() / 8);
  }
}

LogicalResult TeamReduction::onlyIf(Value condition,
                                    llvm::function_ref<LogicalResult()> body) {
  if (!condition)
    return body();
  return e.guarded(condition, body);
}

Value TeamReduction::exchange(Value value, Value lane, gpu::ShuffleMode mode) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return gpu::ShuffleOp::create(b(), loc, value, lane, i32(kWarp), mode)
        .getShuffleResult();
  // Two halves.
  Type i64 = b().getI64Type(), i32Type = b().getI32Type();
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(b(), loc, i64, value);
  Value shift = e.constant(b().getI64IntegerAttr(32));
  Value result;
  for (bool high : {false, true}) {
    Value half = value;
    if (high)
      half = arith::ShRUIOp::create(b(), loc, value, shift);
    half = arith::TruncIOp::create(b(), loc, i32Type, half);
    half = gpu::ShuffleOp::create(b(), loc, half, lane, i32(kWarp), mode)
               .getShuffleResult();
    half = arith::ExtUIOp::create(b(), loc, i64, half);
    if (!high) {
      result = half;
      continue;
    }
    half = arith::ShLIOp::create(b(), loc, half, shift);
    result = arith::OrIOp::create(b(), loc, result, half);
  }
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(b(), loc, type, result).getResult()
             : result;
}

Value TeamReduction::exchangeXor(Value value, int64_t offset) {
  return exchange(value, i32(offset), gpu::ShuffleMode::XOR);
}

//===----------------------------------------------------------------------===//
// Any reduction
//===----------------------------------------------------------------------===//

/// One thread reduces the row; the others get the result from shared memory.
FailureOr<Value> TeamReduction::byOneThread() {
  Type type = getElementTypeOrSelf(demand.value.getType());
  Buffer result = allocate(type, 1);
  Value isFirst = arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::eq,
                                        team.thread, e.indexConstant(0));
  auto op = scf::IfOp::create(b(), loc, isFirst, /*withElseRegion=*/false);
  b().setInsertionPoint(op);
  {
    // Nothing leaves this scope: the other threads are not there.
    KernelEmitter::ScopeGuard guard(e, op.getThenBodyBuilder(),
                                    /*isChoice=*/true);
    std::optional<KernelEmitter::Team> together = std::move(e.team);
    e.team.reset();
    SmallVector<Demand> missing;
    FailureOr<Value> value = failure();
    while (true) {
      missing.clear();
      value = isa<SumOp>(expansion.op)
                  ? emitSum(e, demand, expansion, missing)
                  : emitReduction(e, demand, expansion, missing);
      if (failed(value) || missing.empty())
        break;
      for (const Demand &next : missing)
        if (failed(e.evaluate(next)))
          return failure();
    }
    e.team = std::move(together);
    if (failed(value))
      return failure();
    store(result, constant(0), *value);
  }
  b().setInsertionPointAfter(op);
  barrier();
  return load(result, constant(0));
}

//===----------------------------------------------------------------------===//
// Reductions whose order does not matter
//===----------------------------------------------------------------------===//

/// The operation that joins an element to the accumulator, if its order and
/// repetitions do not matter; `element` is what it joins.
Operation *TeamReduction::combiner(Value &element) {
  auto op = dyn_cast<linalg::LinalgOp>(expansion.op);
  if (!op || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1)
    return nullptr;
  Block &body = *op.getBlock();
  Value accumulator =
      body.getArgument(op.getDpsInitOperand(0)->getOperandNumber());
  Operation *combine = body.getTerminator()->getOperand(0).getDefiningOp();
  // NaN is one value, and -0 is less than +0 in these.
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp,
                       arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
                       arith::AndIOp, arith::OrIOp>(combine) ||
      combine->getBlock() != &body || !accumulator.hasOneUse())
    return nullptr;
  unsigned bits = combine->getResult(0).getType().isIntOrFloat()
                      ? combine->getResult(0).getType().getIntOrFloatBitWidth()
                      : 0;
  if (bits != 32 && bits != 64)
    return nullptr;
  for (unsigned i : {0, 1})
    if (combine->getOperand(i) == accumulator) {
      element = combine->getOperand(1 - i);
      return combine;
    }
  return nullptr;
}

FailureOr<Value> TeamReduction::anyOrder(Operation *combine, Value element) {
  auto op = cast<linalg::LinalgOp>(expansion.op);
  unsigned reduced = llvm::find(loops, AffineExpr()) - loops.begin();
  std::optional<int64_t> count = known(loopExtents(op, e.sizes)[reduced]);
  SmallVector<AffineExpr> at(loops);
  auto join = [&](Value x, Value y) -> Value {
    if (!x || !y)
      return x ? x : y;
    OperationState state(loc, combine->getName(), {x, y}, x.getType(),
                         combine->getAttrs());
    return b().create(state)->getResult(0);
  };
  at[reduced] = constant(0);
  FailureOr<Value> init = e.evaluate(
      operandAt(op, op.getDpsInitOperand(0)->getOperandNumber(), at, e.space));
  if (failed(init))
    return failure();

  Value total;
  int64_t width = count && *count % team.width == 0 ? team.width : 1;
  if (width > 1) {
    AffineExpr lane = e.teamLane(width);
    at[reduced] = e.space.addVariable(std::nullopt) * width + lane;
    Demand probe{element, at};
    if (!e.isVectorizable(probe, lane, width))
      width = 1;
  }
  if (count &&
      llvm::divideCeil(*count / width, team.size) * width <= kMaxElements) {
    for (const KernelEmitter::Share &share : e.shareOf(*count / width)) {
      at[reduced] = share.place;
      if (width > 1)
        at[reduced] = share.place * width + e.teamLane(width);
      FailureOr<Value> value = e.evaluate({element, at});
      if (failed(value))
        return failure();
      // A place of another thread's is there twice, which does not matter.
      total = join(total, width > 1 ? e.toVector(b(), *value, width) : *value);
    }
    if (width > 1) {
      Value vector = total;
      total = Value();
      for (int64_t i = 0; i < width; ++i)
        total = join(total, lane(vector, i));
    }
  } else {
    AffineExpr extent = loopExtents(op, e.sizes)[reduced];
    AffineExpr rounds =
        (extent - team.threadNumber + (team.size - 1)).floorDiv(team.size);
    FailureOr<SmallVector<Value>> values =
        e.loop(rounds, *init, [&](AffineExpr i, SmallVectorImpl<Value> &v) {
          at[reduced] = e.space.simplify(i * team.size + team.threadNumber);
          FailureOr<Value> value = e.evaluate({element, at});
          if (failed(value))
            return failure();
          v.front() = join(v.front(), *value);
          return success();
        });
    if (failed(values))
      return failure();
    total = values->front();
  }
  for (int64_t offset = std::min(team.size, kWarp) / 2; offset > 0; offset /= 2)
    total = join(total, exchangeXor(total, offset));
  if (team.size > kWarp) {
    int64_t warps = team.size / kWarp;
    Buffer buffer = allocate(total.getType(), warps);
    AffineExpr number = team.threadNumber.floorDiv(kWarp);
    Value isFirst =
        arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::eq,
                              indexOf(warpLane()), e.indexConstant(0));
    Value mine = total;
    if (failed(onlyIf(isFirst, [&] {
          store(buffer, number, mine);
          return success();
        })))
      return failure();
    barrier();
    int64_t padded = llvm::PowerOf2Ceil(warps);
    Value place = indexOf(warpLane() % padded);
    if (padded != warps)
      place =
          arith::MinUIOp::create(b(), loc, place, e.indexConstant(warps - 1));
    total = memref::LoadOp::create(b(), loc, buffer.memory, ValueRange(place));
    for (int64_t offset = padded / 2; offset > 0; offset /= 2)
      total = join(total, exchangeXor(total, offset));
  }
  return join(*init, total);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Demand TeamReduction::element(AffineExpr index) {
  auto op = cast<SumOp>(expansion.op);
  Demand result{op.getInput(), SmallVector<AffineExpr>(loops)};
  result.coords[op.getDimension()] = e.space.simplify(index);
  return result;
}

Value TeamReduction::nothing(int64_t width) {
  auto type = cast<FloatType>(getElementTypeOrSelf(demand.value.getType()));
  Value scalar = e.constant(FloatAttr::get(
      type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true)));
  return width > 1 ? e.toVector(b(), scalar, width) : scalar;
}

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

/// The order of a row of `count` elements; nothing where it is not one of
/// plain steps over digits.
std::optional<TeamReduction::Rest> TeamReduction::resolve(int64_t count) {
  const num::SumOrder &order = cast<SumOp>(expansion.op).getOrder().getOrder();
  if (order.ragged != num::Ragged::Skip)
    return std::nullopt;
  int64_t product = 1;
  for (int64_t digit : order.digits)
    if (digit != num::SumOrder::kRest)
      product *= digit;
  Rest rest;
  for (int64_t digit : order.digits)
    rest.radices.push_back(digit == num::SumOrder::kRest
                               ? llvm::divideCeil(count, product)
                               : digit);
  for (const num::SumStep &step : order.steps) {
    if (step.kind == StepKind::Cascade)
      return std::nullopt;
    if (rest.radices[step.digit] > 1)
      rest.steps.push_back(step);
  }
  return rest;
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

/// The thread's elements, vector by vector; others' are missing.
FailureOr<TeamReduction::Values> TeamReduction::elements(int64_t count,
                                                         int64_t width) {
  Values values;
  for (const KernelEmitter::Share &share : e.shareOf(count / width)) {
    AffineExpr index = share.place;
    if (width > 1)
      index = index * width + e.teamLane(width);
    FailureOr<Value> value = e.evaluate(element(index));
    if (failed(value))
      return failure();
    Value vector = width > 1 ? e.toVector(b(), *value, width) : *value;
    if (share.isOwn)
      vector = arith::SelectOp::create(b(), loc, share.isOwn, vector,
                                       nothing(width));
    values.push_back(vector);
  }
  return values;
}

/// Splits the digits whose steps go level by level at a boundary of the layout.
static void splitAt(int64_t boundary, SmallVectorImpl<int64_t> &radices,
                    SmallVectorImpl<num::SumStep> &steps) {
  int64_t stride = 1;
  for (unsigned d = 0; d < radices.size(); stride *= radices[d++]) {
    int64_t radix = radices[d];
    if (boundary <= stride || boundary >= stride * radix)
      continue;
    auto step = llvm::find_if(
        steps, [&](const num::SumStep &s) { return s.digit == d; });
    int64_t low = boundary / stride;
    if (step == steps.end() || step->kind == StepKind::Sequential ||
        boundary % stride != 0 || radix % low != 0)
      return;
    StepKind kind = step->kind;
    unsigned place = step - steps.begin();
    for (num::SumStep &other : steps)
      other.digit += other.digit > d;
    radices[d] = radix / low;
    radices.insert(radices.begin() + d, low);
    steps[place].digit = kind == StepKind::Halving ? d + 1 : d;
    steps.insert(steps.begin() + place + 1,
                 {kind == StepKind::Halving ? d : d + 1, kind});
    return;
  }
}

/// The row's sum from each thread's elements, as far as registers and exchange
/// go; a null value, having emitted nothing, where the digits do not fit them.
FailureOr<Value> TeamReduction::inRegisters(const Rest &whole,
                                            ArrayRef<Value> vectors,
                                            int64_t width) {
  Rest rest = whole;
  splitAt(width, rest.radices, rest.steps);
  splitAt(width * team.size, rest.radices, rest.steps);
  splitAt(width * kWarp, rest.radices, rest.steps);
  // Where each digit lies.
  enum Place { Lane, Thread, Vector };
  SmallVector<Place> places;
  int64_t stride = 1, numVectors = 1;
  for (int64_t radix : rest.radices) {
    int64_t end = stride * radix;
    if (radix == 1 || (end <= width && width % end == 0))
      places.push_back(Lane);
    else if (stride % width == 0 && (width * team.size) % end == 0)
      places.push_back(Thread);
    else if (stride % (width * team.size) == 0) {
      places.push_back(Vector);
      numVectors *= radix;
    } else {
      return Value();
    }
    stride = end;
  }
  SmallVector<int64_t> original(rest.radices);
  int64_t numThreads = 1;
  for (auto [radix, place] : llvm::zip_equal(original, places))
    numThreads *= place == Thread ? radix : 1;
  if (numThreads != team.size)
    return Value();
  // All lanes and vectors must be summed when threads meet.
  size_t local = 0;
  while (local < rest.steps.size() && places[rest.steps[local].digit] != Thread)
    ++local;
  Rest probe = rest;
  for (size_t i = 0; i < local; ++i)
    probe.pop();
  bool lanesLeft = false, vectorsLeft = false;
  for (auto [radix, place] : llvm::zip_equal(probe.radices, places)) {
    lanesLeft |= radix > 1 && place == Lane;
    vectorsLeft |= radix > 1 && place == Vector;
  }
  if (lanesLeft || vectorsLeft)
    return Value();

  // Slots: lanes innermost once they are apart, then vectors.
  Values slots(vectors);
  slots.resize(numVectors);
  bool apart = width == 1;
  auto slotStride = [&](unsigned digit) {
    int64_t product = 1;
    for (unsigned d = 0; d < digit; ++d)
      if (places[d] == Vector || (places[d] == Lane && apart))
        product *= rest.radices[d];
    return product;
  };
  for (size_t i = 0; i < local; ++i) {
    num::SumStep step = rest.steps.front();
    if (places[step.digit] == Lane && !apart) {
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
  Rest threads;
  threads.steps = rest.steps;
  for (auto [radix, place] : llvm::zip_equal(rest.radices, places))
    threads.radices.push_back(place == Thread ? radix : 1);
  // Steps within a warp that come before those across warps.
  int64_t warp = std::min(team.size, kWarp);
  while (!threads.steps.empty()) {
    num::SumStep step = threads.steps.front();
    int64_t place = 1;
    for (unsigned d = 0; d < step.digit; ++d)
      place *= places[d] == Thread ? original[d] : 1;
    int64_t radix = threads.radices[step.digit];
    if (place * radix > warp)
      break;
    Rest one;
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
    if (places[d] != Thread)
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
  Type type = getElementTypeOrSelf(demand.value.getType());
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

LogicalResult TeamReduction::stage(const Buffer &buffer,
                                   ArrayRef<Value> vectors, int64_t width,
                                   int64_t count, int64_t padding) {
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
FailureOr<Value> TeamReduction::lineAt(const Buffer &buffer, const Rest &rest,
                                       AffineExpr number) {
  num::SumStep step = rest.steps.front();
  int64_t radix = rest.radices[step.digit], stride = rest.stride(step.digit);
  AffineExpr first = e.space.simplify(
      e.space.simplify(number.floorDiv(stride)) * (stride * radix) +
      e.space.simplify(number % stride));
  auto valueAt = [&](AffineExpr k) { return load(buffer, first + k * stride); };
  Value quad;
  if (radix <= kMaxLine) {
    Values values;
    for (int64_t k = 0; k < radix; ++k) {
      if (stride != 1 || radix % 4 != 0) {
        values.push_back(valueAt(constant(k)));
        continue;
      }
      // Neighbours, four at once.
      if (k % 4 == 0)
        quad = loadFour(buffer, first + k);
      values.push_back(lane(quad, k % 4));
    }
    return sumLine(step.kind, values);
  }
  // Only sequential steps are that long.
  constexpr int64_t chunk = 16;
  FailureOr<Values> total =
      e.loop(constant(radix / chunk), nothing(),
             [&](AffineExpr i, SmallVectorImpl<Value> &values) {
               Values next;
               for (int64_t k = 0; k < chunk; ++k)
                 next.push_back(valueAt(i * chunk + k));
               for (Value value : next)
                 values.front() = add(values.front(), value);
               return success();
             });
  if (failed(total))
    return failure();
  Value sum = total->front();
  for (int64_t k = radix / chunk * chunk; k < radix; ++k)
    sum = add(sum, valueAt(constant(k)));
  return sum;
}

FailureOr<Value> TeamReduction::finish(Buffer buffer, Rest rest) {
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
        splitAt(stride * low, rest.radices, rest.steps);
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
    Rest after = rest;
    after.pop();
    // Each thread of a warp will read eight neighbours next.
    bool readsVectors = !after.steps.empty() &&
                        after.stride(after.steps.front().digit) == 1 &&
                        after.radices[after.steps.front().digit] == 8;
    Buffer next = allocate(getElementTypeOrSelf(demand.value.getType()), sums,
                           readsVectors ? 8 : 1);
    for (int64_t first = 0; first < sums; first += team.size) {
      AffineExpr number = team.threadNumber + first;
      Value isOwn;
      if (first + team.size > sums)
        isOwn = arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::ult,
                                      indexOf(number), e.indexConstant(sums));
      if (failed(onlyIf(isOwn, [&]() -> LogicalResult {
            // The number is below `sums` in here.
            AffineExpr own = variable(indexOf(number), sums);
            FailureOr<Value> value = lineAt(buffer, rest, own);
            if (failed(value))
              return failure();
            store(next, own, *value);
            return success();
          })))
        return failure();
    }
    barrier();
    rest = std::move(after);
    buffer = next;
  }
}

/// The sum of values that the threads of a warp hold: the thread with `number`
/// n, among `group` neighbouring threads, holds value n. Each thread gets it.
Value TeamReduction::warpSteps(Value value, Rest rest, AffineExpr number,
                               int64_t group) {
  for (; !rest.steps.empty(); rest.pop()) {
    num::SumStep step = rest.steps.front();
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

/// A step over the outermost digit first, whose sums are dealt over threads:
/// each reads its elements itself. For rows of any length.
FailureOr<Value> TeamReduction::dealt(int64_t sums) {
  auto op = cast<SumOp>(expansion.op);
  const num::SumOrder &order = op.getOrder().getOrder();
  AffineExpr extent = e.sizes.size(op.getInput(), op.getDimension());
  Buffer buffer = allocate(nothing().getType(), sums);
  for (int64_t first = 0; first < sums; first += team.size) {
    AffineExpr number = e.space.simplify(team.threadNumber + first);
    Value isOwn;
    if (first + team.size > sums)
      isOwn = arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::ult,
                                    indexOf(number), e.indexConstant(sums));
    if (failed(onlyIf(isOwn, [&]() -> LogicalResult {
          AffineExpr own = variable(indexOf(number), sums);
          AffineExpr rounds =
              e.space.simplify((extent - own + (sums - 1)).floorDiv(sums));
          FailureOr<Values> total =
              e.loop(rounds, nothing(),
                     [&](AffineExpr i, SmallVectorImpl<Value> &values) {
                       FailureOr<Value> next =
                           e.evaluate(element(own + i * sums));
                       if (failed(next))
                         return failure();
                       values.front() = add(values.front(), *next);
                       return success();
                     });
          if (failed(total))
            return failure();
          store(buffer, own, total->front());
          return success();
        })))
      return failure();
  }
  barrier();
  Rest rest;
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
  int64_t each = llvm::divideCeil(count / width, team.size) * width;
  std::optional<Buffer> row;
  if (each <= kMaxElements)
    row = rowBuffer(count, width);
  if (row) {
    FailureOr<Values> values = elements(count, width);
    if (failed(values) ||
        failed(stage(*row, *values, width, count, /*padding=*/0)))
      return failure();
  }
  auto valueAt = [&](AffineExpr index) -> FailureOr<Value> {
    return row ? load(*row, index) : e.evaluate(element(index));
  };
  Buffer parts = allocate(nothing().getType(), sums);
  for (int64_t first = 0; first < sums; first += team.size) {
    AffineExpr number = e.space.simplify(team.threadNumber + first);
    Value isOwn;
    if (first + team.size > sums)
      isOwn = arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::ult,
                                    indexOf(number), e.indexConstant(sums));
    if (failed(onlyIf(isOwn, [&]() -> LogicalResult {
          AffineExpr own = variable(indexOf(number), sums);
          FailureOr<Value> part = emitCascade(
              e, demand, expansion, constant(rounds),
              [&](AffineExpr step) { return valueAt(step * sums + own); });
          if (failed(part))
            return failure();
          store(parts, own, *part);
          return success();
        })))
      return failure();
  }
  barrier();
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
  auto op = cast<SumOp>(expansion.op);
  const num::SumOrder &order = op.getOrder().getOrder();
  std::optional<int64_t> count =
      known(e.sizes.size(op.getInput(), op.getDimension()));
  if (count) {
    if (std::optional<Rest> rest = resolve(*count)) {
      int64_t width = vectorWidth(*count);
      int64_t each = llvm::divideCeil(*count / width, team.size) * width;
      if (each <= kMaxElements) {
        FailureOr<Values> vectors = elements(*count, width);
        if (failed(vectors))
          return failure();
        FailureOr<Value> total = inRegisters(*rest, *vectors, width);
        if (failed(total) || *total)
          return total;
        if (std::optional<Buffer> row = rowBuffer(rest->count(), width)) {
          if (failed(
                  stage(*row, *vectors, width, *count, rest->count() - *count)))
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
  return byOneThread();
}

FailureOr<Value> TeamReduction::run(SmallVectorImpl<Demand> &missing) {
  // Reductions that this one's elements need come first: threads meet in them.
  SmallVector<Demand> operands;
  SmallVector<AffineExpr> at(loops);
  for (AffineExpr &loop : at)
    if (!loop)
      loop = e.space.addVariable(std::nullopt);
  auto sumOp = dyn_cast<SumOp>(expansion.op);
  if (sumOp) {
    operands.push_back({sumOp.getInput(), at});
  } else {
    auto op = cast<linalg::LinalgOp>(expansion.op);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      operands.push_back(operandAt(op, i, at, e.space));
  }
  for (const Demand &operand : operands)
    for (const Demand &inner : longReductions(operand, e.space, e.sizes))
      if (e.isSameInTeam(inner.coords))
        e.need(inner, missing);
  if (!missing.empty())
    return Value();

  KernelEmitter::CurrentScope scope(e, e.scopes.front().get());
  if (!sumOp) {
    Value element;
    if (Operation *combine = combiner(element))
      return anyOrder(combine, element);
    return byOneThread();
  }
  FailureOr<Value> total = sum();
  if (failed(total))
    return failure();
  // The sum of nothing is +0; a sum that starts with +0 is never -0.
  Value none = e.constant(b().getZeroAttr(total->getType()));
  if (sumOp.getOrder().getOrder().fromZero)
    return add(none, *total);
  AffineExpr extent = e.sizes.size(sumOp.getInput(), sumOp.getDimension());
  if (known(extent))
    return *total;
  Value isEmpty =
      arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::eq,
                            e.indexValue(extent), e.indexConstant(0));
  return Value(arith::SelectOp::create(b(), loc, isEmpty, none, *total));
}

FailureOr<Value> prec::emitTeamReduction(KernelEmitter &emitter,
                                         const Demand &demand,
                                         const Expansion &expansion,
                                         SmallVectorImpl<Demand> &missing) {
  return TeamReduction(emitter, demand, expansion).run(missing);
}
