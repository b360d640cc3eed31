// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatFunction.h"
#include "KernelEmitter/ConstantMemory.h"
#include "KernelEmitter/KernelResults.h"
#include "prec/Analysis/TeamLayout.h"
#include "prec/Conversion/ABI.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace prec {
#define GEN_PASS_DEF_CONVERTKERNELSTOGPUPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// Bytes that the start of every memory is aligned to.
static constexpr int64_t kBaseAlignment = 16;
/// Elements that a reduction loads at once: 16 bytes of a 16-bit type.
static constexpr int64_t kReductionWidth = 8;
/// LLVM's address space of the memory that a block's threads share.
static constexpr int64_t kSharedMemory = 3;
/// The largest block of a kernel that keeps rows in registers, at least: ptxas
/// takes registers from kernels for one warp until they spill.
static constexpr int64_t kMinBlockLimit = 64;
/// What no number of elements reaches where indices have 32 bits: with a signed
/// number's range above it for the threads of a last block.
static constexpr int64_t kNarrowLimit = (int64_t(1) << 31) - (1 << 16);
/// Elements of a row for which a thread loads everything at once.
static constexpr int64_t kMaxEarly = 32;

/// What threads are dealt over of the innermost dimension's extent.
static AffineExpr partOf(const KernelRows &rows, AffineExpr extent) {
  return rows.isHalved ? extent.floorDiv(2) : extent;
}

namespace {

/// Emits the body of one kernel: what one thread does.
class GPUKernel {
public:
  GPUKernel(KernelOp kernel, ScheduleAttr schedule, KernelEmitter &emitter,
            KernelResults &results)
      : kernel(kernel), e(emitter), results(results), schedule(schedule) {}

  LogicalResult run();

  /// Memory that a block's threads share.
  std::function<Value(OpBuilder &, Type, int64_t)> sharedMemory;

private:
  using Group = KernelResults::Group;

  /// Whether a thread keeps in registers what it reduces. For memory of any
  /// alignment, which is seldom met, a block's columns are read again in each
  /// of its loops: in registers they are by far the most code.
  bool keepsColumns() const {
    return e.baseAlignment != 0 || schedule.getSpace() != KernelSpace::rows;
  }
  /// Everything that belongs to one row, by one thread.
  LogicalResult row(ArrayRef<AffineExpr> outerAt);
  /// The same for a place of the innermost dimension, an outer loop, and for
  /// that in its second half.
  LogicalResult halves(SmallVector<AffineExpr> outerAt, unsigned inner);
  /// The elements of some of a group's results.
  LogicalResult innerNest(const Group &group, ArrayRef<unsigned> numbers,
                          ArrayRef<AffineExpr> outerAt,
                          SmallVector<AffineExpr> &at);
  Value dimension(bool isBlock, gpu::Dimension dim) {
    OpBuilder &b = e.builder();
    if (isBlock)
      return gpu::BlockIdOp::create(b, kernel.getLoc(), dim);
    return gpu::ThreadIdOp::create(b, kernel.getLoc(), dim);
  }
  /// block * threads + thread
  Value threadOf(Value block);
  LogicalResult flat();
  LogicalResult rows();
  LogicalResult elements();
  LogicalResult teams();
  void makeTeam();
  /// Whether the one reduction reads rows that are too long for everything to
  /// be loaded at once, or memory of any alignment, and all that is stored of
  /// them is stored meanwhile.
  bool readsOnce();
  /// Some of a group's results at one place of a row.
  LogicalResult storeIf(Value condition, const Group &group,
                        ArrayRef<unsigned> numbers,
                        ArrayRef<AffineExpr> outerAt, AffineExpr place);
  /// A condition that may be null, which is to say true.
  Value both(Value x, Value y) {
    if (!x || !y)
      return x ? x : y;
    return arith::AndIOp::create(e.builder(), kernel.getLoc(), x, y);
  }
  /// Some of a group's results of one row, by a team.
  LogicalResult teamStores(const Group &group, ArrayRef<unsigned> numbers,
                           ArrayRef<AffineExpr> outerAt, Value isRow);
  /// Neighbouring elements of a group's row that a thread of a team computes
  /// together.
  int64_t widthOf(const Group &group) {
    std::optional<int64_t> count =
        known(numElements(group.inner, kernel.getContext()));
    int64_t width = group.contiguous ? e.team->width : 1;
    return count && *count % width == 0 ? width : 1;
  }
  /// The elements of a group's row, where the team's registers hold it.
  std::optional<int64_t> heldCount(const Group &group) {
    std::optional<int64_t> count =
        known(numElements(group.inner, kernel.getContext()));
    if (count && e.team->holds(*count, widthOf(group)))
      return count;
    return std::nullopt;
  }
  AffineExpr placeOf(const KernelEmitter::Share &share, int64_t width) {
    return width > 1 ? share.place * width + e.teamLane(width) : share.place;
  }
  /// The coordinates of a place in a group's row.
  SmallVector<AffineExpr> innerAt(const Group &group, AffineExpr place) {
    if (group.inner.empty())
      return {};
    return e.getSpace().delinearize(place, group.inner);
  }
  /// Calls `body` with a variable that stands for `number`, where that is below
  /// `extent`.
  LogicalResult below(Value number, AffineExpr extent,
                      llvm::function_ref<LogicalResult(AffineExpr)> body);
  Value isBelow(Value number, AffineExpr extent) {
    return e.isBelow(number, extent);
  }
  static std::optional<int64_t> known(AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
    return std::nullopt;
  }

