// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelPlan.h"
#include "prec/Analysis/KernelRows.h"
#include "prec/Transforms/Passes.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include <map>

namespace prec {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

namespace {

bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

/// Rewrites one function of a single block whose operations all pass
/// `checkBody`.
class KernelFormer {
public:
  explicit KernelFormer(func::FuncOp func)
      : func(func), body(func.getBody().front()), sizes(func.getContext()),
        classes(func, sizes) {}

  LogicalResult run();

private:
  LogicalResult checkBody();
  FailureOr<KernelOp> buildKernel(const KernelPlan &plan, unsigned number);
  LogicalResult buildKernels(KernelPlan &plan);
  unsigned numCopies();
  void copyArguments();
  LogicalResult resolveDims();
  bool dependsOnData(Value scalar);
  FailureOr<Value> sizeOperand(Operation *user, Value size);
  std::string kernelName(unsigned number) {
    return numKernels == 1 ? func.getName().str()
                           : (func.getName() + "_" + Twine(number)).str();
  }

  func::FuncOp func;
  Block &body;
  TensorSizes sizes;
  SizeClasses classes;
  size_t numKernels = 0;
  /// Program order of the operations.
  DenseMap<Operation *, unsigned> order;
  /// The memory that holds a value: results of kernels.
  DenseMap<Value, Value> memory;
  /// Values at the function's level of sizes that kernels take.
  DenseMap<AffineExpr, Value> sizeValues;
  DenseMap<Value, bool> dataDependent;
};

} // namespace

LogicalResult KernelFormer::checkBody() {
  for (Operation &op : body.without_terminator()) {
    bool touchesTensors = llvm::any_of(op.getOperands(), isTensor) ||
                          llvm::any_of(op.getResults(), isTensor);
    bool isScalar = !touchesTensors && op.getNumRegions() == 0 &&
                    (isMemoryEffectFree(&op) || isa<cf::AssertOp>(op));
    if (!isScalar && !isKernelBodyOp(&op))
      return op.emitOpError("is unsupported in a kernel");
    for (Value value :
         llvm::concat<const Value>(SmallVector<Value>(op.getOperands()),
                                   SmallVector<Value>(op.getResults())))
      if (isa<UnrankedTensorType>(value.getType()))
        return op.emitOpError("is unsupported in a kernel: unranked tensor");
    if (auto check = dyn_cast<cf::AssertOp>(&op);
        check && dependsOnData(check.getArg()))
      return op.emitOpError("is unsupported in a kernel: the check depends on "
                            "the contents of a tensor");
  }
  for (Value result : body.getTerminator()->getOperands())
    if (!isTensor(result))
      return func.emitOpError("is unsupported in a kernel: result of type ")
             << result.getType() << " beside tensors";
  return success();
}

/// Whether a scalar of the function is computed from a tensor's elements.
bool KernelFormer::dependsOnData(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  if (!op || isa<tensor::DimOp>(op))
    return false;
  if (auto it = dataDependent.find(scalar); it != dataDependent.end())
    return it->second;
  // Operands come first in program order, so a stack of those still unknown
  // does without recursion.
  SmallVector<Value> stack{scalar};
  while (!stack.empty()) {
    Value value = stack.back();
    Operation *def = value.getDefiningOp();
    if (!def || isa<tensor::DimOp>(def) || dataDependent.contains(value)) {
      dataDependent.try_emplace(value, false);
      stack.pop_back();
      continue;
    }
    bool depends = false;
    size_t before = stack.size();
    for (Value operand : def->getOperands()) {
      if (isTensor(operand)) {
        depends = true;
        continue;
      }
      auto it = dataDependent.find(operand);
      if (it == dataDependent.end())
        stack.push_back(operand);
      else
        depends |= it->second;
    }
    if (stack.size() != before && !depends)
      continue;
    stack.resize(before - 1);
    dataDependent[value] = depends;
  }
  return dataDependent[scalar];
}

/// The best value at the function's level for a size that a kernel takes.
FailureOr<Value> KernelFormer::sizeOperand(Operation *user, Value size) {
  AffineExpr expr = classes.representative(sizes.index(size));
  Value &value = sizeValues[expr];
  if (!value) {
    OpBuilder builder(body.getTerminator());
    value = classes.materialize(builder, size.getLoc(), expr);
    if (!value)
      return user->emitOpError("is unsupported in a kernel: a size is not "
                               "known before the function runs");
  }
  return value;
}

/// A kernel without a name at the function's end.
FailureOr<KernelOp> KernelFormer::buildKernel(const KernelPlan &plan,
                                              unsigned number) {
  const KernelPlan::Kernel &kernel = plan.getKernels()[number];
  Operation *last = kernel.results.back().getDefiningOp();
  for (Value result : kernel.results)
    for (AffineExpr size : sizes.sizes(result)) {
      bool known = true;
      size.walk([&](AffineExpr expr) {
        if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
          known &= !sizes.source(symbol).isIndex() ||
                   !dependsOnData(sizes.source(symbol).value);
      });
      if (!known)
        return result.getDefiningOp()->emitOpError(
            "is unsupported in a kernel: a size is not known before the "
            "function runs");
    }

  // The operations between memory and the results, and what they read.
  SetVector<Operation *> slice;
  SetVector<Value> operands;
  SmallVector<std::pair<Value, Value>> sizeUses; // size, its operand
  SmallVector<std::pair<Value, int64_t>> constantSizes;
  DenseSet<Value> seen;
  SmallVector<Operation *> worklist;
  auto require = [&](Operation *user, Value value) -> LogicalResult {
    if (!seen.insert(value).second)
      return success();
    auto writer = plan.kernelOf(value);
    if (writer && *writer != number) {
      operands.insert(value);
      return success();
    }
    if (value.getType().isIndex() && !dependsOnData(value)) {
      AffineExpr expr = classes.representative(sizes.index(value));
      if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
        constantSizes.push_back({value, constant.getValue()});
        return success();
      }
      FailureOr<Value> operand = sizeOperand(user, value);
      if (failed(operand))
        return failure();
      operands.insert(*operand);
      sizeUses.push_back({value, *operand});
      return success();
    }
    if (Operation *def = value.getDefiningOp()) {
      if (slice.insert(def))
        worklist.push_back(def);
      return success();
    }
    operands.insert(value);
    return success();
  };
  for (Value result : kernel.results)
    if (slice.insert(result.getDefiningOp()))
      worklist.push_back(result.getDefiningOp());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    for (Value operand : op->getOperands())
      if (failed(require(op, operand)))
        return failure();
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (failed(require(op, value)))
        return failure();
  }

  OpBuilder builder(body.getTerminator());
  SmallVector<Type> resultTypes;
  for (Value result : kernel.results)
    resultTypes.push_back(result.getType());
  SmallVector<Value> operandValues;
  for (Value operand : operands) {
    Value stored = memory.lookup(operand);
    operandValues.push_back(stored ? stored : operand);
  }
  auto op = KernelOp::create(builder, last->getLoc(), resultTypes,
                             builder.getStringAttr(""), operandValues,
                             ScheduleAttr(), ScheduleAttr());
  Block *block = builder.createBlock(&op.getBody());
  IRMapping mapping;
  for (Value operand : operands)
    mapping.map(operand,
                block->addArgument(operand.getType(), operand.getLoc()));
  for (auto [size, operand] : sizeUses)
    mapping.map(size, mapping.lookup(operand));
  for (auto [size, constant] : constantSizes)
    mapping.map(
        size, arith::ConstantIndexOp::create(builder, size.getLoc(), constant));
  SmallVector<Operation *> ordered(slice.begin(), slice.end());
  llvm::sort(ordered, [&](Operation *a, Operation *b) {
    return order.at(a) < order.at(b);
  });
  for (Operation *inner : ordered)
    builder.clone(*inner, mapping);
  SmallVector<Value> yielded;
  for (Value result : kernel.results)
    yielded.push_back(mapping.lookup(result));
  YieldOp::create(builder, last->getLoc(), yielded);
  for (auto [value, result] : llvm::zip_equal(kernel.results, op.getResults()))
    memory[value] = result;
  return op;
}

