// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/KernelProgram.h"

#include <cstring>

using namespace prec;
using namespace prec::audit;

struct KernelProgram::Memory {
  std::map<std::string, std::vector<uint8_t>> bytes;
  std::map<std::string, ptx::TensorRef> inputs, outputs;
  launch::Scalars scalars;
};

/// Memory for all tensors; inputs without values are zeros. Outputs have a
/// pattern, so that what is not written is seen.
KernelProgram::Memory KernelProgram::bind(const Values &values) const {
  Memory memory;
  auto add = [&](const TensorInfo &info, bool isInput) {
    const unsigned width = launch::elementBytes(info.type);
    std::vector<uint8_t> &bytes =
        memory.bytes[(isInput ? "in " : "out ") + info.name];
    bytes.assign(info.size() * width, isInput ? 0 : 0xa5);
    auto it = values.find(info.name);
    if (isInput && it != values.end())
      for (uint64_t i = 0; i < info.size(); ++i)
        std::memcpy(&bytes[i * width], &it->second[i], width);
    (isInput ? memory.inputs : memory.outputs)[info.name] = {
        bytes.data(), info.type, info.shape};
  };
  for (const TensorInfo &info : inputs) {
    if (info.isScalar)
      memory.scalars[info.name] = values.at(info.name).at(0);
    else
      add(info, true);
  }
  for (const TensorInfo &info : outputs)
    add(info, false);
  return memory;
}

void KernelProgram::note(const ptx::RunReport &report) {
  notes.clear();
  sums.clear();
  for (const std::string &line : report.approximations)
    notes.push_back(file + ":" + line);
  for (const std::string &line : report.unordered)
    sums.push_back(file + ":" + line);
}

std::optional<Expressions> KernelProgram::expressions(sym::Graph &graph,
                                                      const Values &fixed,
                                                      std::string &error) {
  Memory memory = bind(fixed);
  ptx::Diagnostic diagnostic;
  std::optional<ptx::SymbolicResult> result =
      ptx::runSymbolic(module, description, memory.inputs, memory.outputs,
                       memory.scalars, {}, graph, diagnostic);
  dependsOnData = diagnostic.dependsOnData;
  if (!result) {
    error = diagnostic.str(file);
    return std::nullopt;
  }
  note(result->report);
  lines = std::move(result->lines);
  sources = ptx::sourceLines(module);
  return std::move(result->outputs);
}

std::string KernelProgram::location(sym::Node node) const {
  return node < lines.size() && lines[node]
             ? file + ":" + std::to_string(lines[node])
             : "";
}

std::string KernelProgram::source(sym::Node node) const {
  if (node >= lines.size())
    return "";
  auto it = sources.find(lines[node]);
  return it == sources.end() ? "" : it->second;
}

std::optional<Values> KernelProgram::run(const Values &values,
                                         std::string &error) {
  return runWithin(values, 0, error);
}

std::optional<Values> KernelProgram::runWithin(const Values &values,
                                               uint64_t outcome,
                                               std::string &error) {
  ptx::RunOptions options;
  options.outcome = outcome;
  Memory memory = bind(values);
  ptx::Diagnostic diagnostic;
  std::optional<ptx::RunReport> report =
      ptx::run(module, description, memory.inputs, memory.outputs,
               memory.scalars, options, diagnostic);
  if (!report) {
    error = diagnostic.str(file);
    return std::nullopt;
  }
  note(*report);
  Values out;
  for (const TensorInfo &info : outputs) {
    const unsigned width = launch::elementBytes(info.type);
    const std::vector<uint8_t> &bytes = memory.bytes["out " + info.name];
    std::vector<uint64_t> &elements = out[info.name];
    elements.resize(info.size());
    for (uint64_t i = 0; i < info.size(); ++i)
      std::memcpy(&elements[i], &bytes[i * width], width);
  }
  return out;
}
