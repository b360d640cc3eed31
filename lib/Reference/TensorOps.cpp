// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneBody.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace prec;
using namespace prec::ref;

/// The shape of a result, with the dynamic sizes in order.
static SmallVector<int64_t> shapeOf(Type type, ArrayRef<int64_t> dynamicSizes) {
  SmallVector<int64_t> shape(cast<ShapedType>(type).getShape());
  for (int64_t &dim : shape)
    if (ShapedType::isDynamic(dim)) {
      dim = dynamicSizes.front();
      dynamicSizes = dynamicSizes.drop_front();
    }
  return shape;
}

static FailureOr<Element> elementOf(Operation *op) {
  Type type = op->getResult(0).getType();
  if (std::optional<Element> element = Element::of(type))
    return *element;
  return op->emitError() << "the reference evaluator does not support " << type;
}

static LogicalResult runEmpty(Interpreter &in, tensor::EmptyOp op) {
  FailureOr<Element> element = elementOf(op);
  if (failed(element))
    return failure();
  FailureOr<Array> array = in.makeArray(
      op, *element, shapeOf(op.getType(), in.integers(op.getDynamicSizes())));
  if (failed(array))
    return failure();
  auto size = static_cast<size_t>(array->size());
  if (element->isFloat())
    in.domain.undefined(*element->format, size, array->mutableData());
  else
    std::memset(array->mutableData(), 0, size * array->elementBytes());
  return in.set(op.getResult(), std::move(*array));
}

/// The position of the element, or an error at `op`.
static FailureOr<int64_t> position(Interpreter &in, Operation *op,
                                   const Array &array, ValueRange indices) {
  int64_t at = 0;
  SmallVector<int64_t, 4> strides = rowMajorStrides(array.shape());
  for (auto [dim, index] : llvm::enumerate(in.integers(indices))) {
    if (failed(checkIndex(op, index, dim, array.shape()[dim])))
      return failure();
    at += index * strides[dim];
  }
  return at;
}

static LogicalResult runExtract(Interpreter &in, tensor::ExtractOp op) {
  const Array &from = in.get(op.getTensor());
  FailureOr<int64_t> at = position(in, op, from, op.getIndices());
  if (failed(at))
    return failure();
  FailureOr<Array> scalar = in.makeArray(op, from.element(), {});
  if (failed(scalar))
    return failure();
  std::memcpy(scalar->mutableData(), from.at(*at), from.elementBytes());
  return in.set(op.getResult(), std::move(*scalar));
}

static LogicalResult runInsert(Interpreter &in, tensor::InsertOp op) {
  Array to = in.take(op.getDestMutable());
  FailureOr<int64_t> at = position(in, op, to, op.getIndices());
  if (failed(at))
    return failure();
  std::memcpy(static_cast<char *>(to.mutableData()) + *at * to.elementBytes(),
              in.get(op.getScalar()).data(), to.elementBytes());
  return in.set(op.getResult(), std::move(to));
}

/// The box that offsets, sizes and strides cut out of an array of this shape.
static FailureOr<Box> sliceBox(Operation *op, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> offsets,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> strides) {
  Box box;
  SmallVector<int64_t, 4> natural = rowMajorStrides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (sizes[d] < 0)
      return op->emitError() << "expected a size of at least 0 in dimension "
                             << d << " but got " << sizes[d];
    if (sizes[d] > 0) {
      int64_t last = offsets[d] + (sizes[d] - 1) * strides[d];
      if (failed(checkIndex(op, offsets[d], d, shape[d])) ||
          failed(checkIndex(op, last, d, shape[d])))
        return failure();
    }
    box.offset += offsets[d] * natural[d];
    box.strides.push_back(strides[d] * natural[d]);
  }
  return box;
}

static LogicalResult runExtractSlice(Interpreter &in,
                                     tensor::ExtractSliceOp op) {
  const Array &from = in.get(op.getSource());
  SmallVector<int64_t> sizes = in.integers(op.getMixedSizes());
  FailureOr<Box> source =
      sliceBox(op, from.shape(), in.integers(op.getMixedOffsets()), sizes,
               in.integers(op.getMixedStrides()));
  if (failed(source))
    return failure();
  FailureOr<Array> to = in.makeArray(op, from.element(), sizes);
  if (failed(to))
    return failure();
  copyBox(sizes, from, *source, *to, {0, rowMajorStrides(sizes)});
  // Dimensions of size 1 that the result does not have.
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(sizes))
    if (!dropped.test(d))
      shape.push_back(size);
  return in.set(op.getResult(), to->reshaped(shape));
}

