// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector operations that move elements; arithmetic on vectors is
// elementwise.
#include "Interpreter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace prec::ref;

/// Copies `count` elements of an array.
static void copy(const Array &from, int64_t first, int64_t count, Array &to,
                 int64_t at) {
  std::memcpy(static_cast<char *>(to.mutableData()) + at * to.elementBytes(),
              from.at(first), static_cast<size_t>(count) * to.elementBytes());
}

static LogicalResult runBroadcast(Interpreter &in, vector::BroadcastOp op) {
  const Array &from = in.get(op.getSource());
  FailureOr<Array> to = in.makeResult(op);
  if (failed(to))
    return failure();
  // Leading dimensions are added, dimensions of size 1 are stretched.
  Box source;
  size_t added = static_cast<size_t>(to->rank() - from.rank());
  source.strides.assign(added, 0);
  for (auto [d, stride] : llvm::enumerate(rowMajorStrides(from.shape())))
    source.strides.push_back(from.shape()[d] == 1 ? 0 : stride);
  copyBox(to->shape(), from, source, *to, {0, rowMajorStrides(to->shape())});
  return in.set(op.getResult(), std::move(*to));
}

/// Where the part that leading indices choose starts.
static FailureOr<int64_t> partStart(Operation *op, ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> indices) {
  int64_t at = 0;
  SmallVector<int64_t, 4> strides = rowMajorStrides(shape);
  for (auto [d, index] : llvm::enumerate(indices)) {
    if (failed(checkIndex(op, index, d, shape[d])))
      return failure();
    at += index * strides[d];
  }
  return at;
}

static LogicalResult runExtract(Interpreter &in, vector::ExtractOp op) {
  const Array &from = in.get(op.getSource());
  FailureOr<int64_t> at =
      partStart(op, from.shape(), in.integers(op.getMixedPosition()));
  FailureOr<Array> to = in.makeResult(op);
  if (failed(at) || failed(to))
    return failure();
  copy(from, *at, to->size(), *to, 0);
  return in.set(op.getResult(), std::move(*to));
}

static LogicalResult runInsert(Interpreter &in, vector::InsertOp op) {
  const Array &part = in.get(op.getValueToStore());
  Array to = in.take(op.getDestMutable());
  FailureOr<int64_t> at =
      partStart(op, to.shape(), in.integers(op.getMixedPosition()));
  if (failed(at))
    return failure();
  copy(part, 0, part.size(), to, *at);
  return in.set(op.getResult(), std::move(to));
}

static LogicalResult runFromElements(Interpreter &in,
                                     vector::FromElementsOp op) {
  FailureOr<Array> to = in.makeResult(op);
  if (failed(to))
    return failure();
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    copy(in.get(element), 0, 1, *to, static_cast<int64_t>(i));
  return in.set(op.getResult(), std::move(*to));
}

LogicalResult prec::ref::runVector(Interpreter &in, Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](vector::BroadcastOp broadcast) {
        return runBroadcast(in, broadcast);
      })
      .Case([&](vector::ExtractOp extract) { return runExtract(in, extract); })
      .Case([&](vector::InsertOp insert) { return runInsert(in, insert); })
      .Case([&](vector::FromElementsOp from) {
        return runFromElements(in, from);
      })
      .Case([&](vector::ShapeCastOp cast) {
        Array array = in.take(cast.getSourceMutable());
        return in.set(cast.getResult(),
                      array.reshaped(cast.getResultVectorType().getShape()));
      })
      .Default([](Operation *other) { return unsupported(other); });
}
