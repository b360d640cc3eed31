// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes, index values and the evaluation loop.
#include "KernelEmitter.h"

#include "prec/Analysis/KernelAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace prec;

/// Loops and choices inside each other; deeper means a program we would rather
/// refuse than run out of stack on.
static constexpr unsigned kMaxNesting = 256;

KernelEmitter::KernelEmitter(KernelOp kernel, int64_t reductionWidth)
    : kernel(kernel), reductionWidth(reductionWidth),
      space(kernel.getContext()), sizes(kernel.getContext()) {}

KernelEmitter::ScopeGuard::ScopeGuard(KernelEmitter &emitter,
                                      const OpBuilder &at, bool isChoice)
    : emitter(emitter), outer(emitter.current) {
  unsigned depth = outer ? outer->depth + 1 : 0;
  emitter.scopes.push_back(std::make_unique<Scope>(at, outer, depth, isChoice));
  emitter.current = emitter.scopes.back().get();
}

KernelEmitter::ScopeGuard::~ScopeGuard() {
  emitter.current = outer;
  emitter.scopes.pop_back();
}

AffineExpr KernelEmitter::addVariable(Value value,
                                      std::optional<int64_t> extent) {
  AffineExpr variable = space.addVariable(extent);
  variables.resize(space.getNumVariables());
  variables.back() = {value, current, 0};
  return variable;
}

AffineExpr KernelEmitter::addLane(int64_t width) {
  AffineExpr lane = space.addVariable(width);
  variables.resize(space.getNumVariables());
  variables.back() = {Value(), scopes.front().get(), width};
  return lane;
}

KernelEmitter::Scope *KernelEmitter::scopeOf(ArrayRef<AffineExpr> exprs) {
  Scope *scope = scopes.front().get();
  for (AffineExpr expr : exprs)
    expr.walk([&](AffineExpr part) {
      Scope *other = nullptr;
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        other = variables[dim.getPosition()].scope;
      else if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        other = sizeScopes.lookup(sizes.source(symbol).value);
      if (other && other->depth > scope->depth)
        scope = other;
    });
  return scope;
}

/// The scope in which an element with these coordinates is emitted.
KernelEmitter::Scope *KernelEmitter::homeOf(ArrayRef<AffineExpr> coords) {
  Scope *scope = scopeOf(coords);
  for (Scope *s = current; s && s->depth > scope->depth; s = s->parent)
    if (s->isChoice)
      return s;
  return scope;
}

KernelEmitter::Scope *KernelEmitter::scopeOfValues(ArrayRef<Value> values,
                                                   Scope *home) {
  for (Scope *s = home; s->parent; s = s->parent)
    if (llvm::any_of(values, [&](Value value) {
          return value.getParentBlock() == s->builder.getBlock();
        }))
      return s;
  return scopes.front().get();
}

const AffineExpr *KernelEmitter::intern(ArrayRef<AffineExpr> coords) {
  auto it = coordinates.find(coords);
  if (it == coordinates.end()) {
    // One more element than needed: no coordinates have an address as well.
    AffineExpr *copy = storage.Allocate<AffineExpr>(coords.size() + 1);
    std::uninitialized_copy(coords.begin(), coords.end(), copy);
    it = coordinates.insert(ArrayRef<AffineExpr>(copy, coords.size())).first;
  }
  return it->data();
}

Value KernelEmitter::lookup(const Demand &demand) {
  std::pair key{demand.value, intern(demand.coords)};
  Scope *outermost = scopeOf(demand.coords);
  for (Scope *s = homeOf(demand.coords); s && s->depth >= outermost->depth;
       s = s->parent)
    if (Value value = s->elements.lookup(key))
      return value;
  return {};
}

void KernelEmitter::remember(const Demand &demand, Value value) {
  homeOf(demand.coords)->elements[{demand.value, intern(demand.coords)}] =
      value;
}

AffineExpr KernelEmitter::laneOf(ArrayRef<AffineExpr> coords) {
  AffineExpr lane;
  for (AffineExpr expr : coords)
    expr.walk([&](AffineExpr part) {
      auto dim = dyn_cast<AffineDimExpr>(part);
      if (dim && variables[dim.getPosition()].width != 0)
        lane = part;
    });
  return lane;
}

Demand KernelEmitter::atLane(const Demand &demand, AffineExpr lane,
                             int64_t index) {
  Demand result{demand.value, {}};
  for (AffineExpr expr : demand.coords)
    result.coords.push_back(space.atLane(expr, lane, index));
  return result;
}

Value KernelEmitter::constant(TypedAttr value) {
  Value &known = constants[value];
  if (!known)
    known = arith::ConstantOp::create(scopes.front()->builder, kernel.getLoc(),
                                      value);
  return known;
}

Value KernelEmitter::indexConstant(int64_t value) {
  return constant(scopes.front()->builder.getIndexAttr(value));
}

Value KernelEmitter::toVector(OpBuilder &b, Value value, int64_t width) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, value.getLoc(), VectorType::get(width, value.getType()), value);
}