static LogicalResult runInsertSlice(Interpreter &in, tensor::InsertSliceOp op) {
  Array to = in.take(op.getDestMutable());
  const Array &from = in.get(op.getSource());
  SmallVector<int64_t> sizes = in.integers(op.getMixedSizes());
  int64_t size = 1;
  for (int64_t s : sizes)
    size *= s;
  if (size != from.size())
    return op.emitError() << "expected a slice of shape [" << shapeText(sizes)
                          << "] but got [" << shapeText(from.shape()) << "]";
  FailureOr<Box> target =
      sliceBox(op, to.shape(), in.integers(op.getMixedOffsets()), sizes,
               in.integers(op.getMixedStrides()));
  if (failed(target))
    return failure();
  copyBox(sizes, from, {0, rowMajorStrides(sizes)}, to, *target);
  return in.set(op.getResult(), std::move(to));
}

static LogicalResult runConcat(Interpreter &in, tensor::ConcatOp op) {
  SmallVector<const Array *> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(&in.get(input));
  size_t dim = op.getDim();
  SmallVector<int64_t> shape(inputs.front()->shape());
  shape[dim] = 0;
  for (const Array *input : inputs) {
    for (auto [d, size] : llvm::enumerate(input->shape()))
      if (d != dim && size != shape[d])
        return op.emitError()
               << "expected operands that agree in dimension " << d
               << " but got " << shape[d] << " and " << size;
    shape[dim] += input->shape()[dim];
  }
  FailureOr<Array> to = in.makeArray(op, inputs.front()->element(), shape);
  if (failed(to))
    return failure();
  Box target{0, rowMajorStrides(shape)};
  for (const Array *input : inputs) {
    copyBox(input->shape(), *input, {0, rowMajorStrides(input->shape())}, *to,
            target);
    target.offset += input->shape()[dim] * target.strides[dim];
  }
  return in.set(op.getResult(), std::move(*to));
}

/// Fills an array of this shape with what the body yields at each point.
static LogicalResult generate(Interpreter &in, Operation *op, Block &block,
                              Array &array) {
  LaneBody body(in, op, block);
  if (failed(body.prepare()))
    return failure();
  ArrayRef<int64_t> shape = array.shape();
  auto rank = static_cast<unsigned>(shape.size());
  SmallVector<SmallVector<int64_t, 0>> indices(
      rank, SmallVector<int64_t, 0>(LaneBody::kLanes));
  for (int64_t first = 0; first < array.size();
       first += static_cast<int64_t>(LaneBody::kLanes)) {
    size_t n =
        std::min(LaneBody::kLanes, static_cast<size_t>(array.size() - first));
    SmallVector<Lanes> arguments;
    for (unsigned d = 0; d < rank; ++d) {
      coordinates(shape, d, first, n, indices[d].data());
      arguments.push_back({Element(), indices[d].data()});
    }
    auto copyIndices = [&](unsigned d, int64_t *out) {
      std::copy_n(indices[d].data(), n, out);
    };
    auto observe = [](ObserveOp, Lanes) {};
    if (failed(body.run(arguments, n, rank, copyIndices, observe)))
      return failure();
    std::memcpy(static_cast<char *>(array.mutableData()) +
                    first * array.elementBytes(),
                body.result(0).data, n * array.elementBytes());
  }
  return success();
}

static LogicalResult runGenerate(Interpreter &in, tensor::GenerateOp op) {
  FailureOr<Element> element = elementOf(op);
  if (failed(element))
    return failure();
  FailureOr<Array> array = in.makeArray(
      op, *element, shapeOf(op.getType(), in.integers(op.getDynamicExtents())));
  if (failed(array) || failed(generate(in, op, op.getBody().front(), *array)))
    return failure();
  return in.set(op.getResult(), std::move(*array));
}

