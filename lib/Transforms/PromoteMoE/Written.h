// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations and combinations that a program writes out in arith and linalg,
// at level M or R, and their gradients.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_WRITTEN_H
#define LIB_TRANSFORMS_PROMOTEMOE_WRITTEN_H

#include "Expression.h"
#include "Report.h"

#include "dialects/MoE/MoE.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace prec {

/// A product of silu(gate), ups and numbers for each row. With one up it is a
/// gated activation, with two a summand of the gradient of its probability.
struct WrittenActivation {
  Expression formula;
  /// Gate, then what it is multiplied with: leaves of the formula.
  llvm::SmallVector<Element> leaves;
  unsigned roundings = 0;                    ///< before that of the result
  llvm::SmallVector<unsigned> ups;           ///< leaves
  llvm::SmallVector<unsigned> probabilities; ///< leaves
  llvm::StringRef unsupported; ///< the function, if it is not silu
  /// Where the last factor is a probability: the product without it.
  std::optional<Element> beforeProbability;

  /// The one whose result is that of `root`, a rounding to 16 bits.
  static std::optional<WrittenActivation> read(mlir::Operation *root);
  /// The one that computes `element`; `isRoot`: its rounding, if it is 16-bit,
  /// is that of the result.
  static std::optional<WrittenActivation> read(Element element, unsigned hidden,
                                               bool isRoot);
  /// One with one up.
  static std::optional<WrittenActivation> match(mlir::Operation *root);
  /// Gate and up of an operation, without a formula.
  static WrittenActivation of(moe::ActivationOp op);

  Element gate() const { return leaves.front(); }
};

/// The gradient of the gate of silu(gate) * up, times a probability or not: any
/// expression that is (dy * p * (up + offset)) * (s + a * gate * s * (1 - s))
/// in real numbers, s being 1 / (1 + exp(-a * gate)).
struct WrittenGradient {
  Expression formula;
  llvm::SmallVector<Element> leaves;  ///< the gate is the first
  unsigned roundings = 0;             ///< before that of the result
  llvm::SmallVector<Element> factors; ///< dy and up, in no order
  /// Operations that compute it.
  llvm::SmallPtrSet<mlir::Operation *, 16> parts;

  /// The one whose result is that of `root`, a rounding to 16 bits.
  static std::optional<WrittenGradient> match(mlir::Operation *root);
  /// Gate and up of an operation, without a formula and without dy.
  static WrittenGradient of(moe::ActivationGradOp op);

  /// Whether `activation` has the gate and, among the factors, its ups.
  bool isOf(const WrittenActivation &activation) const;
};

/// A sum along a loop or a dimension.
struct WrittenSum {
  Element summand;
  mlir::AffineMap output; ///< from the loops to the result
  llvm::SmallVector<mlir::utils::IteratorType> loops;
  double init = 0;                     ///< +0 or -0
  mlir::Operation *rounding = nullptr; ///< of a 16-bit accumulator or result
  unsigned roundings = 0;              ///< other than of the summand

  /// A linalg operation, prec.sum or nn.sum, if it is one.
  static std::optional<WrittenSum> match(mlir::Operation *op);

  unsigned reduced() const;
  /// Writes the sum of `term` of `leaves` in place of `op`, in ascending order
  /// in f32, for a sum of linalg or where `keepOrder` is false; else in the
  /// order of `op`. False if a leaf cannot be read there: nothing has changed
  /// then.
  bool replace(mlir::Operation *op, const Expression &term,
               llvm::ArrayRef<Element> leaves, BodyInputs inputs,
               bool keepOrder) const;
  /// Whether `replace` can.
  bool canReplace(mlir::Operation *op, llvm::ArrayRef<Element> leaves,
                  BodyInputs inputs, bool keepOrder) const;
};

/// Whether `element` is another one where `loop` is at another iteration, what
/// is gathered by an index that the loop determines included.
bool dependsOn(Element element, unsigned loop);
/// Whether `loop` runs along the rows of the tensor that `element` is of.
bool isAlongRows(Element element, unsigned loop);

/// A product with a factor `weight` that is the same all along a row.
struct WrittenTerm {
  Expression term; ///< of the leaves z and weight
  Element z, weight;
  unsigned roundings = 0;
  BodyInputs inputs;       ///< what weights are gathered from instead
  mlir::Type weightType;   ///< that the weight has then
  bool isGathered = false; ///< the weight is

  /// The one that computes `element`, the index along a row being `hidden`.
  static std::optional<WrittenTerm> match(Element element, unsigned hidden,
                                          bool isRoot);
};

/// The sum over slots of z * weight.
struct WrittenCombination {
  WrittenSum sum;
  WrittenTerm term;
  unsigned hidden = 0;

  unsigned roundings() const { return sum.roundings + term.roundings; }
  static std::optional<WrittenCombination> match(mlir::Operation *op);
};

/// z0 * w0 + z1 * w1 + ..., as the program adds them, perhaps from 0.
struct WrittenChain {
  Expression formula;
  llvm::SmallVector<Element> leaves; ///< z0, w0, z1, w1, ...
  mlir::Value source;                ///< what all weights are parts of
  unsigned roundings = 0;            ///< before that of the result

  static std::optional<WrittenChain> match(mlir::Operation *root);

private:
  bool add(Element element, unsigned hidden, bool isRoot, unsigned depth,
           Expression &formula);
  bool addTerm(Element mul, unsigned hidden, Expression &formula);
};

/// A gradient of a combination: R(dy * w) for each term.
struct WrittenTermGradient {
  WrittenTerm term; ///< z being dy

  static std::optional<WrittenTermGradient> match(mlir::Operation *root);
};

/// A gradient of a combination: the sum of dy * z along a row.
struct WrittenWeightGradient {
  WrittenSum sum;
  Element dy, z; ///< leaves of the term
  Expression term;
  unsigned roundings = 0;

  static std::optional<WrittenWeightGradient> match(mlir::Operation *op);
};

/// The gate of an operation with that input, and the up, if there is one.
std::pair<Element, std::optional<Element>>
gateAndUp(mlir::Value input, mlir::Value up, std::optional<moe::Layout> layout);

/// Says of products with a number for each row and an activation's function
/// that is not silu, under `root`, why they stay; `isKnown` are activations.
void explainOtherFunctions(mlir::Operation *root,
                           llvm::function_ref<bool(mlir::Operation *)> isKnown,
                           Report &report);

/// The index along the last dimension of what `root` computes: of the tensor,
/// or a loop of the linalg operation around it. None for numbers.
std::optional<unsigned> hiddenLoop(mlir::Operation *root);
/// The element that `root` computes.
Element elementOf(mlir::Operation *root);
/// What `root` rounds to 16 bits: the operand of a cast, or `root` itself.
Element roundedBy(mlir::Operation *root);

/// An operation whose 16-bit result may be that of a formula: a cast to 16
/// bits, or arithmetic of them.
struct WrittenRoot {
  Element element; ///< what it rounds
  unsigned hidden; ///< as hiddenLoop says
  bool isCast;

  /// `root`, if it is a cast or one of `OpTys`.
  template <typename... OpTys>
  static std::optional<WrittenRoot> match(mlir::Operation *root) {
    if (!llvm::isa<OpTys..., mlir::arith::TruncFOp, RoundOp>(root))
      return std::nullopt;
    return of(root);
  }

private:
  static std::optional<WrittenRoot> of(mlir::Operation *root);
};

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_WRITTEN_H
