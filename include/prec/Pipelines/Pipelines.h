// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named pipelines: which passes run in which order, and why in that one.
#ifndef PREC_PIPELINES_PIPELINES_H
#define PREC_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace prec {

/// What every pipeline from level M on may be told about roundings.
template <typename DerivedT>
struct RoundingOptions : mlir::PassPipelineOptions<DerivedT> {
  template <typename T>
  using Option =
      typename mlir::PassPipelineOptions<DerivedT>::template Option<T>;

  Option<std::string> profile{
      *this, "profile",
      llvm::cl::desc("Round as this engine does: a name or a file")};
  Option<bool> promoteActivation{
      *this, "promote-moe-activation",
      llvm::cl::desc("Compute experts' activations in f32 (prec-promote-moe)"),
      llvm::cl::init(false)};
  Option<bool> promoteCombine{
      *this, "promote-moe-combine",
      llvm::cl::desc("Combine experts' outputs in f32 (prec-promote-moe)"),
      llvm::cl::init(false)};
};

/// Options of `prec-to-host`.
struct HostPipelineOptions : RoundingOptions<HostPipelineOptions> {
  Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of the processor's vectors (128, 256 or 512)"),
      llvm::cl::init(256)};
  Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Outermost loops may run on several threads"),
      llvm::cl::init(false)};
  Option<bool> resultBytes{
      *this, "result-bytes",
      llvm::cl::desc("Large results may be written past the caches"),
      llvm::cl::init(false)};
  Option<bool> nativeF16{
      *this, "native-f16",
      llvm::cl::desc("The processor converts between f32 and f16 (x86: F16C)"),
      llvm::cl::init(false)};
  Option<bool> vnni{
      *this, "vnni",
      llvm::cl::desc("The processor adds products of 16-bit integers "
                     "(x86: AVX512_VNNI)"),
      llvm::cl::init(false)};
};

/// Whether f64 arithmetic is so slow that functions do better without.
enum class F64Speed { ofChip, fast, slow };

/// Options of `prec-to-ptx` and `prec-to-cubin`.
struct GPUPipelineOptions : RoundingOptions<GPUPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("The GPU, for example sm_90"),
                           llvm::cl::init("sm_90")};
  Option<F64Speed> f64{
      *this, "f64",
      llvm::cl::desc("The GPU's f64 arithmetic (prec-expand-math's slow-f64)"),
      llvm::cl::init(F64Speed::ofChip),
      llvm::cl::values(
          clEnumValN(F64Speed::ofChip, "of-chip", "As fast as the chip's"),
          clEnumValN(F64Speed::fast, "fast", "Fast: f32 functions use it"),
          clEnumValN(F64Speed::slow, "slow", "Slow: they use it seldom"))};
  Option<bool> dependentLaunch{
      *this, "dependent-launch",
      llvm::cl::desc("Kernels wait for the one before them themselves "
                     "(convert-kernels-to-gpu)"),
      llvm::cl::init(false)};
  Option<bool> cacheHints{
      *this, "cache-hints",
      llvm::cl::desc("Accesses of what a kernel uses once say so "
                     "(convert-kernels-to-gpu)"),
      llvm::cl::init(false)};
};

/// Level M or R to level R, inlined and checked; with a profile, if one is
/// named, applied first, and with experts' activations or combinations promoted
/// to f32.
void buildToRounded(mlir::OpPassManager &pm, llvm::StringRef profile = {},
                    bool promoteActivation = false,
                    bool promoteCombine = false);

/// Level M or R to functions over pointers in the LLVM dialect
/// (`prec-to-host`).
void buildToHost(mlir::OpPassManager &pm, const HostPipelineOptions &options);

/// Level R to kernels in a gpu.module, and host functions that say with
/// gpu.launch_func how they are launched. The middle of `prec-to-ptx`.
void buildRoundedToKernels(mlir::OpPassManager &pm,
                           const GPUPipelineOptions &options);

/// Kernels in gpu.modules to the LLVM and NVVM dialects, over pointers. The
/// end of `prec-to-ptx`; host functions stay as they are.
void buildKernelsToNVVM(mlir::OpPassManager &pm,
                        const GPUPipelineOptions &options);

/// `prec-to-ptx`: kernels that translate to PTX, and the host functions that
/// launch them.
void buildToPTX(mlir::OpPassManager &pm, const GPUPipelineOptions &options);

/// `prec-to-cubin`: `prec-to-ptx`, then each gpu.module becomes a gpu.binary.
void buildToCubin(mlir::OpPassManager &pm, const GPUPipelineOptions &options);

/// Makes the pipelines known by name.
void registerPipelines();

} // namespace prec

#endif // PREC_PIPELINES_PIPELINES_H