  KernelOp kernel;
  KernelEmitter &e;
  KernelResults &results;
  ScheduleAttr schedule;
};

} // namespace

LogicalResult GPUKernel::innerNest(const Group &group,
                                   ArrayRef<unsigned> numbers,
                                   ArrayRef<AffineExpr> outerAt,
                                   SmallVector<AffineExpr> &at) {
  unsigned depth = at.size();
  if (depth == group.inner.size())
    return results.store(numbers, outerAt, at);
  auto body = [&](AffineExpr i) {
    at.push_back(i);
    LogicalResult result = innerNest(group, numbers, outerAt, at);
    at.pop_back();
    return result;
  };
  AffineExpr extent = group.inner[depth];
  std::optional<int64_t> count = known(extent);
  if (count && *count <= e.unrollLimit) {
    for (int64_t i = 0; i < *count; ++i)
      if (failed(body(e.getSpace().constant(i))))
        return failure();
    return success();
  }
  return failure(
      failed(e.loop(extent, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
        return body(i);
      })));
}

LogicalResult GPUKernel::row(ArrayRef<AffineExpr> outerAt) {
  // What a thread reduces and writes of a column stays in its registers.
  if (!results.getRows().reductions.empty() && keepsColumns())
    for (const Group &group : results.getGroups())
      if (std::optional<int64_t> column =
              known(numElements(group.inner, kernel.getContext()));
          column && *column <= kMaxColumn)
        e.unrollLimit = std::max(e.unrollLimit, *column);
  // The results of a column are stored as soon as its reductions allow, while
  // the next one needs the same elements.
  llvm::SmallDenseSet<unsigned> streaming;
  if (e.columns)
    e.columns->meanwhile = [&](int64_t index, int64_t count) {
      for (const Group &group : results.getGroups()) {
        if (group.inner.size() != 1 || known(group.inner.front()) != count)
          continue;
        for (unsigned number : group.results) {
          if (index == 0 && results.isReady(number, outerAt))
            streaming.insert(number);
          AffineExpr at = e.getSpace().constant(index);
          if (streaming.contains(number) &&
              failed(results.store(number, outerAt, at)))
            return failure();
        }
      }
      return success();
    };
  if (failed(results.reduce(outerAt)))
    return failure();
  if (e.columns)
    e.columns->meanwhile = nullptr;
  for (const Group &group : results.getGroups()) {
    SmallVector<unsigned> numbers;
    for (unsigned number : group.results)
      if (!streaming.contains(number))
        numbers.push_back(number);
    SmallVector<AffineExpr> at;
    if (!numbers.empty() && failed(innerNest(group, numbers, outerAt, at)))
      return failure();
  }
  return success();
}

LogicalResult GPUKernel::halves(SmallVector<AffineExpr> outerAt,
                                unsigned inner) {
  if (failed(row(outerAt)))
    return failure();
  if (!results.getRows().isHalved)
    return success();
  int64_t half = *known(results.outer()[inner]) / 2;
  outerAt[inner] = e.getSpace().simplify(outerAt[inner] + half);
  return row(outerAt);
}

Value GPUKernel::threadOf(Value block) {
  OpBuilder &b = e.builder();
  Location loc = kernel.getLoc();
  Type type = e.isNarrow ? Type(b.getI32Type()) : b.getIndexType();
  auto cast = [&](Value value) -> Value {
    return e.isNarrow ? arith::IndexCastOp::create(b, loc, type, value) : value;
  };
  Value threads = arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(type, schedule.getThreads()));
  auto flags = e.isNarrow ? arith::IntegerOverflowFlags::nsw |
                                arith::IntegerOverflowFlags::nuw
                          : arith::IntegerOverflowFlags::none;
  Value first = arith::MulIOp::create(b, loc, cast(block), threads, flags);
  Value thread = arith::AddIOp::create(
      b, loc, first, cast(dimension(false, gpu::Dimension::x)), flags);
  if (!e.isNarrow)
    return thread;
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), thread);
}

