// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations, lowered to machine code and run over arrays.
#ifndef PREC_TEST_UNIT_CONVERSION_ELEMENTWISEJIT_H
#define PREC_TEST_UNIT_CONVERSION_ELEMENTWISEJIT_H

#include "prec/Conversion/Passes.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/Common/LLVMModule.h"
#include "prec/Target/Host/HostJIT.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>
#include <sstream>

/// Functions from one array to another, each one operation on every element.
class ElementwiseJIT {
public:
  ElementwiseJIT() {
    mlir::DialectRegistry registry;
    prec::registerDialects(registry);
    prec::registerLLVMTranslations(registry);
    context.appendDialectRegistry(registry);
  }

  /// Adds function `name` over arrays of `from` and `to`, `lanes` elements at a
  /// time (1: scalars). `operation` takes %x, of type $from, and defines %r, of
  /// type $to. Arrays hold a multiple of `lanes` elements.
  void add(const std::string &name, const std::string &from,
           const std::string &to, unsigned lanes, std::string operation) {
    auto typeOf = [&](const std::string &element) {
      return lanes == 1
                 ? element
                 : "vector<" + std::to_string(lanes) + "x" + element + ">";
    };
    auto replace = [&](const std::string &what, const std::string &with) {
      for (size_t at; (at = operation.find(what)) != std::string::npos;)
        operation.replace(at, what.size(), with);
    };
    replace("$from", typeOf(from));
    replace("$to", typeOf(to));
    std::string in = "memref<?x" + from + ">", out = "memref<?x" + to + ">";
    text << "func.func @" << name << "(%in: " << in << ", %out: " << out
         << ", %n: index) {\n  %c0 = arith.constant 0 : index\n"
         << "  %step = arith.constant " << lanes << " : index\n"
         << "  scf.for %i = %c0 to %n step %step {\n";
    if (lanes == 1)
      text << "    %x = memref.load %in[%i] : " << in << "\n    " << operation
           << "\n    memref.store %r, %out[%i] : " << out << "\n";
    else
      text << "    %x = vector.load %in[%i] : " << in << ", " << typeOf(from)
           << "\n    " << operation
           << "\n    vector.store %r, %out[%i] : " << out << ", " << typeOf(to)
           << "\n";
    text << "  }\n  return\n}\n";
  }

  /// Lowers what was added: the passes that `lower` adds, then upstream's
  /// conversions; and compiles it for `cpu`.
  void compile(llvm::function_ref<void(mlir::OpPassManager &)> lower,
               const std::string &cpu) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text.str(), &context);
    ASSERT_TRUE(module);
    mlir::PassManager passes(&context);
    lower(passes);
    passes.addPass(mlir::createSCFToControlFlowPass());
    passes.addPass(prec::createFinalizeABIPass());
    passes.addPass(mlir::createConvertVectorToLLVMPass());
    passes.addPass(mlir::createConvertToLLVMPass());
    passes.addPass(mlir::createReconcileUnrealizedCastsPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    auto compiled = prec::HostJIT::compile(*module, cpu);
    ASSERT_TRUE(succeeded(compiled));
    jit = std::move(*compiled);
  }

  template <typename To, typename From>
  std::vector<To> run(const std::string &name, const std::vector<From> &in) {
    std::vector<To> out(in.size());
    auto *function = jit->lookupAs<int(const From *, To *, int64_t)>(name);
    EXPECT_NE(function, nullptr) << name;
    if (function)
      EXPECT_EQ(function(in.data(), out.data(), in.size()), 0);
    return out;
  }

private:
  mlir::MLIRContext context;
  std::ostringstream text;
  std::unique_ptr<prec::HostJIT> jit;
};

#endif // PREC_TEST_UNIT_CONVERSION_ELEMENTWISEJIT_H
