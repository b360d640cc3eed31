// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region that is evaluated once per point of an iteration space: on many
// points at a time, operation by operation, where its operations allow that.
#ifndef PREC_LIB_REFERENCE_LANEBODY_H
#define PREC_LIB_REFERENCE_LANEBODY_H

#include "Interpreter.h"

namespace prec::ref {

/// Calling protocol: construct, prepare() once, then run() for each group of at
/// most kLanes points with the block's arguments; results(i) are then the
/// values that the terminator's operands have at those points.
class LaneBody {
public:
  static constexpr size_t kLanes = 1024;

  /// Writes the coordinate of each of the n points in a dimension.
  using Coordinates = llvm::function_ref<void(unsigned dim, int64_t *out)>;
  /// Told the value that a prec.observe in the body has at each point.
  using Observe = llvm::function_ref<void(ObserveOp op, Lanes lanes)>;

  LaneBody(Interpreter &in, mlir::Operation *op, mlir::Block &block)
      : in(in), op(op), block(block) {}

  /// Decides how to run, and evaluates what is the same at all points.
  mlir::LogicalResult prepare();

  mlir::LogicalResult run(llvm::ArrayRef<Lanes> arguments, size_t n,
                          unsigned rank, Coordinates coordinates,
                          Observe observe);

  Lanes result(unsigned i) const { return results[i]; }

private:
  mlir::LogicalResult runTogether(llvm::ArrayRef<Lanes> arguments, size_t n,
                                  Coordinates coordinates, Observe observe);
  mlir::LogicalResult runPointByPoint(llvm::ArrayRef<Lanes> arguments, size_t n,
                                      unsigned rank, Coordinates coordinates);
  mlir::LogicalResult runExtract(mlir::Operation *op, size_t n);
  /// Memory of the frame for a value's lanes.
  mlir::LogicalResult allocate(mlir::Value value);
  /// A value from outside, or a constant, on all lanes.
  mlir::LogicalResult spread(mlir::Value value, const Array &scalar);

  Interpreter &in;
  mlir::Operation *op;
  mlir::Block &block;
  bool together = false;
  llvm::DenseMap<mlir::Value, MutableLanes> lanes;
  llvm::SmallVector<std::unique_ptr<char[]>> memory;
  llvm::SmallVector<Lanes> results;
};

} // namespace prec::ref

#endif // PREC_LIB_REFERENCE_LANEBODY_H
