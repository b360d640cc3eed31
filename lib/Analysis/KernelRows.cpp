// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/KernelRows.h"

#include "prec/Analysis/KernelAccess.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include <set>

using namespace mlir;
using namespace prec;

std::optional<int64_t> prec::reducedExtent(Operation *op) {
  if (auto sum = dyn_cast<SumOp>(op)) {
    auto type = cast<RankedTensorType>(sum.getInput().getType());
    int64_t extent = type.getDimSize(sum.getDimension());
    return ShapedType::isDynamic(extent) ? std::nullopt
                                         : std::optional<int64_t>(extent);
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return 1;
  int64_t extent = 1;
  SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
  for (auto [range, kind] :
       llvm::zip_equal(ranges, linalgOp.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    extent *= range;
  }
  return extent;
}

bool prec::isLongReduction(Operation *op) {
  std::optional<int64_t> extent = reducedExtent(op);
  return !extent || *extent > kShortReduction;
}

bool prec::isSameSize(AffineExpr a, AffineExpr b) {
  return a == b || (!isa<AffineConstantExpr>(a) && !isa<AffineConstantExpr>(b));
}

unsigned KernelRows::mainResult() const {
  unsigned best = 0;
  for (unsigned i = 1; i < innerDims.size(); ++i)
    if (innerDims[i].size() > innerDims[best].size())
      best = i;
  return best;
}

namespace {

/// Finds the long reductions behind one result, and the result's dimensions
/// that they depend on.
class ReductionWalk {
public:
  ReductionWalk(IndexSpace &space, TensorSizes &sizes)
      : space(space), sizes(sizes) {}

  void run(const Demand &result);

  /// Variables of the result's coordinates that some long reduction depends on.
  llvm::SmallBitVector rows;
  SetVector<Operation *> reductions;
  /// Long reductions at coordinates of nothing but the result's dimensions.
  SmallVector<Demand> demands;
  /// Every long reduction is computed once for each index of `rows`.
  bool isValid = true;

private:
  struct Item {
    Demand demand;
    /// Variables that decide whether the demand is valid.
    llvm::SmallBitVector guards;
  };
  void push(const Demand &demand, const llvm::SmallBitVector &guards) {
    std::vector<const void *> key{demand.value.getAsOpaquePointer()};
    for (AffineExpr expr : demand.coords)
      key.push_back(expr.getAsOpaquePointer());
    for (unsigned variable : guards.set_bits())
      key.push_back(space.variable(variable).getAsOpaquePointer());
    if (seen.insert(std::move(key)).second)
      stack.push_back({demand, guards});
  }
  llvm::SmallBitVector variablesOf(AffineExpr expr) {
    llvm::SmallBitVector used(space.getNumVariables());
    expr.walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        used.set(dim.getPosition());
    });
    return used;
  }
  void visit(const Item &item);
  void record(Operation *op, const Item &item);
  /// Loop indices with a variable for each reduced loop: one for each extent,
  /// so that chains of reductions meet the same elements.
  SmallVector<AffineExpr> reducedLoops(Operation *op,
                                       ArrayRef<AffineExpr> loops,
                                       ArrayRef<AffineExpr> extents);

  IndexSpace &space;
  TensorSizes &sizes;
  DenseSet<AffineExpr> unrolled;
  /// For short and for long reductions, by extent.
  DenseMap<AffineExpr, AffineExpr> loopVariables[2];
  std::set<std::vector<const void *>> seen;
  SmallVector<Item> stack;
};

} // namespace

SmallVector<AffineExpr>
ReductionWalk::reducedLoops(Operation *op, ArrayRef<AffineExpr> loops,
                            ArrayRef<AffineExpr> extents) {
  bool isLong = isLongReduction(op);
  SmallVector<AffineExpr> result(loops);
  for (auto [loop, extent] : llvm::zip_equal(result, extents)) {
    if (loop)
      continue;
    AffineExpr &variable = loopVariables[isLong][extent];
    if (!variable) {
      auto constant = dyn_cast<AffineConstantExpr>(extent);
      variable = space.addVariable(
          constant ? std::optional<int64_t>(constant.getValue())
                   : std::nullopt);
      if (!isLong)
        unrolled.insert(variable);
    }
    loop = variable;
  }
  return result;
}

