// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of CUDA's driver API that launching kernels takes, loaded at run
// time: no CUDA takes part in building this project.
#ifndef PREC_LIB_RUNNER_CUDADRIVER_H
#define PREC_LIB_RUNNER_CUDADRIVER_H

#include "llvm/Support/Error.h"

namespace prec::cuda {

using Result = int;
using Device = int;
using Pointer = unsigned long long;
using Context = struct ContextT *;
using Module = struct ModuleT *;
using Function = struct FunctionT *;
using Stream = struct StreamT *;
using Event = struct EventT *;

/// Attributes of devices and functions, by the driver API's numbers.
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;
constexpr int kMaxDynamicShared = 8;

/// CUlaunchAttribute and CUlaunchConfig of the driver API.
struct LaunchAttribute {
  int id;
  int padding;
  union {
    int number;
    char bytes[64];
  } value;
};
constexpr int kProgrammaticStreamSerialization = 6;
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// The functions, by their names in the driver.
struct Driver {
  Result (*cuInit)(unsigned);
  Result (*cuGetErrorString)(Result, const char **);
  Result (*cuDeviceGet)(Device *, int);
  Result (*cuDeviceGetAttribute)(int *, int, Device);
  Result (*cuDevicePrimaryCtxRetain)(Context *, Device);
  Result (*cuCtxSetCurrent)(Context);
  Result (*cuCtxSynchronize)();
  Result (*cuModuleLoadData)(Module *, const void *);
  Result (*cuModuleUnload)(Module);
  Result (*cuModuleGetFunction)(Function *, Module, const char *);
  Result (*cuFuncSetAttribute)(Function, int, int);
  Result (*cuMemAlloc)(Pointer *, size_t);
  Result (*cuMemFree)(Pointer);
  Result (*cuMemcpyHtoD)(Pointer, const void *, size_t);
  Result (*cuMemcpyDtoH)(void *, Pointer, size_t);
  Result (*cuMemcpyDtoD)(Pointer, Pointer, size_t);
  Result (*cuLaunchKernel)(Function, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, Stream, void **,
                           void **);
  /// Null in drivers older than CUDA 11.8.
  Result (*cuLaunchKernelEx)(const LaunchConfig *, Function, void **, void **);
  Result (*cuEventCreate)(Event *, unsigned);
  Result (*cuEventRecord)(Event, Stream);
  Result (*cuEventSynchronize)(Event);
  Result (*cuEventElapsedTime)(float *, Event, Event);
  Result (*cuEventDestroy)(Event);

  /// The loaded driver with the first device's context current on this thread;
  /// an error where there is no driver or no device.
  static llvm::Expected<const Driver *> get();

  /// An error with the driver's text for a result other than success.
  llvm::Error check(Result result, llvm::StringRef what) const;
};

} // namespace prec::cuda

#endif // PREC_LIB_RUNNER_CUDADRIVER_H
