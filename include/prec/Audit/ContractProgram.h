// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that the reference evaluator evaluates, as a program to audit
// against.
#ifndef PREC_AUDIT_CONTRACTPROGRAM_H
#define PREC_AUDIT_CONTRACTPROGRAM_H

#include "prec/Audit/Audit.h"
#include "prec/Reference/SymbolicDomain.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace prec::audit {

/// The function is at level M or R without composite operations. Errors of a
/// run on values go to the context's diagnostics; the error text is then empty.
class ContractProgram final : public Program {
public:
  ContractProgram(mlir::func::FuncOp function, std::vector<TensorInfo> inputs,
                  std::vector<TensorInfo> outputs)
      : function(function), inputs(std::move(inputs)),
        outputs(std::move(outputs)) {}

  std::optional<Expressions> expressions(sym::Graph &graph, const Values &fixed,
                                         std::string &error) override;
  std::optional<Values> run(const Values &values, std::string &error) override;
  /// What symbols cannot do values may, or the run says why not.
  bool canStillRun() const override { return true; }
  std::string location(sym::Node node) const override;
  std::string point(sym::Node node) const override;

private:
  mlir::func::FuncOp function;
  std::vector<TensorInfo> inputs, outputs;
  std::optional<ref::SymbolicDomain> domain;
  std::unordered_map<sym::Node, std::string> points;
};

} // namespace prec::audit

#endif // PREC_AUDIT_CONTRACTPROGRAM_H
