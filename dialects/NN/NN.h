// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nn dialect: the one public header.
#ifndef DIALECTS_NN_NN_H
#define DIALECTS_NN_NN_H

#include "dialects/Prec/Prec.h"

namespace prec::nn {
/// PyTorch CPU's order of a sum: of a contiguous row if `alongLast`, else of a
/// column.
OrderAttr getDefaultOrder(mlir::MLIRContext *context, bool alongLast);

/// Those of an operation's attributes by which engines differ.
llvm::SmallVector<llvm::StringRef>
selectRules(llvm::ArrayRef<llvm::StringRef> attributeNames);
} // namespace prec::nn

#include "dialects/NN/NNDialect.h.inc"
#include "dialects/NN/NNEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/NN/NNAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/NN/NNOps.h.inc"

#endif // DIALECTS_NN_NN_H
