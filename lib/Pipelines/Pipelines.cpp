// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Pipelines/Pipelines.h"

#include "prec/Conversion/Passes.h"
#include "prec/Target/PTX/PTXTarget.h"
#include "prec/Target/Passes.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void prec::buildToRounded(OpPassManager &pm, StringRef profile,
                          bool promoteActivation, bool promoteCombine) {
  if (!profile.empty())
    pm.addPass(createApplyProfilePass({profile.str(), false}));
  // The inliner's own clean-up pipeline must not run: before the roundings are
  // explicit, canonicalization merges them (truncf of sitofp, extf of truncf).
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  // In one function a combination sees the activations that feed it. What the
  // profile said is overridden.
  if (promoteActivation || promoteCombine)
    pm.addPass(createPromoteMoEPass({promoteActivation, promoteCombine}));
  pm.addPass(createMakeRoundingExplicitPass());
  pm.addPass(createVerifyExplicitPass());
  // From here on every rounding is an op that upstream folders do not know.
  // Upstream's canonicalizer would still fold functions of constants with the
  // host's C library.
  pm.addPass(createCanonicalizePass());
  pm.addPass(createCSEPass());
}

/// Level R to level K with schedules for "host" or "gpu".
static void buildToScheduled(OpPassManager &pm, StringRef target,
                             unsigned lanes = 0) {
  pm.addNestedPass<func::FuncOp>(prec::createFormKernelsPass());
  pm.addPass(createCSEPass());
  pm.addPass(prec::createScheduleKernelsPass({target.str(), lanes}));
}

static void buildToUnstructured(OpPassManager &pm) {
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
}

/// What the host and the GPU do alike, after loops and before the LLVM dialect.
static void buildToABI(OpPassManager &pm, unsigned pointerAlignment) {
  pm.addPass(createCSEPass());
  // After the control flow is unstructured: a failed check leaves the function.
  pm.addPass(prec::createFinalizeABIPass({pointerAlignment}));
  // Alone and first: it lowers vectors of more than one dimension step by step.
  pm.addPass(createConvertVectorToLLVMPass());
}

void prec::buildToHost(OpPassManager &pm, const HostPipelineOptions &options) {
  buildToRounded(pm, options.profile, options.promoteActivation,
                 options.promoteCombine);
  buildToScheduled(pm, "host", options.vectorBits / 32);
  pm.addPass(createConvertKernelsToHostPass(
      {options.parallel, options.resultBytes, options.vectorBits / 32}));
  pm.addPass(createCanonicalizePass());
  pm.addPass(createCSEPass());
  // After fusion: a kernel's values are seen from where they are loaded.
  pm.addPass(createElideRoundingPass());
  // The functions become IEEE operations while vectors are whole and roundings
  // are visible: which sequence suffices depends on them.
  pm.addPass(createExpandMathPass(
      {"host", /*slowF64=*/false, /*tables=*/options.vectorBits == 512}));
  // After that: each step of a function is next to the same one of the other
  // half, which does not wait for it.
  pm.addNestedPass<func::FuncOp>(
      createSplitVectorsPass({options.vectorBits / 32}));
  // What converts f16 has fused multiply-adds, if not vectors of 128 bits. With
  // VNNI a rounding to bf16 is two operations and a mask.
  const bool wide = options.vnni && options.vectorBits == 512;
  if (options.nativeF16 && options.vectorBits >= 256)
    pm.addNestedPass<func::FuncOp>(
        createRoundByArithmeticPass({/*hasRange=*/wide, /*bf16=*/!wide}));
  pm.addNestedPass<func::FuncOp>(createOverlapIterationsPass());
  // Before roundings become operations, of which there are ten times as many.
  buildToUnstructured(pm);
  pm.addPass(createConvertPrecToLLVMPass(
      {options.nativeF16, options.vectorBits / 32, options.vnni}));
  buildToABI(pm, /*pointerAlignment=*/0);
  // Every pattern that matches an operation of ours replaces it: to note how to
  // undo that takes as long as the rest.
  ConvertToLLVMPassOptions toLLVM;
  toLLVM.allowPatternRollback = false;
  pm.addPass(createConvertToLLVMPass(toLLVM));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createNarrowFloatsToIntegersPass());
}

void prec::buildRoundedToKernels(OpPassManager &pm,
                                 const GPUPipelineOptions &options) {
  buildToScheduled(pm, "gpu");
  pm.addPass(createConvertKernelsToGPUPass(
      {options.dependentLaunch, options.cacheHints}));
  pm.addPass(createCanonicalizePass());
  pm.addPass(createCSEPass());
}

/// The number in the name of the GPU: 90 for sm_90.
static unsigned computeCapability(const prec::GPUPipelineOptions &options) {
  unsigned number = 80;
  StringRef(options.chip).drop_front(3).getAsInteger(10, number);
  return number;
}

static bool isF64Slow(const prec::GPUPipelineOptions &options) {
  if (options.f64 != prec::F64Speed::ofChip)
    return options.f64 == prec::F64Speed::slow;
  return llvm::any_of(prec::gpuTargets(), [&](const prec::GPUTarget &target) {
    return target.chip == StringRef(options.chip) && target.slowF64;
  });
}

void prec::buildKernelsToNVVM(OpPassManager &pm,
                              const GPUPipelineOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  // After fusion: a kernel's values are seen from where they are loaded. One
  // kernel beside another: no call leads from one to the next.
  ElideRoundingPassOptions elision;
  elision.nativeBF16 = elision.nativeF16 = true;
  kernels.nestAny().addPass(createElideRoundingPass(elision));
  kernels.addPass(createExpandMathPass({"gpu", isF64Slow(options)}));
  kernels.addPass(createConvertPrecToNVVMPass({computeCapability(options)}));
  buildToUnstructured(kernels);
  // cudaMalloc and its kin align to 256 bytes; 16 is what the widest loads
  // need.
  buildToABI(kernels, /*pointerAlignment=*/16);
  kernels.addPass(createConvertGPUModuleToNVVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

void prec::buildToPTX(OpPassManager &pm, const GPUPipelineOptions &options) {
  buildToRounded(pm, options.profile, options.promoteActivation,
                 options.promoteCombine);
  buildRoundedToKernels(pm, options);
  buildKernelsToNVVM(pm, options);
}

void prec::buildToCubin(OpPassManager &pm, const GPUPipelineOptions &options) {
  buildToPTX(pm, options);
  pm.addPass(createSerializeKernelsPass({options.chip, "cubin"}));
}

void prec::registerPipelines() {
  PassPipelineRegistration<HostPipelineOptions>(
      "prec-to-host", "A model function to LLVM-dialect functions for the host",
      buildToHost);
  PassPipelineRegistration<GPUPipelineOptions>(
      "prec-to-ptx",
      "A model function to kernels in the LLVM and NVVM dialects", buildToPTX);
  PassPipelineRegistration<GPUPipelineOptions>(
      "prec-to-cubin", "A model function to a gpu.binary", buildToCubin);
}
