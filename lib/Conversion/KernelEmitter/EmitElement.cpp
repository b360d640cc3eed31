// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are not reductions.
#include "EmitReduction.h"
#include "EmitTeam.h"
#include "KernelEmitter.h"

#include "prec/Analysis/KernelAccess.h"
#include "prec/Analysis/KernelRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace prec;

FailureOr<Value> KernelEmitter::emit(const Demand &demand, Missing &missing) {
  FailureOr<Expansion> expansion = expandElement(demand, space, sizes);
  if (failed(expansion))
    return failure();
  switch (expansion->kind) {
  case Expansion::Leaf:
    return emitLeaf(demand, missing);
  case Expansion::Index:
    return emitIndex(demand, expansion->index);
  case Expansion::Alias:
    return need(expansion->demands.front(), missing);
  case Expansion::Select:
    return emitSelect(demand, expansion->pieces, missing);
  case Expansion::Elementwise:
    return emitElementwise(demand, expansion->op, expansion->demands, missing);
  case Expansion::Extract:
    return emitExtract(demand, expansion->op, expansion->demands, missing);
  case Expansion::Reduce:
  case Expansion::Sum:
    if (team && isLongReduction(expansion->op) && isSameInTeam(demand.coords))
      return emitTeamReduction(*this, demand, *expansion, missing);
    if (expansion->kind == Expansion::Sum)
      return emitSum(*this, demand, *expansion, missing);
    return emitReduction(*this, demand, *expansion, missing);
  }
  llvm_unreachable("unknown expansion");
}

FailureOr<Value> KernelEmitter::emitLeaf(const Demand &demand,
                                         Missing &missing) {
  if (isa<BlockArgument>(demand.value)) {
    Value bound = arguments.lookup(demand.value);
    if (!isa<RankedTensorType>(demand.value.getType()))
      return bound;
    return emitLoad(demand, bound, missing);
  }
  Operation *op = demand.value.getDefiningOp();
  Type elementType = getElementTypeOrSelf(demand.value.getType());
  // What tensor.empty holds is not specified.
  if (isa<tensor::EmptyOp>(op))
    return constant(
        cast<TypedAttr>(Builder(op->getContext()).getZeroAttr(elementType)));
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return op->emitOpError("is unsupported in a kernel");
  if (!isa<RankedTensorType>(demand.value.getType()))
    return constant(cast<TypedAttr>(value));
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements)
    return op->emitOpError("is unsupported in a kernel");
  if (elements.isSplat())
    return constant(cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  Value memory = lookup({demand.value, {}});
  if (!memory) {
    memory = constantMemory(scopes.front()->builder, elements);
    scopes.front()->elements[{demand.value, intern({})}] = memory;
  }
  return emitLoad(demand, memory, missing);
}

FailureOr<Value> KernelEmitter::emitLoad(const Demand &demand, Value memory,
                                         Missing &missing) {
  AffineExpr position =
      space.linearize(demand.coords, sizes.sizes(demand.value));
  AffineExpr lane = laneOf(position);
  OpBuilder &b = homeOf(demand.coords)->builder;
  Location loc = kernel.getLoc();
  std::optional<int64_t> stride = lane ? space.laneStride(position, lane) : 0;
  if (!stride) {
    if (auto paired =
            pairedRead(position, lane, sizes.sizes(demand.value), space))
      return emitPaired(demand, memory, lane, *paired);
    return emitLanes(demand, lane, missing);
  }
  if (stride == 0) {
    auto load = memref::LoadOp::create(b, loc, memory,
                                       ValueRange(loadPlace(b, position)),
                                       streamed.contains(memory));
    if (isShared(position))
      columns->shared.insert(load);
    // So that neighbours are loaded together, and none behind the last.
    auto type = cast<RankedTensorType>(demand.value.getType());
    int64_t elements = 1;
    for (int64_t size : type.getShape())
      elements *= ShapedType::isDynamic(size) ? 1 : size;
    if (int64_t bytes = alignmentAt(position, type.getElementType(), elements))
      load.setAlignment(bytes);
    return load.getResult();
  }
  return emitRun(b, memory, space.atLane(position, lane, 0), widthOf(lane));
}

/// What a cache loads at once.
static constexpr int64_t kLineBytes = 64;

