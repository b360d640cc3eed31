// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatFunction.h"
#include "KernelEmitter/ConstantMemory.h"
#include "KernelEmitter/KernelEmitter.h"
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

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

namespace {

/// Emits the body of one kernel: what one thread does.
class GPUKernel {
public:
  GPUKernel(KernelOp kernel, KernelEmitter &emitter,
            ArrayRef<Value> resultMemory)
      : kernel(kernel), e(emitter), resultMemory(resultMemory),
        schedule(*kernel.getSchedule()),
        shape(kernelShape(kernel, emitter.getSizes())) {}

  LogicalResult run();

private:
  LogicalResult storeAt(ArrayRef<AffineExpr> coords);
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
  /// Calls `body` with a variable that stands for `number`, where that is below
  /// `extent`.
  LogicalResult below(Value number, AffineExpr extent,
                      llvm::function_ref<LogicalResult(AffineExpr)> body);
  static std::optional<int64_t> known(AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
    return std::nullopt;
  }

  KernelOp kernel;
  KernelEmitter &e;
  ArrayRef<Value> resultMemory;
  ScheduleAttr schedule;
  SmallVector<AffineExpr> shape;
};

} // namespace

LogicalResult GPUKernel::storeAt(ArrayRef<AffineExpr> coords) {
  Operation *yield = kernel.getBody().front().getTerminator();
  for (auto [value, memory] :
       llvm::zip_equal(yield->getOperands(), resultMemory))
    if (failed(e.store({value, SmallVector<AffineExpr>(coords)}, memory)))
      return failure();
  return success();
}

Value GPUKernel::threadOf(Value block) {
  OpBuilder &b = e.builder();
  Location loc = kernel.getLoc();
  Value threads = arith::ConstantIndexOp::create(b, loc, schedule.getThreads());
  Value first = arith::MulIOp::create(b, loc, block, threads);
  return arith::AddIOp::create(b, loc, first,
                               dimension(false, gpu::Dimension::x));
}

LogicalResult
GPUKernel::below(Value number, AffineExpr extent,
                 llvm::function_ref<LogicalResult(AffineExpr)> body) {
  Value isThere = arith::CmpIOp::create(e.builder(), kernel.getLoc(),
                                        arith::CmpIPredicate::ult, number,
                                        e.indexValue(extent));
  return e.guarded(isThere,
                   [&] { return body(e.addVariable(number, known(extent))); });
}

LogicalResult GPUKernel::flat() {
  IndexSpace &space = e.getSpace();
  int64_t width = schedule.getWidth();
  AffineExpr count = numElements(shape);
  AffineExpr vectors = space.simplify(count.floorDiv(width));
  AffineExpr rest = space.simplify(count % width);
  SmallVector<AffineExpr> coords(shape.size(), space.constant(0));
  Value thread = threadOf(dimension(true, gpu::Dimension::x));
  AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
  if (failed(below(thread, vectors, [&](AffineExpr vector) {
        coords.back() = vector * width + lane;
        return storeAt(coords);
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
          return storeAt(coords);
        })));
  });
}

