// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;

#include "dialects/Prec/PrecDialect.cpp.inc"
#include "dialects/Prec/PrecEnums.cpp.inc"

void PrecDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prec/PrecOps.cpp.inc"
      >();
}