void ReductionWalk::record(Operation *op, const Item &item) {
  if (!isLongReduction(op))
    return;
  reductions.insert(op);
  bool isUnrolled = false;
  for (AffineExpr expr : item.demand.coords) {
    llvm::SmallBitVector used = variablesOf(expr);
    isValid &= !used.anyCommon(item.guards);
    for (unsigned variable : used.set_bits()) {
      if (unrolled.contains(space.variable(variable)))
        isUnrolled = true;
      else if (variable < rows.size())
        rows.set(variable);
      else
        isValid = false;
    }
  }
  if (!isUnrolled)
    demands.push_back(item.demand);
}

void ReductionWalk::visit(const Item &item) {
  const Demand &demand = item.demand;
  FailureOr<Expansion> expansion = expandElement(demand, space, sizes);
  if (failed(expansion)) {
    isValid = false;
    return;
  }
  switch (expansion->kind) {
  case Expansion::Index:
  case Expansion::Leaf:
    return;
  case Expansion::Alias:
  case Expansion::Elementwise:
    for (const Demand &next : expansion->demands)
      push(next, item.guards);
    return;
  case Expansion::Select: {
    llvm::SmallBitVector guards(item.guards);
    for (const Piece &piece : expansion->pieces) {
      bool excluded = false, certain = true;
      for (const Guard &guard : piece.guards) {
        GuardOutcome outcome =
            testGuard(guard, AffineExpr(), /*width=*/1, space);
        excluded |= outcome == GuardOutcome::False;
        certain &= outcome == GuardOutcome::True;
        if (outcome == GuardOutcome::Uniform)
          guards |= variablesOf(space.simplify(guard.expr - guard.bound));
      }
      if (excluded)
        continue;
      push(piece.source, guards);
      if (certain)
        return;
    }
    return;
  }
  case Expansion::Extract: {
    Demand source{cast<tensor::ExtractOp>(expansion->op).getTensor(), {}};
    for (const Demand &index : expansion->demands) {
      auto expr = asIndexExpr(index.value, index.coords, space, sizes);
      if (!expr) {
        push(index, item.guards);
        expr = space.addVariable(std::nullopt);
      }
      source.coords.push_back(*expr);
    }
    push(source, item.guards);
    return;
  }
  case Expansion::Reduce: {
    auto op = cast<linalg::LinalgOp>(expansion->op);
    record(op, item);
    SmallVector<AffineExpr> loops =
        reducedLoops(op, expansion->loops, loopExtents(op, sizes));
    unsigned number = cast<OpResult>(demand.value).getResultNumber();
    push({op.getBlock()->getTerminator()->getOperand(number), loops},
         item.guards);
    push(operandAt(op, op.getDpsInitOperand(number)->getOperandNumber(), loops,
                   space),
         item.guards);
    return;
  }
  case Expansion::Sum: {
    auto sum = cast<SumOp>(expansion->op);
    record(sum, item);
    push({sum.getInput(),
          reducedLoops(sum, expansion->loops, sizes.sizes(sum.getInput()))},
         item.guards);
    return;
  }
  }
}

void ReductionWalk::run(const Demand &result) {
  rows.resize(space.getNumVariables());
  push(result, llvm::SmallBitVector());
  while (!stack.empty()) {
    Item item = stack.pop_back_val();
    visit(item);
  }
}

SmallVector<Demand> prec::longReductions(const Demand &result,
                                         IndexSpace &space,
                                         TensorSizes &sizes) {
  ReductionWalk walk(space, sizes);
  walk.run(result);
  return std::move(walk.demands);
}

/// Dimensions of `shape` with the extents `outer`: the first that fit.
static std::optional<SmallVector<unsigned>> match(ArrayRef<AffineExpr> shape,
                                                  ArrayRef<AffineExpr> outer) {
  SmallVector<unsigned> dims;
  unsigned next = 0;
  for (AffineExpr extent : outer) {
    while (next < shape.size() && !isSameSize(shape[next], extent))
      ++next;
    if (next == shape.size())
      return std::nullopt;
    dims.push_back(next++);
  }
  return dims;
}