/// `width` neighbours in memory.
Value KernelEmitter::emitRun(OpBuilder &b, Value memory, AffineExpr start,
                             int64_t width) {
  Type elementType = cast<MemRefType>(memory.getType()).getElementType();
  auto load = vector::LoadOp::create(
      b, kernel.getLoc(), VectorType::get(width, elementType), memory,
      ValueRange(loadPlace(b, start)), streamed.contains(memory));
  if (isShared(start))
    columns->shared.insert(load);
  if (int64_t bytes = alignmentAt(start, elementType, width))
    load.setAlignment(bytes);
  int64_t line = 8 * kLineBytes / elementType.getIntOrFloatBitWidth();
  for (int64_t i = 0; i < width; i += line)
    prefetchNext(b, memory, space.simplify(start + i));
  return load;
}

/// Every second element of a run that is loaded once for both.
Value KernelEmitter::emitPaired(const Demand &demand, Value memory,
                                AffineExpr lane, const PairedRead &paired) {
  Scope *home = homeOf(demand.coords);
  int64_t width = widthOf(lane);
  Value &run = home->runs[{memory, paired.start}];
  if (!run || cast<VectorType>(run.getType()).getNumElements() != 2 * width)
    run = emitRun(home->builder, memory, paired.start, 2 * width);
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < width; ++i)
    places.push_back(2 * i + paired.isSecond);
  return vector::ShuffleOp::create(home->builder, kernel.getLoc(), run, run,
                                   places);
}

bool KernelEmitter::isShared(AffineExpr position) {
  return columns && !position.isFunctionOfDim(
                        cast<AffineDimExpr>(columns->column).getPosition());
}

Value KernelEmitter::loadPlace(OpBuilder &b, AffineExpr position) {
  Value place = indexValue(position);
  if (!isShared(position) || columns->rounds == 0)
    return place;
  Location loc = kernel.getLoc();
  Value zero = arith::MulIOp::create(b, loc, columns->zero,
                                     indexConstant(columns->rounds));
  return arith::AddIOp::create(b, loc, place, zero);
}

void KernelEmitter::prefetchAcross(AffineExpr variable) {
  for (Value memory : llvm::make_first_range(prefetched))
    prefetchedBefore.insert(memory);
  prefetched.clear();
  prefetchVariable = variable;
}

/// The processor follows a few streams of memory by itself, each within a page.
/// A kernel gains by asking for what comes later: half of the time for rope,
/// whose rows have 256 bytes (bench/host/results.md). Rows that do not stay in
/// a first-level cache meanwhile are left to the processor.
void KernelEmitter::prefetchNext(OpBuilder &b, Value memory,
                                 AffineExpr position) {
  constexpr int64_t ahead = 8 * 1024, farthest = 32 * 1024;
  if (!prefetchVariable || prefetchedBefore.contains(memory))
    return;
  auto bytesFrom = [&](AffineExpr first,
                       AffineExpr second) -> std::optional<int64_t> {
    auto distance =
        dyn_cast<AffineConstantExpr>(space.simplify(second - first));
    if (!distance)
      return std::nullopt;
    return distance.getValue() *
           cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8;
  };
  AffineExpr next = position.replace(prefetchVariable, prefetchVariable + 1);
  std::optional<int64_t> bytes = bytesFrom(position, next);
  if (!bytes || *bytes <= 0 || *bytes > farthest)
    return;
  AffineExpr &last = prefetched[memory];
  if (last) {
    std::optional<int64_t> behind = bytesFrom(last, position);
    if (behind && *behind >= 0 && *behind < kLineBytes)
      return;
  }
  last = position;
  next = position + (next - position) * llvm::divideCeil(ahead, *bytes);
  memref::PrefetchOp::create(b, kernel.getLoc(), memory,
                             ValueRange(indexValue(space.simplify(next))),
                             /*isWrite=*/false, /*localityHint=*/3,
                             /*isDataCache=*/true);
}

int64_t KernelEmitter::alignmentAt(AffineExpr position, Type elementType,
                                   int64_t run) {
  int64_t elementBytes =
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  int64_t alignment = baseAlignment;
  // A position of 0 has no largest divisor.
  if (position != space.constant(0)) {
    int64_t bytes = position.getLargestKnownDivisor() * elementBytes;
    alignment = std::min(baseAlignment, bytes & -bytes);
  }
  // LLVM reads five elements as eight where the alignment has room for them.
  int64_t bytes = run * elementBytes;
  alignment = std::min(alignment, bytes & -bytes);
  if (alignment <= elementBytes)
    return 0;
  usedAlignment = std::max(usedAlignment, alignment);
  return alignment;
}

