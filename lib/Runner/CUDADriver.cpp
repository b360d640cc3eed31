// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CUDADriver.h"

#include <dlfcn.h>

using namespace prec::cuda;

static llvm::Error driverError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Error Driver::check(Result result, llvm::StringRef what) const {
  if (result == 0)
    return llvm::Error::success();
  const char *text = nullptr;
  cuGetErrorString(result, &text);
  return driverError(
      "CUDA: cannot " + what + ": " +
      (text ? llvm::Twine(text) : "error " + llvm::Twine(result)));
}

static llvm::Error load(Driver &driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return driverError("no CUDA driver");
  llvm::Error error = llvm::Error::success();
  auto findIfThere = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
  };
  auto find = [&](auto &function, const char *name) {
    findIfThere(function, name);
    if (!function && !error)
      error = driverError("the CUDA driver has no " + llvm::Twine(name));
  };
  find(driver.cuInit, "cuInit");
  find(driver.cuGetErrorString, "cuGetErrorString");
  find(driver.cuDeviceGet, "cuDeviceGet");
  find(driver.cuDeviceGetAttribute, "cuDeviceGetAttribute");
  find(driver.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(driver.cuCtxSetCurrent, "cuCtxSetCurrent");
  find(driver.cuCtxSynchronize, "cuCtxSynchronize");
  find(driver.cuModuleLoadData, "cuModuleLoadData");
  find(driver.cuModuleUnload, "cuModuleUnload");
  find(driver.cuModuleGetFunction, "cuModuleGetFunction");
  find(driver.cuFuncSetAttribute, "cuFuncSetAttribute");
  // The versions with 64-bit sizes.
  find(driver.cuMemAlloc, "cuMemAlloc_v2");
  find(driver.cuMemFree, "cuMemFree_v2");
  find(driver.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  find(driver.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  find(driver.cuMemcpyDtoD, "cuMemcpyDtoD_v2");
  find(driver.cuLaunchKernel, "cuLaunchKernel");
  findIfThere(driver.cuLaunchKernelEx, "cuLaunchKernelEx");
  find(driver.cuEventCreate, "cuEventCreate");
  find(driver.cuEventRecord, "cuEventRecord");
  find(driver.cuEventSynchronize, "cuEventSynchronize");
  find(driver.cuEventElapsedTime, "cuEventElapsedTime");
  find(driver.cuEventDestroy, "cuEventDestroy_v2");
  if (error)
    return error;
  if (driver.cuInit(0) != 0)
    return driverError("no CUDA device");
  Device device;
  Context context;
  if (driver.cuDeviceGet(&device, 0) != 0)
    return driverError("no CUDA device");
  if (llvm::Error failed = driver.check(
          driver.cuDevicePrimaryCtxRetain(&context, device), "use the device"))
    return failed;
  return driver.check(driver.cuCtxSetCurrent(context), "use the device");
}

llvm::Expected<const Driver *> Driver::get() {
  // Loaded once and kept: the driver does not like to be unloaded.
  static Driver driver;
  static bool loaded = false;
  if (!loaded)
    if (llvm::Error error = load(driver))
      return std::move(error);
  loaded = true;
  return &driver;
}
