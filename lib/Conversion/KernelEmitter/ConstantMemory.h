// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for constant tensors of kernels.
#ifndef PREC_LIB_CONVERSION_KERNELEMITTER_CONSTANTMEMORY_H
#define PREC_LIB_CONVERSION_KERNELEMITTER_CONSTANTMEMORY_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace prec {

/// Makes globals for constant tensors in a module, one for each constant.
class ConstantMemory {
public:
  explicit ConstantMemory(mlir::Operation *module) : module(module) {}
  mlir::Value operator()(mlir::OpBuilder &builder,
                         mlir::DenseElementsAttr elements);

private:
  mlir::Operation *module;
  llvm::DenseMap<mlir::Attribute, mlir::memref::GlobalOp> globals;
};

} // namespace prec

#endif // PREC_LIB_CONVERSION_KERNELEMITTER_CONSTANTMEMORY_H
