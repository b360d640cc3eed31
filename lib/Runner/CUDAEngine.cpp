// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CUDADriver.h"
#include "LaunchEngine.h"
#include "Timing.h"

#include "prec/Target/PTX/PTXTarget.h"

using namespace mlir;
using namespace prec;
using cuda::Driver;

namespace {

/// Memory on the device.
class DeviceBuffer {
public:
  explicit DeviceBuffer(const Driver &driver) : driver(driver) {}
  DeviceBuffer(DeviceBuffer &&other) noexcept
      : driver(other.driver), pointer(std::exchange(other.pointer, 0)),
        offset(other.offset) {}
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() {
    if (pointer)
      driver.cuMemFree(pointer);
  }
  /// `start` bytes behind an aligned address.
  llvm::Error allocate(size_t bytes, uint64_t start = 0) {
    offset = start;
    return driver.check(
        driver.cuMemAlloc(&pointer, std::max<size_t>(bytes + start, 1)),
        "allocate " + std::to_string(bytes) + " bytes");
  }
  cuda::Pointer get() const { return pointer + offset; }

private:
  const Driver &driver;
  cuda::Pointer pointer = 0;
  uint64_t offset = 0;
};

/// A launch with all its numbers.
struct Launch {
  cuda::Function function;
  unsigned grid[3], block[3], shared;
  bool isDependent; ///< waits itself for the kernel before it
  std::vector<std::vector<uint8_t>> values; ///< parameters
};

class CUDAEngine final : public LaunchEngine {
public:
  CUDAEngine(Kernels kernels, const Driver &driver, cuda::Module module)
      : LaunchEngine(std::move(kernels)), driver(driver), module(module) {}
  ~CUDAEngine() override {
    buffers.clear();
    driver.cuModuleUnload(module);
  }

  Timing time(ArrayRef<io::Tensor> inputs, ArrayRef<io::Tensor> outputs,
              unsigned runs) override;

protected:
  LogicalResult launch(const LaunchTensors &tensors) override;

private:
  llvm::Error prepare(const LaunchTensors &tensors);
  /// A launch of a kernel or of the one of its alternatives that it calls for.
  llvm::Expected<Launch> prepare(const launch::Kernel &listed,
                                 const LaunchTensors &tensors);
  llvm::Error launchAll();
  /// The shortest of `runs` calls on the device, in seconds.
  double timeOnDevice(unsigned runs, llvm::function_ref<void()> body);

  const Driver &driver;
  cuda::Module module;
  std::map<std::string, DeviceBuffer> buffers;
  std::vector<Launch> launches;
};

} // namespace

llvm::Expected<Launch> CUDAEngine::prepare(const launch::Kernel &listed,
                                           const LaunchTensors &tensors) {
  auto address = [&](const launch::Parameter &part) -> std::optional<uint64_t> {
    auto buffer =
        buffers.find(part.aliases.empty() ? part.tensor : part.aliases);
    return buffer == buffers.end() ? std::nullopt
                                   : std::optional(buffer->second.get());
  };
  std::string message;
  const launch::Kernel *chosen =
      launch::chooseKernel(listed, tensors.sizes, address, message);
  if (!chosen)
    return usageError("kernel '" + listed.entry + "': " + message);
  const launch::Kernel &kernel = *chosen;
  Launch result{};
  if (llvm::Error failed =
          driver.check(driver.cuModuleGetFunction(&result.function, module,
                                                  kernel.entry.c_str()),
                       "find the kernel '" + kernel.entry + "'"))
    return std::move(failed);
  auto size = [&](const launch::Expression &expression, unsigned &out) {
    std::optional<int64_t> value = expression.evaluate(tensors.sizes, message);
    if (value && (*value < 0 || *value > UINT32_MAX))
      message = "launch size " + std::to_string(*value) + " is out of range";
    out = value ? static_cast<unsigned>(*value) : 0;
  };
  for (int i = 0; i < 3; ++i) {
    size(kernel.grid[i], result.grid[i]);
    size(kernel.block[i], result.block[i]);
  }
  size(kernel.dynamicShared, result.shared);
  auto dependent = kernel.extra.find("dependent_launch");
  result.isDependent =
      dependent != kernel.extra.end() && dependent->second == "true";
  for (const launch::Parameter &parameter : kernel.params) {
    auto value = launch::parameterBytes(parameter, tensors.sizes,
                                        tensors.scalars, address, message);
    result.values.push_back(value.value_or(std::vector<uint8_t>()));
  }
  if (!message.empty())
    return usageError("kernel '" + kernel.entry + "': " + message);
  if (result.shared)
    if (llvm::Error failed = driver.check(
            driver.cuFuncSetAttribute(result.function, cuda::kMaxDynamicShared,
                                      static_cast<int>(result.shared)),
            "give the kernel its shared memory"))
      return std::move(failed);
  return result;
}