Value KernelEmitter::emitIndex(const Demand &demand, AffineExpr index) {
  AffineExpr lane = laneOf(index);
  OpBuilder &b = homeOf(demand.coords)->builder;
  Location loc = kernel.getLoc();
  if (!lane || space.laneStride(index, lane) == 0)
    return indexValue(index);
  int64_t width = widthOf(lane);
  auto type = VectorType::get(width, b.getIndexType());
  if (space.laneStride(index, lane) == 1) {
    Value first = toVector(b, indexValue(space.atLane(index, lane, 0)), width);
    return arith::AddIOp::create(b, loc, first,
                                 vector::StepOp::create(b, loc, type));
  }
  SmallVector<Value> values;
  for (int64_t i = 0; i < width; ++i)
    values.push_back(indexValue(space.atLane(index, lane, i)));
  return vector::FromElementsOp::create(b, loc, type, values);
}

/// Each lane on its own.
Value KernelEmitter::emitLanes(const Demand &demand, AffineExpr lane,
                               Missing &missing) {
  int64_t width = widthOf(lane);
  SmallVector<Value> values;
  for (int64_t i = 0; i < width; ++i)
    values.push_back(need(atLane(demand, lane, i), missing));
  if (!missing.empty())
    return {};
  OpBuilder &b = homeOf(demand.coords)->builder;
  return vector::FromElementsOp::create(
      b, kernel.getLoc(), VectorType::get(width, values.front().getType()),
      values);
}

Value KernelEmitter::emitElementwise(const Demand &demand, Operation *op,
                                     ArrayRef<Demand> operands,
                                     Missing &missing) {
  SmallVector<Value> values;
  for (const Demand &operand : operands)
    values.push_back(need(operand, missing));
  if (!missing.empty())
    return {};
  // The operation is where its operands are, which may be outside the loops of
  // its coordinates; it is there once.
  Scope *scope = homeOf(demand.coords);
  if (isSpeculatable(op))
    scope = scopeOfValues(values, scope);
  auto &known = scope->emitted[op];
  for (const Scope::Emitted &same : known)
    if (same.operands == values)
      return same.result;
  OpBuilder &b = scope->builder;
  SmallVector<Value> operandValues(values);
  Type resultType = getElementTypeOrSelf(op->getResult(0).getType());
  bool anyVector = llvm::any_of(
      values, [](Value v) { return isa<VectorType>(v.getType()); });
  if (anyVector) {
    int64_t width = widthOf(laneOf(demand.coords));
    for (Value &value : operandValues)
      value = toVector(b, value, width);
    resultType = VectorType::get(width, resultType);
  }
  OperationState state(op->getLoc(), op->getName(), operandValues, resultType,
                       op->getAttrs());
  Value result = b.create(state)->getResult(0);
  known.push_back({std::move(values), result});
  return result;
}

FailureOr<Value> KernelEmitter::emitExtract(const Demand &demand, Operation *op,
                                            ArrayRef<Demand> indices,
                                            Missing &missing) {
  Demand source{cast<tensor::ExtractOp>(op).getTensor(), {}};
  for (const Demand &index : indices) {
    if (auto expr = asIndexExpr(index.value, index.coords, space, sizes)) {
      source.coords.push_back(*expr);
      continue;
    }
    Value value = need(index, missing);
    if (!value)
      continue;
    if (isa<VectorType>(value.getType()))
      return emitLanes(demand, laneOf(demand.coords), missing);
    AffineExpr &variable = dataVariables[value];
    if (!variable) {
      variable = addVariable(value, std::nullopt);
      // The index may be known outside the loops of its coordinates, and its
      // variable then outlives those.
      variables.back().scope = scopeOfValues(value, homeOf(index.coords));
    }
    source.coords.push_back(variable);
  }
  if (!missing.empty())
    return Value();
  return need(source, missing);
}

FailureOr<Value> KernelEmitter::emitSelect(const Demand &demand,
                                           ArrayRef<Piece> pieces,
                                           Missing &missing) {
  AffineExpr lane = laneOf(demand.coords);
  int64_t width = lane ? widthOf(lane) : 1;
  while (true) {
    bool excluded = false, certain = true, mixed = false, halves = false;
    for (const Guard &guard : pieces.front().guards) {
      GuardOutcome outcome = testGuard(guard, lane, width, space);
      excluded |= outcome == GuardOutcome::False;
      certain &= outcome == GuardOutcome::True;
      mixed |= outcome == GuardOutcome::Mixed;
      halves |= outcome == GuardOutcome::Even || outcome == GuardOutcome::Odd;
    }
    if (excluded) {
      pieces = pieces.drop_front();
      continue;
    }
    if (certain)
      return need(pieces.front().source, missing);
    if (mixed)
      return emitLanes(demand, lane, missing);
    if (halves)
      return emitHalves(demand, lane, missing);
    return emitChoice(demand, pieces);
  }
}

