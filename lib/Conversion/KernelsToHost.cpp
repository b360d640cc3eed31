// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatFunction.h"
#include "HostLoops.h"
#include "KernelEmitter/ConstantMemory.h"
#include "KernelEmitter/KernelResults.h"
#include "prec/Conversion/ABI.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace prec {
#define GEN_PASS_DEF_CONVERTKERNELSTOHOSTPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// Elements that are left over a register at a time: an AVX-512 register of
/// f32.
static constexpr int64_t kRestWidth = 16;

/// Elements that a reduction loads at once: a register of f32, or two where
/// those are one of bf16, or the results are computed in two, too.
static int64_t reductionWidth(KernelOp kernel, int64_t lanes) {
  bool isPaired = llvm::any_of(kernel.getInputs().getTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isBF16();
  });
  int64_t pair = std::max(kRestWidth, 2 * lanes);
  return isPaired || kernel.getSchedule()->getWidth() == pair ? pair
                                                              : kRestWidth;
}

/// Whether a sum and a result of `kernel` may need the same function.
static bool hasFunction(KernelOp kernel) {
  return kernel
      ->walk([](Operation *op) {
        return isFunction(*op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// Emits one kernel as a nest of loops.
class HostKernel {
public:
  HostKernel(KernelEmitter &emitter, KernelResults &results,
             ScheduleAttr schedule)
      : e(emitter), results(results), schedule(schedule),
        vectorLoop(results.contiguousOuter()) {}

  LogicalResult run() {
    if (schedule.getSpace() == KernelSpace::flat && !results.outer().empty())
      return flat();
    SmallVector<AffineExpr> at;
    return outerNest(at);
  }

private:
  using Body = llvm::function_ref<LogicalResult(AffineExpr)>;

  /// One index over all elements.
  LogicalResult flat();
  /// The outer loops from number at.size() on.
  LogicalResult outerNest(SmallVector<AffineExpr> &at);
  /// Everything that belongs to one row.
  LogicalResult row(ArrayRef<AffineExpr> outerAt);
  LogicalResult innerNest(const KernelResults::Group &group,
                          ArrayRef<AffineExpr> outerAt,
                          SmallVector<AffineExpr> &at);
  /// A loop, without one for an extent of 1.
  LogicalResult loop(AffineExpr extent, Body body);
  /// Vectors, then what is left one by one.
  LogicalResult vectorised(AffineExpr extent, Body body);

  KernelEmitter &e;
  KernelResults &results;
  ScheduleAttr schedule;
  std::optional<unsigned> vectorLoop;
  /// The variable of the innermost loop around.
  AffineExpr around;
};

} // namespace

LogicalResult HostKernel::flat() {
  SmallVector<AffineExpr> at(results.outer().size(), e.getSpace().constant(0));
  return vectorised(numElements(results.outer(), e.builder().getContext()),
                    [&](AffineExpr i) {
                      at.back() = i;
                      return row(at);
                    });
}

LogicalResult HostKernel::loop(AffineExpr extent, Body body) {
  if (extent == e.getSpace().constant(1))
    return body(e.getSpace().constant(0));
  AffineExpr outside = around;
  LogicalResult result = failure(
      failed(e.loop(extent, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
        around = i;
        return body(i);
      })));
  around = outside;
  return result;
}

LogicalResult HostKernel::vectorised(AffineExpr extent, Body body) {
  IndexSpace &space = e.getSpace();
  AffineExpr rows = around;
  if (rows)
    e.prefetchAcross(rows);
  // Vectors, shorter ones where those are long, and single elements.
  SmallVector<int64_t> widths{schedule.getWidth()};
  if (widths.back() > kRestWidth)
    widths.push_back(kRestWidth);
  if (widths.back() > 1)
    widths.push_back(1);
  AffineExpr first = space.constant(0), rest = extent;
  for (int64_t width : widths) {
    AffineExpr count = space.simplify(rest.floorDiv(width));
    if (count == space.constant(0))
      continue;
    AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
    if (failed(e.loop(count, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
          if (!rows)
            e.prefetchAcross(i);
          return body(space.simplify(first + i * width + lane));
        })))
      return failure();
    rest = space.simplify(extent % width);
    first = space.simplify(extent - rest);
  }
  return success();
}

LogicalResult HostKernel::outerNest(SmallVector<AffineExpr> &at) {
  unsigned depth = at.size();
  if (depth == results.outer().size())
    return row(at);
  auto body = [&](AffineExpr i) {
    at.push_back(i);
    LogicalResult result = outerNest(at);
    at.pop_back();
    return result;
  };
  if (depth == vectorLoop)
    return vectorised(results.outer()[depth], body);
  return loop(results.outer()[depth], body);
}

LogicalResult HostKernel::row(ArrayRef<AffineExpr> outerAt) {
  if (!vectorLoop)
    e.prefetchAcross(around);
  if (failed(results.reduce(outerAt)))
    return failure();
  for (const KernelResults::Group &group : results.getGroups()) {
    SmallVector<AffineExpr> at;
    if (failed(innerNest(group, outerAt, at)))
      return failure();
  }
  return success();
}

LogicalResult HostKernel::innerNest(const KernelResults::Group &group,
                                    ArrayRef<AffineExpr> outerAt,
                                    SmallVector<AffineExpr> &at) {
  unsigned depth = at.size();
  if (depth == group.inner.size())
    return results.store(group.results, outerAt, at);
  auto body = [&](AffineExpr i) {
    at.push_back(i);
    LogicalResult result = innerNest(group, outerAt, at);
    at.pop_back();
    return result;
  };
  if (!vectorLoop && depth == group.contiguous)
    return vectorised(group.inner[depth], body);
  return loop(group.inner[depth], body);
}

namespace {

struct ConvertKernelsToHost
    : prec::impl::ConvertKernelsToHostPassBase<ConvertKernelsToHost> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!FlatFunction::hasKernels(func))
        continue;
      if (failed(convert(func)))
        return signalPassFailure();
      fuseRowLoops(func);
      joinHalves(func);
      joinSums(func);
      pairRows(func);
      computeEarly(func);
      // Before: then what is ahead of a thread's row is a row of that thread.
      if (parallel)
        markParallelLoops(func);
      computeAhead(func);
    }
  }

  /// Says how many bytes the results of a kernel have.
  void emitResultBytes(OpBuilder &builder, FlatFunction &function,
                       KernelOp kernel) {
    Location loc = kernel.getLoc();
    Type index = builder.getIndexType();
    if (!getOperation().lookupSymbol(kResultBytesName)) {
      OpBuilder atStart = OpBuilder::atBlockBegin(getOperation().getBody());
      func::FuncOp::create(atStart, loc, kResultBytesName,
                           atStart.getFunctionType(index, {}))
          .setPrivate();
    }
    for (Value result : kernel.getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      AffineExpr elements =
          numElements(function.getSizes().sizes(result), builder.getContext());
      Value bytes = arith::MulIOp::create(
          builder, loc, function.sizeValue(builder, elements),
          arith::ConstantIndexOp::create(
              builder, loc,
              llvm::divideCeil(DataLayout::closest(kernel).getTypeSizeInBits(
                                   type.getElementType()),
                               8)));
      func::CallOp::create(builder, loc, kResultBytesName, TypeRange(), bytes);
    }
  }

  LogicalResult convert(func::FuncOp func) {
    FlatFunction function(func);
    ConstantMemory constants(getOperation());
    return function.run([&](KernelOp kernel, OpBuilder &builder) {
      if (!kernel.getSchedule())
        return LogicalResult(kernel.emitOpError("expected a schedule"));
      if (resultBytes)
        emitResultBytes(builder, function, kernel);
      KernelEmitter emitter(kernel, reductionWidth(kernel, lanes));
      KernelEmitter::ScopeGuard scope(emitter, builder);
      emitter.constantMemory = std::ref(constants);
      emitter.loopsOverRests = hasFunction(kernel);
      emitter.keepsSumsInMemory = true;
      Block &body = kernel.getBody().front();
      for (auto [operand, argument] :
           llvm::zip_equal(kernel.getInputs(), body.getArguments())) {
        auto type = dyn_cast<RankedTensorType>(operand.getType());
        emitter.bind(argument, type ? function.memoryOf(operand) : operand);
        for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
          if (type.isDynamicDim(dim))
            emitter.bindSize(
                argument, dim,
                function.sizeValue(builder,
                                   function.getSizes().size(operand, dim)));
      }
      SmallVector<Value> memory;
      for (Value result : kernel.getResults())
        memory.push_back(function.memoryOf(result));
      // What was made for the bindings stands before the scope's first use.
      emitter.builder().setInsertionPoint(kernel);
      FailureOr<KernelResults> results =
          KernelResults::get(kernel, emitter, memory, /*repeatInside=*/false);
      if (failed(results))
        return LogicalResult(failure());
      return HostKernel(emitter, *results, *kernel.getSchedule()).run();
    });
  }
};

} // namespace
