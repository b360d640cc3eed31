// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index expressions of a kernel: affine expressions over loop variables, with
// what is known of their ranges.
#ifndef PREC_ANALYSIS_INDEXSPACE_H
#define PREC_ANALYSIS_INDEXSPACE_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace prec {

/// Inclusive bounds; an absent one is unknown.
struct IndexRange {
  std::optional<int64_t> low, high;
};

/// The variables of a kernel's index expressions. A variable is an affine
/// dimension with values in [0, extent); sizes are affine symbols, not
/// negative. All expressions are kept simplified, so that equal coordinates are
/// equal pointers.
class IndexSpace {
public:
  explicit IndexSpace(mlir::MLIRContext *context) : context(context) {}

  /// A new variable with values in [0, extent), or [0, ?) without an extent.
  mlir::AffineExpr addVariable(std::optional<int64_t> extent);
  unsigned getNumVariables() const { return extents.size(); }
  mlir::AffineExpr variable(unsigned position) const {
    return mlir::getAffineDimExpr(position, context);
  }

  mlir::AffineExpr constant(int64_t value) const {
    return mlir::getAffineConstantExpr(value, context);
  }

  /// Simplifies by the ranges of the variables: divisions and remainders whose
  /// outcome is known vanish, and x = (x / c) * c + x % c is put together.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

  IndexRange range(mlir::AffineExpr expr) const;

  /// Whether `expr` changes by `stride` from one lane to the next.
  bool hasStride(mlir::AffineExpr expr, mlir::AffineExpr lane,
                 int64_t stride) const {
    return simplify(expr - atLane(expr, lane, 0) - lane * stride) ==
           constant(0);
  }
  /// How much `expr` changes from one lane to the next: 0, 1, or nothing when
  /// it is neither.
  std::optional<int64_t> laneStride(mlir::AffineExpr expr,
                                    mlir::AffineExpr lane) const;

  /// `expr` at one lane.
  mlir::AffineExpr atLane(mlir::AffineExpr expr, mlir::AffineExpr lane,
                          int64_t index) const;

  /// Row-major position of `coords` in a tensor of these sizes.
  mlir::AffineExpr linearize(llvm::ArrayRef<mlir::AffineExpr> coords,
                             llvm::ArrayRef<mlir::AffineExpr> sizes) const;
  /// The inverse: coordinates of a position.
  llvm::SmallVector<mlir::AffineExpr>
  delinearize(mlir::AffineExpr position,
              llvm::ArrayRef<mlir::AffineExpr> sizes) const;

  /// Within the lifetime of a Assumption, `expr` lies in `range`.
  class Assumption {
  public:
    Assumption(IndexSpace &space, mlir::AffineExpr expr, IndexRange range)
        : space(space) {
      space.assumptions.push_back({expr, range});
    }
    ~Assumption() { space.assumptions.pop_back(); }
    Assumption(const Assumption &) = delete;
    Assumption &operator=(const Assumption &) = delete;

  private:
    IndexSpace &space;
  };

private:
  IndexRange structuralRange(mlir::AffineExpr expr) const;
  mlir::AffineExpr simplifyDivMod(mlir::AffineExprKind kind,
                                  mlir::AffineExpr lhs,
                                  mlir::AffineExpr rhs) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<std::optional<int64_t>> extents;
  llvm::SmallVector<std::pair<mlir::AffineExpr, IndexRange>> assumptions;
};

} // namespace prec

#endif // PREC_ANALYSIS_INDEXSPACE_H
