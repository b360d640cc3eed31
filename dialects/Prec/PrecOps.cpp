// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace prec;

/// mode ::= (nothing: nearest_even) | keyword
static ParseResult parseRoundingModeKeyword(OpAsmParser &parser,
                                            RoundingModeAttr &mode) {
  RoundingMode value = RoundingMode::nearest_even;
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(
          &keyword, {"nearest_even", "toward_zero", "upward", "downward",
                     "nearest_away"})))
    value = *symbolizeRoundingMode(keyword);
  mode = RoundingModeAttr::get(parser.getContext(), value);
  return success();
}

static void printRoundingModeKeyword(OpAsmPrinter &printer, Operation *,
                                     RoundingModeAttr mode) {
  if (mode.getValue() != RoundingMode::nearest_even)
    printer << stringifyRoundingMode(mode.getValue());
}

#define GET_OP_CLASSES
#include "dialects/Prec/PrecOps.cpp.inc"

LogicalResult RoundOp::verify() { return success(); }
LogicalResult SumOp::verify() { return success(); }
LogicalResult KernelOp::verify() { return success(); }