/// The kernels of the plan in the order of their levels. What analyzeRows does
/// not take for one kernel becomes several.
LogicalResult KernelFormer::buildKernels(KernelPlan &plan) {
  // Those of one level that are still to be built, the next one last.
  std::map<unsigned, SmallVector<unsigned>> levels;
  for (unsigned number = plan.getKernels().size(); number-- > 0;)
    levels[plan.getKernels()[number].level].push_back(number);
  SmallVector<std::pair<unsigned, KernelOp>> built;
  for (auto &[level, numbers] : levels) {
    while (!numbers.empty()) {
      unsigned number = numbers.pop_back_val();
      FailureOr<KernelOp> kernel = buildKernel(plan, number);
      if (failed(kernel))
        return failure();
      TensorSizes inside(func.getContext());
      unsigned together = numWithCommonRows(*kernel, inside);
      if (together == kernel->getNumResults()) {
        built.push_back({number, *kernel});
        continue;
      }
      kernel->erase();
      numbers.push_back(plan.split(number, together));
      numbers.push_back(number);
    }
  }
  numKernels = built.size() + numCopies();
  for (auto [number, kernel] : built)
    kernel.setName(kernelName(number));
  return success();
}

/// How many results copyArguments will copy.
unsigned KernelFormer::numCopies() {
  unsigned count = 0;
  DenseSet<Value> returned;
  for (Value value : body.getTerminator()->getOperands())
    count += !value.getDefiningOp() || !returned.insert(value).second;
  return count;
}

