// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch description, tensors and PTX together: one run.
#include "DomainSymbolic.h"
#include "Outcomes.h"

#include "prec/PTX/Symbolic.h"

#include <algorithm>
#include <set>

using namespace prec;
using namespace prec::ptx;

uint64_t TensorRef::bytes() const {
  uint64_t count = launch::elementBytes(type);
  for (int64_t size : shape)
    count *= uint64_t(size);
  return count;
}

namespace {
/// One run: memory, then kernel by kernel. Throws RunFailure.
class Runner {
public:
  /// With a `symbolic` domain the inputs are symbols.
  Runner(const Module &module, const launch::Description &description,
         const RunOptions &options, SymbolicDomain *symbolic)
      : module(module), description(description), options(options),
        symbolic(symbolic) {}

  void bind(const std::map<std::string, TensorRef> &inputs,
            const std::map<std::string, TensorRef> &outputs);
  /// Runs a kernel or the one of its alternatives that its launch calls for.
  void runKernel(const launch::Kernel &listed, const launch::Scalars &scalars);
  /// The nodes of a tensor's elements after a symbolic run.
  std::vector<sym::Node> nodes(const std::string &name,
                               const TensorRef &tensor);
  /// What was read and written of each tensor until now.
  std::vector<TensorCounters> tensors();
  RunReport report;

private:
  [[noreturn]] void fail(const std::string &message) {
    throw RunFailure{{}, message};
  }
  void addTensor(const std::string &name, void *data, uint64_t bytes,
                 unsigned elementBytes, bool writable, bool initialized);
  void addVariables(const Program &program);
  template <class Domain>
  void execute(const Program &program, const LaunchShape &shape,
               Domain &domain);
  uint32_t symbols(const std::string &name, unsigned elementBytes);
  /// The address of a tensor parameter, or nothing if there is no such tensor.
  std::optional<uint64_t> address(const launch::Parameter &part) const;
  std::vector<uint8_t> parameters(const launch::Kernel &kernel,
                                  const Code &code,
                                  const launch::Scalars &scalars);
  uint32_t size(const launch::Expression &e, const std::string &what,
                uint32_t limit);
  void note(const Program &program, const std::vector<uint64_t> &executed);

  const Module &module;
  const launch::Description &description;
  const RunOptions &options;
  SymbolicDomain *symbolic;
  launch::Sizes sizes;
  MemoryMap memory;
  std::map<std::string, uint64_t> addresses;
  std::vector<std::vector<uint8_t>> temporaries;
  /// Variables keep their values from kernel to kernel, as in a CUDA module.
  std::map<std::string, uint64_t> variables;
  std::vector<std::vector<uint8_t>> variableData;
  std::set<std::string> approximations, contractible, unordered;
};
} // namespace

static bool isFloatType(const std::string &type) {
  return num::findFormat(type) != nullptr;
}

uint32_t Runner::symbols(const std::string &name, unsigned elementBytes) {
  return symbolic->graph.tensor(name, elementBytes * 8);
}

std::vector<sym::Node> Runner::nodes(const std::string &name,
                                     const TensorRef &tensor) {
  unsigned each = launch::elementBytes(tensor.type);
  uint64_t count = tensor.bytes() / std::max(each, 1u);
  std::vector<sym::Node> out;
  out.reserve(count);
  if (!count)
    return out;
  Region &region = *memory.find(addresses.at(name));
  for (uint64_t e = 0; e < count; ++e) {
    bool defined = true;
    for (unsigned k = 0; k < each && region.initialized; ++k)
      defined &= region.initialized[e * each + k] != 0;
    out.push_back(defined ? symbolic->value(region.data + e * each, each)
                          : symbolic->graph.undefined(each * 8));
  }
  return out;
}

std::vector<TensorCounters> Runner::tensors() {
  std::vector<TensorCounters> list;
  for (const Region &r : memory.all())
    if (addresses.count(r.name) && addresses[r.name] == r.base)
      list.push_back({r.name, r.size, r.loaded.total, r.loaded.distinct,
                      r.stored.total, r.stored.distinct});
  return list;
}

