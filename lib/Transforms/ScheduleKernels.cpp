// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/KernelAccess.h"
#include "prec/Analysis/KernelRows.h"
#include "prec/Analysis/TeamLayout.h"
#include "prec/Transforms/Passes.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace prec {
#define GEN_PASS_DEF_SCHEDULEKERNELSPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// A block of a kernel that has no reason for another size.
static constexpr int64_t kThreads = 256;
/// Threads that compute one row together, at most.
static constexpr int64_t kMaxTeam = 512;
/// Bytes of one access of a GPU thread.
static constexpr int64_t kAccessBytes = 16;

/// Operations of a kernel that is so long that its code is written for two
/// registers at a time, and what is left, not for four: compile time.
static constexpr size_t kLong = 2048;

static bool isLong(KernelOp kernel) {
  return kernel.getBody().front().getOperations().size() > kLong;
}

static bool isSplat(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat();
}

/// Whether every tensor of the body has the results' shape and is read at the
/// same place: then the kernel is a loop over one index.
static bool isPointwise(KernelOp kernel) {
  if (!llvm::all_equal(llvm::map_range(kernel.getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).getRank();
      })))
    return false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(&op)) {
      bool pointwise =
          linalgOp.getNumReductionLoops() == 0 &&
          !linalgOp.hasIndexSemantics() &&
          llvm::all_of(linalgOp->getOpOperands(), [&](OpOperand &operand) {
            AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
            // A constant whose elements are equal is the same at any index.
            return map.isIdentity() || map.getNumResults() == 0 ||
                   isSplat(operand.get());
          });
      linalgOp->walk([&](tensor::ExtractOp) { pointwise = false; });
      if (!pointwise)
        return false;
      continue;
    }
    if (op.hasTrait<OpTrait::ConstantLike>() ||
        op.hasTrait<OpTrait::Elementwise>() ||
        isa<tensor::EmptyOp, tensor::CastOp, ObserveOp, MaterializeOp>(&op))
      continue;
    return false;
  }
  return true;
}

namespace {

/// Chooses for one kernel.
class Scheduler {
public:
  /// Chooses vectors of at most `maxWidth` elements. The sizes `multiples` are
  /// multiples of that.
  Scheduler(KernelOp kernel, bool isGPU, int64_t lanes, int64_t maxWidth = 64,
            ArrayRef<SizeSource> multiples = {})
      : kernel(kernel), isGPU(isGPU), lanes(lanes), maxWidth(maxWidth),
        sizes(kernel.getContext()) {
    for (const SizeSource &size : multiples)
      sizes.assumeMultiple(size, maxWidth);
  }

  /// Deals rows over as many threads as possible: little code, which compiles
  /// fast, for what is seldom run.
  bool wantsLittleCode = false;

  /// Fails, with an error, where the results share no loops.
  FailureOr<ScheduleAttr> run();
  /// Why the width is not larger; empty if there is no reason.
  StringRef reason;
  /// Sizes that are not known and would have to be multiples of the width: last
  /// ones of tensors, and indices, among the arguments of the body. Empty if
  /// that is not the reason.
  SmallVector<SizeSource> unknown;

private:
  static std::optional<int64_t> known(AffineExpr size) {
    if (auto constant = dyn_cast<AffineConstantExpr>(size))
      return constant.getValue();
    return std::nullopt;
  }
  ScheduleAttr make(KernelSpace space, int64_t width, int64_t threads = 1,
                    int64_t team = 1) {
    return ScheduleAttr::get(kernel.getContext(), space, width, threads, team,
                             DenseI64ArrayAttr());
  }
  SmallVector<AffineExpr> shapeOf(unsigned result) {
    return sizes.sizes(
        kernel.getBody().front().getTerminator()->getOperand(result));
  }
  KernelAccess access(int64_t width);
  void findUnknown(const KernelAccess &access, ArrayRef<AffineExpr> extents);
  int64_t widestUseful(ArrayRef<Type> types);
  bool sharesLoops();
  std::optional<ScheduleAttr> fittingTeam(int64_t widest, int64_t longest);
  ScheduleAttr team(int64_t width);
  int64_t reductionWidth(int64_t widest);

  KernelOp kernel;
  bool isGPU;
  int64_t lanes; ///< f32 elements of a register of the CPU
  int64_t maxWidth;
  TensorSizes sizes;
  KernelRows rows;
  /// The main result, and its dimension along which memory is contiguous.
  SmallVector<AffineExpr> shape;
  unsigned contiguous = 0;
  bool isOuter = false; ///< that dimension is one of the outer loops
};

} // namespace

