// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/AuditRun.h"

#include "Random.h"

#include "prec/Audit/ContractProgram.h"
#include "prec/Audit/KernelProgram.h"
#include "prec/Compiler/Compiler.h"
#include "prec/Pipelines/Pipelines.h"
#include "prec/Pipelines/Register.h"
#include "prec/Runner/Engine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>

using namespace mlir;
using namespace prec;
using audit::TensorInfo;

namespace {

/// A kernel's files, read.
struct Kernel {
  std::string file;
  ptx::Module module;
  launch::Description description;
};

/// An error whose text is a diagnostic's line: "FILE:LINE:COLUMN: error: ...".
class DiagnosticError : public llvm::ErrorInfo<DiagnosticError> {
public:
  static char ID;
  explicit DiagnosticError(std::string line) : line(std::move(line)) {}
  void log(llvm::raw_ostream &os) const override { os << line; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string line;
};
char DiagnosticError::ID;

/// Both sides and what goes in and comes out.
struct Job {
  OwningOpRef<ModuleOp> module; ///< of the contract, at level R
  std::unique_ptr<audit::Program> expected, actual;
  std::vector<TensorInfo> inputs, outputs;
  audit::Values fixed;
  std::vector<std::string> assumptions;
};

} // namespace

static llvm::Expected<Kernel> readKernel(const std::string &file,
                                         const std::string &launchFile,
                                         StringRef option) {
  if (launchFile.empty())
    return usageError(file + ": expected " + option + "=FILE");
  llvm::Expected<std::string> text = readTextFile(file);
  if (!text)
    return text.takeError();
  llvm::Expected<std::string> launchText = readTextFile(launchFile);
  if (!launchText)
    return launchText.takeError();
  std::vector<ptx::Diagnostic> diagnostics;
  std::optional<ptx::Module> module = ptx::parse(*text, diagnostics);
  if (!module)
    return llvm::make_error<DiagnosticError>(diagnostics.front().str(file));
  std::string message;
  std::optional<launch::Description> description =
      launch::read(*launchText, launchFile, message);
  if (!description)
    return usageError(message);
  return Kernel{file, std::move(*module), std::move(*description)};
}

/// Splits "x=17x4x64xbf16"; an element type stands last, if at all.
static llvm::Expected<Port> parseShape(StringRef text, MLIRContext &context) {
  auto [name, sizes] = text.split('=');
  Port port;
  port.name = name.str();
  SmallVector<StringRef> parts;
  if (!sizes.empty())
    sizes.split(parts, 'x');
  for (auto [i, part] : llvm::enumerate(parts)) {
    int64_t size;
    if (!part.getAsInteger(10, size) && size >= 0) {
      port.shape.push_back(size);
      continue;
    }
    if (i + 1 == parts.size())
      port.dtype = dtypeNamed(part, context);
    if (!port.dtype)
      return usageError("expected a shape like " + name + "=4x64 or " + name +
                        "=4x64xbf16 but got '" + text + "'");
  }
  return port;
}

static audit::Values::mapped_type bitsOf(const io::Tensor &tensor) {
  std::vector<uint64_t> bits(static_cast<size_t>(tensor.numElements()));
  size_t width = io::byteWidth(tensor.dtype);
  for (size_t i = 0; i < bits.size(); ++i)
    std::memcpy(&bits[i], &tensor.bytes[i * width], width);
  return bits;
}

/// Inputs: their shapes, and values for those that are not symbols. Gives the
/// tensors of all of them.
static llvm::Expected<std::vector<io::Tensor>>
makeInputs(Job &job, ArrayRef<Port> ports, ArrayRef<bool> isScalar,
           const AuditRunOptions &options, MLIRContext &context) {
  auto given = readTensors(ports, "argument", options.inputs);
  if (!given)
    return given.takeError();
  std::vector<std::string> shapes;
  for (StringRef text : options.shapes) {
    llvm::Expected<Port> shape = parseShape(text, context);
    if (!shape)
      return shape.takeError();
    if (auto port =
            findPort(ports, "argument", shape->name, "--shape=" + text.str());
        !port)
      return port.takeError();
    std::string plain = shape->name + "=";
    for (auto [i, size] : llvm::enumerate(shape->shape))
      plain += (i ? "x" : "") + std::to_string(size);
    shapes.push_back(plain);
  }
  std::vector<io::Tensor> tensors;
  for (auto [i, port] : llvm::enumerate(ports)) {
    bool isGiven = (*given)[i].has_value();
    llvm::Expected<io::Tensor> tensor =
        isGiven ? llvm::Expected<io::Tensor>(std::move(*(*given)[i]))
                : randomTensor(port, options.seed + i, shapes);
    if (!tensor)
      return tensor.takeError();
    TensorInfo info{port.name, launchTypeName(tensor->dtype), tensor->shape,
                    isScalar[i]};
    if (!info.isSymbolic()) {
      job.fixed[port.name] = bitsOf(*tensor);
      job.assumptions.push_back(
          "'" + port.name + "' has the values " +
          (isGiven ? "given"
                   : "of seed " + std::to_string(options.seed + i) +
                         ", integers from 0 to 15"));
      if (isScalar[i] && !isGiven)
        return usageError("argument '" + port.name +
                          "' is a scalar: expected --in=" + port.name +
                          "=FILE");
    }
    job.inputs.push_back(std::move(info));
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// The contract: a function of an .mlir file, lowered to level R. Emits its
/// errors, or gives one.
static llvm::Expected<bool>
loadContract(Job &job, const AuditRunOptions &options, MLIRContext &context,
             const std::shared_ptr<llvm::SourceMgr> &sources) {
  auto text = llvm::MemoryBuffer::getFile(options.against, /*IsText=*/true);
  if (!text)
    return usageError("cannot open input file '" + options.against +
                      "': " + text.getError().message());
  sources->AddNewSourceBuffer(std::move(*text), llvm::SMLoc());
  OwningOpRef<ModuleOp> model = parseSourceFile<ModuleOp>(sources, &context);
  if (!model || failed(applyProfile(*model, options.profile)))
    return false;
  FailureOr<func::FuncOp> function = selectFunction(*model, options.function);
  if (failed(function))
    return false;
  FailureOr<Ports> ports = Ports::of(*function);
  FailureOr<Program> program =
      failed(ports) ? FailureOr<Program>() : Program::create(*function);
  if (failed(program))
    return false;
  PassManager toRounded(&context);
  buildToRounded(toRounded);
  if (failed(toRounded.run(*program->module)))
    return false;
  auto rounded =
      program->module->lookupSymbol<func::FuncOp>(function->getNameAttr());
  job.module = std::move(program->module);

  SmallVector<bool> isScalar;
  for (Type type : rounded.getArgumentTypes())
    isScalar.push_back(!isa<ShapedType>(type));
  auto tensors = makeInputs(job, ports->arguments, isScalar, options, context);
  if (!tensors)
    return tensors.takeError();
  auto shapes = resultShapes(rounded, *tensors);
  if (failed(shapes))
    return false;
  for (auto [port, shape] : llvm::zip_equal(ports->results, *shapes))
    job.outputs.push_back({port.name, launchTypeName(*port.dtype), shape});
  job.expected = std::make_unique<audit::ContractProgram>(rounded, job.inputs,
                                                          job.outputs);
  return true;
}

/// Another kernel in the contract's place: --shape gives the inputs, and the
/// launch description the outputs.
static llvm::Error loadOtherKernel(Job &job, const AuditRunOptions &options,
                                   MLIRContext &context) {
  llvm::Expected<Kernel> other =
      readKernel(options.against, options.againstLaunch, "--against-launch");
  if (!other)
    return other.takeError();
  std::vector<Port> ports;
  for (StringRef text : options.shapes) {
    llvm::Expected<Port> port = parseShape(text, context);
    if (!port)
      return port.takeError();
    if (!port->dtype)
      return usageError("--shape=" + text + ": expected an element type, as " +
                        port->name + "=4x64xbf16");
    ports.push_back(*port);
  }
  SmallVector<bool> isScalar(ports.size(), false);
  auto tensors = makeInputs(job, ports, isScalar, options, context);
  if (!tensors)
    return tensors.takeError();
  if (other->description.results.empty())
    return usageError(options.againstLaunch + ": expected 'results'");
  launch::Shapes shapes;
  for (const TensorInfo &info : job.inputs)
    shapes[info.name] = info.shape;
  std::string message;
  auto sizes = launch::bindDims(other->description, shapes, message);
  if (!sizes)
    return usageError(options.againstLaunch + ": " + message);
  for (const launch::Buffer &result : other->description.results) {
    auto shape = launch::bufferShape(result, *sizes, message);
    if (!shape)
      return usageError(options.againstLaunch + ": " + message);
    job.outputs.push_back({result.name, result.type, *shape});
  }
  job.expected = std::make_unique<audit::KernelProgram>(
      std::move(other->module), std::move(other->description), other->file,
      job.inputs, job.outputs);
  return llvm::Error::success();
}

static llvm::Error checkOptions(const AuditRunOptions &options) {
  if (options.against.empty())
    return usageError("expected --against=FILE");
  if (!options.profile.empty() && StringRef(options.against).ends_with(".ptx"))
    return usageError("--profile: expected --against=FILE of a contract but "
                      "got " +
                      options.against);
  if (options.effort != "normal" && options.effort != "high")
    return usageError("expected --effort=normal or high but got '" +
                      options.effort + "'");
  if (options.report != "text" && options.report != "json" &&
      options.report != "sarif")
    return usageError("expected --report=text, json or sarif but got '" +
                      options.report + "'");
  return llvm::Error::success();
}

/// Audits a job that is loaded; writes the report.
static llvm::Expected<ExitCode> finish(Job &job,
                                       const AuditRunOptions &options) {
  audit::Options auditOptions;
  auditOptions.allPairs = options.effort == "high";
  auditOptions.seed = options.seed;
  auditOptions.tests = options.tests;
  std::string message;
  std::optional<audit::Report> report =
      audit::audit(*job.expected, *job.actual, job.inputs, job.outputs,
                   job.fixed, auditOptions, message);
  if (!report) {
    // An error of the contract is a diagnostic already.
    if (message.empty())
      return kBadInput;
    return llvm::make_error<DiagnosticError>(message);
  }
  report->kernel = options.kernel;
  report->against = options.against;
  report->assumptions.insert(report->assumptions.begin(),
                             job.assumptions.begin(), job.assumptions.end());
  report->assumptions.push_back(
      "ptxas rounds as PTX says and fuses nothing that has a rounding (.rn)");
  std::string text = options.report == "json"    ? audit::toJSON(*report)
                     : options.report == "sarif" ? audit::toSARIF(*report)
                                                 : audit::toText(*report);
  if (llvm::Error error =
          llvm::writeToOutput(options.output, [&](llvm::raw_ostream &os) {
            os << text;
            return llvm::Error::success();
          }))
    return std::move(error);
  return report->verdict() == audit::Verdict::Refuted ? kDiffers : kHolds;
}

ExitCode prec::runAudit(const AuditRunOptions &options) {
  auto fail = [](llvm::Error error) {
    llvm::handleAllErrors(
        std::move(error),
        [](const DiagnosticError &e) { llvm::errs() << e.message() << "\n"; },
        [](const llvm::ErrorInfoBase &e) {
          llvm::errs() << "error: " << e.message() << "\n";
        });
    return kBadInput;
  };
  if (llvm::Error error = checkOptions(options))
    return fail(std::move(error));
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);

  llvm::Expected<Kernel> kernel =
      readKernel(options.kernel, options.launch, "--launch");
  if (!kernel)
    return fail(kernel.takeError());
  Job job;
  if (StringRef(options.against).ends_with(".ptx")) {
    if (llvm::Error error = loadOtherKernel(job, options, context))
      return fail(std::move(error));
  } else {
    llvm::Expected<bool> loaded = loadContract(job, options, context, sources);
    if (!loaded)
      return fail(loaded.takeError());
    if (!*loaded)
      return kBadInput;
  }
  job.actual = std::make_unique<audit::KernelProgram>(
      std::move(kernel->module), std::move(kernel->description), kernel->file,
      job.inputs, job.outputs);
  llvm::Expected<ExitCode> code = finish(job, options);
  return code ? *code : fail(code.takeError());
}