LogicalResult
GPUKernel::below(Value number, AffineExpr extent,
                 llvm::function_ref<LogicalResult(AffineExpr)> body) {
  return e.guarded(isBelow(number, extent),
                   [&] { return body(e.addVariable(number, known(extent))); });
}

LogicalResult GPUKernel::flat() {
  IndexSpace &space = e.getSpace();
  int64_t width = schedule.getWidth();
  AffineExpr count = numElements(results.outer(), kernel.getContext());
  AffineExpr vectors = space.simplify(count.floorDiv(width));
  AffineExpr rest = space.simplify(count % width);
  SmallVector<AffineExpr> coords(results.outer().size(), space.constant(0));
  Value thread = threadOf(dimension(true, gpu::Dimension::x));
  AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
  if (failed(below(thread, vectors, [&](AffineExpr vector) {
        coords.back() = vector * width + lane;
        return row(coords);
      })))
    return failure();
  if (rest == space.constant(0))
    return success();
  // The thread behind the last vector does what is left.
  Value isLast = arith::CmpIOp::create(e.builder(), kernel.getLoc(),
                                       arith::CmpIPredicate::eq, thread,
                                       e.indexValue(vectors));
  return e.guarded(isLast, [&] {
    return failure(
        failed(e.loop(rest, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
          coords.back() = space.simplify(vectors * width + i);
          return row(coords);
        })));
  });
}

LogicalResult GPUKernel::rows() {
  IndexSpace &space = e.getSpace();
  ArrayRef<AffineExpr> shape = results.outer();
  unsigned inner = *results.contiguousOuter();
  int64_t width = schedule.getWidth();
  AffineExpr vectors =
      space.simplify(partOf(results.getRows(), shape[inner]).floorDiv(width));
  ArrayRef<AffineExpr> outer = shape.take_front(inner);
  AffineExpr row =
      e.addVariable(dimension(true, gpu::Dimension::x),
                    known(numElements(outer, kernel.getContext())));
  SmallVector<AffineExpr> coords = space.delinearize(row, outer);
  coords.resize(shape.size(), space.constant(0));
  AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
  // Launches have one block in z, which no compiler knows.
  Value zero;
  if (!results.getRows().reductions.empty() && keepsColumns())
    zero = dimension(true, gpu::Dimension::z);
  auto vectorAt = [&](AffineExpr vector) {
    coords[inner] = vector * width + lane;
    if (zero)
      e.columns.emplace(vector, zero);
    return halves(coords, inner);
  };
  if (known(vectors) == schedule.getThreads())
    return vectorAt(e.addVariable(dimension(false, gpu::Dimension::x),
                                  schedule.getThreads()));
  return below(threadOf(dimension(true, gpu::Dimension::y)), vectors, vectorAt);
}

LogicalResult GPUKernel::elements() {
  IndexSpace &space = e.getSpace();
  int64_t width = schedule.getWidth();
  Value thread = threadOf(dimension(true, gpu::Dimension::x));
  SmallVector<AffineExpr> grid(results.outer());
  std::optional<unsigned> inner = results.contiguousOuter();
  if (inner)
    grid[*inner] =
        space.simplify(partOf(results.getRows(), grid[*inner]).floorDiv(width));
  AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
  return below(
      thread, numElements(grid, kernel.getContext()), [&](AffineExpr position) {
        SmallVector<AffineExpr> coords = space.delinearize(position, grid);
        if (!inner)
          return row(coords);
        coords[*inner] = space.simplify(coords[*inner] * width + lane);
        return halves(coords, *inner);
      });
}

void GPUKernel::makeTeam() {
  OpBuilder &b = e.builder();
  Location loc = kernel.getLoc();
  IndexSpace &space = e.getSpace();
  int64_t threads = schedule.getThreads(), size = schedule.getTeam();
  KernelEmitter::Team team;
  team.size = size;
  team.count = threads / size;
  team.width = schedule.getWidth();
  team.thread = dimension(false, gpu::Dimension::x);
  AffineExpr inBlock = e.addVariable(team.thread, threads);
  team.laneNumber = space.simplify(inBlock % kWarp);
  team.threadNumber = inBlock;
  team.number = space.constant(0);
  if (team.count > 1) {
    Value divisor = arith::ConstantIndexOp::create(b, loc, size);
    Value number = arith::DivUIOp::create(b, loc, team.thread, divisor);
    team.thread = arith::RemUIOp::create(b, loc, team.thread, divisor);
    team.number = e.addVariable(number, team.count);
    team.threadNumber = e.addVariable(team.thread, size);
  }
  team.memory = sharedMemory;
  e.team = std::move(team);
}

