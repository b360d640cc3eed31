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
  Value sigmoid = f.sigmoid(x);
  Value scaled = f.mul(g, sigmoid);
  Value one = f.constant(1.0);
  Value complement = f.sub(one, sigmoid);
  Value slope = op.getMultiplyAdd() == MultiplyAdd::fused
                    ? f.fma(x, complement, one)
                    : f.add(f.mul(x, complement), one);
  return f.mul(scaled, slope);
}

/// The slope of the erf form: the normal distribution and x times its density.
static Value slopeOfErf(Formula &f, Value x) {
  Value erf = f.call<math::ErfOp>(
      f.mul(x, f.constant(0.70710678118654752440))); // sqrt(1/2)
  Value distribution = f.mul(f.constant(0.5), f.add(erf, f.constant(1.0)));
  Value exp = f.call<math::ExpOp>(f.mul(f.mul(f.constant(-0.5), x), x));
  Value density = f.mul(exp, f.constant(0.39894228040143267794)); // 1/sqrt(2pi)
  return f.add(distribution, f.mul(x, density));
}

static Value slopeOfTanh(Formula &f, Value x) {
  Value one = f.constant(1.0);
  Value scale = f.constant(0.79788456080286535588); // sqrt(2/pi)
  // 3 * 0.044715 is a product of f32 numbers.
  APFloat kappa(0.044715f), three(3.0f);
  three.multiply(kappa, APFloat::rmNearestTiesToEven);
  Value square = f.mul(x, x);
  Value cube = f.mul(square, x);
  Value inner = f.mul(scale, f.add(x, f.mul(f.constant(kappa), cube)));
  Value tanh = f.call<math::TanhOp>(inner);
  Value left = f.mul(f.constant(0.5), f.add(tanh, one));
  Value slopeOfInner =
      f.mul(scale, f.add(f.mul(f.constant(three), square), one));
  Value right =
      f.mul(f.mul(f.mul(f.constant(0.5), x), f.sub(one, f.mul(tanh, tanh))),
            slopeOfInner);
  return f.add(left, right);
}

static Value formula(GeluGradOp op, Formula &f, Value g, Value x) {
  bool isErf = op.getApproximate() == Approximation::none;
  return f.mul(g, isErf ? slopeOfErf(f, x) : slopeOfTanh(f, x));
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