/// The dimensions of the result with the fewest are outside.
static FailureOr<KernelRows>
withoutReductions(ArrayRef<SmallVector<AffineExpr>> shapes) {
  KernelRows rows;
  rows.outer = *llvm::min_element(
      shapes, [](const auto &a, const auto &b) { return a.size() < b.size(); });
  for (const SmallVector<AffineExpr> &shape : shapes) {
    std::optional<SmallVector<unsigned>> dims = match(shape, rows.outer);
    if (!dims)
      return failure();
    rows.outerDims.push_back(*dims);
  }
  return rows;
}

/// The last dimension of at most kShortRepeat elements, but the innermost,
/// along which something that is read along the innermost one does not change.
static std::optional<unsigned> repeatedDimension(KernelOp kernel,
                                                 ArrayRef<AffineExpr> shape,
                                                 TensorSizes &sizes) {
  constexpr int64_t kShortRepeat = 8;
  IndexSpace space(kernel.getContext());
  SmallVector<AffineExpr> coords;
  for (AffineExpr size : shape) {
    auto constant = dyn_cast<AffineConstantExpr>(size);
    coords.push_back(space.addVariable(
        constant ? std::optional<int64_t>(constant.getValue()) : std::nullopt));
  }
  SmallVector<Demand> demands;
  for (Value value : kernel.getBody().front().getTerminator()->getOperands())
    demands.push_back({value, coords});
  unsigned inner = innerDimension(shape);
  KernelAccess access =
      analyzeAccess(demands, coords[inner], /*width=*/1, space, sizes);
  for (unsigned dim = shape.size(); dim-- > 0;) {
    auto extent = dyn_cast<AffineConstantExpr>(shape[dim]);
    if (dim == inner || !extent || extent.getValue() < 2 ||
        extent.getValue() > kShortRepeat)
      continue;
    if (llvm::any_of(access.positions, [&](AffineExpr position) {
          return position.isFunctionOfDim(inner) &&
                 !position.isFunctionOfDim(dim);
        }))
      return dim;
  }
  return std::nullopt;
}

/// Whether elements that are half the innermost dimension apart read something
/// along it that is the same.
static bool sharesHalves(KernelOp kernel, ArrayRef<AffineExpr> shape,
                         TensorSizes &sizes) {
  unsigned inner = innerDimension(shape);
  auto extent = dyn_cast<AffineConstantExpr>(shape[inner]);
  if (!extent || extent.getValue() < 2 || extent.getValue() % 2 != 0)
    return false;
  int64_t half = extent.getValue() / 2;
  IndexSpace space(kernel.getContext());
  SmallVector<AffineExpr> coords;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    auto constant = dyn_cast<AffineConstantExpr>(size);
    std::optional<int64_t> count =
        constant ? std::optional<int64_t>(constant.getValue()) : std::nullopt;
    coords.push_back(
        space.addVariable(dim == inner ? std::optional(half) : count));
  }
  AffineExpr place = coords[inner];
  DenseSet<AffineExpr> first;
  for (int64_t offset : {int64_t(0), half}) {
    coords[inner] = space.simplify(place + offset);
    SmallVector<Demand> demands;
    for (Value value : kernel.getBody().front().getTerminator()->getOperands())
      demands.push_back({value, coords});
    KernelAccess access =
        analyzeAccess(demands, place, /*width=*/1, space, sizes);
    for (AffineExpr position : access.positions)
      if (position.isFunctionOfDim(inner)) {
        if (offset == 0)
          first.insert(position);
        else if (first.contains(position))
          return true;
      }
  }
  return false;
}

