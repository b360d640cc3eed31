// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How one element of a value in a kernel's body depends on elements of others.
#ifndef PREC_ANALYSIS_KERNELINDEXING_H
#define PREC_ANALYSIS_KERNELINDEXING_H

#include "prec/Analysis/IndexSpace.h"
#include "prec/Analysis/TensorSizes.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace prec {

/// One element of a value. A tensor's coordinates are one expression a
/// dimension; a value inside the body of a structured operation has that
/// operation's loop indices as coordinates; a scalar of the kernel has none.
struct Demand {
  mlir::Value value;
  llvm::SmallVector<mlir::AffineExpr> coords;
};

/// `expr` < `bound` (or >=, unless `below`).
struct Guard {
  mlir::AffineExpr expr, bound;
  bool below;
};

/// A source that holds where all guards hold.
struct Piece {
  llvm::SmallVector<Guard> guards;
  Demand source;
};

/// What an element is made of.
struct Expansion {
  enum Kind {
    Leaf,        ///< a kernel argument, a constant, an element of tensor.empty
    Index,       ///< the number `index`
    Alias,       ///< demands[0]
    Select,      ///< the first of `pieces` whose guards hold
    Elementwise, ///< `op` on the elements `demands`, one an operand
    Extract,     ///< an element of `op`'s source at the indices `demands`
    Reduce,      ///< a reduction of the structured operation `op`; `loops` are
                 ///< its loop indices, null for the reduced ones
    Sum,         ///< the prec.sum `op`; `loops` as above, for its operand
  };
  Kind kind = Leaf;
  mlir::Operation *op = nullptr;
  mlir::AffineExpr index;
  llvm::SmallVector<Demand> demands;
  llvm::SmallVector<Piece> pieces;
  llvm::SmallVector<mlir::AffineExpr> loops;
};

/// Whether expandElement knows the operation as part of a kernel's body.
bool isKernelBodyOp(mlir::Operation *op);

/// What the demanded element is made of; `value` is not the accumulator of a
/// reduction. Fails, with an error at the operation, on what kernels cannot do.
mlir::FailureOr<Expansion> expandElement(const Demand &demand,
                                         IndexSpace &space, TensorSizes &sizes);

/// Coordinates of operand `number` of a structured operation at loop indices.
Demand operandAt(mlir::linalg::LinalgOp op, unsigned number,
                 llvm::ArrayRef<mlir::AffineExpr> loops, IndexSpace &space);

/// An index-typed value as an expression, if it is one of loop indices (of the
/// structured operation whose body it is in, at `loops`), sizes and constants.
std::optional<mlir::AffineExpr>
asIndexExpr(mlir::Value value, llvm::ArrayRef<mlir::AffineExpr> loops,
            IndexSpace &space, TensorSizes &sizes);

/// The extents of a structured operation's loops.
llvm::SmallVector<mlir::AffineExpr> loopExtents(mlir::linalg::LinalgOp op,
                                                TensorSizes &sizes);

/// The shape of a kernel's results, over the sizes in its body.
llvm::SmallVector<mlir::AffineExpr> kernelShape(KernelOp kernel,
                                                TensorSizes &sizes);
/// How many elements a shape has: 1 if it has no dimensions.
mlir::AffineExpr numElements(llvm::ArrayRef<mlir::AffineExpr> shape,
                             mlir::MLIRContext *context);
/// The last dimension that is not of size 1; 0 if there is none.
unsigned innerDimension(llvm::ArrayRef<mlir::AffineExpr> shape);

} // namespace prec

#endif // PREC_ANALYSIS_KERNELINDEXING_H
