// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of an installed prec in somebody else's compiler.
#include "dialects/Prec/Prec.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, mlir::arith::ArithDialect,
                      prec::PrecDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%x: f32) -> bf16 { %0 = prec.round %x : f32 to bf16 return "
      "%0 : bf16 }",
      &context);
  mlir::PassManager passes(&context);
  passes.addPass(prec::createVerifyExplicitPass());
  if (!module || failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
