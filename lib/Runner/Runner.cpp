// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/Runner.h"
#include "Parallel.h"

#include "CompareProfiles.h"
#include "Random.h"

#include "prec/Compiler/Compiler.h"
#include "prec/Pipelines/Register.h"
#include "prec/Runner/Compare.h"
#include "prec/Runner/Engine.h"
#include "prec/Target/Host/HostTarget.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace prec;

static ExitCode fail(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return kBadInput;
}

namespace {

/// What runs, and what judges it.
struct Job {
  OwningOpRef<ModuleOp> module; ///< of `function`
  func::FuncOp function;        ///< null for a .ptx file
  std::optional<Kernels> kernels;
  Ports ports;
};

} // namespace

static llvm::Error checkEngine(StringRef engine) {
  if (llvm::is_contained({"reference", "host", "ptx", "cuda"}, engine))
    return llvm::Error::success();
  return usageError("there is no engine '" + engine +
                    "' (there are: reference, host, ptx, cuda)");
}

static llvm::Error checkCounters(const RunOptions &options) {
  StringRef counters = options.counters;
  if (!counters.empty() && counters != "text" && counters != "json")
    return usageError("--counters: expected text or json but got '" + counters +
                      "'");
  if (!counters.empty() && options.engine != "ptx")
    return usageError("--counters: expected --engine=ptx but got " +
                      options.engine);
  return llvm::Error::success();
}

/// `--offset`s by name.
static llvm::Expected<std::map<std::string, uint64_t>>
readOffsets(const Ports &ports, const RunOptions &options) {
  std::map<std::string, uint64_t> offsets;
  if (!options.offsets.empty() && options.engine != "ptx" &&
      options.engine != "cuda")
    return usageError("--offset: expected --engine=ptx or cuda but got " +
                      options.engine);
  for (StringRef text : options.offsets) {
    StringRef name, count;
    std::tie(name, count) = text.split('=');
    uint64_t elements = 0;
    if (name.empty() || count.getAsInteger(10, elements) || elements > 4096)
      return usageError("--offset: expected NAME=ELEMENTS, up to 4096, but "
                        "got '" +
                        text.str() + "'");
    auto isNamed = [&](const Port &port) { return port.name == name; };
    if (llvm::none_of(ports.arguments, isNamed) &&
        llvm::none_of(ports.results, isNamed))
      return usageError("--offset: there is no tensor '" + name.str() + "'");
    offsets[name.str()] = elements;
  }
  return offsets;
}

static llvm::Error checkProfiles(const RunOptions &options) {
  bool isPTX = StringRef(options.file).ends_with(".ptx");
  if (isPTX && !(options.profile + options.compareProfile).empty())
    return usageError(options.file + ": there is no function to apply a "
                                     "profile to");
  if (isPTX && (options.promoteActivation || options.promoteCombine))
    return usageError(options.file + ": there is no function to promote");
  if (!options.compareProfile.empty() && options.engine != "reference")
    return usageError("--compare-profile: expected --engine=reference but "
                      "got " +
                      options.engine);
  return llvm::Error::success();
}

static llvm::Error checkThreads(const RunOptions &options) {
  if (options.threads < 1 || options.threads > kMaxThreads)
    return usageError("--threads: expected 1 to " + llvm::Twine(kMaxThreads) +
                      " but got " + llvm::Twine(options.threads));
  if (options.threads > 1 && options.engine != "host")
    return usageError("--threads: expected --engine=host but got " +
                      options.engine);
  return llvm::Error::success();
}

static llvm::Error checkCPU(const RunOptions &options) {
  if (options.cpu == kNativeCPU)
    return llvm::Error::success();
  if (options.engine != "host")
    return usageError("--cpu: expected --engine=host but got " +
                      options.engine);
  auto machine = createHostMachine(options.cpu);
  if (!machine)
    return usageError("--cpu: " + llvm::toString(machine.takeError()));
  if (std::optional<std::string> feature = missingFeature(**machine))
    return usageError("--cpu: this processor does not run code for '" +
                      options.cpu + "': it has no '" + *feature + "'");
  return llvm::Error::success();
}

static llvm::Error checkChip(const RunOptions &options) {
  if (options.chip.empty())
    return llvm::Error::success();
  if (options.engine != "ptx")
    return usageError("--chip: expected --engine=ptx but got " +
                      options.engine);
  if (StringRef(options.file).ends_with(".ptx"))
    return usageError(options.file + ": there is no function to compile for '" +
                      options.chip + "'");
  return llvm::Error::success();
}

static EngineOr createEngine(Job &job, const RunOptions &options,
                             std::map<std::string, uint64_t> offsets) {
  if (options.engine == "reference")
    return createReferenceEngine(job.function);
  if (options.engine == "host")
    return createHostEngine(job.function, options.cpu, options.threads);
  bool isCUDA = options.engine == "cuda";
  if (!job.kernels) {
    std::string chip = options.chip.empty() ? "sm_90" : options.chip;
    if (isCUDA) {
      llvm::Expected<std::string> found = findCUDAChip();
      if (!found)
        return job.function.emitError() << llvm::toString(found.takeError());
      chip = *found;
    }
    FailureOr<Kernels> kernels = compileKernels(job.function, chip);
    if (failed(kernels))
      return failure();
    job.kernels = std::move(*kernels);
  }
  job.kernels->offsets = std::move(offsets);
  return isCUDA ? createCUDAEngine(std::move(*job.kernels))
                : createPTXEngine(std::move(*job.kernels));
}