/// How memory is accessed with `width` elements together, neighbours along the
/// contiguous dimension.
KernelAccess Scheduler::access(int64_t width) {
  IndexSpace space(kernel.getContext());
  AffineExpr lane = space.addVariable(width);
  auto indexAlong = [&](AffineExpr extent, bool inVectors) -> AffineExpr {
    if (extent == space.constant(1))
      return space.constant(0);
    std::optional<int64_t> count = known(extent);
    if (!inVectors)
      return space.addVariable(count);
    AffineExpr vector = space.addVariable(
        count ? std::optional<int64_t>(*count / width) : std::nullopt);
    return vector * width + lane;
  };
  SmallVector<AffineExpr> outerAt;
  ArrayRef<unsigned> mainDims = rows.outerDims[rows.mainResult()];
  for (auto [dim, extent] : llvm::zip_equal(mainDims, rows.outer))
    outerAt.push_back(indexAlong(extent, dim == contiguous));
  SmallVector<Demand> demands;
  for (auto [number, value] : llvm::enumerate(
           kernel.getBody().front().getTerminator()->getOperands())) {
    SmallVector<AffineExpr> extents = sizes.sizes(value);
    Demand demand{value, SmallVector<AffineExpr>(extents.size())};
    for (auto [dim, at] : llvm::zip_equal(rows.outerDims[number], outerAt))
      demand.coords[dim] = at;
    for (unsigned dim : rows.innerDims[number])
      demand.coords[dim] =
          indexAlong(extents[dim], !isOuter && dim == innerDimension(extents));
    demands.push_back(std::move(demand));
  }
  return analyzeAccess(demands, lane, width, space, sizes);
}

void Scheduler::findUnknown(const KernelAccess &access,
                            ArrayRef<AffineExpr> extents) {
  auto add = [&](const SizeSource &size) {
    auto argument = dyn_cast<BlockArgument>(size.value);
    if (!argument || llvm::is_contained(unknown, size))
      return;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || (size.dim + 1 == type.getRank() &&
                  ShapedType::isDynamic(type.getShape().back())))
      unknown.push_back(size);
  };
  for (Value tensor : access.alongLane)
    add({tensor, cast<RankedTensorType>(tensor.getType()).getRank() - 1});
  for (AffineExpr extent : extents)
    if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
      add(sizes.source(symbol));
}

/// As many elements as the target likes together, by the types in memory.
int64_t Scheduler::widestUseful(ArrayRef<Type> types) {
  int64_t narrowest = 8, widest = 1;
  for (Type type : types) {
    int64_t bytes =
        llvm::divideCeil(type.isIndex() ? 64 : type.getIntOrFloatBitWidth(), 8);
    narrowest = std::min(narrowest, bytes);
    widest = std::max(widest, bytes);
  }
  if (isGPU)
    return std::min<int64_t>(8, kAccessBytes / narrowest);
  if (widest == 8)
    return 8;
  // The 16-bit elements of one register are f32 elements of two; two of those
  // are as many chains of operations as a processor runs side by side, and the
  // pair of lines of memory that it loads together.
  return narrowest == 2 ? std::max<int64_t>(16, 4 * lanes) : 16;
}

/// Whether a row's sums need functions of its elements, and results that do not
/// wait for the sums may need the same: both are computed in one loop, in
/// vectors as wide as those of sums.
bool Scheduler::sharesLoops() {
  auto isFunction = [](Operation *op) {
    return isa_and_present<math::MathDialect>(op->getDialect()) &&
           !isa<math::FmaOp>(op);
  };
  auto needsFunction = [&](Operation *reduction) {
    llvm::SetVector<Operation *> slice;
    (void)getBackwardSlice(reduction, &slice);
    return llvm::any_of(slice, [&](Operation *op) {
      return op
          ->walk([&](Operation *inside) {
            return isFunction(inside) ? WalkResult::interrupt()
                                      : WalkResult::advance();
          })
          .wasInterrupted();
    });
  };
  return !isOuter && llvm::is_contained(rows.isReduced, false) &&
         llvm::any_of(rows.reductions, needsFunction);
}

