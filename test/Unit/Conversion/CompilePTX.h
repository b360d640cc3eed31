// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in text to PTX.
#ifndef PREC_TEST_UNIT_CONVERSION_COMPILEPTX_H
#define PREC_TEST_UNIT_CONVERSION_COMPILEPTX_H

#include "prec/Pipelines/Pipelines.h"
#include "prec/Target/PTX/PTXTarget.h"

#include "mlir/Parser/Parser.h"

/// PTX of a module with one gpu.module; empty where that fails.
inline std::string compileToPTX(const std::string &text,
                                mlir::MLIRContext &context,
                                const std::string &chip = "sm_90") {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return {};
  mlir::PassManager passes(&context);
  prec::GPUPipelineOptions options;
  options.chip = chip;
  prec::buildKernelsToNVVM(passes, options);
  auto target = prec::findGPUTarget(chip, module->getLoc());
  if (failed(passes.run(*module)) || failed(target))
    return {};
  auto ptx = prec::translateToPTX(
      *module->getOps<mlir::gpu::GPUModuleOp>().begin(), *target);
  return failed(ptx) ? std::string() : *ptx;
}

#endif // PREC_TEST_UNIT_CONVERSION_COMPILEPTX_H
