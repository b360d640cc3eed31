// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt tool: all dialects, passes and named pipelines of this project, and
// those upstream ones that our levels use.
#include "prec/Pipelines/Register.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  prec::registerDialects(registry);
  prec::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "prec optimizer driver\n", registry));
}