/// Whether the digits fit the layout, and no thread waits for more than a few
/// others in turn.
static bool isCheap(const std::optional<TeamLayout> &layout) {
  constexpr int64_t few = 4;
  return layout &&
         llvm::all_of(ArrayRef(layout->digits.steps).drop_front(layout->local),
                      [&](const num::SumStep &step) {
                        return step.kind != num::StepKind::Sequential ||
                               layout->digits.radices[step.digit] <= few;
                      });
}

/// The team whose registers hold a row such that all its sums' digits fall on
/// lanes, vectors and threads; nothing where no team does that for all of them.
/// Of those that do, the one that is cheapest for each element: in accesses to
/// memory, in what a thread does once (indices, exchange, the norm's division
/// and root), and in registers, which decide how many rows are on their way. Or
/// the one with the least code: that with the fewest elements a thread, which
/// are not accessed together.
std::optional<ScheduleAttr> Scheduler::fittingTeam(int64_t widest,
                                                   int64_t longest) {
  SmallVector<OrderDigits> sums;
  for (Operation *reduction : rows.reductions) {
    auto sum = dyn_cast<SumOp>(reduction);
    if (!sum)
      continue;
    std::optional<OrderDigits> digits =
        OrderDigits::get(sum.getOrder().getOrder(), *reducedExtent(reduction));
    if (!digits)
      return std::nullopt;
    sums.push_back(std::move(*digits));
  }
  if (sums.empty())
    return std::nullopt;
  std::optional<ScheduleAttr> best;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t width = widest; width > 0; width /= 2) {
    for (int64_t team = kMaxTeam; team > 0; team /= 2) {
      int64_t each =
          llvm::divideCeil(llvm::divideCeil(longest, width), team) * width;
      // Neighbouring threads of a team read whole cache lines.
      bool isCoalesced = team * width >= std::min<int64_t>(longest, 64);
      if (!isCoalesced || each > mostElements(team) ||
          !llvm::all_of(sums, [&](const OrderDigits &digits) {
            return isCheap(TeamLayout::get(digits, width, team));
          }))
        continue;
      double cost = wantsLittleCode ? double(each) + width / 1024.0
                                    : 3.0 / width + 64.0 / each + each / 32.0;
      if (cost >= least)
        continue;
      least = cost;
      // A block of one team is as large as the team. Small teams share a block,
      // up to a warp where registers limit the rows on their way anyhow: then
      // no team of a warp is without a row.
      int64_t threads = team > kWarp ? team : each > 32 ? kWarp : kThreads;
      best = make(KernelSpace::teams, width, threads, team);
    }
  }
  return best;
}

/// Rows that a team of threads computes together: few enough vectors a thread
/// for its registers, and as few threads as that allows. Short rows share a
/// block.
ScheduleAttr Scheduler::team(int64_t width) {
  std::optional<int64_t> longest = 1;
  auto consider = [&](std::optional<int64_t> length) {
    longest = longest && length
                  ? std::optional<int64_t>(std::max(*longest, *length))
                  : std::nullopt;
  };
  for (Operation *reduction : rows.reductions)
    consider(reducedExtent(reduction));
  for (auto [number, dims] : llvm::enumerate(rows.innerDims)) {
    std::optional<int64_t> length = 1;
    for (unsigned dim : dims) {
      std::optional<int64_t> extent = known(shapeOf(number)[dim]);
      length = length && extent ? std::optional<int64_t>(*length * *extent)
                                : std::nullopt;
    }
    consider(length);
  }
  if (!longest)
    return make(KernelSpace::teams, width, kThreads, kThreads);
  if (std::optional<ScheduleAttr> fitting = fittingTeam(width, *longest))
    return *fitting;
  int64_t vectors = llvm::divideCeil(*longest, width);
  if (vectors <= kWarp) {
    int64_t team = llvm::PowerOf2Ceil(vectors);
    return make(KernelSpace::teams, width, kThreads, team);
  }
  int64_t each = llvm::divideCeil(vectors, kMaxTeam);
  int64_t team = llvm::alignTo(llvm::divideCeil(vectors, each), kWarp);
  return make(KernelSpace::teams, width, team, team);
}

