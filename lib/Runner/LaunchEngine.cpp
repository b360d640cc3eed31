// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchEngine.h"

#include "prec/Compiler/Compiler.h"
#include "prec/PTX/Module.h"
#include "prec/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>
#include <set>

using namespace mlir;
using namespace prec;

/// The tensors whose pointers kernels get.
static std::set<std::string>
tensorParameters(const launch::Description &description) {
  std::set<std::string> names;
  for (const launch::Kernel &kernel : description.kernels)
    for (const launch::Parameter *part : kernel.allParts()) {
      if (part->kind == launch::Parameter::Kind::Tensor)
        names.insert(part->tensor);
      if (!part->aliases.empty())
        names.insert(part->aliases);
    }
  return names;
}

FailureOr<LaunchTensors> LaunchEngine::bind(ArrayRef<io::Tensor> inputs) {
  LaunchTensors tensors;
  launch::Shapes shapes;
  std::set<std::string> passed = tensorParameters(kernels.description);
  for (auto [port, tensor] : llvm::zip_equal(kernels.ports.arguments, inputs)) {
    if (tensor.shape.empty() && !passed.count(port.name)) {
      uint64_t bits = 0;
      std::memcpy(&bits, tensor.bytes.data(), tensor.bytes.size());
      tensors.scalars[port.name] = bits;
      continue;
    }
    tensors.inputs[port.name] = &tensor;
    shapes[port.name] = tensor.shape;
  }
  std::string message;
  std::optional<launch::Sizes> sizes =
      launch::bindDims(kernels.description, shapes, message);
  if (!sizes)
    return error() << message;
  tensors.sizes = std::move(*sizes);
  message = checkGuards(kernels.description, tensors.sizes);
  if (!message.empty())
    return error() << message;
  return tensors;
}

FailureOr<std::vector<io::Tensor>>
LaunchEngine::makeOutputs(ArrayRef<io::Tensor> inputs,
                          const launch::Sizes &sizes) {
  std::vector<std::vector<int64_t>> shapes;
  if (kernels.shapes) {
    FailureOr<std::vector<std::vector<int64_t>>> evaluated =
        kernels.shapes(inputs);
    if (failed(evaluated))
      return failure();
    shapes = std::move(*evaluated);
  } else {
    for (const launch::Buffer &result : kernels.description.results) {
      std::string message;
      std::optional<std::vector<int64_t>> shape =
          launch::bufferShape(result, sizes, message);
      if (!shape)
        return error() << message;
      shapes.push_back(std::move(*shape));
    }
  }
  std::vector<io::Tensor> outputs;
  for (auto [port, shape] : llvm::zip_equal(kernels.ports.results, shapes)) {
    io::Tensor &tensor = outputs.emplace_back();
    tensor.dtype = *port.dtype;
    tensor.shape = shape;
    if (!allocate(tensor))
      return error() << "result '" << port.name << "' is too large";
  }
  return outputs;
}

FailureOr<std::vector<io::Tensor>>
LaunchEngine::run(ArrayRef<io::Tensor> inputs) {
  FailureOr<LaunchTensors> tensors = bind(inputs);
  if (failed(tensors))
    return failure();
  FailureOr<std::vector<io::Tensor>> outputs =
      makeOutputs(inputs, tensors->sizes);
  if (failed(outputs))
    return failure();
  for (auto [port, tensor] : llvm::zip_equal(kernels.ports.results, *outputs))
    tensors->outputs[port.name] = &tensor;
  if (failed(launch(*tensors)))
    return failure();
  return outputs;
}

//===----------------------------------------------------------------------===//
// Where kernels come from
//===----------------------------------------------------------------------===//

FailureOr<Kernels> prec::compileKernels(func::FuncOp function, StringRef chip) {
  FailureOr<Ports> ports = Ports::of(function);
  if (failed(ports))
    return failure();
  FailureOr<GPUFunction> compiled = compileForGPU(function, chip);
  if (failed(compiled))
    return failure();

  // The results' shapes come from level R, which has no composite operations.
  FailureOr<Program> program = Program::create(function);
  if (failed(program))
    return failure();
  PassManager toRounded(function.getContext());
  buildToRounded(toRounded);
  if (failed(toRounded.run(*program->module)))
    return failure();
  auto module =
      std::make_shared<OwningOpRef<ModuleOp>>(std::move(program->module));
  auto rounded = (*module)->lookupSymbol<func::FuncOp>(function.getNameAttr());
  return Kernels{std::move(compiled->ptx),
                 std::move(compiled->description),
                 std::move(*ports),
                 function.getLoc(),
                 [module, rounded](ArrayRef<io::Tensor> inputs) {
                   return resultShapes(rounded, inputs);
                 },
                 {}};
}

/// Whether the parameter's value is the name of a scalar argument: neither a
/// number nor an expression over sizes.
static bool namesScalar(const launch::Description &description,
                        const launch::Parameter &parameter) {
  StringRef value = parameter.value;
  double number;
  return parameter.kind == launch::Parameter::Kind::Scalar && !value.empty() &&
         !llvm::isDigit(value.front()) &&
         llvm::all_of(value,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         value.getAsDouble(number) && !description.dims.count(parameter.value);
}

llvm::Expected<Kernels> prec::readKernels(const std::string &ptxFile,
                                          const std::string &launchFile,
                                          ArrayRef<std::string> expected,
                                          MLIRContext &context) {
  llvm::Expected<std::string> ptx = readTextFile(ptxFile);
  if (!ptx)
    return ptx.takeError();
  llvm::Expected<std::string> text = readTextFile(launchFile);
  if (!text)
    return text.takeError();
  std::string message;
  std::optional<launch::Description> description =
      launch::read(*text, launchFile, message);
  if (!description)
    return usageError(message);

  Kernels kernels{std::move(*ptx),
                  std::move(*description),
                  {},
                  FileLineColLoc::get(&context, ptxFile, 1, 1),
                  nullptr,
                  {}};
  if (kernels.description.results.empty()) {
    auto tensors = readNamedTensors(expected);
    if (!tensors)
      return tensors.takeError();
    for (const io::NamedTensor &named : *tensors) {
      launch::Buffer &result = kernels.description.results.emplace_back();
      result.name = named.name;
      for (int64_t size : named.tensor.shape)
        result.shape.emplace_back(size);
      kernels.ports.results.push_back(
          {named.name, named.tensor.dtype, named.tensor.shape});
    }
  } else {
    for (const launch::Buffer &result : kernels.description.results)
      kernels.ports.results.push_back(
          {result.name, dtypeNamed(result.type, context),
           std::vector<int64_t>(result.shape.size(), Port::kAny)});
  }
  if (kernels.ports.results.empty())
    return usageError(launchFile +
                      ": expected 'results', or --expect=NAME=FILE for each "
                      "tensor that the kernels write");

  // Every other name is an argument, in the order of its first use.
  std::set<std::string> known;
  for (const Port &result : kernels.ports.results)
    known.insert(result.name);
  for (const launch::Buffer &temporary : kernels.description.temporaries)
    known.insert(temporary.name);
  auto argument = [&](const std::string &name) {
    if (known.insert(name).second)
      kernels.ports.arguments.push_back({name, std::nullopt, {}});
  };
  for (const launch::Kernel &kernel : kernels.description.kernels)
    for (const launch::Parameter *part : kernel.allParts())
      if (part->kind == launch::Parameter::Kind::Tensor)
        argument(part->tensor);
      else if (namesScalar(kernels.description, *part))
        argument(part->value);
  for (auto &[name, dim] : kernels.description.dims)
    argument(dim.tensor);
  return kernels;
}