LogicalResult GPUKernel::storeIf(Value condition, const Group &group,
                                 ArrayRef<unsigned> numbers,
                                 ArrayRef<AffineExpr> outerAt,
                                 AffineExpr place) {
  auto store = [&] {
    return results.store(numbers, outerAt, innerAt(group, place));
  };
  return condition ? e.guarded(condition, store) : store();
}

LogicalResult GPUKernel::teamStores(const Group &group,
                                    ArrayRef<unsigned> numbers,
                                    ArrayRef<AffineExpr> outerAt, Value isRow) {
  if (numbers.empty())
    return success();
  IndexSpace &space = e.getSpace();
  const KernelEmitter::Team &team = *e.team;
  std::optional<int64_t> count =
      known(numElements(group.inner, kernel.getContext()));
  if (count && *count == 1) {
    Value isFirst =
        team.size == 1 ? Value() : isBelow(team.thread, space.constant(1));
    return storeIf(both(isRow, isFirst), group, numbers, outerAt,
                   space.constant(0));
  }
  int64_t width = widthOf(group);
  if (heldCount(group)) {
    for (const KernelEmitter::Share &share : e.shareOf(*count / width))
      if (failed(storeIf(both(isRow, share.isOwn), group, numbers, outerAt,
                         placeOf(share, width))))
        return failure();
    return success();
  }
  AffineExpr vectors = space.simplify(
      numElements(group.inner, kernel.getContext()).floorDiv(width));
  auto loop = [&] {
    AffineExpr rounds = space.simplify(
        (vectors - team.threadNumber + (team.size - 1)).floorDiv(team.size));
    return failure(
        failed(e.loop(rounds, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
          AffineExpr place = space.simplify(i * team.size + team.threadNumber);
          // Within the row by the number of rounds.
          place = e.addVariable(e.indexValue(place), known(vectors));
          if (width > 1)
            place = place * width + e.teamLane(width);
          return results.store(numbers, outerAt, innerAt(group, place));
        })));
  };
  return isRow ? e.guarded(isRow, loop) : loop();
}

bool GPUKernel::readsOnce() {
  ArrayRef<Operation *> reductions = results.getRows().reductions;
  if (reductions.size() != 1 || e.team->count > 1)
    return false;
  std::optional<int64_t> extent = reducedExtent(reductions.front());
  if (!extent || (e.baseAlignment != 0 && *extent <= kMaxEarly * e.team->size))
    return false;
  return llvm::all_of(results.getGroups(), [&](const Group &group) {
    return known(numElements(group.inner, kernel.getContext())) == 1 ||
           (results.reduced(group).empty() && heldCount(group) == extent &&
            widthOf(group) == e.team->width);
  });
}

LogicalResult GPUKernel::teams() {
  IndexSpace &space = e.getSpace();
  OpBuilder &b = e.builder();
  Location loc = kernel.getLoc();
  makeTeam();
  KernelEmitter::Team &team = *e.team;
  AffineExpr numRows =
      space.simplify(numElements(results.outer(), kernel.getContext()));
  // A team without a row computes the last one along, for the sake of those it
  // meets in its warp, and stores nothing.
  Value row = dimension(true, gpu::Dimension::x), isRow;
  if (team.count > 1) {
    Value count = arith::ConstantIndexOp::create(b, loc, team.count);
    row = arith::MulIOp::create(b, loc, row, count);
    row = arith::AddIOp::create(b, loc, row, e.indexValue(team.number));
    if (std::optional<int64_t> rows = known(numRows);
        !rows || *rows % team.count != 0) {
      isRow = isBelow(row, numRows);
      Value last = e.indexValue(space.simplify(numRows - 1));
      row = arith::MinUIOp::create(b, loc, row, last);
    }
  }
  team.rowVariables = {e.addVariable(row, known(numRows))};
  SmallVector<AffineExpr> outerAt =
      space.delinearize(team.rowVariables.front(), results.outer());
  team.readsOnce = readsOnce();
  // Weights are on their way while threads wait for each other, where there are
  // registers for them.
  for (const Group &group : results.getGroups()) {
    int64_t width = widthOf(group);
    std::optional<int64_t> count = heldCount(group);
    if (!count || (team.readsOnce && *count > 1) ||
        llvm::divideCeil(*count, team.size) > kMaxEarly)
      continue;
    for (const KernelEmitter::Share &share : e.shareOf(*count / width))
      if (failed(results.load(group, outerAt,
                              innerAt(group, placeOf(share, width)))))
        return failure();
  }
  // What needs no reduction is stored while the first one reads the row: the
  // same elements, which leave the registers then.
  SmallPtrSet<const Group *, 2> done;
  team.meanwhile = [&](const KernelEmitter::Share &share, int64_t count,
                       int64_t width) {
    for (const Group &group : results.getGroups()) {
      SmallVector<unsigned> numbers = results.unreduced(group);
      if (numbers.empty() || heldCount(group) != count ||
          widthOf(group) != width)
        continue;
      done.insert(&group);
      if (failed(storeIf(both(isRow, share.isOwn), group, numbers, outerAt,
                         placeOf(share, width))))
        return failure();
    }
    return success();
  };
  if (failed(results.reduce(outerAt)))
    return failure();
  team.meanwhile = nullptr;
  for (const Group &group : results.getGroups()) {
    if (!done.contains(&group) &&
        failed(teamStores(group, results.unreduced(group), outerAt, isRow)))
      return failure();
    if (failed(teamStores(group, results.reduced(group), outerAt, isRow)))
      return failure();
  }
  return success();
}