llvm::Error CUDAEngine::prepare(const LaunchTensors &tensors) {
  buffers.clear();
  launches.clear();
  auto add = [&](const std::string &name, size_t bytes,
                 unsigned elementBytes = 0) -> llvm::Error {
    auto offset = kernels.offsets.find(name);
    return buffers.try_emplace(name, driver)
        .first->second.allocate(bytes, offset == kernels.offsets.end()
                                           ? 0
                                           : offset->second * elementBytes);
  };
  auto fill = [&](const std::string &name, const io::Tensor &tensor) {
    return driver.check(driver.cuMemcpyHtoD(buffers.at(name).get(),
                                            tensor.bytes.data(),
                                            tensor.bytes.size()),
                        "copy '" + name + "' to the device");
  };
  for (auto &[name, tensor] : tensors.inputs) {
    if (llvm::Error failed =
            add(name, tensor->bytes.size(), byteWidth(tensor->dtype)))
      return failed;
    if (llvm::Error failed = fill(name, *tensor))
      return failed;
  }
  for (auto &[name, tensor] : tensors.outputs)
    if (llvm::Error failed =
            add(name, tensor->bytes.size(), byteWidth(tensor->dtype)))
      return failed;
  for (const launch::Buffer &temporary : kernels.description.temporaries) {
    std::string message;
    std::optional<std::vector<int64_t>> shape =
        launch::bufferShape(temporary, tensors.sizes, message);
    if (!shape)
      return usageError(message);
    size_t bytes = launch::elementBytes(temporary.type);
    for (int64_t dim : *shape)
      bytes *= static_cast<size_t>(dim);
    if (llvm::Error failed = add(temporary.name, bytes))
      return failed;
  }
  for (const launch::Kernel &kernel : kernels.description.kernels) {
    // A kernel that works in place works on a copy.
    for (const launch::Parameter *part : kernel.allParts())
      if (!part->aliases.empty())
        if (auto input = tensors.inputs.find(part->tensor);
            input != tensors.inputs.end())
          if (llvm::Error failed = fill(part->aliases, *input->second))
            return failed;
    llvm::Expected<Launch> launch = prepare(kernel, tensors);
    if (!launch)
      return launch.takeError();
    launches.push_back(std::move(*launch));
  }
  return llvm::Error::success();
}

llvm::Error CUDAEngine::launchAll() {
  for (Launch &launch : launches) {
    // No blocks: nothing to do, which the driver would refuse.
    if (!launch.grid[0] || !launch.grid[1] || !launch.grid[2])
      continue;
    std::vector<void *> parameters;
    for (std::vector<uint8_t> &value : launch.values)
      parameters.push_back(value.data());
    cuda::LaunchAttribute serialization{
        cuda::kProgrammaticStreamSerialization, 0, {1}};
    const unsigned *grid = launch.grid, *block = launch.block;
    const cuda::LaunchConfig config{{grid[0], grid[1], grid[2]},
                                    {block[0], block[1], block[2]},
                                    launch.shared,
                                    /*stream=*/nullptr,
                                    &serialization,
                                    /*attributeCount=*/1};
    const cuda::Result result =
        launch.isDependent && driver.cuLaunchKernelEx
            ? driver.cuLaunchKernelEx(&config, launch.function,
                                      parameters.data(), nullptr)
            : driver.cuLaunchKernel(launch.function, grid[0], grid[1], grid[2],
                                    block[0], block[1], block[2], launch.shared,
                                    nullptr, parameters.data(), nullptr);
    if (llvm::Error failed = driver.check(result, "launch a kernel"))
      return failed;
  }
  return llvm::Error::success();
}

