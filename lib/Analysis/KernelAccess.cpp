// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/KernelAccess.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <set>

using namespace mlir;
using namespace prec;

GuardOutcome prec::testGuard(const Guard &guard, AffineExpr lane, int64_t width,
                             const IndexSpace &space) {
  AffineExpr distance = space.simplify(guard.expr - guard.bound);
  IndexRange range = space.range(distance);
  if (range.high && *range.high < 0)
    return guard.below ? GuardOutcome::True : GuardOutcome::False;
  if (range.low && *range.low >= 0)
    return guard.below ? GuardOutcome::False : GuardOutcome::True;
  if (!lane || space.laneStride(distance, lane) == 0)
    return GuardOutcome::Uniform;
  if (space.laneStride(distance, lane) == 1 &&
      space.atLane(distance, lane, 0).getLargestKnownDivisor() % width == 0)
    return GuardOutcome::Uniform;
  // Halves of at least two lanes.
  if (width < 4 || width % 2 != 0)
    return GuardOutcome::Mixed;
  std::optional<bool> holds[2];
  for (int64_t i = 0; i < width; ++i) {
    IndexRange at = space.range(space.atLane(distance, lane, i));
    bool below = at.high && *at.high < 0;
    if (!below && !(at.low && *at.low >= 0))
      return GuardOutcome::Mixed;
    bool isTrue = below == guard.below;
    if (holds[i % 2].value_or(isTrue) != isTrue)
      return GuardOutcome::Mixed;
    holds[i % 2] = isTrue;
  }
  if (*holds[0] == *holds[1])
    return *holds[0] ? GuardOutcome::True : GuardOutcome::False;
  return *holds[0] ? GuardOutcome::Even : GuardOutcome::Odd;
}

std::array<Demand, 2> prec::everySecondLane(const Demand &demand,
                                            AffineExpr lane, AffineExpr half,
                                            const IndexSpace &space) {
  std::array<Demand, 2> result;
  for (int64_t second : {0, 1}) {
    result[second].value = demand.value;
    for (AffineExpr expr : demand.coords)
      result[second].coords.push_back(
          space.simplify(expr.replace(lane, half * 2 + second)));
  }
  return result;
}

std::optional<PairedRead> prec::pairedRead(AffineExpr position, AffineExpr lane,
                                           ArrayRef<AffineExpr> sizes,
                                           const IndexSpace &space) {
  if (sizes.empty() || !space.hasStride(position, lane, 2) ||
      sizes.back().getLargestKnownDivisor() % 2 != 0)
    return std::nullopt;
  AffineExpr first = space.atLane(position, lane, 0);
  for (bool isSecond : {false, true}) {
    AffineExpr start = space.simplify(first - int64_t(isSecond));
    if (start == space.constant(0) || start.getLargestKnownDivisor() % 2 == 0)
      return PairedRead{start, isSecond};
  }
  return std::nullopt;
}

namespace {

class AccessWalk {
public:
  AccessWalk(AffineExpr lane, int64_t width, IndexSpace &space,
             TensorSizes &sizes)
      : lane(lane), width(width), space(space), sizes(sizes) {}

  void push(const Demand &demand) {
    std::vector<const void *> key{demand.value.getAsOpaquePointer()};
    for (AffineExpr expr : demand.coords)
      key.push_back(expr.getAsOpaquePointer());
    if (seen.insert(std::move(key)).second)
      stack.push_back(demand);
  }

  KernelAccess run() {
    // A walk that has found an obstacle still collects element types.
    while (!stack.empty()) {
      Demand demand = stack.pop_back_val();
      visit(demand);
    }
    return std::move(access);
  }

private:
  void visit(const Demand &demand);
  /// Every second lane together.
  void visitHalves(const Demand &demand);
  /// Whether an index computed in the kernel differs from lane to lane.
  bool dependsOnLane(const Demand &demand);
  bool isFunctionOfLane(ArrayRef<AffineExpr> exprs) {
    return llvm::any_of(exprs, [&](AffineExpr expr) {
      return space.laneStride(expr, lane) != 0;
    });
  }
  /// Loop indices with a variable for every reduced loop.
  SmallVector<AffineExpr> anyReduced(ArrayRef<AffineExpr> loops,
                                     ArrayRef<AffineExpr> extents) {
    SmallVector<AffineExpr> result(loops);
    for (auto [loop, extent] : llvm::zip_equal(result, extents))
      if (!loop) {
        auto constant = dyn_cast<AffineConstantExpr>(extent);
        loop = space.addVariable(
            constant ? std::optional<int64_t>(constant.getValue())
                     : std::nullopt);
      }
    return result;
  }

  AffineExpr lane;
  int64_t width;
  IndexSpace &space;
  TensorSizes &sizes;
  KernelAccess access;
  std::set<std::vector<const void *>> seen;
  SmallVector<Demand> stack;
};

} // namespace