LogicalResult GPUKernel::rows() {
  IndexSpace &space = e.getSpace();
  unsigned inner = innerDimension(shape);
  int64_t width = schedule.getWidth();
  AffineExpr vectors = space.simplify(shape[inner].floorDiv(width));
  ArrayRef<AffineExpr> outer = ArrayRef<AffineExpr>(shape).take_front(inner);
  AffineExpr numRows = space.constant(1);
  for (AffineExpr size : outer)
    numRows = numRows * size;
  AffineExpr row =
      e.addVariable(dimension(true, gpu::Dimension::x), known(numRows));
  SmallVector<AffineExpr> coords = space.delinearize(row, outer);
  coords.resize(shape.size(), space.constant(0));
  AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
  auto vectorAt = [&](AffineExpr vector) {
    coords[inner] = vector * width + lane;
    return storeAt(coords);
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
  if (shape.empty())
    return below(thread, space.constant(1),
                 [&](AffineExpr) { return storeAt({}); });
  unsigned inner = innerDimension(shape);
  SmallVector<AffineExpr> grid(shape);
  grid[inner] = space.simplify(shape[inner].floorDiv(width));
  AffineExpr lane = width > 1 ? e.addLane(width) : space.constant(0);
  return below(thread, numElements(grid), [&](AffineExpr position) {
    SmallVector<AffineExpr> coords = space.delinearize(position, grid);
    coords[inner] = space.simplify(coords[inner] * width + lane);
    return storeAt(coords);
  });
}

LogicalResult GPUKernel::run() {
  if (shape.empty())
    return elements();
  switch (schedule.getSpace()) {
  case KernelSpace::flat:
    return flat();
  case KernelSpace::rows:
    return rows();
  case KernelSpace::elements:
    return elements();
  }
  llvm_unreachable("unknown kernel space");
}

/// Blocks in x and y, over the sizes of the function.
static std::pair<AffineExpr, AffineExpr> gridOf(ScheduleAttr schedule,
                                                ArrayRef<AffineExpr> shape,
                                                MLIRContext *context) {
  AffineExpr one = getAffineConstantExpr(1, context);
  int64_t width = schedule.getWidth(), threads = schedule.getThreads();
  if (shape.empty())
    return {one, one};
  if (schedule.getSpace() == KernelSpace::flat)
    return {numElements(shape).ceilDiv(width * threads), one};
  unsigned inner = innerDimension(shape);
  SmallVector<AffineExpr> grid(shape);
  if (schedule.getSpace() == KernelSpace::rows) {
    grid[inner] = one;
    return {numElements(grid), shape[inner].ceilDiv(width * threads)};
  }
  grid[inner] = grid[inner].floorDiv(width);
  return {numElements(grid).ceilDiv(threads), one};
}

namespace {

struct ConvertKernelsToGPU
    : prec::impl::ConvertKernelsToGPUPassBase<ConvertKernelsToGPU> {
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

} // namespace

LogicalResult ConvertKernelsToGPU::convertKernel(KernelOp kernel,
                                                 OpBuilder &builder,
                                                 FlatFunction &function,
                                                 gpu::GPUModuleOp kernels,
                                                 ConstantMemory &constants) {
  if (!kernel.getSchedule())
    return kernel.emitOpError("expected a schedule");
  ScheduleAttr schedule = *kernel.getSchedule();
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();

  // Parameters: memory of operands, memory of results, scalars and sizes. Those
  // that turn out to be unused are taken away again.
  SetVector<Value> params;
  for (Value operand : kernel.getInputs())
    if (isa<RankedTensorType>(operand.getType()))
      params.insert(function.memoryOf(operand));
  for (Value result : kernel.getResults())
    params.insert(function.memoryOf(result));
  struct Size {
    BlockArgument argument;
    int64_t dim;
    Value value;
  };
  SmallVector<Size> sizes;
  DenseMap<AffineExpr, Value> sizeValues;
  for (auto [operand, argument] :
       llvm::zip_equal(kernel.getInputs(), body.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type) {
      params.insert(operand);
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
  SmallVector<Type> paramTypes;
  for (Value param : params)
    paramTypes.push_back(param.getType());

  OpBuilder inModule = OpBuilder::atBlockEnd(kernels.getBody());
  auto gpuFunc = gpu::GPUFuncOp::create(
      inModule, loc, kernel.getName(), builder.getFunctionType(paramTypes, {}));
  gpuFunc->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                   builder.getUnitAttr());
  gpuFunc.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(schedule.getThreads()), 1, 1}));
  SymbolTable(kernels).insert(gpuFunc);
  Block &entry = gpuFunc.getBody().front();
  OpBuilder inFunc = OpBuilder::atBlockBegin(&entry);
  inFunc.setInsertionPoint(gpu::ReturnOp::create(inFunc, loc));
  auto paramOf = [&](Value value) -> Value {
    return entry.getArgument(llvm::find(params, value) - params.begin());
  };
  {
    KernelEmitter emitter(kernel, kReductionWidth);
    KernelEmitter::ScopeGuard scope(emitter, inFunc);
    emitter.constantMemory = std::ref(constants);
    emitter.baseAlignment = kBaseAlignment;
    for (auto [operand, argument] :
         llvm::zip_equal(kernel.getInputs(), body.getArguments())) {
      bool isTensor = isa<RankedTensorType>(operand.getType());
      emitter.bind(argument,
                   paramOf(isTensor ? function.memoryOf(operand) : operand));
    }
    for (const Size &size : sizes)
      emitter.bindSize(size.argument, size.dim, paramOf(size.value));
    SmallVector<Value> memory;
    for (Value result : kernel.getResults())
      memory.push_back(paramOf(function.memoryOf(result)));
    if (failed(GPUKernel(kernel, emitter, memory).run()))
      return failure();
  }

  SmallVector<Value> arguments;
  llvm::BitVector unused(params.size());
  for (auto [i, param] : llvm::enumerate(params)) {
    if (entry.getArgument(i).use_empty())
      unused.set(i);
    else
      arguments.push_back(param);
  }
  if (failed(gpuFunc.eraseArguments(unused)))
    return failure();
  SmallVector<AffineExpr> shape =
      function.getSizes().sizes(kernel.getResult(0));
  auto [gridX, gridY] = gridOf(schedule, shape, &getContext());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value one = constant(1);
  gpu::LaunchFuncOp::create(
      builder, loc, gpuFunc,
      gpu::KernelDim3{function.sizeValue(builder, gridX),
                      function.sizeValue(builder, gridY), one},
      gpu::KernelDim3{constant(schedule.getThreads()), one, one},
      /*dynamicSharedMemorySize=*/Value(), arguments);
  return success();
}
