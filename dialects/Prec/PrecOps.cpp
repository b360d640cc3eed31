// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace prec;

#define GET_OP_CLASSES
#include "dialects/Prec/PrecOps.cpp.inc"

LogicalResult RoundOp::verify() { return success(); }
LogicalResult SumOp::verify() { return success(); }
LogicalResult KernelOp::verify() { return success(); }
