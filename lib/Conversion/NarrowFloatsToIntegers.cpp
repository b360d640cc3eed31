// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"

namespace prec {
#define GEN_PASS_DEF_NARROWFLOATSTOINTEGERSPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;

namespace {
struct NarrowFloatsToIntegers
    : prec::impl::NarrowFloatsToIntegersPassBase<NarrowFloatsToIntegers> {
  void runOnOperation() override;
};
} // namespace

/// Whether `op` only moves, holds or reinterprets values.
static bool isMovement(Operation *op) {
  return isa<LLVM::BitcastOp, LLVM::BrOp, LLVM::CondBrOp, LLVM::ConstantOp,
             LLVM::ExtractElementOp, LLVM::GEPOp, LLVM::InsertElementOp,
             LLVM::LoadOp, LLVM::PoisonOp, LLVM::SelectOp,
             LLVM::ShuffleVectorOp, LLVM::StoreOp, LLVM::UndefOp>(op);
}

void NarrowFloatsToIntegers::runOnOperation() {
  // A type that something computes with stays as it is.
  bool bf16 = true, f16 = true;
  getOperation()->walk([&](Operation *op) {
    if (isMovement(op))
      return;
    auto note = [&](Type type) {
      bf16 &= !getElementTypeOrSelf(type).isBF16();
      f16 &= !getElementTypeOrSelf(type).isF16();
    };
    llvm::for_each(op->getOperandTypes(), note);
    llvm::for_each(op->getResultTypes(), note);
  });
  auto isHeld = [=](Type type) {
    return (bf16 && type.isBF16()) || (f16 && type.isF16());
  };

  Type i16 = IntegerType::get(&getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FloatType type) -> std::optional<Type> {
    if (isHeld(type))
      return i16;
    return std::nullopt;
  });
  replacer.addReplacement([=](FloatAttr value) -> std::optional<Attribute> {
    if (isHeld(value.getType()))
      return IntegerAttr::get(i16, value.getValue().bitcastToAPInt());
    return std::nullopt;
  });
  replacer.addReplacement(
      [=](DenseFPElementsAttr values) -> std::optional<Attribute> {
        if (!isHeld(values.getElementType()))
          return std::nullopt;
        return values.mapValues(
            i16, [](const APFloat &value) { return value.bitcastToAPInt(); });
      });
  replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
