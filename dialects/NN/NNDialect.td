// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NN_DIALECT_TD
#define NN_DIALECT_TD

include "mlir/IR/OpBase.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::prec::nn";
  let summary = "Neural-network operations with named rounding points";
  let description = [{
    Level M. Every operation is defined by a formula in f32 (a sum may be taken in
    f64), with the places named where a value may be rounded to the element type.
    See dialects/NN/README.md for the specification and its constraints.
  }];
  let dependentDialects = ["::prec::PrecDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // NN_DIALECT_TD
