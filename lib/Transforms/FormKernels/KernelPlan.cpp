// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelPlan.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include <map>

using namespace mlir;
using namespace prec;

/// A reduction of at most this many elements is unrolled into its consumer.
static constexpr int64_t kShortReduction = 16;
/// A value of at most this many operations may be computed by several kernels.
static constexpr unsigned kCheap = 32;
/// Results a kernel may have: more would not fit into registers.
static constexpr size_t kMaxResults = 8;

namespace {

/// How an operation reads an operand while each of its results' elements is
/// computed once.
enum class Access {
  Same,      ///< each element once, at the result's own coordinates
  Once,      ///< each element at most once
  Repeatedly ///< an element possibly many times
};

} // namespace

/// How many elements one result element sums over; null when not known.
static std::optional<int64_t> reducedExtent(Operation *op) {
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

static bool isLongReduction(Operation *op) {
  std::optional<int64_t> extent = reducedExtent(op);
  return !extent || *extent > kShortReduction;
}

static Access accessOf(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&use);
    if (map.isIdentity() && linalgOp.getNumReductionLoops() == 0)
      return Access::Same;
    llvm::SmallBitVector seen(map.getNumDims());
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        seen.set(dim.getPosition());
    for (auto [i, range] : llvm::enumerate(linalgOp.getStaticLoopRanges()))
      if (!seen.test(i) && range != 1)
        return Access::Repeatedly;
    return Access::Once;
  }
  if (isa<ObserveOp, MaterializeOp, tensor::CastOp>(op) ||
      op->hasTrait<OpTrait::Elementwise>())
    return Access::Same;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
          tensor::PadOp, SumOp, func::ReturnOp>(op))
    return Access::Once;
  return Access::Repeatedly;
}

