// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatFunction.h"
#include "KernelEmitter/ConstantMemory.h"
#include "KernelEmitter/KernelEmitter.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace prec {
#define GEN_PASS_DEF_CONVERTKERNELSTOHOSTPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// Elements that a reduction loads at once: an AVX-512 register of f32.
static constexpr int64_t kReductionWidth = 16;

namespace {

/// Emits one kernel as a nest of loops.
class HostKernel {
public:
  HostKernel(KernelOp kernel, KernelEmitter &emitter,
             ArrayRef<Value> resultMemory)
      : kernel(kernel), e(emitter), resultMemory(resultMemory),
        schedule(*kernel.getSchedule()),
        shape(kernelShape(kernel, emitter.getSizes())) {}

  LogicalResult run() {
    if (schedule.getSpace() == KernelSpace::flat) {
      SmallVector<AffineExpr> coords(shape.size(), e.getSpace().constant(0));
      if (coords.empty())
        return storeAt(coords);
      return innermost(coords, coords.size() - 1, numElements(shape));
    }
    SmallVector<AffineExpr> coords;
    return nest(coords);
  }

private:
  LogicalResult storeAt(ArrayRef<AffineExpr> coords) {
    Operation *yield = kernel.getBody().front().getTerminator();
    for (auto [value, memory] :
         llvm::zip_equal(yield->getOperands(), resultMemory))
      if (failed(e.store({value, SmallVector<AffineExpr>(coords)}, memory)))
        return failure();
    return success();
  }

  /// Loops over the dimensions outside the vectorised one.
  LogicalResult nest(SmallVector<AffineExpr> &coords);
  /// Vectors along dimension `dim`, then what is left one by one.
  LogicalResult innermost(SmallVector<AffineExpr> &coords, unsigned dim,
                          AffineExpr extent);

  KernelOp kernel;
  KernelEmitter &e;
  ArrayRef<Value> resultMemory;
  ScheduleAttr schedule;
  SmallVector<AffineExpr> shape;
};

} // namespace

LogicalResult HostKernel::nest(SmallVector<AffineExpr> &coords) {
  unsigned inner = innerDimension(shape);
  unsigned dim = coords.size();
  if (dim == shape.size())
    return storeAt(coords);
  if (dim == inner) {
    // Only dimensions of size 1 lie further in.
    coords.resize(shape.size(), e.getSpace().constant(0));
    return innermost(coords, inner, shape[inner]);
  }
  if (shape[dim] == e.getSpace().constant(1)) {
    coords.push_back(e.getSpace().constant(0));
    return nest(coords);
  }
  return failure(failed(
      e.loop(shape[dim], {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
        SmallVector<AffineExpr> next(coords);
        next.push_back(i);
        e.prefetchAcross = dim + 1 == inner ? i : AffineExpr();
        return nest(next);
      })));
}

LogicalResult HostKernel::innermost(SmallVector<AffineExpr> &coords,
                                    unsigned dim, AffineExpr extent) {
  IndexSpace &space = e.getSpace();
  int64_t width = schedule.getWidth();
  AffineExpr vectors = space.simplify(extent.floorDiv(width));
  if (width > 1 && vectors != space.constant(0)) {
    AffineExpr lane = e.addLane(width);
    if (failed(e.loop(vectors, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
          coords[dim] = i * width + lane;
          return storeAt(coords);
        })))
      return failure();
  }
  AffineExpr rest = width > 1 ? space.simplify(extent % width) : extent;
  if (rest == space.constant(0))
    return success();
  AffineExpr first =
      width > 1 ? space.simplify(vectors * width) : space.constant(0);
  return failure(
      failed(e.loop(rest, {}, [&](AffineExpr i, SmallVectorImpl<Value> &) {
        coords[dim] = space.simplify(first + i);
        return storeAt(coords);
      })));
}

namespace {

struct ConvertKernelsToHost
    : prec::impl::ConvertKernelsToHostPassBase<ConvertKernelsToHost> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : module.getOps<func::FuncOp>())
      if (FlatFunction::hasKernels(func) && failed(convert(func)))
        return signalPassFailure();
  }

  LogicalResult convert(func::FuncOp func) {
    FlatFunction function(func);
    ConstantMemory constants(getOperation());
    return function.run([&](KernelOp kernel, OpBuilder &builder) {
      if (!kernel.getSchedule())
        return LogicalResult(kernel.emitOpError("expected a schedule"));
      KernelEmitter emitter(kernel, kReductionWidth);
      KernelEmitter::ScopeGuard scope(emitter, builder);
      emitter.constantMemory = std::ref(constants);
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
      return HostKernel(kernel, emitter, memory).run();
    });
  }
};

} // namespace
