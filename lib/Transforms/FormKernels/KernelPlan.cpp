// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelPlan.h"

#include "prec/Analysis/KernelRows.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include <map>

using namespace mlir;
using namespace prec;

/// A value of at most this many operations may be computed by several kernels.
static constexpr unsigned kCheap = 32;
/// Results a kernel may have: more would not fit into registers.
static constexpr size_t kMaxResults = 8;
/// Long reductions in sequence, each of what the one before it is part of, that
/// one kernel may have. Where a row is not kept in registers, each computes
/// its elements anew.
static constexpr unsigned kMaxDepth = 4;
/// Operations in sequence that one kernel may have: what LLVM does with a body
/// takes more than twice the time for twice the length beyond a few thousand.
static constexpr unsigned kMaxSequence = 4096;
/// Arguments that are remembered of what a value depends on.
static constexpr size_t kMaxSources = 8;

namespace {

/// How an operation reads an operand while each of its results' elements is
/// computed once.
enum class Access {
  Same,      ///< each element once, at the result's own coordinates
  Once,      ///< each element at most once
  Repeatedly ///< an element possibly many times
};

} // namespace

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

/// Operations that an element goes through, a reduction taken as one.
static unsigned bodySize(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getBlock()->getOperations().size() - 1;
  return 1;
}

/// Operations one result element costs.
static unsigned costOf(Operation *op) {
  return bodySize(op) *
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

SmallVector<AffineExpr> RowDomain::rows() const {
  SmallVector<AffineExpr> result;
  for (unsigned dim : outer.set_bits())
    result.push_back(sizes[dim]);
  return result;
}

static bool isUnit(AffineExpr size) {
  auto constant = dyn_cast<AffineConstantExpr>(size);
  return constant && constant.getValue() == 1;
}

bool RowDomain::isColumns() const {
  for (unsigned dim = sizes.size(); dim-- > 0;)
    if (!isUnit(sizes[dim]))
      return outer.test(dim);
  return false;
}

bool RowDomain::isLongColumns() const {
  if (!isColumns())
    return false;
  int64_t column = 1;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    auto constant = dyn_cast<AffineConstantExpr>(size);
    if (outer.test(dim))
      continue;
    if (!constant || constant.getValue() > kMaxColumn)
      return true;
    column *= constant.getValue();
  }
  return column > kMaxColumn;
}

KernelPlan::KernelPlan(func::FuncOp func, SizeClasses &classes)
    : func(func), classes(classes) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (Value result : terminator->getOperands())
    if (result.getDefiningOp())
      inMemory.insert(result);
  for (auto op : func.getOps<MaterializeOp>()) {
    inMemory.insert(op.getResult());
    ends.insert(op.getResult());
  }
  placeLongSequences();
  placeLongReductions();
  assignKernels();
  placeSharedValues();
  assignKernels();
}

/// Says at the value why something is not fused there.
static void remarkMissed(Value value, StringRef reason) {
  auto remark = remark::missed(
      value.getLoc(),
      remark::RemarkOpts::name("fuse").category("prec-form-kernels"));
  if (remark)
    remark << remark::reason("{0}", reason.str());
}

void KernelPlan::keepInMemory(Value value, StringRef reason) {
  inMemory.insert(value);
  if (ends.insert(value).second)
    remarkMissed(value, reason);
}

const RowValue *KernelPlan::rowsOf(Value value) const {
  auto it = rows.find(value);
  return it == rows.end() || ends.contains(value) ? nullptr : &it->second;
}

llvm::SmallBitVector KernelPlan::unitDims(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  llvm::SmallBitVector result(type.getRank());
  for (auto [dim, size] : llvm::enumerate(classes.shape(tensor)))
    result[dim] = isUnit(size);
  return result;
}

