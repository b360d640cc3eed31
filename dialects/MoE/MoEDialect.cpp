// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/MoE/MoE.h"

#include "dialects/Prec/Inlining.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;

#include "dialects/MoE/MoEDialect.cpp.inc"
#include "dialects/MoE/MoEEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/MoE/MoEAttrs.cpp.inc"

void MoEDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/MoE/MoEAttrs.cpp.inc"
      >();
}

void MoEDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/MoE/MoEOps.cpp.inc"
      >();
  addInterfaces<InlineAll>();
}
