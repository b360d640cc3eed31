// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneBody.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/ScopeExit.h"

#include <cstring>

using namespace mlir;
using namespace prec;
using namespace prec::ref;

LogicalResult LaneBody::allocate(Value value) {
  std::optional<Element> element = Element::of(value.getType());
  if (!element || isa<ShapedType>(value.getType()))
    return emitError(value.getLoc())
           << "the reference evaluator does not support " << value.getType()
           << " here";
  memory.emplace_back(new char[kLanes * element->bytes(in.domain)]);
  lanes[value] = {*element, memory.back().get()};
  return success();
}

LogicalResult LaneBody::spread(Value value, const Array &scalar) {
  if (failed(allocate(value)))
    return failure();
  char *out = static_cast<char *>(lanes[value].data);
  for (size_t i = 0; i < kLanes; ++i)
    std::memcpy(out + i * scalar.elementBytes(), scalar.data(),
                scalar.elementBytes());
  return success();
}

/// Whether the operation can be evaluated on many points at a time.
static bool isLaneWise(Operation &op) {
  return isElementwise(&op) ||
         isa<arith::ConstantOp, linalg::IndexOp, tensor::ExtractOp, ObserveOp>(
             op);
}

LogicalResult LaneBody::prepare() {
  auto scalars = [](TypeRange types) {
    return llvm::none_of(types, llvm::IsaPred<ShapedType>);
  };
  together = scalars(block.getArgumentTypes()) &&
             llvm::all_of(block.without_terminator(), [&](Operation &op) {
               return isLaneWise(op) && scalars(op.getResultTypes());
             });
  for (BlockArgument argument : block.getArguments())
    if (failed(allocate(argument)))
      return failure();
  for (Value value : block.getTerminator()->getOperands())
    if (!lanes.contains(value) && value.getParentBlock() != &block &&
        failed(spread(value, in.get(value))))
      return failure();
  if (!together) {
    for (Value value : block.getTerminator()->getOperands())
      if (!lanes.contains(value) && failed(allocate(value)))
        return failure();
  } else {
    for (Operation &op : block.without_terminator()) {
      for (Value operand : op.getOperands())
        if (operand.getParentBlock() != &block && !lanes.contains(operand) &&
            !isa<ShapedType>(operand.getType()) &&
            failed(spread(operand, in.get(operand))))
          return failure();
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        FailureOr<Array> array =
            constantArray(&op, constant.getValue(), in.domain);
        if (failed(array) || failed(spread(constant.getResult(), *array)))
          return failure();
        continue;
      }
      for (Value result : op.getResults())
        if (failed(allocate(result)))
          return failure();
    }
  }
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(lanes[value]);
  return success();
}

LogicalResult LaneBody::runExtract(Operation *op, size_t n) {
  auto extract = cast<tensor::ExtractOp>(op);
  const Array &tensor = in.get(extract.getTensor());
  SmallVector<int64_t, 4> strides = rowMajorStrides(tensor.shape());
  SmallVector<const int64_t *, 4> indices;
  for (Value index : extract.getIndices())
    indices.push_back(static_cast<const int64_t *>(lanes[index].data));
  auto *out = static_cast<char *>(lanes[extract.getResult()].data);
  unsigned width = tensor.elementBytes();
  for (size_t i = 0; i < n; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < indices.size(); ++d) {
      int64_t index = indices[d][i];
      if (failed(checkIndex(op, index, d, tensor.shape()[d])))
        return failure();
      at += index * strides[d];
    }
    std::memcpy(out + i * width, tensor.at(at), width);
  }
  return success();
}

LogicalResult LaneBody::runTogether(ArrayRef<Lanes> arguments, size_t n,
                                    Coordinates coordinates, Observe observe) {
  // Arguments are read where they lie; what the body itself writes does not
  // overlap them.
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    lanes[argument].data = const_cast<void *>(value.data);
  SmallVector<Lanes> operands;
  SmallVector<MutableLanes> outs;
  for (Operation &op : block.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (isa<tensor::ExtractOp>(op)) {
      if (failed(runExtract(&op, n)))
        return failure();
      continue;
    }
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      coordinates(index.getDim(),
                  static_cast<int64_t *>(lanes[index.getResult()].data));
      continue;
    }
    if (auto same = dyn_cast<ObserveOp>(op)) {
      MutableLanes &value = lanes[same.getInput()];
      std::memcpy(lanes[same.getResult()].data, value.data,
                  n * value.element.bytes(in.domain));
      observe(same, value);
      continue;
    }
    operands.clear();
    outs.clear();
    for (Value operand : op.getOperands())
      operands.push_back(lanes[operand]);
    for (Value result : op.getResults())
      outs.push_back(lanes[result]);
    if (failed(runElementwise(&op, operands, outs, n, in.domain)))
      return failure();
  }
  for (auto [result, value] :
       llvm::zip_equal(results, block.getTerminator()->getOperands()))
    result = lanes[value];
  return success();
}

LogicalResult LaneBody::runPointByPoint(ArrayRef<Lanes> arguments, size_t n,
                                        unsigned rank,
                                        Coordinates coordinates) {
  SmallVector<std::vector<int64_t>> indices(rank, std::vector<int64_t>(n));
  for (unsigned d = 0; d < rank; ++d)
    coordinates(d, indices[d].data());
  auto elementAt = [&](const Lanes &lanes, size_t i) {
    unsigned width = lanes.element.bytes(in.domain);
    return static_cast<const char *>(lanes.data) + i * width;
  };
  IterationPoint point{SmallVector<int64_t, 6>(rank)};
  in.points.push_back(&point);
  llvm::scope_exit leave([&] { in.points.pop_back(); });
  for (size_t i = 0; i < n; ++i) {
    for (unsigned d = 0; d < rank; ++d)
      point.indices[d] = indices[d][i];
    SmallVector<Array> scalars;
    for (const Lanes &argument : arguments) {
      FailureOr<Array> scalar = in.makeArray(op, argument.element, {});
      if (failed(scalar))
        return failure();
      std::memcpy(scalar->mutableData(), elementAt(argument, i),
                  scalar->elementBytes());
      scalars.push_back(*scalar);
    }
    FailureOr<SmallVector<Array>> values = in.runBlock(block, scalars);
    if (failed(values))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, *values))
      std::memcpy(const_cast<char *>(elementAt(result, i)), value.data(),
                  value.elementBytes());
  }
  return success();
}

LogicalResult LaneBody::run(ArrayRef<Lanes> arguments, size_t n, unsigned rank,
                            Coordinates coordinates, Observe observe) {
  return together ? runTogether(arguments, n, coordinates, observe)
                  : runPointByPoint(arguments, n, rank, coordinates);
}
