// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prec dialect; prec.round is elementwise (Elementwise.cpp).
#include "Interpreter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;
using namespace prec::ref;

static LogicalResult runSum(Interpreter &in, SumOp op) {
  const Array &input = in.get(op.getInput());
  size_t dim = op.getDimension();
  ArrayRef<int64_t> shape = input.shape();
  SmallVector<int64_t> rest(shape);
  rest.erase(rest.begin() + static_cast<ptrdiff_t>(dim));
  FailureOr<Array> result = in.makeArray(op, input.element(), rest);
  if (failed(result))
    return failure();

  int64_t count = shape[dim], stride = rowMajorStrides(shape)[dim];
  auto *out = static_cast<char *>(result->mutableData());
  in.domain.at(op);
  for (int64_t i = 0; i < result->size(); ++i) {
    int64_t first = i / stride * stride * count + i % stride;
    if (!in.domain.sum(op.getOrder().getOrder(), *input.element().format,
                       input.at(first), static_cast<size_t>(count),
                       static_cast<size_t>(stride),
                       out + i * result->elementBytes()))
      return unsupportedInDomain(op, in.domain);
  }
  return in.set(op.getResult(), std::move(*result));
}

LogicalResult prec::ref::runPrec(Interpreter &in, Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](SumOp sum) { return runSum(in, sum); })
      .Case([&](MaterializeOp same) {
        return in.set(same.getResult(), in.take(same.getInputMutable()));
      })
      .Case([&](ObserveOp observe) {
        Array value = in.take(observe.getInputMutable());
        in.observe(observe.getName(), value);
        return in.set(observe.getResult(), std::move(value));
      })
      .Case([&](KernelOp kernel) -> LogicalResult {
        FailureOr<SmallVector<Array>> results = in.runBlock(
            kernel.getBody().front(), in.takeAll(op->getOpOperands()));
        if (failed(results))
          return failure();
        for (auto [result, array] : llvm::zip_equal(op->getResults(), *results))
          if (failed(in.set(result, std::move(array))))
            return failure();
        return success();
      })
      .Default([](Operation *other) { return unsupported(other); });
}
