// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/Runner.h"

#include "Random.h"
#include "Timing.h"

#include "prec/Pipelines/Register.h"
#include "prec/Runner/Compare.h"
#include "prec/Runner/Engine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>

using namespace mlir;
using namespace prec;

static ExitCode fail(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return kBadInput;
}

/// The function to run.
static llvm::Expected<func::FuncOp> findFunction(ModuleOp module,
                                                 const RunOptions &options) {
  if (!options.function.empty()) {
    if (auto function = module.lookupSymbol<func::FuncOp>(options.function))
      return function;
    return usageError(options.file + ": there is no function named '" +
                      options.function + "'");
  }
  auto functions = llvm::filter_to_vector(
      module.getOps<func::FuncOp>(),
      [](func::FuncOp function) { return function.isPublic(); });
  if (functions.size() == 1)
    return functions.front();
  return usageError(options.file + ": there are " +
                    llvm::Twine(functions.size()) +
                    " functions; expected --function=NAME");
}

using EngineFactory = FailureOr<std::unique_ptr<Engine>> (*)(func::FuncOp);

static llvm::Expected<EngineFactory> findEngine(StringRef name) {
  static constexpr std::pair<StringLiteral, EngineFactory> kEngines[] = {
      {"reference", createReferenceEngine}, {"host", createHostEngine}};
  std::string known;
  for (auto [engine, factory] : kEngines) {
    if (engine == name)
      return factory;
    known += (known.empty() ? "" : ", ") + engine.str();
  }
  return usageError("there is no engine '" + name + "' (there are: " + known +
                    ")");
}

/// One tensor for each argument, from files or at random.
static llvm::Expected<std::vector<io::Tensor>>
makeInputs(ArrayRef<Port> ports, const RunOptions &options) {
  auto given = readTensors(ports, "argument", options.inputs);
  if (!given)
    return given.takeError();
  for (StringRef shape : options.shapes)
    if (auto port = findPort(ports, "argument", shape.split('=').first,
                             "--shape=" + shape.str());
        !port)
      return port.takeError();
  std::vector<io::Tensor> inputs;
  for (auto [i, port] : llvm::enumerate(ports)) {
    if (std::optional<io::Tensor> &tensor = (*given)[i]) {
      inputs.push_back(std::move(*tensor));
      continue;
    }
    if (!options.random)
      return usageError("argument '" + port.name + "' has no tensor");
    auto tensor = randomTensor(port, *options.random + i, options.shapes);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

/// Prints the shortest time of a run, and of a memcpy that reads and writes as
/// many bytes as the arguments and results have.
static void printTime(Engine &engine, ArrayRef<io::Tensor> inputs,
                      ArrayRef<io::Tensor> outputs, unsigned runs,
                      raw_ostream &os) {
  size_t traffic = 0;
  for (const io::Tensor &tensor : inputs)
    traffic += tensor.bytes.size();
  for (const io::Tensor &tensor : outputs)
    traffic += tensor.bytes.size();
  std::vector<char> from(traffic / 2 + 1, 1), to(traffic / 2 + 1, 2);
  double copy = shortest(runs, [&] {
    std::memcpy(to.data(), from.data(), from.size());
    // The copy must be made although nobody reads it.
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  double time = engine.time(inputs, runs);
  os << llvm::format("time %.3f ms, copy %.3f ms, ratio %.2f\n", time * 1e3,
                     copy * 1e3, time / copy);
}

static uint64_t compareAll(ArrayRef<Port> ports, ArrayRef<io::Tensor> got,
                           ArrayRef<io::Tensor> expected, raw_ostream &os) {
  uint64_t mismatches = 0;
  for (auto [port, a, b] : llvm::zip_equal(ports, got, expected))
    mismatches += compareTensors(port.name, a, b, os);
  return mismatches;
}

ExitCode prec::run(const RunOptions &options, raw_ostream &os) {
  llvm::Expected<EngineFactory> createEngine = findEngine(options.engine);
  if (!createEngine)
    return fail(createEngine.takeError());
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  std::string openError;
  std::unique_ptr<llvm::MemoryBuffer> text =
      openInputFile(options.file, &openError);
  if (!text)
    return fail(usageError(openError));
  sources->AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return kBadInput;
  llvm::Expected<func::FuncOp> function = findFunction(*module, options);
  if (!function)
    return fail(function.takeError());
  FailureOr<Ports> ports = Ports::of(*function);
  if (failed(ports))
    return kBadInput;

  auto inputs = makeInputs(ports->arguments, options);
  if (!inputs)
    return fail(inputs.takeError());
  auto files = planOutputs(ports->results, options.outputs);
  if (!files)
    return fail(files.takeError());
  auto expected = readTensors(ports->results, "result", options.expected);
  if (!expected)
    return fail(expected.takeError());

  FailureOr<std::unique_ptr<Engine>> engine = (*createEngine)(*function);
  if (failed(engine))
    return kBadInput;
  FailureOr<std::vector<io::Tensor>> outputs = (*engine)->run(*inputs);
  if (failed(outputs))
    return kBadInput;
  if (llvm::Error error = writeTensors(ports->results, *outputs, *files))
    return fail(std::move(error));
  if (options.print)
    for (auto [port, tensor] : llvm::zip_equal(ports->results, *outputs))
      printTensor(port.name, tensor, os);

  uint64_t mismatches = 0;
  if (options.check) {
    FailureOr<std::unique_ptr<Engine>> reference =
        createReferenceEngine(*function);
    if (failed(reference))
      return kBadInput;
    FailureOr<std::vector<io::Tensor>> right = (*reference)->run(*inputs);
    if (failed(right))
      return kBadInput;
    mismatches += compareAll(ports->results, *outputs, *right, os);
  }
  for (auto [port, got, right] :
       llvm::zip_equal(ports->results, *outputs, *expected))
    if (right)
      mismatches += compareTensors(port.name, got, *right, os);
  if (options.timedRuns)
    printTime(**engine, *inputs, *outputs, options.timedRuns, os);
  return mismatches ? kDiffers : kHolds;
}
