// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/NumberExtremes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {

template <typename OpT> struct NumberExtreme : OpRewritePattern<OpT> {
  NumberExtreme(MLIRContext *context, StringRef intrinsic)
      : OpRewritePattern<OpT>(context), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "not of f32 or f64");
    if (!isa<FloatType, VectorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a scalar or a vector");
    // LLVM's vectors have one dimension.
    auto type = dyn_cast<VectorType>(op.getType());
    Location loc = op.getLoc();
    SmallVector<Value> operands(op->getOperands());
    VectorType flat;
    if (type && type.getRank() != 1) {
      if (type.isScalable())
        return rewriter.notifyMatchFailure(op, "not flat");
      flat = VectorType::get({type.getNumElements()}, element);
      for (Value &operand : operands)
        operand = vector::ShapeCastOp::create(rewriter, loc, flat, operand);
    }
    Value result = LLVM::CallIntrinsicOp::create(
                       rewriter, loc, flat ? flat : op.getType(),
                       rewriter.getStringAttr(intrinsic), operands)
                       .getResult(0);
    if (flat)
      result = vector::ShapeCastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef intrinsic;
};

} // namespace

void prec::populateNumberExtremesPatterns(RewritePatternSet &patterns) {
  patterns.add<NumberExtreme<arith::MaxNumFOp>>(patterns.getContext(),
                                                "llvm.maximumnum");
  patterns.add<NumberExtreme<arith::MinNumFOp>>(patterns.getContext(),
                                                "llvm.minimumnum");
}
