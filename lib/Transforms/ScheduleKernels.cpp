// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/KernelAccess.h"
#include "prec/Transforms/Passes.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
/// Bytes of one access of a GPU thread.
static constexpr int64_t kAccessBytes = 16;

/// Whether every tensor of the body has the results' shape and is read at the
/// same place: then the kernel is a loop over one index.
static bool isPointwise(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(&op)) {
      bool pointwise =
          linalgOp.getNumReductionLoops() == 0 &&
          !linalgOp.hasIndexSemantics() &&
          llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) {
            return map.isIdentity() || map.getNumResults() == 0;
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
  Scheduler(KernelOp kernel, bool isGPU)
      : kernel(kernel), isGPU(isGPU), sizes(kernel.getContext()),
        shape(kernelShape(kernel, sizes)) {}

  ScheduleAttr run();
  /// Why the width is not larger; empty if there is no reason.
  StringRef reason;

private:
  std::optional<int64_t> known(AffineExpr size) const {
    if (auto constant = dyn_cast<AffineConstantExpr>(size))
      return constant.getValue();
    return std::nullopt;
  }
  KernelAccess access(int64_t width);
  int64_t widestUseful(ArrayRef<Type> types);

  KernelOp kernel;
  bool isGPU;
  TensorSizes sizes;
  SmallVector<AffineExpr> shape;
};

} // namespace

/// How memory is accessed with `width` elements of the innermost dimension
/// together.
KernelAccess Scheduler::access(int64_t width) {
  IndexSpace space(kernel.getContext());
  SmallVector<AffineExpr> coords;
  for (AffineExpr size : shape)
    coords.push_back(size == space.constant(1)
                         ? space.constant(0)
                         : space.addVariable(known(size)));
  unsigned inner = innerDimension(shape);
  AffineExpr lane = space.addVariable(width);
  std::optional<int64_t> extent = known(shape[inner]);
  AffineExpr vector = space.addVariable(
      extent ? std::optional<int64_t>(*extent / width) : std::nullopt);
  coords[inner] = vector * width + lane;
  SmallVector<Demand> demands;
  for (Value value : kernel.getBody().front().getTerminator()->getOperands())
    demands.push_back({value, coords});
  return analyzeAccess(demands, lane, width, space, sizes);
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
  return widest == 8 ? 8 : 16;
}

ScheduleAttr Scheduler::run() {
  auto make = [&](KernelSpace space, int64_t width, int64_t threads) {
    return ScheduleAttr::get(kernel.getContext(), space, width,
                             isGPU ? threads : 1);
  };
  KernelSpace fallback = isGPU ? KernelSpace::elements : KernelSpace::rows;
  if (shape.empty())
    return make(fallback, 1, kThreads);
  unsigned inner = innerDimension(shape);
  std::optional<int64_t> extent = known(shape[inner]);

  KernelAccess narrow = access(1);
  SmallVector<Type> types = narrow.elementTypes;
  for (Value result : kernel.getResults())
    types.push_back(getElementTypeOrSelf(result));
  int64_t width = widestUseful(types);

  if (isPointwise(kernel)) {
    AffineExpr count = numElements(shape);
    // All elements may be fewer than a vector.
    while (known(count) && width > std::max<int64_t>(*known(count), 1))
      width /= 2;
    return make(KernelSpace::flat, width, kThreads);
  }

  if (isGPU && !extent) {
    reason = "dynamic innermost size";
    width = 1;
  }
  while (width > 1 && extent && (isGPU ? *extent % width : *extent < width)) {
    reason = "innermost size";
    width /= 2;
  }
  while (width > 1 && !access(width).isVectorizable) {
    reason = "access to memory";
    width /= 2;
  }
  if (!isGPU)
    return make(KernelSpace::rows, width, 1);
  // One row of results a block where that makes blocks of a good size, else
  // threads are dealt over all rows.
  int64_t perRow = extent ? *extent / width : 0;
  if (width > 1 && perRow >= 64 && perRow <= 1024)
    return make(KernelSpace::rows, width, perRow);
  if (width > 1 && perRow > 1024)
    return make(KernelSpace::rows, width, kThreads);
  return make(KernelSpace::elements, width, kThreads);
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
      Scheduler scheduler(kernel, target == "gpu");
      ScheduleAttr schedule = scheduler.run();
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
             << remark::metric("threads", schedule.getThreads());
      if (!scheduler.reason.empty())
        remark << remark::metric("limit", scheduler.reason);
    });
  }
};

} // namespace