LogicalResult GPUKernel::run() {
  switch (schedule.getSpace()) {
  case KernelSpace::flat:
    return results.outer().empty() ? elements() : flat();
  case KernelSpace::rows:
    return results.contiguousOuter() ? rows() : elements();
  case KernelSpace::elements:
    return elements();
  case KernelSpace::teams:
    return teams();
  }
  llvm_unreachable("unknown kernel space");
}

/// Blocks in x and y, over the sizes of the function. `contiguous` is the place
/// among the outer loops of the one that is computed in vectors.
static std::pair<AffineExpr, AffineExpr>
gridOf(ScheduleAttr schedule, ArrayRef<AffineExpr> outer,
       std::optional<unsigned> contiguous, MLIRContext *context) {
  AffineExpr one = getAffineConstantExpr(1, context);
  int64_t width = schedule.getWidth(), threads = schedule.getThreads();
  if (outer.empty())
    return {one, one};
  if (schedule.getSpace() == KernelSpace::teams)
    return {numElements(outer, context).ceilDiv(threads / schedule.getTeam()),
            one};
  if (schedule.getSpace() == KernelSpace::flat)
    return {numElements(outer, context).ceilDiv(width * threads), one};
  SmallVector<AffineExpr> grid(outer);
  if (schedule.getSpace() == KernelSpace::rows && contiguous) {
    grid[*contiguous] = one;
    return {numElements(grid, context),
            outer[*contiguous].ceilDiv(width * threads)};
  }
  if (contiguous)
    grid[*contiguous] = grid[*contiguous].floorDiv(width);
  return {numElements(grid, context).ceilDiv(threads), one};
}

namespace {

struct ConvertKernelsToGPU
    : prec::impl::ConvertKernelsToGPUPassBase<ConvertKernelsToGPU> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    gpu::GPUModuleOp kernels;
    for (auto func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!FlatFunction::hasKernels(func))
        continue;
      if (!kernels) {
        OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
        kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
        SymbolTable(module).insert(kernels);
        module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                        builder.getUnitAttr());
      }
      if (failed(convert(func, kernels)))
        return signalPassFailure();
    }
  }

  LogicalResult convert(func::FuncOp func, gpu::GPUModuleOp kernels) {
    FlatFunction function(func);
    ConstantMemory constants(kernels);
    return function.run([&](KernelOp kernel, OpBuilder &builder) {
      return convertKernel(kernel, builder, function, kernels, constants);
    });
  }

  LogicalResult convertKernel(KernelOp kernel, OpBuilder &builder,
                              FlatFunction &function, gpu::GPUModuleOp kernels,
                              ConstantMemory &constants);
};

/// A kernel that is being converted: its parameters, and how it becomes a
/// gpu.func, by one schedule or another.
class KernelConversion {
public:
  KernelConversion(KernelOp kernel, OpBuilder &builder, FlatFunction &function,
                   gpu::GPUModuleOp kernels, ConstantMemory &constants,
                   const prec::ConvertKernelsToGPUPassOptions &options);

  /// A gpu.func with what its launch passes.
  struct Code {
    gpu::GPUFuncOp function;
    SmallVector<Value> arguments;
    AffineExpr gridX, gridY;
    int64_t threads;
    /// What every memory that it gets must be aligned to, 0: to its elements.
    int64_t alignment;
  };
  /// For memory with that alignment; `isNarrow`: and so small that no position
  /// needs more than 31 bits.
  FailureOr<Code> emit(StringRef name, ScheduleAttr schedule, int64_t alignment,
                       bool isNarrow);
  /// Numbers of elements of which the largest decides whether memory is small.
  /// Nothing if some memory is known to be large.
  std::optional<SmallVector<AffineExpr>> counts();
  void launch(OpBuilder &b, const Code &code);
  /// Whether memory and sizes are as `code`, with this schedule, needs them;
  /// null if they always are.
  Value isSuitable(const Code &code, ScheduleAttr schedule, bool isNarrow);

private:
  /// A dynamic size of an argument of the body, or an index among those with
  /// the dimension -1.
  struct Size {
    BlockArgument argument;
    int64_t dim;
    Value value;
  };
  /// What the schedule needs the size to be a multiple of.
  static int64_t multipleOf(ScheduleAttr schedule, const Size &size);
  Value sharedMemory(OpBuilder &b, Type type, int64_t count);
  LogicalResult emitBody(gpu::GPUFuncOp gpuFunc, ScheduleAttr schedule,
                         bool isNarrow, Code &code);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  KernelOp kernel;
  OpBuilder &builder;
  FlatFunction &function;
  gpu::GPUModuleOp kernels;
  ConstantMemory &constants;
  const prec::ConvertKernelsToGPUPassOptions &options;
  Location loc;
  /// Memory of operands, memory of results, scalars and sizes.
  SetVector<Value> params;
  SmallVector<Size> sizes;
};

} // namespace