LogicalResult CUDAEngine::launch(const LaunchTensors &tensors) {
  auto emit = [&](llvm::Error failed) -> LogicalResult {
    return error() << llvm::toString(std::move(failed));
  };
  if (llvm::Error failed = prepare(tensors))
    return emit(std::move(failed));
  if (llvm::Error failed = launchAll())
    return emit(std::move(failed));
  if (llvm::Error failed =
          driver.check(driver.cuCtxSynchronize(), "run the kernels"))
    return emit(std::move(failed));
  for (auto &[name, tensor] : tensors.outputs)
    if (llvm::Error failed = driver.check(
            driver.cuMemcpyDtoH(tensor->bytes.data(), buffers.at(name).get(),
                                tensor->bytes.size()),
            "copy '" + name + "' from the device"))
      return emit(std::move(failed));
  return success();
}

double CUDAEngine::timeOnDevice(unsigned runs,
                                llvm::function_ref<void()> body) {
  cuda::Event start, stop;
  driver.cuEventCreate(&start, 0);
  driver.cuEventCreate(&stop, 0);
  float best = 0;
  for (unsigned i = 0; i < runs; ++i) {
    driver.cuEventRecord(start, nullptr);
    body();
    driver.cuEventRecord(stop, nullptr);
    driver.cuEventSynchronize(stop);
    float milliseconds = 0;
    driver.cuEventElapsedTime(&milliseconds, start, stop);
    best = i == 0 ? milliseconds : std::min(best, milliseconds);
  }
  driver.cuEventDestroy(start);
  driver.cuEventDestroy(stop);
  return best * 1e-3;
}

Timing CUDAEngine::time(ArrayRef<io::Tensor> inputs,
                        ArrayRef<io::Tensor> outputs, unsigned runs) {
  Timing timing;
  timing.run = timeOnDevice(runs, [&] { llvm::consumeError(launchAll()); });
  size_t bytes = traffic(inputs, outputs) / 2;
  DeviceBuffer from(driver), to(driver);
  if (llvm::Error failed =
          llvm::joinErrors(from.allocate(bytes), to.allocate(bytes))) {
    llvm::consumeError(std::move(failed));
    return timing;
  }
  timing.copy = timeOnDevice(
      runs, [&] { driver.cuMemcpyDtoD(to.get(), from.get(), bytes); });
  return timing;
}

/// sm_90 is 90.
static unsigned chipNumber(StringRef chip) {
  unsigned number = 0;
  chip.consume_front("sm_");
  chip.consumeInteger(10, number);
  return number;
}

llvm::Expected<std::string> prec::findCUDAChip() {
  llvm::Expected<const Driver *> driver = Driver::get();
  if (!driver)
    return driver.takeError();
  int major = 0, minor = 0;
  (*driver)->cuDeviceGetAttribute(&major, cuda::kComputeCapabilityMajor, 0);
  (*driver)->cuDeviceGetAttribute(&minor, cuda::kComputeCapabilityMinor, 0);
  auto device = static_cast<unsigned>(major * 10 + minor);
  std::string best;
  for (const GPUTarget &target : gpuTargets())
    if (chipNumber(target.chip) <= device)
      best = target.chip.str();
  if (best.empty())
    return usageError("the CUDA device is older than every target");
  return best;
}

EngineOr prec::createCUDAEngine(Kernels kernels) {
  Location location = kernels.location;
  llvm::Expected<const Driver *> driver = Driver::get();
  if (!driver)
    return emitError(location) << llvm::toString(driver.takeError());
  // A cubin where ptxas is at hand: assembled without contraction. The driver's
  // own assembler gets text in which every instruction names its rounding.
  std::string code = kernels.ptx;
  for (const GPUTarget &target : gpuTargets()) {
    if (target.chip != kernels.description.target)
      continue;
    llvm::Expected<std::string> cubin = assembleCubin(kernels.ptx, target);
    if (cubin)
      code = std::move(*cubin);
    else
      llvm::consumeError(cubin.takeError());
  }
  cuda::Module module;
  if (llvm::Error failed =
          (*driver)->check((*driver)->cuModuleLoadData(&module, code.c_str()),
                           "load the kernels"))
    return emitError(location) << llvm::toString(std::move(failed));
  return std::unique_ptr<Engine>(
      std::make_unique<CUDAEngine>(std::move(kernels), **driver, module));
}