/// A returned argument, and a value returned twice, is copied: each result has
/// its own memory.
void KernelFormer::copyArguments() {
  unsigned number = numKernels - numCopies();
  OpBuilder builder(body.getTerminator());
  DenseSet<Value> returned;
  for (OpOperand &operand : body.getTerminator()->getOpOperands()) {
    Value value = operand.get();
    if (Value stored = memory.lookup(value))
      value = stored;
    if (value.getDefiningOp() && returned.insert(value).second) {
      operand.set(value);
      continue;
    }
    auto op =
        KernelOp::create(builder, func.getLoc(), TypeRange(value.getType()),
                         builder.getStringAttr(kernelName(number++)),
                         ValueRange(value), ScheduleAttr(), ScheduleAttr());
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&op.getBody());
    YieldOp::create(
        builder, func.getLoc(),
        ValueRange(block->addArgument(value.getType(), func.getLoc())));
    operand.set(op.getResult(0));
  }
}

/// Sizes that checks and index arithmetic use are sizes of arguments.
LogicalResult KernelFormer::resolveDims() {
  for (auto dim : llvm::make_early_inc_range(body.getOps<tensor::DimOp>())) {
    if (isa<BlockArgument>(dim.getSource()))
      continue;
    OpBuilder builder(dim);
    Value size = classes.materialize(builder, dim.getLoc(),
                                     sizes.index(dim.getResult()));
    if (!size)
      return dim.emitOpError("is unsupported in a kernel: a size is not known "
                             "before the function runs");
    dim.replaceAllUsesWith(size);
    dim.erase();
  }
  return success();
}

LogicalResult KernelFormer::run() {
  if (failed(checkBody()) || failed(classes.build()))
    return failure();
  for (auto [i, op] : llvm::enumerate(body))
    order[&op] = i;
  KernelPlan plan(func, classes);
  if (failed(buildKernels(plan)))
    return failure();
  copyArguments();
  if (failed(resolveDims()))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}

namespace {

struct FormKernels : prec::impl::FormKernelsPassBase<FormKernels> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    bool hasTensors = false, hasKernels = false;
    func.walk([&](Operation *op) {
      hasKernels |= isa<KernelOp>(op);
      hasTensors |= llvm::any_of(op->getOperands(), isTensor) ||
                    llvm::any_of(op->getResults(), isTensor);
    });
    if (!hasTensors || hasKernels)
      return;
    if (!func.getBody().hasOneBlock()) {
      func.emitOpError("is unsupported in a kernel: control flow with tensors");
      return signalPassFailure();
    }
    if (failed(KernelFormer(func).run()))
      signalPassFailure();
  }
};

} // namespace
