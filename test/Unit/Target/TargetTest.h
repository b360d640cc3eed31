// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context and a parser for tests that start from IR text.
#ifndef PREC_TEST_UNIT_TARGET_TARGETTEST_H
#define PREC_TEST_UNIT_TARGET_TARGETTEST_H

#include "prec/Target/Common/LLVMModule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

class TargetTest : public testing::Test {
protected:
  TargetTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect,
                    mlir::gpu::GPUDialect>();
    prec::registerLLVMTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    // Errors are part of what is tested: keep them instead of printing.
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      errors.push_back(diagnostic.str());
      return mlir::success();
    });
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << (errors.empty() ? "" : errors.front());
    return module;
  }

  mlir::MLIRContext context;
  std::vector<std::string> errors;
};

#endif // PREC_TEST_UNIT_TARGET_TARGETTEST_H