void Runner::addTensor(const std::string &name, void *data, uint64_t bytes,
                       unsigned elementBytes, bool writable, bool initialized) {
  if (addresses.count(name))
    fail("tensor '" + name + "' is given twice");
  Region region;
  region.size = bytes;
  region.data = static_cast<uint8_t *>(data);
  region.name = name;
  region.writable = writable;
  region.races = RaceShadow(std::max(elementBytes, 1u));
  if (auto offset = options.offsets.find(name); offset != options.offsets.end())
    region.base = offset->second;
  if (!initialized)
    region.initialized.allocate(bytes);
  addresses[name] = memory.add(std::move(region));
}

void Runner::bind(const std::map<std::string, TensorRef> &inputs,
                  const std::map<std::string, TensorRef> &outputs) {
  launch::Shapes shapes;
  for (auto &[name, tensor] : inputs)
    shapes[name] = tensor.shape;
  for (auto &[name, tensor] : outputs)
    shapes[name] = tensor.shape;
  std::string error;
  auto bound = launch::bindDims(description, shapes, error);
  if (!bound)
    fail(error);
  sizes = *bound;

  // A tensor worked on in place is the result's memory, filled with the input.
  std::map<std::string, std::string> inPlace;
  for (const launch::Kernel &kernel : description.kernels)
    for (const launch::Parameter *part : kernel.allParts())
      if (!part->aliases.empty())
        inPlace[part->tensor] = part->aliases;
  std::set<std::string> filled;
  for (auto &[name, result] : inPlace) {
    auto from = inputs.find(name), to = outputs.find(result);
    if (to == outputs.end())
      fail("tensor '" + name + "' is worked on in place, but its result '" +
           result + "' is not given");
    if (from == inputs.end())
      continue;
    if (from->second.bytes() != to->second.bytes())
      fail("tensor '" + name + "' has " + std::to_string(from->second.bytes()) +
           " bytes but its result '" + result + "' has " +
           std::to_string(to->second.bytes()));
    uint8_t *memory = static_cast<uint8_t *>(to->second.data);
    filled.insert(result);
    if (symbolic && isFloatType(from->second.type)) {
      unsigned each = launch::elementBytes(from->second.type);
      uint32_t tensor = symbols(name, each);
      for (uint64_t e = 0; e < from->second.bytes() / each; ++e)
        symbolic->storeNode(memory + e * each, each,
                            symbolic->graph.leaf(tensor, e));
      continue;
    }
    std::copy_n(static_cast<const uint8_t *>(from->second.data),
                from->second.bytes(), memory);
  }
  for (auto &[name, tensor] : inputs) {
    if (inPlace.count(name))
      continue;
    unsigned each = launch::elementBytes(tensor.type);
    addTensor(name, tensor.data, tensor.bytes(), each, false, true);
    if (symbolic && isFloatType(tensor.type) && tensor.bytes()) {
      memory.find(addresses[name])->symbol = int(symbolic->inputs.size());
      symbolic->inputs.push_back({symbols(name, each), each});
    }
  }
  for (auto &[name, tensor] : outputs)
    addTensor(name, tensor.data, tensor.bytes(),
              launch::elementBytes(tensor.type), true, filled.count(name) != 0);
  for (auto &[name, result] : inPlace)
    if (!addresses.count(name))
      addresses[name] = addresses.at(result);
  temporaries.reserve(description.temporaries.size());
  for (const launch::Buffer &b : description.temporaries) {
    auto shape = launch::bufferShape(b, sizes, error);
    if (!shape)
      fail(error);
    TensorRef tensor{nullptr, b.type, *shape};
    temporaries.emplace_back(tensor.bytes());
    addTensor(b.name, temporaries.back().data(), tensor.bytes(),
              launch::elementBytes(b.type), true, false);
  }
}

/// Gives the module's variables memory the first time a kernel needs them.
void Runner::addVariables(const Program &program) {
  for (const ModuleVariable &v : program.variables) {
    if (v.space == Space::Shared || variables.count(v.name))
      continue;
    variableData.push_back(v.data);
    Region region;
    region.size = v.bytes;
    region.data = variableData.back().data();
    region.name = v.name;
    region.writable = v.space == Space::Global;
    variables[v.name] = memory.add(std::move(region));
  }
  for (const ModuleVariable &v : program.variables) {
    if (v.space == Space::Shared)
      continue;
    Region *region = memory.find(variables[v.name]);
    for (const ModuleVariable::Relocation &r : v.relocations) {
      const ModuleVariable &target = program.variables[r.variable];
      uint64_t address = target.space == Space::Shared
                             ? target.address + (r.generic ? sharedWindow : 0)
                             : variables[target.name];
      address += uint64_t(r.addend);
      std::memcpy(region->data + r.offset, &address, std::min(r.bytes, 8u));
    }
  }
}

