// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of nn's functions of one element: g is the gradient, y the saved
// output or x the saved input. Each formula stands here as in
// dialects/NN/README.md.
#include "DecomposeNNBuilder.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

static Value formula(SigmoidGradOp, Formula &f, Value g, Value y) {
  Value complement = f.round("complement", f.sub(f.constant(1.0), y));
  return f.mul(f.round("product", f.mul(g, complement)), y);
}

static Value formula(TanhGradOp, Formula &f, Value g, Value y) {
  Value square = f.round("square", f.mul(y, y));
  return f.mul(g, f.round("complement", f.sub(f.constant(1.0), square)));
}

static Value formula(SiluGradOp op, Formula &f, Value g, Value x) {
  return f.siluGradient(op.getMultiplyAdd(), g, x);
}

static Value formula(GeluGradOp op, Formula &f, Value g, Value x) {
  return f.mul(g, f.geluSlope(op.getApproximate(), x));
}

static Value formula(SoftplusGradOp op, Formula &f, Value g, Value x) {
  Value scaled = x;
  if (!op.getBeta().isExactlyValue(1.0)) // x * 1 is x for every bit pattern
    scaled = f.mul(x, f.constant(op.getBeta()));
  Value z = f.call<math::ExpOp>(scaled);
  Value soft = f.div(f.mul(g, z), f.add(z, f.constant(1.0)));
  return f.selectGreater(scaled, f.constant(op.getThreshold()), g, soft);
}

namespace {
template <typename OpTy> struct DecomposeGradient : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op->template getAttrOfType<MathAttr>("math"));
    Value gradient = op->getOperand(0), saved = op->getOperand(1);
    SmallVector<OpFoldResult> sizes = t.sizes(gradient);
    AffineMap all = t.identityMap(sizes.size());
    rewriter.replaceOp(
        op, t.elementwise(
                {{gradient, all}, {saved, all}}, sizes,
                op.getType().getElementType(), [&](Formula &f, ValueRange x) {
                  return f.result(formula(op, f, f.widen(x[0]), f.widen(x[1])));
                }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeElementwiseGradients(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeGradient<SigmoidGradOp>, DecomposeGradient<TanhGradOp>,
               DecomposeGradient<SiluGradOp>, DecomposeGradient<GeluGradOp>,
               DecomposeGradient<SoftplusGradOp>>(patterns.getContext());
}
