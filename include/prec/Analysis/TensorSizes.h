// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of tensors as expressions over the sizes of block arguments.
#ifndef PREC_ANALYSIS_TENSORSIZES_H
#define PREC_ANALYSIS_TENSORSIZES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace prec {

/// Where a size comes from: a dimension of a tensor that no rule looks through
/// (a block argument), or an index value (then `dim` is -1).
struct SizeSource {
  mlir::Value value;
  int64_t dim = -1;
  bool isIndex() const { return dim < 0; }
  bool operator==(const SizeSource &other) const {
    return value == other.value && dim == other.dim;
  }
};

/// Answers what the sizes of tensors are, as affine expressions whose symbols
/// are SizeSources. Two equal answers are equal sizes; nothing follows from
/// unequal ones. Looks through every operation of levels R and K.
class TensorSizes {
public:
  explicit TensorSizes(mlir::MLIRContext *context) : context(context) {}

  mlir::AffineExpr size(mlir::Value tensor, unsigned dim);
  llvm::SmallVector<mlir::AffineExpr> sizes(mlir::Value tensor);

  /// From now on that size is `multiple` times its symbol.
  void assumeMultiple(const SizeSource &source, int64_t multiple) {
    multiples[{source.value, source.dim}] = multiple;
  }
  /// How many times its symbol a size is.
  int64_t multipleOf(const SizeSource &source) const {
    auto it = multiples.find({source.value, source.dim});
    return it == multiples.end() ? 1 : it->second;
  }
  mlir::AffineExpr index(mlir::OpFoldResult value);

  const SizeSource &source(mlir::AffineSymbolExpr symbol) const {
    return sources[symbol.getPosition()];
  }
  mlir::AffineExpr symbol(SizeSource source);

private:
  mlir::AffineExpr compute(mlir::Value &tensor, unsigned &dim);

  mlir::MLIRContext *context;
  llvm::SmallVector<SizeSource> sources;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::AffineExpr> known;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, unsigned> positions;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, int64_t> multiples;
};

} // namespace prec

#endif // PREC_ANALYSIS_TENSORSIZES_H