/// Every second lane together, and the others together.
Value KernelEmitter::emitHalves(const Demand &demand, AffineExpr lane,
                                Missing &missing) {
  int64_t width = widthOf(lane);
  AffineExpr &half = halfLanes[lane];
  if (!half)
    half = addLane(width / 2);
  SmallVector<Value> values;
  for (const Demand &part : everySecondLane(demand, lane, half, space))
    values.push_back(need(part, missing));
  if (!missing.empty())
    return {};
  OpBuilder &b = homeOf(demand.coords)->builder;
  for (Value &value : values)
    value = toVector(b, value, width / 2);
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < width; ++i)
    places.push_back(i / 2 + i % 2 * (width / 2));
  return vector::ShuffleOp::create(b, kernel.getLoc(), values[0], values[1],
                                   places);
}

/// The first piece where its guards hold, else the others. The guards are the
/// same for all lanes and not all known.
FailureOr<Value> KernelEmitter::emitChoice(const Demand &demand,
                                           ArrayRef<Piece> pieces) {
  Location loc = kernel.getLoc();
  AffineExpr lane = laneOf(demand.coords);
  Scope *home = homeOf(demand.coords);
  OpBuilder &b = home->builder;
  Type type = getElementTypeOrSelf(demand.value.getType());
  if (lane)
    type = VectorType::get(widthOf(lane), type);

  // Guards that are not known to hold, as distances below 0.
  SmallVector<std::pair<AffineExpr, bool>> open;
  Value condition;
  for (const Guard &guard : pieces.front().guards) {
    int64_t width = lane ? widthOf(lane) : 1;
    if (testGuard(guard, lane, width, space) == GuardOutcome::True)
      continue;
    AffineExpr distance = space.simplify(guard.expr - guard.bound);
    open.push_back({distance, guard.below});
    AffineExpr first = lane ? space.atLane(guard.expr, lane, 0) : guard.expr;
    Value holds = arith::CmpIOp::create(
        b, loc,
        guard.below ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge,
        indexValue(first), indexValue(guard.bound));
    condition =
        condition ? arith::AndIOp::create(b, loc, condition, holds).getResult()
                  : holds;
  }

  auto range = [](bool below) {
    return below ? IndexRange{std::nullopt, -1} : IndexRange{0, std::nullopt};
  };
  auto first = [&]() -> FailureOr<Value> {
    SmallVector<std::unique_ptr<IndexSpace::Assumption>> known;
    for (auto [distance, below] : open)
      known.push_back(std::make_unique<IndexSpace::Assumption>(space, distance,
                                                               range(below)));
    FailureOr<Value> value = evaluate(pieces.front().source);
    // Last in, first out.
    while (!known.empty())
      known.pop_back();
    return value;
  };
  auto others = [&]() -> FailureOr<Value> {
    std::unique_ptr<IndexSpace::Assumption> known;
    if (open.size() == 1)
      known = std::make_unique<IndexSpace::Assumption>(
          space, open.front().first, range(!open.front().second));
    SmallVector<Demand> missing;
    while (true) {
      missing.clear();
      FailureOr<Value> value = emitSelect(demand, pieces.drop_front(), missing);
      if (failed(value) || missing.empty())
        return value;
      for (const Demand &next : missing)
        if (failed(evaluate(next)))
          return failure();
    }
  };
  CurrentScope at(*this, home);
  return choose(condition, type, first, others);
}

LogicalResult KernelEmitter::store(const Demand &demand, Value memory) {
  FailureOr<Value> value = evaluate(demand);
  if (failed(value))
    return failure();
  AffineExpr position =
      space.linearize(demand.coords, sizes.sizes(demand.value));
  OpBuilder &b = current->builder;
  Location loc = kernel.getLoc();
  AffineExpr lane = laneOf(position);
  if (!lane) {
    memref::StoreOp::create(b, loc, *value, memory,
                            ValueRange(indexValue(position)),
                            streamed.contains(memory));
    return success();
  }
  Value vector = toVector(b, *value, widthOf(lane));
  AffineExpr first = space.atLane(position, lane, 0);
  auto op = vector::StoreOp::create(b, loc, vector, memory,
                                    ValueRange(indexValue(first)),
                                    streamed.contains(memory));
  auto type = cast<VectorType>(vector.getType());
  if (int64_t bytes =
          alignmentAt(first, type.getElementType(), type.getNumElements()))
    op.setAlignment(bytes);
  return success();
}