std::optional<llvm::SmallBitVector> KernelPlan::rowsAt(OpOperand &use) {
  Operation *op = use.getOwner();
  const llvm::SmallBitVector &outer = rows.find(use.get())->second.outer;
  Value result = op->getResult(0);
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  llvm::SmallBitVector at(rank);
  // Dimensions of the operand as dimensions of the result, -1 if reduced.
  auto mapDims = [&](auto dimAt) -> std::optional<llvm::SmallBitVector> {
    for (unsigned dim : outer.set_bits()) {
      std::optional<int64_t> to = dimAt(dim);
      if (!to)
        return std::nullopt;
      if (*to >= 0)
        at.set(*to);
      else if (isLongReduction(op))
        return std::nullopt;
    }
    return at.reset(unitDims(result));
  };
  using Dim = std::optional<int64_t>;
  // What is not tracked below, for elements that are used at most once.
  auto once = [&]() -> std::optional<llvm::SmallBitVector> {
    if (accessOf(use) == Access::Repeatedly || outer != otherDims(use.get()))
      return std::nullopt;
    return otherDims(result);
  };
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&use);
    AffineMap out = linalgOp.getIndexingMapMatchingResult(op->getResult(0));
    for (OpResult other : op->getResults())
      if (linalgOp.getIndexingMapMatchingResult(other) != out)
        return std::nullopt;
    SmallVector<utils::IteratorType> iterators =
        linalgOp.getIteratorTypesArray();
    return mapDims([&](unsigned dim) -> Dim {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
      if (!loop)
        return std::nullopt;
      if (iterators[loop.getPosition()] == utils::IteratorType::reduction)
        return -1;
      for (auto [i, expr] : llvm::enumerate(out.getResults()))
        if (expr == loop)
          return i;
      return std::nullopt;
    });
  }
  if (auto sum = dyn_cast<SumOp>(op)) {
    int64_t reduced = sum.getDimension();
    return mapDims([&](int64_t dim) -> Dim {
      return dim == reduced ? -1 : dim - (dim > reduced);
    });
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices()))
      if (outer.test(dim))
        for (int64_t to : group)
          at.set(to);
    return at.reset(unitDims(result));
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    llvm::SmallBitVector others = otherDims(use.get());
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      bool isOuter = false, isInner = false;
      for (int64_t from : group) {
        isOuter |= outer.test(from);
        isInner |= others.test(from) && !outer.test(from);
      }
      if (isOuter && isInner)
        return std::nullopt;
      at[dim] = isOuter;
    }
    return at.reset(unitDims(result));
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    return mapDims([&](unsigned dim) -> Dim {
      if (dropped.test(dim))
        return -1;
      int64_t to = 0;
      for (unsigned i = 0; i < dim; ++i)
        to += !dropped.test(i);
      return to;
    });
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    if (outer.test(concat.getDim()))
      return once();
    return mapDims([](unsigned dim) -> Dim { return dim; });
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    for (unsigned dim : outer.set_bits())
      if (!isZeroInteger(pad.getMixedLowPad()[dim]) ||
          !isZeroInteger(pad.getMixedHighPad()[dim]))
        return once();
    return mapDims([](unsigned dim) -> Dim { return dim; });
  }
  if (accessOf(use) == Access::Same)
    return mapDims([](unsigned dim) -> Dim { return dim; });
  return once();
}

/// The loops of a long reduction.
RowDomain KernelPlan::domainOf(Operation *reduction) {
  RowDomain domain;
  if (auto sum = dyn_cast<SumOp>(reduction)) {
    domain.sizes = classes.shape(sum.getInput());
    domain.outer = otherDims(sum.getInput());
    domain.outer.reset(sum.getDimension());
    return domain;
  }
  auto linalgOp = cast<linalg::LinalgOp>(reduction);
  domain.sizes.resize(linalgOp.getNumLoops());
  for (OpOperand &operand : reduction->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [expr, size] :
         llvm::zip_equal(linalgOp.getMatchingIndexingMap(&operand).getResults(),
                         classes.shape(operand.get())))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        domain.sizes[loop.getPosition()] = size;
  }
  for (auto [size, kind] :
       llvm::zip_equal(domain.sizes, linalgOp.getIteratorTypesArray()))
    domain.outer.push_back(kind == utils::IteratorType::parallel &&
                           !isUnit(size));
  return domain;
}

/// Cuts what is longer than a kernel may be, at 16-bit values where there are
/// any.
void KernelPlan::placeLongSequences() {
  DenseMap<Value, unsigned> lengths;
  for (Operation &op : func.getBody().front()) {
    unsigned before = 0;
    forEachTensorOperand(&op, [&](Value operand, Access) {
      if (!ends.contains(operand))
        before = std::max(before, lengths.lookup(operand));
    });
    unsigned length = before + bodySize(&op);
    for (Value result : op.getResults()) {
      lengths[result] = length;
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type || isMovement(&op) || length <= kMaxSequence)
        continue;
      unsigned width = type.getElementTypeBitWidth();
      if (width == 16 || (width > 1 && length > 2 * kMaxSequence))
        keepInMemory(result, "too many operations in sequence");
    }
  }
}