KernelConversion::KernelConversion(
    KernelOp kernel, OpBuilder &builder, FlatFunction &function,
    gpu::GPUModuleOp kernels, ConstantMemory &constants,
    const ConvertKernelsToGPUPassOptions &options)
    : kernel(kernel), builder(builder), function(function), kernels(kernels),
      constants(constants), options(options), loc(kernel.getLoc()) {
  for (Value operand : kernel.getInputs())
    if (isa<RankedTensorType>(operand.getType()))
      params.insert(function.memoryOf(operand));
  for (Value result : kernel.getResults())
    params.insert(function.memoryOf(result));
  DenseMap<AffineExpr, Value> sizeValues;
  for (auto [operand, argument] : llvm::zip_equal(
           kernel.getInputs(), kernel.getBody().front().getArguments())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type) {
      params.insert(operand);
      if (operand.getType().isIndex())
        sizes.push_back({argument, -1, operand});
      continue;
    }
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      AffineExpr size = function.getSizes().size(operand, dim);
      Value &value = sizeValues[size];
      if (!value)
        value = function.sizeValue(builder, size);
      sizes.push_back({argument, dim, value});
      params.insert(value);
    }
  }
}

Value KernelConversion::sharedMemory(OpBuilder &b, Type type, int64_t count) {
  // The number, not GPU's attribute, which upstream's lowering of vectors
  // does not know.
  auto memoryType = MemRefType::get({count}, type, MemRefLayoutAttrInterface(),
                                    builder.getI64IntegerAttr(kSharedMemory));
  // The symbol table names and inserts it.
  OpBuilder detached(builder.getContext());
  auto global = memref::GlobalOp::create(
      detached, loc, (kernel.getName() + "_shared").str(),
      builder.getStringAttr("private"), memoryType,
      /*initialValue=*/builder.getUnitAttr(), /*constant=*/false,
      /*alignment=*/builder.getI64IntegerAttr(32));
  SymbolTable(kernels).insert(global, kernels.getBody()->begin());
  return memref::GetGlobalOp::create(b, loc, memoryType, global.getSymName());
}

int64_t KernelConversion::multipleOf(ScheduleAttr schedule, const Size &size) {
  DenseI64ArrayAttr multiples = schedule.getMultiples();
  auto type = dyn_cast<RankedTensorType>(size.argument.getType());
  return multiples && (!type || size.dim + 1 == type.getRank())
             ? multiples[size.argument.getArgNumber()]
             : 1;
}

/// Whether an argument of the body looks as if no element of it were shared:
/// it has as many dynamic dimensions, and in the others as many elements, as a
/// result. Only speed depends on it.
static bool isUsedOnce(BlockArgument argument) {
  auto extent = [](Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    int64_t elements = 1;
    for (int64_t size : type.getShape())
      elements *= ShapedType::isDynamic(size) ? 1 : size;
    return std::pair(type.getNumDynamicDims(), elements);
  };
  const auto own = extent(argument);
  Operation *yield = argument.getOwner()->getTerminator();
  return llvm::any_of(yield->getOperands(), [&](Value result) {
    const auto least = extent(result);
    return own.first >= least.first && own.second >= least.second;
  });
}