static LogicalResult runPad(Interpreter &in, tensor::PadOp op) {
  const Array &from = in.get(op.getSource());
  SmallVector<int64_t> low = in.integers(op.getMixedLowPad());
  SmallVector<int64_t> high = in.integers(op.getMixedHighPad());
  SmallVector<int64_t> shape(from.shape());
  for (size_t d = 0; d < shape.size(); ++d) {
    if (low[d] < 0 || high[d] < 0)
      return op.emitError() << "expected padding of at least 0 but got "
                            << std::min(low[d], high[d]);
    shape[d] += low[d] + high[d];
  }
  FailureOr<Array> to = in.makeArray(op, from.element(), shape);
  if (failed(to) || failed(generate(in, op, op.getRegion().front(), *to)))
    return failure();
  FailureOr<Box> target = sliceBox(op, shape, low, from.shape(),
                                   SmallVector<int64_t>(shape.size(), 1));
  if (failed(target))
    return failure();
  copyBox(from.shape(), from, {0, rowMajorStrides(from.shape())}, *to, *target);
  return in.set(op.getResult(), std::move(*to));
}

static LogicalResult runFromElements(Interpreter &in,
                                     tensor::FromElementsOp op) {
  FailureOr<Array> array = in.makeResult(op);
  if (failed(array))
    return failure();
  auto *out = static_cast<char *>(array->mutableData());
  for (Value element : op.getElements()) {
    std::memcpy(out, in.get(element).data(), array->elementBytes());
    out += array->elementBytes();
  }
  return in.set(op.getResult(), std::move(*array));
}

static LogicalResult runSplat(Interpreter &in, tensor::SplatOp op) {
  const Array &scalar = in.get(op.getInput());
  FailureOr<Array> array =
      in.makeArray(op, scalar.element(),
                   shapeOf(op.getType(), in.integers(op.getDynamicSizes())));
  if (failed(array))
    return failure();
  auto *out = static_cast<char *>(array->mutableData());
  for (int64_t i = 0; i < array->size(); ++i)
    std::memcpy(out + i * scalar.elementBytes(), scalar.data(),
                scalar.elementBytes());
  return in.set(op.getResult(), std::move(*array));
}

/// The same elements under another shape.
static LogicalResult reshape(Interpreter &in, Operation *op, OpOperand &source,
                             ArrayRef<int64_t> shape) {
  Array array = in.take(source);
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  if (size != array.size())
    return op->emitError() << "cannot reshape [" << shapeText(array.shape())
                           << "] to [" << shapeText(shape) << "]";
  return in.set(op->getResult(0), array.reshaped(shape));
}

static LogicalResult runCollapse(Interpreter &in, tensor::CollapseShapeOp op) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t d : group)
      shape.back() *= in.get(op.getSrc()).shape()[static_cast<size_t>(d)];
  }
  return reshape(in, op, op.getSrcMutable(), shape);
}

LogicalResult prec::ref::runTensor(Interpreter &in, Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::EmptyOp empty) { return runEmpty(in, empty); })
      .Case([&](tensor::ExtractOp extract) { return runExtract(in, extract); })
      .Case([&](tensor::InsertOp insert) { return runInsert(in, insert); })
      .Case([&](tensor::ExtractSliceOp slice) {
        return runExtractSlice(in, slice);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return runInsertSlice(in, slice);
      })
      .Case([&](tensor::ConcatOp concat) { return runConcat(in, concat); })
      .Case([&](tensor::GenerateOp gen) { return runGenerate(in, gen); })
      .Case([&](tensor::PadOp pad) { return runPad(in, pad); })
      .Case([&](tensor::FromElementsOp from) {
        return runFromElements(in, from);
      })
      .Case([&](tensor::SplatOp splat) { return runSplat(in, splat); })
      .Case([&](tensor::CastOp cast) {
        return in.set(cast.getResult(), in.take(cast.getSourceMutable()));
      })
      .Case([&](tensor::DimOp dim) -> LogicalResult {
        const Array &array = in.get(dim.getSource());
        int64_t d = in.integer(dim.getIndex());
        if (d < 0 || d >= array.rank())
          return dim.emitError() << "a tensor of rank " << array.rank()
                                 << " has no dimension " << d;
        return in.set(
            dim.getResult(),
            Array::integer(in.domain, array.shape()[static_cast<size_t>(d)]));
      })
      .Case([&](tensor::RankOp rank) {
        return in.set(
            rank.getResult(),
            Array::integer(in.domain, in.get(rank.getTensor()).rank()));
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return reshape(in, op, expand.getSrcMutable(),
                       in.integers(expand.getMixedOutputShape()));
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return runCollapse(in, collapse);
      })
      .Case([&](tensor::ReshapeOp to) {
        SmallVector<int64_t> shape(in.get(to.getShape()).integers());
        return reshape(in, op, to.getSourceMutable(), shape);
      })
      .Default([](Operation *other) { return unsupported(other); });
}
