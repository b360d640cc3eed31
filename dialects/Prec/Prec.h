// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prec dialect: the one public header.
#ifndef DIALECTS_PREC_PREC_H
#define DIALECTS_PREC_PREC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Prec/RoundingPoints.h"
#include "prec/Numerics/Format.h"
#include "prec/Numerics/Rounding.h"
#include "prec/Numerics/SumOrder.h"

#include "dialects/Prec/PrecDialect.h.inc"
#include "dialects/Prec/PrecEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Prec/PrecAttrs.h.inc"
namespace prec {
class RuleOp;
/// The operation that a rule speaks of, in its assembly.
mlir::ParseResult parseRuleOperation(mlir::OpAsmParser &parser,
                                     mlir::StringAttr &operation);
void printRuleOperation(mlir::OpAsmPrinter &printer, RuleOp rule,
                        mlir::StringAttr operation);
} // namespace prec

#define GET_OP_CLASSES
#include "dialects/Prec/PrecOps.h.inc"

namespace prec {

/// The format of a scalar float type, or null if the contract has none for it.
const num::Format *formatOf(mlir::Type type);

/// Emits an error at `op` and fails unless `order` has a place for every
/// element of a dimension of `extent`, which may be dynamic.
llvm::LogicalResult verifyOrderHolds(mlir::Operation *op, OrderAttr order,
                                     int64_t extent);

/// The same mode in the numerics library.
num::Rounding numericsMode(RoundingMode mode);

} // namespace prec

#endif // DIALECTS_PREC_PREC_H