bool AccessWalk::dependsOnLane(const Demand &demand) {
  SmallVector<Demand> pending{demand};
  DenseSet<Value> visited;
  while (!pending.empty()) {
    Demand next = pending.pop_back_val();
    if (!visited.insert(next.value).second)
      continue;
    FailureOr<Expansion> expansion = expandElement(next, space, sizes);
    if (failed(expansion))
      return true;
    switch (expansion->kind) {
    case Expansion::Index:
      if (isFunctionOfLane(expansion->index))
        return true;
      break;
    case Expansion::Leaf:
      if (isa<RankedTensorType>(next.value.getType()) &&
          isFunctionOfLane(next.coords))
        return true;
      break;
    case Expansion::Alias:
    case Expansion::Elementwise:
      llvm::append_range(pending, expansion->demands);
      break;
    default:
      if (isFunctionOfLane(next.coords))
        return true;
    }
  }
  return false;
}

void AccessWalk::visit(const Demand &demand) {
  FailureOr<Expansion> expansion = expandElement(demand, space, sizes);
  if (failed(expansion)) {
    access.isVectorizable = false;
    return;
  }
  switch (expansion->kind) {
  case Expansion::Index:
    return;
  case Expansion::Leaf: {
    auto type = dyn_cast<RankedTensorType>(demand.value.getType());
    if (!type || demand.value.getDefiningOp<tensor::EmptyOp>())
      return;
    DenseElementsAttr elements;
    if (matchPattern(demand.value, m_Constant(&elements)) && elements.isSplat())
      return;
    access.elementTypes.push_back(type.getElementType());
    AffineExpr position =
        space.linearize(demand.coords, sizes.sizes(demand.value));
    access.positions.push_back(position);
    if (!demand.coords.empty() && isFunctionOfLane(demand.coords.back()))
      access.alongLane.insert(demand.value);
    if (!space.laneStride(position, lane) &&
        !pairedRead(position, lane, sizes.sizes(demand.value), space))
      access.isVectorizable = false;
    return;
  }
  case Expansion::Alias:
  case Expansion::Elementwise:
    for (const Demand &next : expansion->demands)
      push(next);
    return;
  case Expansion::Select:
    for (const Piece &piece : expansion->pieces) {
      bool excluded = false, certain = true;
      for (const Guard &guard : piece.guards) {
        GuardOutcome outcome = testGuard(guard, lane, width, space);
        excluded |= outcome == GuardOutcome::False;
        certain &= outcome == GuardOutcome::True;
        if (outcome == GuardOutcome::Mixed)
          access.isVectorizable = false;
        if (outcome == GuardOutcome::Even || outcome == GuardOutcome::Odd)
          return visitHalves(demand);
      }
      if (excluded)
        continue;
      push(piece.source);
      if (certain)
        return;
    }
    return;
  case Expansion::Extract: {
    auto extract = cast<tensor::ExtractOp>(expansion->op);
    Demand source{extract.getTensor(), {}};
    for (const Demand &index : expansion->demands) {
      auto expr = asIndexExpr(index.value, index.coords, space, sizes);
      if (!expr) {
        if (dependsOnLane(index)) {
          access.isVectorizable = false;
          return;
        }
        push(index);
        expr = space.addVariable(std::nullopt);
      }
      source.coords.push_back(*expr);
    }
    push(source);
    return;
  }
  case Expansion::Reduce: {
    auto op = cast<linalg::LinalgOp>(expansion->op);
    SmallVector<AffineExpr> loops =
        anyReduced(expansion->loops, loopExtents(op, sizes));
    unsigned number = cast<OpResult>(demand.value).getResultNumber();
    push({op.getBlock()->getTerminator()->getOperand(number), loops});
    push(operandAt(op, op.getDpsInitOperand(number)->getOperandNumber(), loops,
                   space));
    return;
  }
  case Expansion::Sum: {
    auto sum = cast<SumOp>(expansion->op);
    push({sum.getInput(),
          anyReduced(expansion->loops, sizes.sizes(sum.getInput()))});
    return;
  }
  }
}

void AccessWalk::visitHalves(const Demand &demand) {
  AffineExpr half = space.addVariable(width / 2);
  KernelAccess found = analyzeAccess(everySecondLane(demand, lane, half, space),
                                     half, width / 2, space, sizes);
  access.isVectorizable &= found.isVectorizable;
  llvm::append_range(access.elementTypes, found.elementTypes);
  llvm::append_range(access.positions, found.positions);
  access.alongLane.insert_range(found.alongLane);
}

KernelAccess prec::analyzeAccess(ArrayRef<Demand> demands, AffineExpr lane,
                                 int64_t width, IndexSpace &space,
                                 TensorSizes &sizes) {
  AccessWalk walk(lane, width, space, sizes);
  for (const Demand &demand : demands)
    walk.push(demand);
  return walk.run();
}
