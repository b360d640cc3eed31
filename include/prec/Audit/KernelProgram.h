// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PTX with its launch description, as a program to audit.
#ifndef PREC_AUDIT_KERNELPROGRAM_H
#define PREC_AUDIT_KERNELPROGRAM_H

#include "prec/Audit/Audit.h"
#include "prec/PTX/Symbolic.h"

namespace prec::audit {

class KernelProgram final : public Program {
public:
  /// `file` stands in errors. The tensors' names are those of `description`.
  KernelProgram(ptx::Module module, launch::Description description,
                std::string file, std::vector<TensorInfo> inputs,
                std::vector<TensorInfo> outputs)
      : module(std::move(module)), description(std::move(description)),
        file(std::move(file)), inputs(std::move(inputs)),
        outputs(std::move(outputs)) {}

  std::optional<Expressions> expressions(sym::Graph &graph, const Values &fixed,
                                         std::string &error) override;
  std::optional<Values> run(const Values &values, std::string &error) override;
  std::optional<Values> runWithin(const Values &values, uint64_t outcome,
                                  std::string &error) override;
  std::string location(sym::Node node) const override;
  std::string source(sym::Node node) const override;
  std::vector<std::string> approximations() const override { return notes; }
  std::vector<std::string> unordered() const override { return sums; }
  bool canStillRun() const override { return dependsOnData; }

private:
  /// The caller's memory of tensors, as the machine takes it.
  struct Memory;
  Memory bind(const Values &values) const;
  void note(const ptx::RunReport &report);

  ptx::Module module;
  launch::Description description;
  std::string file;
  std::vector<TensorInfo> inputs, outputs;
  std::vector<std::string> notes, sums;
  bool dependsOnData = false;
  /// By node, the line of its instruction, or 0; by line, the source's.
  std::vector<unsigned> lines;
  std::map<unsigned, std::string> sources;
};

} // namespace prec::audit

#endif // PREC_AUDIT_KERNELPROGRAM_H