/// Finds the values that depend on long reductions. One goes to memory where a
/// kernel that computes it along with its consumer would compute a long
/// reduction more than once, or would need too long a row.
void KernelPlan::placeLongReductions() {
  rows.clear();
  for (Operation &op : func.getBody().front()) {
    if (op.getNumResults() == 0 || isa<tensor::DimOp>(op))
      continue;
    // Captured by a body: which elements it reads is not known.
    for (Region &region : op.getRegions())
      visitUsedValuesDefinedAbove(region, [&](OpOperand *operand) {
        if (rowsOf(operand->get()) && !isa<tensor::DimOp>(operand->getOwner()))
          keepInMemory(operand->get(), "a body reads it at places of its own");
      });
    if (!isa<RankedTensorType>(op.getResult(0).getType())) {
      for (Value operand : op.getOperands())
        if (rowsOf(operand))
          keepInMemory(operand, "a scalar is taken from it");
      continue;
    }
    bool isLong = isLongReduction(&op);
    llvm::SmallBitVector all = otherDims(op.getResult(0));
    llvm::SmallBitVector outer(all.size());
    SmallVector<std::pair<Value, llvm::SmallBitVector>> operands;
    for (OpOperand &operand : op.getOpOperands()) {
      if (!rowsOf(operand.get()))
        continue;
      std::optional<llvm::SmallBitVector> at = rowsAt(operand);
      if (!at) {
        keepInMemory(operand.get(), "its rows are not its consumer's");
        continue;
      }
      operands.push_back({operand.get(), *at});
      outer |= *at;
    }
    if (isLong)
      outer = all;
    // A dimension of size 1 apart, what is computed once for a row of `outer`
    // would otherwise be computed again for each of its parts.
    llvm::erase_if(operands, [&](auto &operand) {
      if (operand.second == outer)
        return false;
      keepInMemory(operand.first, "other rows than its consumer's");
      return true;
    });
    unsigned depth = 0;
    for (auto &[value, at] : operands)
      depth = std::max(depth, rows.find(value)->second.depth);
    if (isLong && depth >= kMaxDepth) {
      for (auto &[value, at] : operands)
        keepInMemory(value, "too many reductions in sequence");
      operands.clear();
      depth = 0;
    }
    if (isLong) {
      for (Value result : op.getResults())
        rows[result] = {outer, domainOf(&op), depth + 1};
      continue;
    }
    if (operands.empty())
      continue;
    RowDomain domain = rows.find(operands.front().first)->second.domain;
    if (outer != all) {
      RowDomain own{classes.shape(op.getResult(0)), outer};
      if (own.isLongColumns()) {
        for (auto &[value, at] : operands)
          keepInMemory(value, "columns too long for registers");
        continue;
      }
    }
    for (Value result : op.getResults())
      rows[result] = {outer, domain, depth};
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

/// The sizes that tell the rows of a shape apart, those of the last dimension,
/// which has a static size; nothing if it has not.
static std::optional<SmallVector<AffineExpr>>
staticRowsOf(ArrayRef<AffineExpr> shape) {
  if (shape.size() < 2 || !isa<AffineConstantExpr>(shape.back()))
    return std::nullopt;
  SmallVector<AffineExpr> rows(shape.drop_back());
  llvm::erase_if(rows, isUnit);
  return rows;
}

/// Whether a kernel can go over `shape`, which is not that of `domain`, row by
/// row with it.
static bool hasRowsOf(ArrayRef<AffineExpr> shape, const RowDomain &domain) {
  return !domain.isColumns() && isa<AffineConstantExpr>(domain.sizes.back()) &&
         staticRowsOf(shape) == domain.rows();
}

SmallVector<AffineExpr> KernelPlan::outerSizes(Value value) const {
  SmallVector<AffineExpr> shape = classes.shape(value), sizes;
  for (unsigned dim : rows.find(value)->second.outer.set_bits())
    sizes.push_back(shape[dim]);
  return sizes;
}

bool KernelPlan::belongsTo(const Kernel &kernel, Value value,
                           bool reads) const {
  if (kernel.results.size() >= kMaxResults)
    return false;
  SmallVector<AffineExpr> shape = classes.shape(value);
  auto shares = [&] {
    auto it = sources.find(value);
    return reads ||
           (it != sources.end() && llvm::any_of(it->second, [&](Value source) {
              return llvm::is_contained(kernel.sources, source);
            }));
  };
  auto known = rows.find(value);
  if (known == rows.end()) {
    if (!kernel.domain)
      return shape == kernel.shape;
    return (shape == kernel.domain->sizes ||
            hasRowsOf(shape, *kernel.domain)) &&
           kernel.rows == kernel.domain->rows() && shares();
  }
  const RowDomain &domain = known->second.domain;
  if (!kernel.domain)
    return (kernel.shape == domain.sizes || hasRowsOf(kernel.shape, domain)) &&
           outerSizes(value) == domain.rows() && !domain.isLongColumns() &&
           shares();
  // A result that is reshaped or transposed goes over its rows in another way.
  if (outerSizes(value) != kernel.rows)
    return false;
  if (kernel.domain->rows() != domain.rows() ||
      kernel.domain->isColumns() != domain.isColumns())
    return false;
  // Sizes inside a row that are not known to differ are taken to be equal.
  bool isDynamic = false;
  for (auto [dim, size] : llvm::enumerate(shape))
    isDynamic |=
        !known->second.outer.test(dim) && !isa<AffineConstantExpr>(size);
  if (isDynamic && shape != kernel.domain->sizes)
    return false;
  return reads || shape == classes.shape(kernel.results.front()) ||
         (*kernel.domain == domain && shares());
}

void KernelPlan::addResult(unsigned number, Value value) {
  Kernel &kernel = kernels[number];
  kernel.results.push_back(value);
  kernelOfValue[value] = number;
  if (auto known = rows.find(value); known == rows.end())
    kernel.shape = classes.shape(value);
  else if (!kernel.domain) {
    kernel.domain = known->second.domain;
    kernel.rows = outerSizes(value);
  }
  for (Value source : sources.lookup(value))
    if (kernel.sources.size() < kMaxSources * 2 &&
        !llvm::is_contained(kernel.sources, source))
      kernel.sources.push_back(source);
}

unsigned KernelPlan::split(unsigned number, unsigned kept) {
  unsigned added = kernels.size();
  Kernel rest;
  rest.level = kernels[number].level;
  auto &results = kernels[number].results;
  rest.results.append(results.begin() + kept, results.end());
  results.truncate(kept);
  kernels.push_back(std::move(rest));
  for (Value value : kernels.back().results) {
    kernelOfValue[value] = added;
    remarkMissed(value, "other rows than the results' before it");
  }
  return added;
}

/// Gives each value in memory a kernel, in program order: the one whose result
/// it consumes element by element or row by row, else the last one of its rows
/// or shape, else a new one, as levels allow.
void KernelPlan::assignKernels() {
  kernels.clear();
  kernelOfValue.clear();
  sources.clear();
  /// What a value not in memory needs of memory.
  struct Needs {
    unsigned level = 0; ///< lowest level of a kernel that may compute it
    int top = -1;       ///< the one kernel that makes it so, or -1
    unsigned levelWithoutTop = 0;
    bool same = true; ///< `top` is read at the value's own place
  };
  DenseMap<Value, Needs> needs;
  using Shape = std::vector<const void *>;
  std::map<Shape, unsigned> lastOfShape;
  auto keyOf = [](ArrayRef<AffineExpr> sizes) {
    Shape key;
    for (AffineExpr size : sizes)
      key.push_back(size.getAsOpaquePointer());
    return key;
  };
  for (Operation &op : func.getBody().front()) {
    if (op.getNumResults() == 0 || isa<tensor::DimOp>(op))
      continue;
    Needs sum;
    bool isLong = isLongReduction(&op);
    SmallVector<Value> reads;
    forEachTensorOperand(&op, [&](Value operand, Access access) {
      auto addSource = [&](Value source) {
        if (reads.size() < kMaxSources && !llvm::is_contained(reads, source))
          reads.push_back(source);
      };
      if (isa<BlockArgument>(operand))
        addSource(operand);
      else if (auto it = sources.find(operand); it != sources.end())
        llvm::for_each(it->second, addSource);
      Needs of;
      if (auto kernel = kernelOf(operand)) {
        of.level = kernels[*kernel].level + 1;
        of.top = *kernel;
        of.same = !ends.contains(operand);
      } else {
        of = needs.lookup(operand);
      }
      // Within its rows is within the kernel of its rows.
      of.same &= access == Access::Same || rowsOf(operand) ||
                 (isLong && access != Access::Repeatedly);
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
      sources[result] = reads;
      if (!inMemory.contains(result)) {
        needs[result] = sum;
        continue;
      }
      SmallVector<Shape> keys{keyOf(classes.shape(result))};
      // Rows of any length, marked.
      auto addRows = [&](ArrayRef<AffineExpr> sizes) {
        keys.push_back(keyOf(sizes));
        keys.back().push_back(nullptr);
      };
      if (auto known = rows.find(result); known != rows.end()) {
        keys.push_back(keyOf(known->second.domain.sizes));
        addRows(known->second.domain.rows());
      } else if (auto ofShape = staticRowsOf(classes.shape(result))) {
        addRows(*ofShape);
      }
      std::optional<unsigned> kernel;
      if (sum.top >= 0 && sum.same &&
          kernels[sum.top].level >= sum.levelWithoutTop &&
          belongsTo(kernels[sum.top], result, /*reads=*/true))
        kernel = sum.top;
      for (const Shape &key : keys) {
        auto last = lastOfShape.find(key);
        if (!kernel && last != lastOfShape.end() &&
            kernels[last->second].level >= sum.level &&
            belongsTo(kernels[last->second], result, /*reads=*/false))
          kernel = last->second;
      }
      if (!kernel) {
        kernel = kernels.size();
        kernels.emplace_back();
        kernels.back().level = sum.level;
      }
      addResult(*kernel, result);
      for (const Shape &key : keys)
        lastOfShape[key] = *kernel;
    }
  }
}
