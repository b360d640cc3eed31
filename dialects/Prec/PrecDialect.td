// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_DIALECT_TD
#define PREC_DIALECT_TD

include "mlir/IR/OpBase.td"

def Prec_Dialect : Dialect {
  let name = "prec";
  let cppNamespace = "::prec";
  let summary = "The rounding contract of a program";
  let description = [{
    Which values are rounded, to which format, in which order sums are taken.
    See dialects/Prec/README.md for the specification and its constraints.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // PREC_DIALECT_TD