LogicalResult KernelConversion::emitBody(gpu::GPUFuncOp gpuFunc,
                                         ScheduleAttr schedule, bool isNarrow,
                                         Code &code) {
  Block &entry = gpuFunc.getBody().front();
  OpBuilder inFunc = OpBuilder::atBlockBegin(&entry);
  inFunc.setInsertionPoint(gpu::ReturnOp::create(inFunc, loc));
  auto paramOf = [&](Value value) -> Value {
    return entry.getArgument(llvm::find(params, value) - params.begin());
  };
  KernelEmitter emitter(kernel, kReductionWidth);
  emitter.constantMemory = std::ref(constants);
  emitter.baseAlignment = code.alignment;
  emitter.isNarrow = isNarrow;
  for (auto [operand, argument] : llvm::zip_equal(
           kernel.getInputs(), kernel.getBody().front().getArguments())) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    Value param = paramOf(isTensor ? function.memoryOf(operand) : operand);
    emitter.bind(argument, param);
    if (options.cacheHints && isTensor && isUsedOnce(argument))
      emitter.streamed.insert(param);
  }
  for (const Size &size : sizes) {
    Value value = paramOf(size.value);
    int64_t multiple = multipleOf(schedule, size);
    if (multiple > 1) {
      emitter.getSizes().assumeMultiple({size.argument, size.dim}, multiple);
      Value divisor = arith::ConstantIndexOp::create(inFunc, loc, multiple);
      value = arith::DivUIOp::create(inFunc, loc, value, divisor);
    }
    emitter.bindSize(size.argument, size.dim, value);
  }
  KernelEmitter::ScopeGuard scope(emitter, inFunc);
  SmallVector<Value> memory;
  for (Value result : kernel.getResults())
    memory.push_back(paramOf(function.memoryOf(result)));
  if (options.cacheHints)
    emitter.streamed.insert(memory.begin(), memory.end());
  FailureOr<KernelResults> results =
      KernelResults::get(kernel, emitter, memory, /*repeatInside=*/true);
  if (failed(results))
    return failure();
  GPUKernel body(kernel, schedule, emitter, *results);
  body.sharedMemory = [this](OpBuilder &b, Type type, int64_t count) {
    return sharedMemory(b, type, count);
  };
  if (failed(body.run()))
    return failure();
  const KernelRows &rows = results->getRows();
  bool keepsRows = false;
  for (auto [isReduced, inner] :
       llvm::zip_equal(rows.isReduced, rows.innerDims))
    keepsRows |= isReduced && !inner.empty();
  int64_t most =
      std::max(schedule.getThreads(), keepsRows ? kMinBlockLimit : 1);
  gpuFunc.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(most), 1, 1}));
  SmallVector<AffineExpr> outer;
  SmallVector<AffineExpr> shape =
      function.getSizes().sizes(kernel.getResult(0));
  for (unsigned dim : rows.outerDims.front())
    outer.push_back(shape[dim]);
  std::optional<unsigned> contiguous = results->contiguousOuter();
  if (contiguous)
    outer[*contiguous] = partOf(rows, outer[*contiguous]);
  std::tie(code.gridX, code.gridY) =
      gridOf(schedule, outer, contiguous, kernel.getContext());
  code.alignment = emitter.usedAlignment;
  return success();
}

/// Has the kernel wait for the one before it, then let the one after it start.
/// That is early, but what comes after waits for all of this kernel in turn.
static void waitForKernelBefore(gpu::GPUFuncOp gpuFunc) {
  OpBuilder b = OpBuilder::atBlockBegin(&gpuFunc.getBody().front());
  for (auto kind : {NVVM::GridDepActionKind::wait,
                    NVVM::GridDepActionKind::launch_dependents})
    NVVM::GriddepcontrolOp::create(b, gpuFunc.getLoc(), kind);
  gpuFunc->setAttr(kDependentLaunchAttrName, b.getUnitAttr());
}

FailureOr<KernelConversion::Code> KernelConversion::emit(StringRef name,
                                                         ScheduleAttr schedule,
                                                         int64_t alignment,
                                                         bool isNarrow) {
  SmallVector<Type> paramTypes;
  for (Value param : params)
    paramTypes.push_back(param.getType());
  OpBuilder inModule = OpBuilder::atBlockEnd(kernels.getBody());
  auto gpuFunc = gpu::GPUFuncOp::create(
      inModule, loc, name, builder.getFunctionType(paramTypes, {}));
  gpuFunc->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                   builder.getUnitAttr());
  SymbolTable(kernels).insert(gpuFunc);
  Code code{gpuFunc, {}, {}, {}, schedule.getThreads(), alignment};
  if (failed(emitBody(gpuFunc, schedule, isNarrow, code)))
    return failure();
  gpuFunc->setAttr(kAlignmentAttrName,
                   builder.getI64IntegerAttr(code.alignment));
  if (options.dependentLaunch)
    waitForKernelBefore(gpuFunc);
  // Those that turn out to be unused are taken away again.
  llvm::BitVector unused(params.size());
  for (auto [i, param] : llvm::enumerate(params)) {
    if (gpuFunc.getArgument(i).use_empty())
      unused.set(i);
    else
      code.arguments.push_back(param);
  }
  if (failed(gpuFunc.eraseArguments(unused)))
    return failure();
  return code;
}

