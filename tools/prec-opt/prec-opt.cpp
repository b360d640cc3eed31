// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt tool: all dialects, passes and named pipelines of this project, and
// those upstream ones that our levels use.
#include "prec/Pipelines/Register.h"
#include "prec/Transforms/Profiles.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

static llvm::cl::opt<bool>
    listProfiles("list-profiles",
                 llvm::cl::desc("Print the installed rounding profiles"));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  prec::registerDialects(registry);
  prec::registerPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "prec optimizer driver\n", registry);
  if (listProfiles)
    return prec::listProfiles(registry, llvm::outs()) ? 0 : 1;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