Value KernelEmitter::indexValue(AffineExpr expr) {
  Location loc = kernel.getLoc();
  if (auto value = dyn_cast<AffineConstantExpr>(expr))
    return indexConstant(value.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return variables[dim.getPosition()].value;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    const SizeSource &source = sizes.source(symbol);
    if (source.isIndex() && sizes.multipleOf(source) == 1)
      return arguments.lookup(source.value);
    return sizeValues.lookup({source.value, source.dim});
  }
  Scope *scope = scopeOf(expr);
  if (Value known = scope->indices.lookup(expr))
    return known;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value value;
  if (isNarrow) {
    value = narrowValue(expr);
    IndexRange range = space.range(expr);
    Type type = scope->builder.getIndexType();
    if (range.low && *range.low >= 0)
      value = arith::IndexCastUIOp::create(scope->builder, loc, type, value);
    else
      value = arith::IndexCastOp::create(scope->builder, loc, type, value);
  } else {
    value = emitIndexBinary(scope, binary, indexValue(binary.getLHS()),
                            indexValue(binary.getRHS()), indexConstant(1));
  }
  scope->indices[expr] = value;
  return value;
}

Value KernelEmitter::narrowValue(AffineExpr expr) {
  Builder builder(kernel.getContext());
  if (auto value = dyn_cast<AffineConstantExpr>(expr))
    return constant(builder.getI32IntegerAttr(value.getValue()));
  Scope *scope = scopeOf(expr);
  if (Value known = scope->narrowIndices.lookup(expr))
    return known;
  Value value;
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr))
    value = emitIndexBinary(scope, binary, narrowValue(binary.getLHS()),
                            narrowValue(binary.getRHS()),
                            constant(builder.getI32IntegerAttr(1)));
  else
    value = arith::IndexCastOp::create(scope->builder, kernel.getLoc(),
                                       builder.getI32Type(), indexValue(expr));
  scope->narrowIndices[expr] = value;
  return value;
}

Value KernelEmitter::emitIndexBinary(Scope *scope, AffineBinaryOpExpr expr,
                                     Value lhs, Value rhs, Value one) {
  OpBuilder &b = scope->builder;
  Location loc = kernel.getLoc();
  auto isNatural = [&](AffineExpr part) {
    IndexRange range = space.range(part);
    return range.low && *range.low >= 0;
  };
  bool isLhsNatural = isNatural(expr.getLHS());
  // Positions lie in memory, and so does what they are computed from.
  auto flags = arith::IntegerOverflowFlags::none;
  if (isNarrow)
    flags = isLhsNatural && isNatural(expr.getRHS())
                ? arith::IntegerOverflowFlags::nsw |
                      arith::IntegerOverflowFlags::nuw
                : arith::IntegerOverflowFlags::nsw;
  // Divisors that are sizes are at least 1 here: nothing with a size of 0 is
  // ever computed, but this may stand before the loop that sees to that.
  auto divisor = [&]() -> Value {
    if (isa<AffineConstantExpr>(expr.getRHS()))
      return rhs;
    return arith::MaxUIOp::create(b, loc, rhs, one);
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, loc, lhs, rhs, flags);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, loc, lhs, rhs, flags);
  case AffineExprKind::FloorDiv:
    if (isLhsNatural)
      return arith::DivUIOp::create(b, loc, lhs, divisor());
    return arith::FloorDivSIOp::create(b, loc, lhs, divisor());
  case AffineExprKind::Mod: {
    if (isLhsNatural)
      return arith::RemUIOp::create(b, loc, lhs, divisor());
    Value by = divisor();
    Value quotient = arith::FloorDivSIOp::create(b, loc, lhs, by);
    Value product = arith::MulIOp::create(b, loc, quotient, by);
    return arith::SubIOp::create(b, loc, lhs, product);
  }
  default:
    llvm_unreachable("index expressions have no other operations");
  }
}

Value KernelEmitter::isBelow(Value number, AffineExpr extent) {
  OpBuilder &b = current->builder;
  Location loc = kernel.getLoc();
  Value bound = isNarrow ? narrowValue(extent) : indexValue(extent);
  if (isNarrow)
    number = arith::IndexCastOp::create(b, loc, bound.getType(), number);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number,
                               bound);
}

Value KernelEmitter::need(const Demand &demand, Missing &missing) {
  if (Value value = lookup(demand))
    return value;
  missing.push_back(demand);
  return {};
}

void KernelEmitter::forgetShared() {
  auto isShared = [&](Value value) {
    Operation *op = value.getDefiningOp();
    while (
        isa_and_nonnull<vector::ExtractOp, vector::BroadcastOp, arith::ExtFOp>(
            op))
      op = op->getOperand(0).getDefiningOp();
    return columns->shared.contains(op);
  };
  for (const std::unique_ptr<Scope> &scope : scopes)
    for (auto it = scope->elements.begin(); it != scope->elements.end();) {
      // Erasing leaves other entries where they are.
      auto entry = it++;
      if (isShared(entry->second))
        scope->elements.erase(entry);
    }
  columns->shared.clear();
  ++columns->rounds;
}