/// As analyzeRows for some of a kernel's results, without a word where it
/// fails.
static FailureOr<KernelRows> findRows(KernelOp kernel, OperandRange results,
                                      TensorSizes &sizes, bool repeatInside) {
  SmallVector<SmallVector<AffineExpr>> shapes;
  for (Value value : results)
    shapes.push_back(sizes.sizes(value));
  KernelRows rows;
  rows.outerDims.resize(shapes.size());
  SetVector<Operation *> reductions;
  std::optional<unsigned> reference;
  SmallVector<bool> isReduced;
  bool isValid = true;
  for (auto [number, value] : llvm::enumerate(results)) {
    ArrayRef<AffineExpr> shape = shapes[number];
    IndexSpace space(kernel.getContext());
    Demand result{value, {}};
    for (AffineExpr size : shape) {
      auto constant = dyn_cast<AffineConstantExpr>(size);
      AffineExpr variable = space.addVariable(
          constant ? std::optional<int64_t>(constant.getValue())
                   : std::nullopt);
      result.coords.push_back(size == space.constant(1) ? space.constant(0)
                                                        : variable);
    }
    ReductionWalk walk(space, sizes);
    walk.run(result);
    isValid &= walk.isValid;
    reductions.insert(walk.reductions.begin(), walk.reductions.end());
    isReduced.push_back(!walk.reductions.empty());
    if (walk.reductions.empty())
      continue;
    SmallVector<AffineExpr> outer;
    // The variables of the dimensions were the first.
    for (unsigned dim : walk.rows.set_bits()) {
      rows.outerDims[number].push_back(dim);
      outer.push_back(shape[dim]);
    }
    if (!reference) {
      reference = number;
      rows.outer = outer;
      continue;
    }
    isValid &= outer.size() == rows.outer.size() &&
               llvm::all_of_zip(outer, rows.outer, isSameSize);
  }
  if (reference && isValid) {
    for (auto [number, shape] : llvm::enumerate(shapes)) {
      if (isReduced[number])
        continue;
      // As a result of the same rank, else the first dimensions that fit.
      std::optional<SmallVector<unsigned>> dims = match(shape, rows.outer);
      for (unsigned other = 0; other < shapes.size(); ++other)
        if (isReduced[other] && shapes[other].size() == shape.size())
          dims = rows.outerDims[other];
      isValid &= dims.has_value();
      if (dims)
        rows.outerDims[number] = *dims;
    }
    // One place in a row is one in all results: none may be transposed.
    for (auto [number, shape] : llvm::enumerate(shapes))
      for (unsigned other = 0; other < number; ++other)
        if (isValid && shapes[other].size() == shape.size() &&
            rows.outerDims[other] != rows.outerDims[number])
          return failure();
    rows.reductions = reductions.takeVector();
  }
  if (!reference || !isValid) {
    FailureOr<KernelRows> plain = withoutReductions(shapes);
    if (failed(plain))
      return failure();
    rows = *plain;
    bool isOneShape = llvm::all_of(shapes, [&](const auto &shape) {
      return shape.size() == rows.outer.size();
    });
    if (repeatInside && isOneShape && !rows.outer.empty()) {
      rows.isHalved = sharesHalves(kernel, rows.outer, sizes);
      if (auto dim = repeatedDimension(kernel, rows.outer, sizes)) {
        rows.isRepeated = true;
        rows.outer.erase(rows.outer.begin() + *dim);
        for (SmallVector<unsigned> &dims : rows.outerDims)
          dims.erase(dims.begin() + *dim);
      }
    }
  }
  rows.isReduced = std::move(isReduced);
  for (auto [shape, outer] : llvm::zip_equal(shapes, rows.outerDims)) {
    rows.innerDims.emplace_back();
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (!llvm::is_contained(outer, dim))
        rows.innerDims.back().push_back(dim);
  }
  return rows;
}

FailureOr<KernelRows> prec::analyzeRows(KernelOp kernel, TensorSizes &sizes,
                                        bool repeatInside) {
  Operation *yield = kernel.getBody().front().getTerminator();
  FailureOr<KernelRows> rows =
      findRows(kernel, yield->getOperands(), sizes, repeatInside);
  if (failed(rows))
    kernel.emitOpError("is unsupported: results of shapes that do not go "
                       "together");
  return rows;
}

unsigned prec::numWithCommonRows(KernelOp kernel, TensorSizes &sizes) {
  OperandRange results =
      kernel.getBody().front().getTerminator()->getOperands();
  unsigned count = results.size();
  while (count > 1 && failed(findRows(kernel, results.take_front(count), sizes,
                                      /*repeatInside=*/false)))
    --count;
  return count;
}
