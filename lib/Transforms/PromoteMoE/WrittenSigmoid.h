// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sigmoids in a program: operations of the nn dialect, and written out.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_WRITTENSIGMOID_H
#define LIB_TRANSFORMS_PROMOTEMOE_WRITTENSIGMOID_H

#include "Expression.h"

namespace prec {

/// 1 / (1 + exp(-x)) or x / (1 + exp(-x)), perhaps exp(-(alpha * x)).
struct Sigmoid {
  Expression formula; ///< leaf 0: x
  Element argument;   ///< x
  /// Where the argument is alpha * y: y, which leaf 0 is of this formula.
  std::optional<Element> unscaled;
  Expression ofUnscaled;
  double alpha = 1;
  unsigned scaleRoundings = 0; ///< of alpha * y

  bool isSilu = false;
  llvm::StringRef unsupported; ///< the function, if it is neither
  unsigned roundings = 0;

  /// The one that `element`, after moves and casts, is computed by.
  static std::optional<Sigmoid> match(Element element);
  /// Makes y what the sigmoid is of.
  void unscale();
};

/// A product with one constant factor: the other one and the constant.
std::optional<std::pair<Element, double>> matchScaled(Element element,
                                                      unsigned &roundings);

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_WRITTENSIGMOID_H
