// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LevelR.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace prec;

bool prec::isStorageFloat(Type type) {
  return isa<BFloat16Type, Float16Type, Float8E4M3FNType, Float8E5M2Type>(
      getElementTypeOrSelf(type));
}

Type prec::withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

/// Results and block arguments of one operation are of known types.
static LogicalResult verifyTypesOf(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    if (!isa<FloatType, ComplexType>(element))
      continue;
    if (!isStorageFloat(element) && !isa<Float32Type, Float64Type>(element))
      return op->emitOpError("has the type ")
             << element << "; expected bf16, f16, f8E4M3FN, f8E5M2, f32 or f64";
    if (isa<UnrankedTensorType>(type))
      return op->emitOpError("has the type ")
             << type << "; expected a ranked tensor";
  }
  return success();
}

/// The first storage format among the operands and results, or null.
static Type storageElement(Operation *op) {
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isStorageFloat(type))
      return getElementTypeOrSelf(type);
  return {};
}

/// Dialects whose operations move values without computing on floats, beyond
/// those that `verifyOp` treats one by one.
static bool movesValues(Operation *op) {
  return isa_and_nonnull<
             BuiltinDialect, PrecDialect, affine::AffineDialect,
             bufferization::BufferizationDialect, cf::ControlFlowDialect,
             func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect,
             linalg::LinalgDialect, scf::SCFDialect, tensor::TensorDialect,
             ub::UBDialect, vector::VectorDialect>(op->getDialect()) ||
         isa<LLVM::LoadOp, LLVM::StoreOp>(op);
}

static LogicalResult verifyOp(Operation *op) {
  if (failed(verifyTypesOf(op)))
    return failure();
  if (auto flagged = dyn_cast<arith::ArithFastMathInterface>(op))
    if (auto flags = flagged.getFastMathFlagsAttr();
        flags && flags.getValue() != arith::FastMathFlags::none)
      return op->emitOpError("has fast-math flags; expected none");
  if (isa<arith::TruncFOp>(op))
    return op->emitOpError("rounds implicitly; expected 'prec.round'");

  // Upstream's own formula clamps to nothing: maximum(minimum(x, min), max).
  if (isa<math::ClampFOp>(op))
    return op->emitOpError("has no agreed meaning; expected 'arith.maximumf' "
                           "and 'arith.minimumf'");

  if (isa<RoundingPointOpInterface>(op))
    return op->emitOpError("is a composite operation; expected its formula");

  // Linalg: an operation's arithmetic must be visible in its body.
  bool plainLinalg =
      isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp, linalg::FillOp,
          linalg::BroadcastOp, linalg::TransposeOp, linalg::PackOp,
          linalg::UnPackOp, linalg::YieldOp, linalg::IndexOp>(op);
  if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) && !plainLinalg)
    return op->emitOpError("hides its arithmetic; expected 'linalg.generic'");

  Type storage = storageElement(op);
  if (!storage)
    return success();
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return success();
  if (auto ext = dyn_cast<arith::ExtFOp>(op);
      ext && !isStorageFloat(ext.getType()))
    return success();
  bool computes =
      isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<vector::FMAOp, vector::ReductionOp, vector::MultiDimReductionOp,
          vector::ContractionOp, vector::OuterProductOp, vector::ScanOp,
          memref::AtomicRMWOp, gpu::AllReduceOp, gpu::SubgroupReduceOp>(op);
  if (computes)
    return op->emitOpError("computes in ")
           << storage << "; expected f32 or f64 and 'prec.round'";
  if (!movesValues(op))
    return op->emitOpError("on ")
           << storage << " is not known to the rounding contract";
  return success();
}

/// Checks every operation under `root`, but nothing inside one that fails,
/// until `maxErrors` have failed.
static LogicalResult
verifyAll(Operation *root, unsigned maxErrors,
          llvm::function_ref<LogicalResult(Operation *)> check) {
  unsigned errors = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (succeeded(check(op)))
      return WalkResult::advance();
    return ++errors < maxErrors ? WalkResult::skip() : WalkResult::interrupt();
  });
  return success(errors == 0);
}

LogicalResult prec::verifyLevelR(Operation *root, unsigned maxErrors) {
  return verifyAll(root, maxErrors, verifyOp);
}

LogicalResult prec::verifyFloatTypes(Operation *root) {
  return verifyAll(root, /*maxErrors=*/1, verifyTypesOf);
}
