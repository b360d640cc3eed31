// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchEngine.h"

#include "prec/PTX/Machine.h"

using namespace mlir;
using namespace prec;

namespace {

class PTXEngine final : public LaunchEngine {
public:
  PTXEngine(Kernels kernels, ptx::Module module)
      : LaunchEngine(std::move(kernels)), module(std::move(module)) {}

  std::string counters(bool json) const override;

protected:
  LogicalResult launch(const LaunchTensors &tensors) override;

private:
  ptx::Module module;
  std::vector<ptx::RunReport::Kernel> counted;
  ptx::FunctionCounters function;
};

} // namespace

/// The place of an error in PTX: in its file, or, when it was generated, with
/// the line in the message.
static InFlightDiagnostic errorAt(Location location,
                                  const ptx::Diagnostic &diagnostic) {
  unsigned line = diagnostic.location.line;
  if (auto file = dyn_cast<FileLineColLoc>(location);
      file && file.getFilename().strref().ends_with(".ptx")) {
    if (line)
      location = FileLineColLoc::get(file.getFilename(), line,
                                     diagnostic.location.column);
    return emitError(location) << diagnostic.message;
  }
  InFlightDiagnostic error = emitError(location);
  if (line)
    error << "line " << line << " of its PTX: ";
  error << diagnostic.message;
  return error;
}

LogicalResult PTXEngine::launch(const LaunchTensors &tensors) {
  std::map<std::string, ptx::TensorRef> inputs, outputs;
  // The machine writes to no input: in-place results have their own memory.
  for (auto &[name, tensor] : tensors.inputs)
    inputs[name] = {const_cast<uint8_t *>(tensor->bytes.data()),
                    launchTypeName(tensor->dtype), tensor->shape};
  for (auto &[name, tensor] : tensors.outputs)
    outputs[name] = {tensor->bytes.data(), launchTypeName(tensor->dtype),
                     tensor->shape};
  ptx::RunOptions options;
  for (auto *named : {&inputs, &outputs})
    for (auto &[name, tensor] : *named)
      if (auto it = kernels.offsets.find(name); it != kernels.offsets.end())
        options.offsets[name] = it->second * launch::elementBytes(tensor.type);
  ptx::Diagnostic diagnostic;
  std::optional<ptx::RunReport> report =
      ptx::run(module, kernels.description, inputs, outputs, tensors.scalars,
               options, diagnostic);
  if (!report)
    return errorAt(kernels.location, diagnostic);
  counted = report->kernels;
  function = {};
  for (const ptx::RunReport::Kernel &kernel : counted)
    function.total += kernel.counters;
  function.tensors = report->tensors;
  for (auto &[name, tensor] : tensors.inputs)
    function.tensorBytes += tensor->bytes.size();
  for (auto &[name, tensor] : tensors.outputs) {
    function.tensorBytes += tensor->bytes.size();
    function.elements += tensor->bytes.size() / byteWidth(tensor->dtype);
  }
  // In what we compiled ourselves, every value within the bounds of an
  // approximate instruction is proven to lead to the same result.
  const bool isOurs = bool(kernels.shapes);
  for (const std::string &line : report->approximations)
    if (!isOurs)
      emitRemark(kernels.location)
          << "evaluated correctly rounded, but a GPU may give other bits: "
          << line;
  for (const std::string &line : report->contractible)
    emitRemark(kernels.location)
        << "an assembler may fuse this with another instruction: " << line;
  for (const std::string &line : report->unordered)
    emitRemark(kernels.location)
        << "the order of this sum is not defined: " << line;
  return success();
}

std::string PTXEngine::counters(bool json) const {
  std::string out = json ? "{\"kernels\": [" : "";
  for (const ptx::RunReport::Kernel &kernel : counted) {
    if (json)
      out += (&kernel == counted.data() ? "" : ", ") +
             ("{\"entry\": \"" + kernel.entry +
              "\", \"counters\": " + kernel.counters.json() + "}");
    else
      out += "kernel " + kernel.entry + "\n" + kernel.counters.text();
  }
  return json ? out + "], " + function.json() + "}\n" : out + function.text();
}

EngineOr prec::createPTXEngine(Kernels kernels) {
  std::vector<ptx::Diagnostic> diagnostics;
  std::optional<ptx::Module> module = ptx::parse(kernels.ptx, diagnostics);
  if (!module)
    return errorAt(kernels.location, diagnostics.front());
  return std::unique_ptr<Engine>(
      std::make_unique<PTXEngine>(std::move(kernels), std::move(*module)));
}
