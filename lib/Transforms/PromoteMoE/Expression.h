// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An f32 expression of elements, found in a program and written again without
// its inner roundings.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_EXPRESSION_H
#define LIB_TRANSFORMS_PROMOTEMOE_EXPRESSION_H

#include "Elements.h"
#include "Report.h"

#include "dialects/Prec/Prec.h"

#include <vector>

namespace prec {

struct Expression {
  enum class Kind { leaf, constant, mul, add, sub, div, fma, neg, exp, select };

  Kind kind = Kind::leaf;
  unsigned leaf = 0;                ///< which leaf
  double constant = 0;              ///< the number
  mlir::Attribute math;             ///< of exp: which implementation, or null
  std::vector<Expression> operands; ///< in order

  static Expression ofLeaf(unsigned leaf);
  static Expression ofConstant(double constant);
  static Expression of(Kind kind, std::vector<Expression> operands);
  /// 1 + exp(-x)
  static Expression onePlusExpOfMinus(Expression x, mlir::Attribute math);

  /// This one with `by` in place of the leaf `leaf`.
  Expression withLeaf(unsigned leaf, const Expression &by) const;
};

/// Inputs of a linalg.generic, found while a body is planned, and the values of
/// elements in that body. Reserve everything before the body is written.
class BodyInputs {
public:
  /// Makes sure that `element` can be written; false if it cannot.
  bool reserve(Element element);
  bool reserveAll(llvm::ArrayRef<Element> elements) {
    return llvm::all_of(elements, [&](const Element &e) { return reserve(e); });
  }
  /// `element` in a body whose arguments are `arguments`.
  mlir::Value write(mlir::OpBuilder &builder, mlir::Location loc,
                    Element element, mlir::ValueRange arguments) const;

  /// Elements that a body takes from `tensor` it takes from `by`, of the same
  /// shape, instead.
  void replaceGathered(mlir::Value tensor, mlir::Value by) {
    gathered[tensor] = by;
  }

  llvm::SmallVector<mlir::Value> tensors;
  llvm::SmallVector<mlir::AffineMap> maps;

private:
  llvm::SmallDenseMap<mlir::Value, mlir::Value> gathered;

  /// The tensor element that a body argument stands for; nullopt if `element`
  /// is no argument and no tensor.
  static std::optional<Element> asInput(Element element);
};

/// Writes `expression` in f32, what is in it twice once; `leaves` are its
/// leaves' values: 16-bit or f32, or the condition of a select.
mlir::Value write(mlir::OpBuilder &builder, mlir::Location loc,
                  const Expression &expression, mlir::ValueRange leaves);

/// `value` (f32) rounded to `type`: a prec.round if `likeRound` is one, else an
/// arith.truncf.
mlir::Value writeRounding(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::Type type,
                          mlir::Operation *likeRound);

/// Replaces the 16-bit result of `root`, an elementwise operation on tensors or
/// in the body of a parallel linalg operation, by `expression` of `leaves` (at
/// the indices of that tensor or the loops of that body) with one rounding.
/// False if a leaf cannot be read there: nothing has changed then.
bool replaceByExpression(mlir::Operation *root, const Expression &expression,
                         llvm::ArrayRef<Element> leaves);

/// Whether replaceByExpression can.
bool canReplaceByExpression(mlir::Operation *root,
                            llvm::ArrayRef<Element> leaves);

/// A tensor of `type` with the value of `expression` of `leaves` at each of its
/// indices, rounded as by `likeRound` if it is 16-bit. Null, and nothing has
/// changed, if a leaf cannot be read there.
mlir::Value writeTensor(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type,
                        const Expression &expression,
                        llvm::ArrayRef<Element> leaves,
                        mlir::Operation *likeRound = nullptr);
/// Whether writeTensor can.
bool canWriteTensor(mlir::RankedTensorType type,
                    llvm::ArrayRef<Element> leaves);

/// Whether sizesOf knows all sizes.
bool areSizesKnown(mlir::RankedTensorType type,
                   llvm::ArrayRef<mlir::AffineExpr> dims,
                   const BodyInputs &inputs);
/// Sizes of a tensor whose dimensions are the loops `dims`, by `type` or by
/// what `inputs` read.
llvm::SmallVector<mlir::OpFoldResult>
sizesOf(mlir::OpBuilder &builder, mlir::Location loc,
        mlir::RankedTensorType type, llvm::ArrayRef<mlir::AffineExpr> dims,
        const BodyInputs &inputs);

/// Promotion has two steps, so that all decisions are made on the program as it
/// was: this marks an operation for the second step, as `what`.
void markRoot(mlir::Operation *root, llvm::StringRef what);
/// Calls `rewrite` for each marked operation under `scope` and reports what it
/// gives: how it was promoted, or nothing where its operands cannot be read. It
/// may replace operations, marked ones included, by copies.
void promoteMarkedRoots(
    mlir::Operation *scope, Report &report,
    llvm::function_ref<llvm::StringRef(mlir::Operation *, llvm::StringRef what)>
        rewrite);
/// Why an operation is left alone whose operands are in different places.
inline constexpr llvm::StringLiteral kUnreadable =
    "its operands cannot be read in one place";

/// Erases `op`, which has no uses, and then what was needed for it alone.
void eraseWithProducers(mlir::Operation *op);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_EXPRESSION_H
