// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all reductions by a team need, and those whose order does not matter.
#include "EmitTeam.h"
#include "TeamReduction.h"

#include "prec/Analysis/KernelRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace prec;

TeamReduction::TeamReduction(KernelEmitter &emitter, const Demand &demand,
                             const Expansion &expansion)
    : ReductionBase(emitter, demand, expansion), expansion(expansion),
      team(*emitter.team), combiner(findCombiner()) {}

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

/// `number` elements, `stride` apart; neighbours four at once where they begin
/// at a multiple of four.
TeamReduction::Values TeamReduction::loadLine(const Buffer &buffer,
                                              AffineExpr first, int64_t number,
                                              int64_t stride) {
  const bool inFours =
      stride == 1 && number % 4 == 0 && first.getLargestKnownDivisor() % 4 == 0;
  Values values;
  Value quad;
  for (int64_t k = 0; k < number; ++k) {
    if (inFours && k % 4 == 0)
      quad = loadFour(buffer, first + k);
    values.push_back(inFours ? lane(quad, k % 4)
                             : load(buffer, first + k * stride));
  }
  return values;
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
// Elements
//===----------------------------------------------------------------------===//

/// How many elements are reduced.
AffineExpr TeamReduction::extent() {
  if (auto sum = dyn_cast<SumOp>(expansion.op))
    return e.sizes.size(sum.getInput(), sum.getDimension());
  return loopExtents(cast<linalg::LinalgOp>(expansion.op),
                     e.sizes)[combiner->reducedLoop];
}

Demand TeamReduction::element(AffineExpr index) {
  auto sum = dyn_cast<SumOp>(expansion.op);
  Demand result{sum ? sum.getInput() : combiner->element,
                SmallVector<AffineExpr>(loops)};
  result.coords[sum ? sum.getDimension() : combiner->reducedLoop] =
      e.space.simplify(index);
  return result;
}

Type TeamReduction::elementType() {
  return getElementTypeOrSelf(combiner ? combiner->element.getType()
                                       : demand.value.getType());
}

/// What stands for an element that is missing: -0 for floats.
Value TeamReduction::nothing(int64_t width) {
  TypedAttr value = b().getZeroAttr(elementType());
  if (auto type = dyn_cast<FloatType>(elementType()))
    value = FloatAttr::get(
        type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  Value scalar = e.constant(value);
  return width > 1 ? e.toVector(b(), scalar, width) : scalar;
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

/// How a structured operation joins an element to its accumulator; nothing
/// where that is not one operation.
std::optional<TeamReduction::Combiner> TeamReduction::findCombiner() {
  auto op = dyn_cast<linalg::LinalgOp>(expansion.op);
  if (!op || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1)
    return std::nullopt;
  Block &body = *op.getBlock();
  Combiner result;
  result.reducedLoop = llvm::find(loops, AffineExpr()) - loops.begin();
  Value accumulator =
      body.getArgument(op.getDpsInitOperand(0)->getOperandNumber());
  Type narrow;
  result.join = body.getTerminator()->getOperand(0).getDefiningOp();
  // Of 16-bit numbers.
  if (auto round = dyn_cast_or_null<RoundOp>(result.join)) {
    narrow = accumulator.getType();
    if (!accumulator.hasOneUse() || !narrow.isFloat() ||
        narrow.getIntOrFloatBitWidth() != 16)
      return std::nullopt;
    result.widen = dyn_cast<arith::ExtFOp>(*accumulator.user_begin());
    if (!result.widen)
      return std::nullopt;
    result.round = round;
    result.join = round->getOperand(0).getDefiningOp();
    accumulator = result.widen->getResult(0);
  }
  if (!result.join || result.join->getBlock() != &body ||
      !isa_and_nonnull<arith::ArithDialect>(result.join->getDialect()) ||
      result.join->getNumOperands() != 2 || !accumulator.hasOneUse())
    return std::nullopt;
  Type type = result.join->getResult(0).getType();
  if (!type.isIntOrFloat() || (type.getIntOrFloatBitWidth() != 32 &&
                               type.getIntOrFloatBitWidth() != 64))
    return std::nullopt;
  if (!llvm::is_contained(result.join->getOperands(), accumulator))
    return std::nullopt;
  result.accumulator = result.join->getOperand(0) == accumulator ? 0 : 1;
  result.element = result.join->getOperand(1 - result.accumulator);
  if (result.element.getType() != type)
    return std::nullopt;
  // NaN is one value, and -0 is less than +0 in these.
  result.isAnyOrder =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp,
          arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp>(
          result.join);
  // What is chosen is one of the 16-bit numbers, and its rounding exact.
  if (narrow && result.isAnyOrder) {
    auto widen = result.element.getDefiningOp<arith::ExtFOp>();
    result.isAnyOrder = widen && widen.getIn().getType() == narrow;
  }
  return result;
}

/// A copy of an operation with one operand and result, for another operand.
static Value copyOn(OpBuilder &b, Operation *op, Value operand) {
  OperationState state(op->getLoc(), op->getName(), operand,
                       op->getResult(0).getType(), op->getAttrs());
  return b.create(state)->getResult(0);
}

/// What the accumulator starts from.
FailureOr<Value> TeamReduction::init() {
  auto op = cast<linalg::LinalgOp>(expansion.op);
  SmallVector<AffineExpr> at(loops);
  at[combiner->reducedLoop] = constant(0);
  return e.evaluate(
      operandAt(op, op.getDpsInitOperand(0)->getOperandNumber(), at, e.space));
}

/// One step, between numbers in the element's type; one of them may be missing.
Value TeamReduction::join(Value accumulator, Value element) {
  if (!accumulator || !element)
    return accumulator ? accumulator : element;
  Value operands[2] = {accumulator, element};
  if (combiner->accumulator == 1)
    std::swap(operands[0], operands[1]);
  OperationState state(loc, combiner->join->getName(), operands,
                       accumulator.getType(), combiner->join->getAttrs());
  return b().create(state)->getResult(0);
}

FailureOr<Value> TeamReduction::anyOrder() {
  FailureOr<Value> first = init();
  if (failed(first))
    return failure();
  if (combiner->widen)
    first = copyOn(b(), combiner->widen, *first);

  Value total;
  std::optional<int64_t> count = known(extent());
  int64_t width = count ? vectorWidth(*count) : 1;
  if (count && team.holds(*count, width)) {
    for (const KernelEmitter::Share &share : e.shareOf(*count / width)) {
      FailureOr<Value> value = elementsAt(share.place, width);
      if (failed(value))
        return failure();
      // A place of another thread's is there twice, which does not matter.
      total = join(total, *value);
    }
    if (width > 1) {
      Value vector = total;
      total = Value();
      for (int64_t i = 0; i < width; ++i)
        total = join(total, lane(vector, i));
    }
  } else {
    AffineExpr rounds =
        (extent() - team.threadNumber + (team.size - 1)).floorDiv(team.size);
    FailureOr<SmallVector<Value>> values =
        e.loop(rounds, *first, [&](AffineExpr i, SmallVectorImpl<Value> &v) {
          FailureOr<Value> value =
              e.evaluate(element(i * team.size + team.threadNumber));
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
  total = join(*first, total);
  return combiner->round ? copyOn(b(), combiner->round, total) : total;
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
    if (!combiner)
      return byOneThread();
    if (combiner->isAnyOrder)
      return anyOrder();
    FailureOr<Value> first = init();
    if (failed(first))
      return failure();
    return inOrder(*first, [&](Value accumulator, Value element) {
      if (combiner->widen)
        accumulator = copyOn(b(), combiner->widen, accumulator);
      Value next = join(accumulator, element);
      return combiner->round ? copyOn(b(), combiner->round, next) : next;
    });
  }
  FailureOr<Value> total = sum();
  if (failed(total))
    return failure();
  // The sum of nothing is +0; a sum that starts with +0 is never -0.
  Value none = e.constant(b().getZeroAttr(total->getType()));
  if (sumOp.getOrder().getOrder().fromZero)
    return add(none, *total);
  if (known(extent()))
    return *total;
  Value isEmpty =
      arith::CmpIOp::create(b(), loc, arith::CmpIPredicate::eq,
                            e.indexValue(extent()), e.indexConstant(0));
  return Value(arith::SelectOp::create(b(), loc, isEmpty, none, *total));
}

FailureOr<Value> prec::emitTeamReduction(KernelEmitter &emitter,
                                         const Demand &demand,
                                         const Expansion &expansion,
                                         SmallVectorImpl<Demand> &missing) {
  return TeamReduction(emitter, demand, expansion).run(missing);
}