FailureOr<Value> KernelEmitter::evaluate(const Demand &demand) {
  if (nesting == kMaxNesting)
    return kernel.emitOpError("is unsupported: more than ")
           << kMaxNesting << " loops and choices inside each other";
  ++nesting;
  auto leave = llvm::scope_exit([&] { --nesting; });
  SmallVector<Demand> stack{demand};
  SmallVector<Demand> missing;
  while (!stack.empty()) {
    if (lookup(stack.back())) {
      stack.pop_back();
      continue;
    }
    missing.clear();
    FailureOr<Value> value = emit(stack.back(), missing);
    if (failed(value))
      return failure();
    if (missing.empty()) {
      remember(stack.back(), *value);
      stack.pop_back();
      continue;
    }
    // The first one missing is emitted first.
    stack.append(std::make_move_iterator(missing.rbegin()),
                 std::make_move_iterator(missing.rend()));
  }
  return lookup(demand);
}

FailureOr<SmallVector<Value>>
KernelEmitter::loop(AffineExpr extent, ArrayRef<Value> inits, LoopBody body) {
  Location loc = kernel.getLoc();
  Value upper = indexValue(extent);
  OpBuilder &b = current->builder;
  auto op = scf::ForOp::create(b, loc, indexConstant(0), upper,
                               indexConstant(1), inits);
  // An empty body without results has its terminator already.
  Block *block = op.getBody();
  if (inits.empty())
    block->getTerminator()->erase();
  b.setInsertionPoint(op);
  SmallVector<Value> carried(op.getRegionIterArgs());
  {
    ScopeGuard guard(*this, OpBuilder::atBlockEnd(block));
    std::optional<int64_t> known;
    if (auto constant = dyn_cast<AffineConstantExpr>(extent))
      known = constant.getValue();
    AffineExpr variable = addVariable(op.getInductionVar(), known);
    if (failed(body(variable, carried)))
      return failure();
    scf::YieldOp::create(current->builder, loc, carried);
  }
  b.setInsertionPointAfter(op);
  return SmallVector<Value>(op.getResults());
}

LogicalResult KernelEmitter::guarded(Value condition,
                                     llvm::function_ref<LogicalResult()> body) {
  OpBuilder &b = current->builder;
  auto op = scf::IfOp::create(b, kernel.getLoc(), condition,
                              /*withElseRegion=*/false);
  b.setInsertionPoint(op);
  {
    ScopeGuard guard(*this, op.getThenBodyBuilder());
    if (failed(body()))
      return failure();
  }
  b.setInsertionPointAfter(op);
  return success();
}

FailureOr<Value>
KernelEmitter::choose(Value condition, Type type,
                      llvm::function_ref<FailureOr<Value>()> thenValue,
                      llvm::function_ref<FailureOr<Value>()> elseValue) {
  Location loc = kernel.getLoc();
  OpBuilder &b = current->builder;
  auto op = scf::IfOp::create(b, loc, type, condition, /*withElse=*/true);
  b.setInsertionPoint(op);
  for (auto [block, emitValue] : {std::pair(op.thenBlock(), thenValue),
                                  std::pair(op.elseBlock(), elseValue)}) {
    ScopeGuard guard(*this, OpBuilder::atBlockEnd(block), /*isChoice=*/true);
    FailureOr<Value> value = emitValue();
    if (failed(value))
      return failure();
    if (auto vector = dyn_cast<VectorType>(type))
      value = toVector(builder(), *value, vector.getNumElements());
    scf::YieldOp::create(builder(), loc, *value);
  }
  b.setInsertionPointAfter(op);
  return op.getResult(0);
}

bool KernelEmitter::isVectorizable(ArrayRef<Demand> demands, AffineExpr lane,
                                   int64_t width) {
  return analyzeAccess(demands, lane, width, space, sizes).isVectorizable;
}

ArrayRef<KernelEmitter::Share> KernelEmitter::shareOf(int64_t count) {
  SmallVector<Share> &result = shares[count];
  if (!result.empty())
    return result;
  CurrentScope scope(*this, scopes.front().get());
  OpBuilder &b = builder();
  Location loc = kernel.getLoc();
  for (int64_t first = 0; first < count; first += team->size) {
    if (first + team->size <= count) {
      result.push_back({space.simplify(team->threadNumber + first), Value()});
      continue;
    }
    Value place = indexValue(space.simplify(team->threadNumber + first));
    Value isOwn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        place, indexConstant(count));
    Value below =
        arith::MinUIOp::create(b, loc, place, indexConstant(count - 1));
    result.push_back({addVariable(below, count), isOwn});
  }
  return result;
}

AffineExpr KernelEmitter::teamLane(int64_t width) {
  AffineExpr &lane = teamLanes[width];
  if (!lane)
    lane = addLane(width);
  return lane;
}

bool KernelEmitter::isSameInTeam(ArrayRef<AffineExpr> coords) {
  bool isSame = homeOf(coords) == scopes.front().get();
  for (AffineExpr expr : coords)
    expr.walk([&](AffineExpr part) {
      if (isa<AffineDimExpr>(part))
        isSame &= llvm::is_contained(team->rowVariables, part);
    });
  return isSame;
}
