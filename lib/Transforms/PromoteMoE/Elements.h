// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs read backwards, element by element: what an element of a tensor is
// computed from, across the bodies of linalg operations and what moves data.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_ELEMENTS_H
#define LIB_TRANSFORMS_PROMOTEMOE_ELEMENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"

namespace prec {

/// One element, as a function of the indices (the dimensions of `at`) of the
/// element that was looked at first.
struct Element {
  mlir::Value value; ///< a tensor, or a scalar, in a linalg body or not
  /// To the tensor's indices, or to the loops of the linalg operation whose
  /// body the scalar is in. A symbol stands for an index that is not known.
  mlir::AffineMap at;

  /// The tensor `value` at its own indices.
  static Element of(mlir::Value tensor);
  /// The scalar `value` of the body of `op` at the loops of `op`.
  static Element of(mlir::Value scalar, mlir::linalg::LinalgOp op);

  mlir::Type type() const { return getElementTypeOrSelf(value.getType()); }
  bool isTensor() const {
    return mlir::isa<mlir::RankedTensorType>(value.getType());
  }
};

/// What to look through besides what moves data and keeps its bits.
struct Through {
  bool slices = false;    ///< tensor.extract_slice with constant offsets
  bool roundings = false; ///< f32 to 16 bits; else only widening
  bool gathers = false;   ///< tensor.extract in the body of a linalg operation
};

/// The element that `element` is, if a moving operation makes it; not if that
/// is at an index which is no dimension and no constant.
std::optional<Element> moved(Element element, Through through = {});

/// The operand of a cast from or to f32; `rounds` counts those to 16 bits.
std::optional<Element> uncast(Element element, Through through,
                              unsigned &rounds);

/// `element` and what it comes from by moves and casts, the last one first
/// made.
llvm::SmallVector<Element> history(Element element, Through through);

/// The first element made of those that `element` comes from by moves and
/// widenings; a tensor where that is possible.
Element origin(Element element);

/// Whether both are the same element, operations that were not merged yet
/// included.
bool isSame(Element a, Element b);

/// As isSame, also where one of them is of a slice.
bool isSameInWhole(Element a, Element b);

/// Looks through moves, casts and what is kept in memory; counts the roundings
/// to 16 bits.
Element peel(Element element, unsigned &roundings);

/// True for bf16 and f16.
bool isHalf(mlir::Type type);

/// The number that all elements of a constant have.
std::optional<double> constantOf(Element element);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_ELEMENTS_H
