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

/// PTX of a kernel `k` that computes one element a thread: `body` defines
/// %result, of type `to`, from %in, of type `from`; %one and %half are f32.
inline std::string compileElementwise(const std::string &from,
                                      const std::string &to,
                                      const std::string &body,
                                      mlir::MLIRContext &context,
                                      const std::string &chip = "sm_90") {
  std::string input = "memref<?x" + from + ">", output = "memref<?x" + to + ">";
  return compileToPTX("gpu.module @kernels {\n"
                      "gpu.func @k(%ins: " +
                          input + ", %outs: " + output +
                          ") kernel {\n"
                          "%one = arith.constant 1.0 : f32\n"
                          "%half = arith.constant 0.5 : f32\n"
                          "%b = gpu.block_id x\n"
                          "%t = gpu.thread_id x\n"
                          "%size = gpu.block_dim x\n"
                          "%first = arith.muli %b, %size : index\n"
                          "%i = arith.addi %first, %t : index\n"
                          "%in = memref.load %ins[%i] : " +
                          input + "\n" + body +
                          "\nmemref.store %result, %outs[%i] : " + output +
                          "\ngpu.return\n}\n}",
                      context, chip);
}

#endif // PREC_TEST_UNIT_CONVERSION_COMPILEPTX_H
