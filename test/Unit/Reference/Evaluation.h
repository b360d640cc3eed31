// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates a function given as text.
#ifndef PREC_TEST_UNIT_REFERENCE_EVALUATION_H
#define PREC_TEST_UNIT_REFERENCE_EVALUATION_H

#include "prec/Reference/BitsDomain.h"
#include "prec/Reference/Evaluator.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include <cstring>

class EvaluationTest : public ::testing::Test {
protected:
  EvaluationTest() {
    context.loadDialect<prec::PrecDialect, mlir::arith::ArithDialect,
                        mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                        mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                        mlir::vector::VectorDialect>();
  }

  /// The results of the function @f of this module; errors are in `messages`.
  mlir::FailureOr<llvm::SmallVector<prec::ref::Array>>
  evaluate(const std::string &text,
           llvm::ArrayRef<prec::ref::Array> arguments = {}) {
    messages.clear();
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
      if (d.getSeverity() == mlir::DiagnosticSeverity::Error)
        messages.push_back(d.str());
      located &= !llvm::isa<mlir::UnknownLoc>(d.getLocation());
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return mlir::failure();
    return prec::ref::evaluate(module->lookupSymbol<mlir::func::FuncOp>("f"),
                               arguments, *domain, &observations);
  }

  /// A tensor of 64-bit integers or of float bits.
  prec::ref::Array array(mlir::Type type, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<uint64_t> values) {
    prec::ref::Element element = *prec::ref::Element::of(type);
    prec::ref::Array array = *prec::ref::Array::make(*domain, element, shape);
    if (element.isFloat())
      domain->fromBits(*element.format, values.data(), values.size(),
                       array.mutableData());
    else
      std::memcpy(array.mutableData(), values.data(), values.size() * 8);
    return array;
  }

  std::vector<uint64_t> bits(const prec::ref::Array &array) {
    std::vector<uint64_t> values(static_cast<size_t>(array.size()));
    if (array.element().isFloat())
      domain->toBits(*array.element().format, array.data(), values.size(),
                     values.data());
    else
      std::memcpy(values.data(), array.data(), values.size() * 8);
    return values;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<prec::ref::FloatDomain> domain =
      std::make_unique<prec::ref::BitsDomain>();
  prec::ref::Observations observations;
  std::vector<std::string> messages;
  bool located = true;
};

#endif // PREC_TEST_UNIT_REFERENCE_EVALUATION_H
