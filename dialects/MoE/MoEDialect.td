// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MOE_DIALECT_TD
#define MOE_DIALECT_TD

include "mlir/IR/OpBase.td"

def MoE_Dialect : Dialect {
  let name = "moe";
  let cppNamespace = "::prec::moe";
  let summary = "Routed experts with named rounding points";
  let description = [{
    Level M. What stands between the matrix products of a mixture of experts: the
    router, the gated activation, and the combination of the experts' outputs. See
    dialects/MoE/README.md for the specification, its constraints, and how the
    engines round.
  }];
  let dependentDialects = ["::prec::PrecDialect", "::prec::nn::NNDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // MOE_DIALECT_TD
