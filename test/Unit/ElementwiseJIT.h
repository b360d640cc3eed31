// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations, lowered to machine code and run over arrays.
#ifndef PREC_TEST_UNIT_ELEMENTWISEJIT_H
#define PREC_TEST_UNIT_ELEMENTWISEJIT_H

#include "prec/Conversion/Passes.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/Common/LLVMModule.h"
#include "prec/Target/Host/HostJIT.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
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

  /// Adds function `name` from arrays of the element types `from` to an array
  /// of `to`, `lanes` elements at a time (1: scalars). `operation` takes %x0,
  /// %x1, ... of the types $0, $1, ..., and defines %r, of type $to. Arrays
  /// hold a multiple of `lanes` elements.
  void add(const std::string &name, const std::vector<std::string> &from,
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
    auto memory = [](const std::string &element) {
      return "memref<?x" + element + ">";
    };
    text << "func.func @" << name << "(";
    for (size_t i = 0; i < from.size(); ++i) {
      replace("$" + std::to_string(i), typeOf(from[i]));
      text << "%in" << i << ": " << memory(from[i]) << ", ";
    }
    replace("$to", typeOf(to));
    text << "%out: " << memory(to) << ", %count: index) {\n"
         << "  %c0 = arith.constant 0 : index\n"
         << "  %step = arith.constant " << lanes << " : index\n"
         << "  scf.for %i = %c0 to %count step %step {\n";
    for (size_t i = 0; i < from.size(); ++i)
      text << "    %x" << i << " = "
           << (lanes == 1 ? "memref.load" : "vector.load") << " %in" << i
           << "[%i] : " << memory(from[i])
           << (lanes == 1 ? "" : ", " + typeOf(from[i])) << "\n";
    text << "    " << operation << "\n    "
         << (lanes == 1 ? "memref.store" : "vector.store")
         << " %r, %out[%i] : " << memory(to)
         << (lanes == 1 ? "" : ", " + typeOf(to)) << "\n  }\n  return\n}\n";
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

  /// Runs function `name` over arrays of one length.
  template <typename To, typename... From>
  std::vector<To> run(const std::string &name, const std::vector<From> &...in) {
    size_t count = std::get<0>(std::tie(in...)).size();
    std::vector<To> out(count);
    auto *function = jit->lookupAs<int(const From *..., To *, int64_t)>(name);
    EXPECT_NE(function, nullptr) << name;
    if (function)
      EXPECT_EQ(function(in.data()..., out.data(), count), 0);
    return out;
  }

private:
  mlir::MLIRContext context;
  std::ostringstream text;
  std::unique_ptr<prec::HostJIT> jit;
};

#endif // PREC_TEST_UNIT_ELEMENTWISEJIT_H
