// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantMemory.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace prec;

Value ConstantMemory::operator()(OpBuilder &builder,
                                 DenseElementsAttr elements) {
  auto flat = elements.reshape(RankedTensorType::get(
      {elements.getNumElements()}, elements.getElementType()));
  auto type =
      MemRefType::get({elements.getNumElements()}, elements.getElementType());
  memref::GlobalOp &global = globals[flat];
  if (!global) {
    // The symbol table names and inserts it.
    OpBuilder detached(module->getContext());
    global = memref::GlobalOp::create(
        detached, builder.getUnknownLoc(), "prec_constant",
        builder.getStringAttr("private"), type, flat, /*constant=*/true,
        /*alignment=*/builder.getI64IntegerAttr(64));
    SymbolTable(module).insert(global, module->getRegion(0).front().begin());
  }
  return memref::GetGlobalOp::create(builder, builder.getUnknownLoc(), type,
                                     global.getSymName());
}