uint32_t Runner::size(const launch::Expression &e, const std::string &what,
                      uint32_t limit) {
  std::string error;
  auto value = e.evaluate(sizes, error);
  if (!value)
    fail(what + ": " + error);
  if (*value < 0 || *value > limit)
    fail(what + ": expected 0 to " + std::to_string(limit) + " but got " +
         std::to_string(*value));
  return uint32_t(*value);
}

std::vector<uint8_t> Runner::parameters(const launch::Kernel &kernel,
                                        const Code &code,
                                        const launch::Scalars &scalars) {
  if (kernel.params.size() != code.params.size())
    fail("kernel '" + kernel.entry + "' has " +
         std::to_string(code.params.size()) +
         " parameters but the launch description " +
         std::to_string(kernel.params.size()));
  std::vector<uint8_t> bytes(code.paramBytes);
  for (size_t k = 0; k < kernel.params.size(); ++k) {
    const launch::Parameter &p = kernel.params[k];
    const Formal &formal = code.params[k];
    std::string what =
        "parameter " + std::to_string(k) + " of kernel '" + kernel.entry + "'";
    std::string error;
    auto value = launch::parameterBytes(
        p, sizes, scalars,
        [&](const launch::Parameter &part) { return address(part); }, error);
    if (!value)
      fail(what + ": " + error);
    if (value->size() != formal.bytes)
      fail(what + " has " + std::to_string(formal.bytes) +
           " bytes but the launch description gives " +
           std::to_string(value->size()));
    std::copy(value->begin(), value->end(), bytes.begin() + formal.offset);
  }
  return bytes;
}

/// Adds what was executed to the report's lists.
void Runner::note(const Program &program,
                  const std::vector<uint64_t> &executed) {
  for (const Code &code : program.codes)
    for (size_t pc = 0; pc < code.insts.size(); ++pc) {
      const Inst &i = code.insts[pc];
      if (!executed[code.firstIndex + pc] || !i.source)
        continue;
      std::string line =
          std::to_string(i.source->location.line) + ": " + i.source->name();
      auto add = [&](std::set<std::string> &seen,
                     std::vector<std::string> &list) {
        if (seen.insert(line).second)
          list.push_back(line);
      };
      const std::string &op = *i.opcode;
      if (i.approximate)
        add(approximations, report.approximations);
      bool mayFuse = op == "add" || op == "sub" || op == "mul";
      if (i.kind == Kind::Pure && mayFuse && isFloat(i.type) &&
          !i.explicitRounding)
        add(contractible, report.contractible);
      if (i.kind == Kind::Mma ||
          (i.kind == Kind::Atomic && isFloat(i.type) && i.mode == Mode::Add))
        add(unordered, report.unordered);
    }
}

std::optional<uint64_t> Runner::address(const launch::Parameter &part) const {
  auto it = addresses.find(part.tensor);
  return it == addresses.end() ? std::nullopt : std::optional(it->second);
}

