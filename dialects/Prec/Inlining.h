// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What upstream's inliner asks of the dialects prec, nn and moe.
#ifndef DIALECTS_PREC_INLINING_H
#define DIALECTS_PREC_INLINING_H

#include "mlir/Transforms/InliningUtils.h"

namespace prec {

/// Every operation may move into a caller: what it rounds it says itself, and a
/// profile sets rules of all operations of a module.
struct InlineAll : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
};

} // namespace prec

#endif // DIALECTS_PREC_INLINING_H