/// PTX with its launch description. Fails with an error text.
static llvm::Error loadKernels(Job &job, const RunOptions &options,
                               MLIRContext &context) {
  if (options.launch.empty())
    return usageError(options.file + ": expected --launch=FILE");
  if (options.engine != "ptx" && options.engine != "cuda")
    return usageError(options.file +
                      ": expected --engine=ptx or cuda but got " +
                      options.engine);
  if (options.check)
    return usageError(options.file +
                      ": there is no function to check against; expected "
                      "--expect=FILE");
  llvm::Expected<Kernels> kernels =
      readKernels(options.file, options.launch, options.expected, context);
  if (!kernels)
    return kernels.takeError();
  job.ports = kernels->ports;
  job.kernels = std::move(*kernels);
  return llvm::Error::success();
}

/// A function of an MLIR file. Emits its errors.
static LogicalResult
loadFunction(Job &job, const RunOptions &options,
             const std::shared_ptr<llvm::SourceMgr> &sources,
             MLIRContext &context) {
  job.module = parseSourceFile<ModuleOp>(sources, &context);
  if (!job.module)
    return failure();
  FailureOr<func::FuncOp> function =
      selectFunction(*job.module, options.function);
  // What is compared is applied to a copy each.
  if (failed(function) || (options.compareProfile.empty() &&
                           failed(applyRounding(*function, options))))
    return failure();
  job.function = *function;
  FailureOr<Ports> ports = Ports::of(*function);
  if (failed(ports))
    return failure();
  job.ports = std::move(*ports);
  return success();
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

/// Runs the job and compares what comes out.
static ExitCode runJob(Job &job, const RunOptions &options, raw_ostream &os) {
  const Ports ports = job.ports;
  auto inputs = makeInputs(ports.arguments, options);
  if (!inputs)
    return fail(inputs.takeError());
  auto files = planOutputs(ports.results, options.outputs);
  if (!files)
    return fail(files.takeError());
  if (!options.compareProfile.empty())
    return compareProfiles(job.function, *inputs, options, os);
  auto expected = readTensors(ports.results, "result", options.expected);
  if (!expected)
    return fail(expected.takeError());

  auto offsets = readOffsets(ports, options);
  if (!offsets)
    return fail(offsets.takeError());
  EngineOr engine = createEngine(job, options, std::move(*offsets));
  if (failed(engine))
    return kBadInput;
  FailureOr<std::vector<io::Tensor>> outputs = (*engine)->run(*inputs);
  if (failed(outputs))
    return kBadInput;
  if (llvm::Error error = writeTensors(ports.results, *outputs, *files))
    return fail(std::move(error));
  if (options.print)
    for (auto [port, tensor] : llvm::zip_equal(ports.results, *outputs))
      printTensor(port.name, tensor, os);

  uint64_t mismatches = 0;
  if (options.check) {
    EngineOr reference = createReferenceEngine(job.function);
    if (failed(reference))
      return kBadInput;
    FailureOr<std::vector<io::Tensor>> right = (*reference)->run(*inputs);
    if (failed(right))
      return kBadInput;
    for (auto [port, got, value] :
         llvm::zip_equal(ports.results, *outputs, *right))
      mismatches += compareTensors(port.name, got, value, os);
  }
  for (auto [port, got, right] :
       llvm::zip_equal(ports.results, *outputs, *expected))
    if (right)
      mismatches += compareTensors(port.name, got, *right, os);
  if (!options.counters.empty())
    os << (*engine)->counters(options.counters == "json");
  if (options.timedRuns) {
    Timing timing = (*engine)->time(*inputs, *outputs, options.timedRuns);
    os << llvm::format("time %.3f ms, copy %.3f ms, ratio %.2f\n",
                       timing.run * 1e3, timing.copy * 1e3,
                       timing.run / timing.copy);
  }
  return mismatches ? kDiffers : kHolds;
}

ExitCode prec::run(const RunOptions &options, raw_ostream &os) {
  if (llvm::Error error = checkEngine(options.engine))
    return fail(std::move(error));
  if (llvm::Error error = checkCPU(options))
    return fail(std::move(error));
  if (llvm::Error error = checkChip(options))
    return fail(std::move(error));
  if (llvm::Error error = checkThreads(options))
    return fail(std::move(error));
  if (llvm::Error error = checkCounters(options))
    return fail(std::move(error));
  if (llvm::Error error = checkProfiles(options))
    return fail(std::move(error));
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  // One error is one line and its source, without the operation's text.
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  std::string openError;
  std::unique_ptr<llvm::MemoryBuffer> text =
      openInputFile(options.file, &openError);
  if (!text)
    return fail(usageError(openError));
  sources->AddNewSourceBuffer(std::move(text), llvm::SMLoc());

  Job job;
  if (StringRef(options.file).ends_with(".ptx")) {
    if (llvm::Error error = loadKernels(job, options, context))
      return fail(std::move(error));
  } else if (failed(loadFunction(job, options, sources, context))) {
    return kBadInput;
  }
  return runJob(job, options, os);
}