/// Moves or widens data only: never worth memory of its own.
static bool isMovement(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() == 0 &&
           llvm::all_of(
               linalgOp.getBlock()->without_terminator(),
               [](Operation &inner) { return isa<arith::ExtFOp>(inner); });
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
             tensor::SplatOp, tensor::EmptyOp, ObserveOp, arith::ExtFOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

static bool isDear(Operation *op) {
  return op->getDialect() && isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FloorOp,
              math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp,
              math::FmaOp>(op);
}

static bool containsDear(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isDear(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Operations one result element costs.
static unsigned costOf(Operation *op) {
  unsigned body = 1;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    body = linalgOp.getBlock()->getOperations().size() - 1;
  return body *
         std::min<int64_t>(reducedExtent(op).value_or(kCheap + 1), kCheap + 1);
}

/// The tensors an operation reads, captured ones too.
static void
forEachTensorOperand(Operation *op,
                     llvm::function_ref<void(Value, Access)> visit) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      visit(operand.get(), accessOf(operand));
  for (Region &region : op->getRegions())
    visitUsedValuesDefinedAbove(region, [&](OpOperand *operand) {
      if (isa<RankedTensorType>(operand->get().getType()) &&
          !isa<tensor::DimOp>(operand->getOwner()))
        visit(operand->get(), Access::Repeatedly);
    });
}

KernelPlan::KernelPlan(func::FuncOp func, SizeClasses &classes)
    : func(func), classes(classes) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (Value result : terminator->getOperands())
    if (result.getDefiningOp())
      inMemory.insert(result);
  for (auto op : func.getOps<MaterializeOp>())
    inMemory.insert(op.getResult());
  placeLongReductions();
  assignKernels();
  placeSharedValues();
  assignKernels();
}

/// A value that needs a long reduction not yet in memory goes to memory where
/// it is about to be read repeatedly.
void KernelPlan::placeLongReductions() {
  DenseSet<Value> pending;
  for (Operation &op : func.getBody().front()) {
    bool isPending = isLongReduction(&op);
    if (!isPending)
      forEachTensorOperand(&op, [&](Value operand, Access) {
        isPending |= pending.contains(operand);
      });
    if (!isPending)
      continue;
    for (Value result : op.getResults()) {
      bool repeatedly = false;
      for (OpOperand &use : result.getUses()) {
        if (isa<tensor::DimOp>(use.getOwner()))
          continue;
        // A use in another operation's body is a capture.
        repeatedly |= use.getOwner()->getBlock() != op.getBlock() ||
                      accessOf(use) == Access::Repeatedly;
      }
      if (repeatedly)
        inMemory.insert(result);
      if (!inMemory.contains(result))
        pending.insert(result);
    }
  }
}

/// A value that operations of several kernels need goes to memory if computing
/// it again is dear; its cheap consumers are computed in each kernel. What is
/// dear only for a value that it broadcasts is cheap once that is in memory.
void KernelPlan::placeSharedValues() {
  struct Effort {
    bool dear = false;     ///< something behind it is dear
    bool dearHere = false; ///< for each of its own elements
    unsigned cost = 0;
  };
  DenseMap<Value, Effort> efforts;
  Block &body = func.getBody().front();
  for (Operation &op : body) {
    Effort effort;
    effort.dear = containsDear(&op) || isLongReduction(&op);
    effort.dearHere = effort.dear;
    effort.cost = costOf(&op);
    forEachTensorOperand(&op, [&](Value operand, Access access) {
      if (inMemory.contains(operand))
        return;
      const Effort &of = efforts.lookup(operand);
      effort.dear |= of.dear;
      effort.dearHere |= of.dear && access != Access::Repeatedly;
      effort.cost = std::min(effort.cost + of.cost, kCheap + 1);
    });
    for (Value result : op.getResults())
      efforts[result] = effort;
  }

  constexpr int kSeveral = -1;
  DenseMap<Value, int> owners;
  int nextOwner = kernels.size();
  for (Operation &op : llvm::reverse(body)) {
    if (op.getNumResults() == 0 || isa<tensor::DimOp>(op))
      continue;
    std::optional<int> owner;
    auto join = [&](int other) {
      owner = owner && *owner != other ? kSeveral : other;
    };
    for (Value result : op.getResults()) {
      if (auto kernel = kernelOf(result))
        join(*kernel);
      else if (auto it = owners.find(result); it != owners.end())
        join(it->second);
    }
    if (!owner)
      continue;
    if (*owner == kSeveral && !isMovement(&op)) {
      for (Value result : op.getResults()) {
        const Effort &effort = efforts[result];
        if (!isa<RankedTensorType>(result.getType()) ||
            (!owners.contains(result) && !inMemory.contains(result)))
          continue;
        if (effort.dearHere || effort.cost > kCheap) {
          inMemory.insert(result);
          owner = nextOwner++;
        }
      }
    }
    forEachTensorOperand(&op, [&](Value operand, Access) {
      if (inMemory.contains(operand) || !operand.getDefiningOp())
        return;
      auto [it, isNew] = owners.try_emplace(operand, *owner);
      if (!isNew && it->second != *owner)
        it->second = kSeveral;
    });
  }
}

/// Gives each value in memory a kernel, in program order: the one whose result
/// it consumes element by element, else the last one of its shape, else a new
/// one, as levels allow.
void KernelPlan::assignKernels() {
  kernels.clear();
  kernelOfValue.clear();
  /// What a value not in memory needs of memory.
  struct Needs {
    unsigned level = 0; ///< lowest level of a kernel that may compute it
    int top = -1;       ///< the one kernel that makes it so, or -1
    unsigned levelWithoutTop = 0;
    bool same = true; ///< `top` is read at the value's own coordinates
  };
  DenseMap<Value, Needs> needs;
  std::map<std::vector<const void *>, unsigned> lastOfShape;
  for (Operation &op : func.getBody().front()) {
    if (op.getNumResults() == 0 || isa<tensor::DimOp>(op))
      continue;
    Needs sum;
    forEachTensorOperand(&op, [&](Value operand, Access access) {
      Needs of;
      if (auto kernel = kernelOf(operand)) {
        of.level = kernels[*kernel].level + 1;
        of.top = *kernel;
        of.same = !operand.getDefiningOp<MaterializeOp>();
      } else {
        of = needs.lookup(operand);
      }
      of.same &= access == Access::Same;
      if (of.level == 0)
        return;
      if (of.top >= 0 && of.top == sum.top) {
        sum.levelWithoutTop = std::max(sum.levelWithoutTop, of.levelWithoutTop);
        sum.same &= of.same;
      } else if (of.level > sum.level) {
        of.levelWithoutTop = std::max(of.levelWithoutTop, sum.level);
        sum = of;
      } else if (of.level == sum.level) {
        sum.top = -1;
        sum.levelWithoutTop = sum.level;
      } else {
        sum.levelWithoutTop = std::max(sum.levelWithoutTop, of.level);
      }
    });
    for (Value result : op.getResults()) {
      if (!inMemory.contains(result)) {
        needs[result] = sum;
        continue;
      }
      std::vector<const void *> shape;
      for (AffineExpr size : classes.shape(result))
        shape.push_back(size.getAsOpaquePointer());
      auto fits = [&](unsigned kernel, unsigned level) {
        return kernels[kernel].level >= level &&
               kernels[kernel].results.size() < kMaxResults;
      };
      auto last = lastOfShape.find(shape);
      std::optional<unsigned> kernel;
      if (sum.top >= 0 && sum.same && fits(sum.top, sum.levelWithoutTop) &&
          classes.shape(kernels[sum.top].results.front()) ==
              classes.shape(result))
        kernel = sum.top;
      else if (last != lastOfShape.end() && fits(last->second, sum.level))
        kernel = last->second;
      if (!kernel) {
        kernel = kernels.size();
        kernels.push_back({{}, sum.level});
        lastOfShape[shape] = *kernel;
      }
      kernels[*kernel].results.push_back(result);
      kernelOfValue[result] = *kernel;
    }
  }
}