void KernelConversion::launch(OpBuilder &b, const Code &code) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = constant(1);
  gpu::LaunchFuncOp::create(
      b, loc, code.function,
      gpu::KernelDim3{function.sizeValue(b, code.gridX),
                      function.sizeValue(b, code.gridY), one},
      gpu::KernelDim3{constant(code.threads), one, one},
      /*dynamicSharedMemorySize=*/Value(), code.arguments);
}

std::optional<SmallVector<AffineExpr>> KernelConversion::counts() {
  // By what is left without constant factors, the largest factor.
  llvm::MapVector<AffineExpr, int64_t> largest;
  auto tensors = llvm::concat<Value>(SmallVector<Value>(kernel.getInputs()),
                                     SmallVector<Value>(kernel.getResults()));
  for (Value tensor : tensors) {
    if (!isa<RankedTensorType>(tensor.getType()))
      continue;
    AffineExpr count =
        numElements(function.getSizes().sizes(tensor), kernel.getContext());
    if (auto constant = dyn_cast<AffineConstantExpr>(count)) {
      if (constant.getValue() >= kNarrowLimit)
        return std::nullopt;
      continue;
    }
    int64_t factor = count.getLargestKnownDivisor();
    int64_t &most = largest[count.floorDiv(factor)];
    most = std::max(most, factor);
  }
  SmallVector<AffineExpr> result;
  for (auto [rest, factor] : largest)
    result.push_back(rest * factor);
  return result;
}

Value KernelConversion::isSuitable(const Code &code, ScheduleAttr schedule,
                                   bool isNarrow) {
  Value all;
  auto require = [&](Value holds) {
    all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult()
              : holds;
  };
  auto requireMultiple = [&](Value value, int64_t multiple) {
    Value rest =
        arith::RemUIOp::create(builder, loc, value, constant(multiple));
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                                  constant(0)));
  };
  llvm::DenseSet<Value> seen;
  for (const Size &size : sizes)
    if (int64_t multiple = multipleOf(schedule, size);
        multiple > 1 && seen.insert(size.value).second)
      requireMultiple(size.value, multiple);
  if (auto small = counts(); small && isNarrow)
    for (AffineExpr count : *small)
      require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                    function.sizeValue(builder, count),
                                    constant(kNarrowLimit)));
  if (code.alignment)
    for (Value argument : code.arguments)
      if (isa<MemRefType>(argument.getType()) &&
          !argument.getDefiningOp<memref::AllocOp>())
        requireMultiple(memref::ExtractAlignedPointerAsIndexOp::create(
                            builder, loc, argument),
                        code.alignment);
  return all;
}

LogicalResult ConvertKernelsToGPU::convertKernel(KernelOp kernel,
                                                 OpBuilder &builder,
                                                 FlatFunction &function,
                                                 gpu::GPUModuleOp kernels,
                                                 ConstantMemory &constants) {
  if (!kernel.getSchedule())
    return kernel.emitOpError("expected a schedule");
  const ConvertKernelsToGPUPassOptions options{dependentLaunch, cacheHints};
  KernelConversion conversion(kernel, builder, function, kernels, constants,
                              options);
  using Code = KernelConversion::Code;
  auto counts = conversion.counts();
  // Rows in registers leave none to spare and have few indices; the address of
  // a row that data decides on is one wide multiplication and addition.
  bool isNarrow = counts && (counts->empty() || kernel.getFallback()) &&
                  kernel.getSchedule()->getSpace() != KernelSpace::teams;
  kernel.walk([&](tensor::ExtractOp) { isNarrow = false; });
  // So is that of a block's row, unless a thread has several vectors of it at
  // constant distances: where a dimension stands between rows and columns.
  if (kernel.getSchedule()->getSpace() == KernelSpace::rows)
    isNarrow &= llvm::any_of(kernel->getOperandTypes(), [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.getRank() > 2;
    });
  FailureOr<Code> code = conversion.emit(
      kernel.getName(), *kernel.getSchedule(), kBaseAlignment, isNarrow);
  if (failed(code))
    return failure();
  Value isSuitable =
      conversion.isSuitable(*code, *kernel.getSchedule(), isNarrow);
  if (!isSuitable || !kernel.getFallback()) {
    conversion.launch(builder, *code);
    return success();
  }
  FailureOr<Code> fallback =
      conversion.emit((kernel.getName() + "_any").str(), *kernel.getFallback(),
                      /*alignment=*/0, /*isNarrow=*/false);
  if (failed(fallback))
    return failure();
  auto choice = scf::IfOp::create(builder, kernel.getLoc(), isSuitable,
                                  /*withElseRegion=*/true);
  OpBuilder then = choice.getThenBodyBuilder();
  conversion.launch(then, *code);
  OpBuilder otherwise = choice.getElseBodyBuilder();
  conversion.launch(otherwise, *fallback);
  return success();
}
