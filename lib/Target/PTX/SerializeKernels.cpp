// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Common/LLVMModule.h"
#include "prec/Target/PTX/PTXTarget.h"
#include "prec/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace prec {
#define GEN_PASS_DEF_SERIALIZEKERNELSPASS
#include "prec/Target/Passes.h.inc"
} // namespace prec

using namespace mlir;

namespace {
struct SerializeKernels
    : prec::impl::SerializeKernelsPassBase<SerializeKernels> {
  using SerializeKernelsPassBase::SerializeKernelsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    SerializeKernelsPassBase::getDependentDialects(registry);
    prec::registerLLVMTranslations(registry);
  }

  void runOnOperation() override {
    FailureOr<prec::GPUTarget> target =
        prec::findGPUTarget(chip, getOperation().getLoc());
    if (failed(target))
      return signalPassFailure();
    std::optional<gpu::CompilationTarget> kind = parseFormat();
    if (!kind) {
      getOperation().emitError("expected format ptx, cubin or fatbin but got '")
          << format << "'";
      return signalPassFailure();
    }
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(serialize(module, *target, *kind)))
        return signalPassFailure();
  }

private:
  std::optional<gpu::CompilationTarget> parseFormat() const {
    if (format == "ptx")
      return gpu::CompilationTarget::Assembly;
    if (format == "cubin")
      return gpu::CompilationTarget::Binary;
    if (format == "fatbin")
      return gpu::CompilationTarget::Fatbin;
    return std::nullopt;
  }

  LogicalResult serialize(gpu::GPUModuleOp module,
                          const prec::GPUTarget &target,
                          gpu::CompilationTarget kind) {
    FailureOr<std::string> code = prec::translateToPTX(module, target);
    if (failed(code))
      return failure();
    if (kind != gpu::CompilationTarget::Assembly) {
      llvm::Expected<std::string> assembled =
          kind == gpu::CompilationTarget::Binary
              ? prec::assembleCubin(*code, target)
              : prec::assembleFatbin(*code, target);
      if (!assembled)
        return module.emitError(llvm::toString(assembled.takeError()));
      code = std::move(*assembled);
    }
    OpBuilder builder(module);
    Attribute attribute = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", target.chip,
        ("+" + target.ptxVersion).str());
    Attribute object = gpu::ObjectAttr::get(
        &getContext(), attribute, kind, builder.getStringAttr(*code),
        /*properties=*/nullptr, /*kernels=*/nullptr);
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                          /*offloadingHandler=*/nullptr, object);
    module.erase();
    return success();
  }
};
} // namespace
