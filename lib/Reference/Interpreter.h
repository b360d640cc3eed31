// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts that the evaluation of each dialect shares.
#ifndef PREC_LIB_REFERENCE_INTERPRETER_H
#define PREC_LIB_REFERENCE_INTERPRETER_H

#include "prec/Reference/Evaluator.h"

#include "dialects/Prec/Prec.h"

#include "llvm/ADT/DenseMap.h"

namespace prec::ref {

/// n elements somewhere in memory.
struct Lanes {
  Element element;
  const void *data = nullptr;
};
struct MutableLanes {
  Element element;
  void *data = nullptr;

  operator Lanes() const { return {element, data}; }
};

/// The point of the iteration space that a body is evaluated at.
struct IterationPoint {
  llvm::SmallVector<int64_t, 6> indices;
};

/// Evaluates operations and keeps the values of one function's frame.
class Interpreter {
public:
  Interpreter(FloatDomain &domain, Observations *observations, unsigned depth)
      : domain(domain), observations(observations), depth(depth) {}

  FloatDomain &domain;
  Observations *observations;

  mlir::FailureOr<llvm::SmallVector<Array>>
  call(mlir::func::FuncOp function, llvm::SmallVector<Array> arguments);

  /// The operation and whatever is nested in it. Not for terminators.
  mlir::LogicalResult run(mlir::Operation *op);

  /// The value, still usable by others.
  const Array &get(mlir::Value value) const;
  /// An operand's value. When this is its only use, and a use that is reached
  /// once per definition, the frame forgets the value: the caller may then
  /// write to the elements without copying them.
  Array take(mlir::OpOperand &operand);
  llvm::SmallVector<Array>
  takeAll(mlir::MutableArrayRef<mlir::OpOperand> operands);
  /// The number that an integer or index scalar is.
  int64_t integer(mlir::Value value) const;
  llvm::SmallVector<int64_t> integers(mlir::ValueRange values) const;
  /// Static and dynamic parts together, as `getMixedSizes()` gives them.
  llvm::SmallVector<int64_t>
  integers(llvm::ArrayRef<mlir::OpFoldResult> values) const;

  /// Fails, with an error at the value's operation, when the shape is not one
  /// that the value's type allows.
  mlir::LogicalResult set(mlir::Value value, Array array);

  /// Runs a region of one block; its terminator's operands become the result.
  mlir::FailureOr<llvm::SmallVector<Array>>
  runBlock(mlir::Block &block, llvm::SmallVector<Array> values);

  /// An array of this shape, or an error at `op`.
  mlir::FailureOr<Array> makeArray(mlir::Operation *op, Element element,
                                   llvm::ArrayRef<int64_t> shape);
  /// The result of `op` shaped by its type, which is static.
  mlir::FailureOr<Array> makeResult(mlir::Operation *op);

  /// An i1 scalar.
  mlir::FailureOr<bool> condition(mlir::Operation *op, mlir::Value value);

  void observe(llvm::StringRef name, Array array);

  /// Innermost last: what linalg.index reads in bodies that are run point by
  /// point.
  llvm::SmallVector<const IterationPoint *> points;

private:
  mlir::FailureOr<llvm::SmallVector<Array>>
  runRegion(mlir::Region &region, llvm::SmallVector<Array> values);

  unsigned depth;
  llvm::DenseMap<mlir::Value, Array> frame;
};

/// Emits the one error for what has no evaluation.
mlir::LogicalResult unsupported(mlir::Operation *op);
/// ... for what the domain has no answer to.
mlir::LogicalResult unsupportedInDomain(mlir::Operation *op,
                                        const FloatDomain &domain);

/// Fails, with an error at `op`, when the index does not lie in [0, size).
mlir::LogicalResult checkIndex(mlir::Operation *op, int64_t index, size_t dim,
                               int64_t size);

/// Whether `op` computes each result element from the operands' elements at the
/// same position, so that it may be evaluated on any number of them.
bool isElementwise(mlir::Operation *op);

/// Evaluates an elementwise operation on n elements.
mlir::LogicalResult runElementwise(mlir::Operation *op,
                                   llvm::ArrayRef<Lanes> operands,
                                   llvm::ArrayRef<MutableLanes> results,
                                   size_t n, FloatDomain &domain);

/// The elements of a constant, as many as its type has; fails, with an error at
/// `op`, on attributes without elements that can be read.
mlir::FailureOr<Array> constantArray(mlir::Operation *op, mlir::Attribute value,
                                     FloatDomain &domain);

// One function per dialect. Each sets the results.
mlir::LogicalResult runControlFlow(Interpreter &in, mlir::Operation *op);
mlir::LogicalResult runTensor(Interpreter &in, mlir::Operation *op);
mlir::LogicalResult runVector(Interpreter &in, mlir::Operation *op);
mlir::LogicalResult runLinalg(Interpreter &in, mlir::Operation *op);
mlir::LogicalResult runPrec(Interpreter &in, mlir::Operation *op);

/// Elements [begin, begin + n) of a row-major shape, as coordinates of one
/// dimension.
void coordinates(llvm::ArrayRef<int64_t> shape, unsigned dim, int64_t begin,
                 size_t n, int64_t *out);

/// Copies elements between two boxes that lie in row-major arrays: element
/// (i, j, ...) of the box is `offset + i * strides[0] + j * strides[1] + ...`.
struct Box {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> strides;
};
void copyBox(llvm::ArrayRef<int64_t> sizes, const Array &from,
             const Box &source, Array &to, const Box &target);

} // namespace prec::ref

#endif // PREC_LIB_REFERENCE_INTERPRETER_H