/// The widest vectors in which the elements of all long reductions can be
/// computed.
int64_t Scheduler::reductionWidth(int64_t widest) {
  int64_t width = widest;
  for (Operation *reduction : rows.reductions) {
    auto fits = [&] {
      IndexSpace space(kernel.getContext());
      AffineExpr lane = space.addVariable(width);
      unsigned innermost = 0;
      SmallVector<AffineExpr> extents;
      auto linalgOp = dyn_cast<linalg::LinalgOp>(reduction);
      auto sum = dyn_cast<SumOp>(reduction);
      if (sum) {
        innermost = sum.getDimension();
        extents = sizes.sizes(sum.getInput());
      } else {
        extents = loopExtents(linalgOp, sizes);
        for (auto [i, kind] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
          if (kind == utils::IteratorType::reduction)
            innermost = i;
      }
      SmallVector<AffineExpr> at;
      for (AffineExpr extent : extents)
        at.push_back(space.addVariable(known(extent)));
      std::optional<int64_t> extent = known(extents[innermost]);
      if (!extent || *extent % width != 0)
        return false;
      at[innermost] = space.addVariable(*extent / width) * width + lane;
      SmallVector<Demand> demands;
      if (sum)
        demands.push_back({sum.getInput(), at});
      else
        for (unsigned i = 0; i < linalgOp.getNumDpsInputs(); ++i)
          demands.push_back(operandAt(linalgOp, i, at, space));
      return analyzeAccess(demands, lane, width, space, sizes).isVectorizable;
    };
    while (width > 1 && !fits())
      width /= 2;
  }
  return width;
}

FailureOr<ScheduleAttr> Scheduler::run() {
  FailureOr<KernelRows> found =
      analyzeRows(kernel, sizes, /*repeatInside=*/isGPU);
  if (failed(found))
    return failure();
  rows = *found;
  shape = shapeOf(rows.mainResult());
  KernelSpace fallback = isGPU ? KernelSpace::elements : KernelSpace::rows;
  int64_t threads = isGPU ? kThreads : 1;
  if (shape.empty())
    return isGPU && !rows.reductions.empty() ? team(1)
                                             : make(fallback, 1, threads);
  contiguous = innerDimension(shape);
  isOuter = llvm::is_contained(rows.outerDims[rows.mainResult()], contiguous);
  std::optional<int64_t> extent = known(shape[contiguous]);

  KernelAccess narrow = access(1);
  SmallVector<Type> types = narrow.elementTypes;
  for (Value result : kernel.getResults())
    types.push_back(getElementTypeOrSelf(result));
  int64_t width = std::min(maxWidth, widestUseful(types));
  if (!isGPU && isLong(kernel))
    reason = "length";
  if (!isGPU && (sharesLoops() || isLong(kernel)))
    width = std::min(width, std::max<int64_t>(16, 2 * lanes));

  if (isPointwise(kernel)) {
    AffineExpr count = numElements(shape, kernel.getContext());
    // All elements may be fewer than a vector.
    while (known(count) && width > std::max<int64_t>(*known(count), 1))
      width /= 2;
    return make(KernelSpace::flat, width, threads);
  }

  // Every result that is computed in vectors along its innermost dimension.
  SmallVector<AffineExpr> extents{shape[contiguous]};
  if (!isOuter)
    for (unsigned i = 0; i < rows.innerDims.size(); ++i)
      if (SmallVector<AffineExpr> other = shapeOf(i);
          !other.empty() &&
          llvm::is_contained(rows.innerDims[i], innerDimension(other)))
        extents.push_back(other[innerDimension(other)]);
  // Reductions over contiguous memory, with nothing else in their rows: vectors
  // across rows would be of elements far from each other.
  if (isGPU && !rows.reductions.empty() && isOuter &&
      rows.innerDims[rows.mainResult()].empty() && !access(2).isVectorizable)
    return team(reductionWidth(width));
  int64_t parts = rows.isHalved ? 2 : 1;
  auto fits = [&](AffineExpr size) {
    std::optional<int64_t> extent = known(size);
    if (isGPU)
      return size.getLargestKnownDivisor() % (parts * width) == 0 ||
             extent == 0;
    return !extent || *extent >= width;
  };
  if (isGPU && !llvm::all_of(extents, known) && !llvm::all_of(extents, fits)) {
    reason = "dynamic innermost size";
    width = 1;
    findUnknown(narrow, extents);
  }
  while (width > 1 && !llvm::all_of(extents, fits)) {
    reason = "innermost size";
    width /= 2;
  }
  while (width > 1 && !access(width).isVectorizable) {
    reason = "access to memory";
    width /= 2;
  }
  if (!isGPU)
    return make(KernelSpace::rows, width);
  if (!rows.reductions.empty() && !isOuter)
    return team(width);
  if (!rows.innerDims[rows.mainResult()].empty() && !rows.isRepeated) {
    // A thread keeps the inner elements of its column in registers. Blocks are
    // small for as many columns of one row as registers allow.
    reason = "registers";
    if (isOuter && extent && !rows.reductions.empty())
      return make(KernelSpace::rows, 1,
                  std::clamp<int64_t>(llvm::alignTo(*extent, kWarp), kWarp,
                                      kThreads / 2));
    return make(KernelSpace::elements, 1, kThreads);
  }
  // One row of results a block where that makes blocks of a good size, else
  // threads are dealt over all rows.
  int64_t perRow = extent ? *extent / (parts * width) : 0;
  if (width > 1 && perRow >= 64 && perRow <= 1024)
    return make(KernelSpace::rows, width, perRow);
  if (width > 1 && perRow > 1024)
    return make(KernelSpace::rows, width, kThreads);
  return make(KernelSpace::elements, width, kThreads);
}

/// Schedules for calls that suit vectors and for those that do not: `schedule`
/// becomes the one for the former, and the kernel gets the latter.
static LogicalResult addFallback(KernelOp kernel, Scheduler &scheduler,
                                 ScheduleAttr &schedule) {
  auto setFallback = [&](ScheduleAttr fallback) {
    kernel.setFallbackAttr(fallback);
    return success();
  };
  if (!scheduler.unknown.empty()) {
    for (int64_t width : {8, 4, 2}) {
      Scheduler inVectors(kernel, /*isGPU=*/true, /*lanes=*/1, width,
                          scheduler.unknown);
      FailureOr<ScheduleAttr> chosen = inVectors.run();
      if (failed(chosen))
        return failure();
      if (chosen->getWidth() != width ||
          chosen->getSpace() == KernelSpace::teams)
        continue;
      SmallVector<int64_t> multiples(kernel.getInputs().size(), 1);
      for (const SizeSource &size : scheduler.unknown)
        multiples[cast<BlockArgument>(size.value).getArgNumber()] = width;
      ScheduleAttr fallback = schedule;
      schedule = ScheduleAttr::get(
          kernel.getContext(), chosen->getSpace(), width, chosen->getThreads(),
          chosen->getTeam(),
          DenseI64ArrayAttr::get(kernel.getContext(), multiples));
      scheduler.reason = inVectors.reason;
      return setFallback(fallback);
    }
  }
  const bool isTeam = schedule.getSpace() == KernelSpace::teams;
  if (schedule.getWidth() == 1)
    return setFallback(schedule);
  Scheduler other(kernel, /*isGPU=*/true, /*lanes=*/1,
                  /*maxWidth=*/isTeam ? schedule.getWidth() : 1);
  other.wantsLittleCode = true;
  FailureOr<ScheduleAttr> fallback = other.run();
  return failed(fallback) ? failure() : setFallback(*fallback);
}

namespace {

struct ScheduleKernels : prec::impl::ScheduleKernelsPassBase<ScheduleKernels> {
  using ScheduleKernelsPassBase::ScheduleKernelsPassBase;

  void runOnOperation() override {
    if (target != "host" && target != "gpu") {
      getOperation()->emitError("expected target host or gpu but got ")
          << target;
      return signalPassFailure();
    }
    getOperation()->walk([&](KernelOp kernel) {
      Scheduler scheduler(kernel, target == "gpu", lanes);
      FailureOr<ScheduleAttr> chosen = scheduler.run();
      if (failed(chosen))
        return signalPassFailure();
      if (target == "gpu" && failed(addFallback(kernel, scheduler, *chosen)))
        return signalPassFailure();
      ScheduleAttr schedule = *chosen;
      kernel.setScheduleAttr(schedule);
      auto remark = remark::analysis(kernel.getLoc(),
                                     remark::RemarkOpts::name("schedule")
                                         .category("prec-schedule-kernels"));
      if (!remark)
        return;
      remark << remark::metric("kernel", kernel.getName())
             << remark::metric("space",
                               stringifyKernelSpace(schedule.getSpace()))
             << remark::metric("width", schedule.getWidth())
             << remark::metric("threads", schedule.getThreads())
             << remark::metric("team", schedule.getTeam());
      if (!scheduler.reason.empty())
        remark << remark::metric("limit", scheduler.reason);
    });
  }
};

} // namespace