void Runner::runKernel(const launch::Kernel &listed,
                       const launch::Scalars &scalars) {
  std::string reason;
  const launch::Kernel *chosen = launch::chooseKernel(
      listed, sizes,
      [&](const launch::Parameter &part) { return address(part); }, reason);
  if (!chosen)
    fail("kernel '" + listed.entry + "': " + reason);
  const launch::Kernel &kernel = *chosen;
  Diagnostic error;
  auto program = decode(module, kernel.entry, error);
  if (!program)
    throw RunFailure{error.location, error.message};
  addVariables(*program);

  LaunchShape shape;
  std::string name = "kernel '" + kernel.entry + "'";
  shape.grid = {size(kernel.grid[0], name + ": grid", INT32_MAX),
                size(kernel.grid[1], name + ": grid", 65535),
                size(kernel.grid[2], name + ": grid", 65535)};
  shape.block = {size(kernel.block[0], name + ": block", 1024),
                 size(kernel.block[1], name + ": block", 1024),
                 size(kernel.block[2], name + ": block", 64)};
  shape.dynamicShared =
      size(kernel.dynamicShared, name + ": dynamic_shared", 1 << 20);
  uint64_t threads = shape.block.count();
  if (threads == 0 || threads > 1024)
    fail(name + ": expected blocks of 1 to 1024 threads but got " +
         std::to_string(threads));
  if (shape.grid.count() > maxThreads / threads)
    fail(name + ": more than 2^30 threads");
  for (const Function::Directive &d : program->codes[0].function->directives) {
    if (d.name != "reqntid" && d.name != "maxntid")
      continue;
    uint64_t product = 1;
    for (uint64_t v : d.values)
      product *= v;
    bool good = d.name == "maxntid" ? threads <= product : threads == product;
    if (!good)
      fail(name + ": blocks of " + std::to_string(threads) +
           " threads, but the kernel says ." + d.name + " " +
           std::to_string(product));
  }
  shape.params = parameters(kernel, program->codes[0], scalars);

  if (symbolic)
    return execute(*program, shape, *symbolic);
  BitsDomain bits;
  std::optional<OutcomeChooser> outcomes;
  if (options.outcome) {
    bits.outcomes = &outcomes.emplace(options.outcome);
    for (Code &code : program->codes)
      for (Inst &i : code.insts)
        if (i.approximate && i.kind == Kind::Pure)
          i.kind = Kind::Approximate;
  }
  execute(*program, shape, bits);
}

template <class Domain>
void Runner::execute(const Program &program, const LaunchShape &shape,
                     Domain &domain) {
  std::vector<uint64_t> variableAddresses;
  for (const ModuleVariable &v : program.variables)
    variableAddresses.push_back(v.space == Space::Shared ? v.address
                                                         : variables[v.name]);
  for (Region &region : memory.all())
    region.races.reset();
  Executor<Domain> executor(program, shape, memory, variableAddresses, options,
                            domain);
  executor.run();
  report.kernels.push_back(
      {program.codes[0].function->name, executor.counters});
  note(program, executor.executed());
}

/// Runs `body` and turns what it throws into an error.
template <typename F> static bool guarded(Diagnostic &error, F body) {
  try {
    body();
    return true;
  } catch (const RunFailure &failure) {
    error = {failure.location, failure.message, failure.dependsOnData};
  } catch (const std::bad_alloc &) {
    error = {{}, "out of memory"};
  }
  return false;
}

std::optional<RunReport>
prec::ptx::run(const Module &module, const launch::Description &description,
               const std::map<std::string, TensorRef> &inputs,
               const std::map<std::string, TensorRef> &outputs,
               const launch::Scalars &scalars, const RunOptions &options,
               Diagnostic &error) {
  Runner runner(module, description, options, nullptr);
  bool ok = guarded(error, [&] {
    runner.bind(inputs, outputs);
    for (const launch::Kernel &kernel : description.kernels)
      runner.runKernel(kernel, scalars);
    runner.report.tensors = runner.tensors();
  });
  if (!ok)
    return std::nullopt;
  return std::move(runner.report);
}

std::optional<SymbolicResult> prec::ptx::runSymbolic(
    const Module &module, const launch::Description &description,
    const std::map<std::string, TensorRef> &inputs,
    const std::map<std::string, TensorRef> &outputs,
    const launch::Scalars &scalars, const RunOptions &options,
    sym::Graph &graph, Diagnostic &error) {
  SymbolicDomain domain(graph);
  Runner runner(module, description, options, &domain);
  SymbolicResult result;
  bool ok = guarded(error, [&] {
    runner.bind(inputs, outputs);
    for (const launch::Kernel &kernel : description.kernels)
      runner.runKernel(kernel, scalars);
    for (auto &[name, tensor] : outputs)
      result.outputs[name] = runner.nodes(name, tensor);
  });
  if (!ok)
    return std::nullopt;
  result.report = std::move(runner.report);
  result.lines = std::move(domain.lines);
  return result;
}
