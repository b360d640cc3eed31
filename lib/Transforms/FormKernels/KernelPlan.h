// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a function become memory, and which kernel computes each.
#ifndef PREC_LIB_TRANSFORMS_FORMKERNELS_KERNELPLAN_H
#define PREC_LIB_TRANSFORMS_FORMKERNELS_KERNELPLAN_H

#include "SizeClasses.h"

#include "llvm/ADT/SmallBitVector.h"

namespace prec {

/// The rows that long reductions fall into: an iteration space, and which of
/// its dimensions tell the rows apart. The others are reduced.
struct RowDomain {
  llvm::SmallVector<mlir::AffineExpr> sizes;
  llvm::SmallBitVector outer;

  bool operator==(const RowDomain &other) const {
    return sizes == other.sizes && outer == other.outer;
  }
  /// The sizes of the outer dimensions, without those of size 1.
  llvm::SmallVector<mlir::AffineExpr> rows() const;
  /// The innermost dimension is an outer one: what is reduced are columns.
  bool isColumns() const;
  /// Columns that do not fit into a GPU thread's registers.
  bool isLongColumns() const;
};

/// A value that depends on long reductions.
struct RowValue {
  /// Its dimensions that determine them, without those of size 1.
  llvm::SmallBitVector outer;
  RowDomain domain;
  unsigned depth; ///< long reductions, one after the other
};

/// The plan for one function. Every kernel has a level; it reads memory written
/// by kernels of lower levels only, so no order of levels can be circular.
///
/// In memory are: the function's results; results of prec.materialize; a value
/// behind a long reduction where its consumers do not stay within the
/// reduction's rows; a value behind very many operations; and a dear value that
/// several kernels use. Cheap values that several kernels use are computed in
/// each.
class KernelPlan {
public:
  struct Kernel {
    llvm::SmallVector<mlir::Value> results;
    unsigned level = 0;
    /// The shape of the results without long reductions.
    llvm::SmallVector<mlir::AffineExpr> shape;
    std::optional<RowDomain> domain;
    /// The sizes along which the first result with long reductions tells their
    /// rows apart. All such results have the same ones.
    llvm::SmallVector<mlir::AffineExpr> rows;
    /// Some of the arguments that it reads.
    llvm::SmallVector<mlir::Value> sources;
  };

  KernelPlan(mlir::func::FuncOp func, SizeClasses &classes);

  llvm::ArrayRef<Kernel> getKernels() const { return kernels; }
  /// The kernel that writes the value to memory, if any.
  std::optional<unsigned> kernelOf(mlir::Value value) const {
    auto it = kernelOfValue.find(value);
    if (it == kernelOfValue.end())
      return std::nullopt;
    return it->second;
  }
  /// Moves the results of a kernel but the first `kept` ones to a new kernel of
  /// the same level, to be built right after it, and returns its number. They
  /// may read the first ones, which come before them in the program.
  unsigned split(unsigned number, unsigned kept);

private:
  void placeLongSequences();
  void placeLongReductions();
  void placeSharedValues();
  void assignKernels();

  /// Ends fusion behind a value, and says why.
  void keepInMemory(mlir::Value value, llvm::StringRef reason);
  /// The value's rows, unless fusion ends behind it.
  const RowValue *rowsOf(mlir::Value value) const;
  /// The dimensions of the result of a use that determine the long reductions
  /// behind the operand. Nothing when others do as well.
  std::optional<llvm::SmallBitVector> rowsAt(mlir::OpOperand &use);
  llvm::SmallBitVector unitDims(mlir::Value tensor);
  llvm::SmallBitVector otherDims(mlir::Value tensor) {
    return unitDims(tensor).flip();
  }
  RowDomain domainOf(mlir::Operation *reduction);
  /// The sizes of the dimensions that determine the value's long reductions.
  llvm::SmallVector<mlir::AffineExpr> outerSizes(mlir::Value value) const;
  /// Whether the value may be computed by a kernel besides its results; `reads`
  /// says that it uses one of those at the same place.
  bool belongsTo(const Kernel &kernel, mlir::Value value, bool reads) const;
  void addResult(unsigned kernel, mlir::Value value);

  mlir::func::FuncOp func;
  SizeClasses &classes;
  llvm::DenseSet<mlir::Value> inMemory;
  /// Values that no kernel computes again.
  llvm::DenseSet<mlir::Value> ends;
  llvm::DenseMap<mlir::Value, RowValue> rows;
  /// Some of the arguments that values depend on.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> sources;
  std::vector<Kernel> kernels;
  llvm::DenseMap<mlir::Value, unsigned> kernelOfValue;
};

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_FORMKERNELS_KERNELPLAN_H
