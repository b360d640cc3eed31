// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enough of the driver API to run one kernel, `add`, on the host: it adds the
// i32 parameter 1 to the i32 elements of parameter 0, of which parameter 2 says
// how many. It checks what a real driver would complain about.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {
constexpr int kInvalidValue = 1, kNotFound = 500;
std::map<unsigned long long, size_t> allocations;

/// Whether [pointer, pointer + bytes) was allocated.
bool isAllocated(unsigned long long pointer, size_t bytes) {
  auto it = allocations.find(pointer);
  return it != allocations.end() && bytes <= it->second;
}
} // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuGetErrorString(int error, const char **text) {
  *text = error == kNotFound ? "named symbol not found" : "invalid argument";
  return 0;
}
int cuDeviceGet(int *device, int number) {
  *device = number;
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0; // sm_90
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = context;
  return 0;
}
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize() { return 0; }
int cuModuleLoadData(void **module, const void *) {
  *module = module;
  return 0;
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = function;
  return std::strcmp(name, "add") == 0 ? 0 : kNotFound;
}
int cuFuncSetAttribute(void *, int, int) { return 0; }
int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  *pointer = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  allocations[*pointer] = bytes;
  return bytes ? 0 : kInvalidValue;
}
int cuMemFree_v2(unsigned long long pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  return allocations.erase(pointer) ? 0 : kInvalidValue;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  if (!isAllocated(to, bytes))
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  if (!isAllocated(from, bytes))
    return kInvalidValue;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
int cuMemcpyDtoD_v2(unsigned long long to, unsigned long long from,
                    size_t bytes) {
  return isAllocated(to, bytes) && isAllocated(from, bytes) ? 0 : kInvalidValue;
}
static int add(int64_t threads, void **parameters) {
  unsigned long long pointer;
  int32_t by;
  int64_t count;
  std::memcpy(&pointer, parameters[0], sizeof(pointer));
  std::memcpy(&by, parameters[1], sizeof(by));
  std::memcpy(&count, parameters[2], sizeof(count));
  if (threads < count || !isAllocated(pointer, size_t(count) * 4))
    return kInvalidValue;
  auto *elements = reinterpret_cast<int32_t *>(pointer);
  for (int64_t i = 0; i < count; ++i)
    elements[i] += by;
  return 0;
}
int cuLaunchKernel(void *, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned,
                   void *, void **parameters, void **) {
  // Set where every launch is to be a dependent one.
  if (std::getenv("FAKE_CUDA_DEPENDENT"))
    return kInvalidValue;
  return add(int64_t(gridX) * gridY * gridZ * blockX * blockY * blockZ,
             parameters);
}
/// CUlaunchConfig, with its one attribute.
struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  struct Attribute {
    int id, padding, value;
  } *attributes;
  unsigned attributeCount;
};
int cuLaunchKernelEx(const Config *config, void *, void **parameters, void **) {
  constexpr int kProgrammaticStreamSerialization = 6;
  if (config->attributeCount != 1 || config->attributes->value != 1 ||
      config->attributes->id != kProgrammaticStreamSerialization)
    return kInvalidValue;
  int64_t threads = 1;
  for (int i = 0; i < 3; ++i)
    threads *= int64_t(config->grid[i]) * config->block[i];
  return add(threads, parameters);
}
int cuEventCreate(void **event, unsigned) {
  *event = event;
  return 0;
}
int cuEventRecord(void *, void *) { return 0; }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 2;
  return 0;
}
int cuEventDestroy_v2(void *) { return 0; }
}
