// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn's functions of one element. Each formula stands here as in
// dialects/NN/README.md.
#include "DecomposeNNBuilder.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

static Value formula(SigmoidOp, Formula &f, Value x) { return f.sigmoid(x); }

static Value formula(SiluOp, Formula &f, Value x) {
  return f.div(x, f.onePlusExpOfMinus(x));
}

static Value formula(GeluOp op, Formula &f, Value x) {
  return f.gelu(op.getApproximate(), x);
}

static Value formula(SoftplusOp op, Formula &f, Value x) {
  // x * 1 and y / 1 are y for every bit pattern.
  bool isScaled = !op.getBeta().isExactlyValue(1.0);
  Value scaled = isScaled ? f.mul(x, f.constant(op.getBeta())) : x;
  Value soft = f.call<math::Log1pOp>(f.call<math::ExpOp>(scaled));
  if (isScaled)
    soft = f.div(soft, f.constant(op.getBeta()));
  return f.selectGreater(scaled, f.constant(op.getThreshold()), x, soft);
}

static Value formula(TanhOp, Formula &f, Value x) {
  return f.call<math::TanhOp>(x);
}

static Value formula(ExpOp, Formula &f, Value x) {
  return f.call<math::ExpOp>(x);
}

static Value formula(LogOp, Formula &f, Value x) {
  return f.call<math::LogOp>(x);
}

static Value formula(SqrtOp, Formula &f, Value x) { return f.sqrt(x); }

static Value formula(RsqrtOp op, Formula &f, Value x) {
  return f.reciprocalSqrt(op.getRule(), x);
}

static Value formula(ReciprocalOp, Formula &f, Value x) {
  return f.div(f.constant(1.0), x);
}

namespace {
template <typename OpTy> struct DecomposeUnary : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op->template getAttrOfType<MathAttr>("math"));
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    rewriter.replaceOp(
        op, t.elementwise({{op.getInput(), t.identityMap(sizes.size())}}, sizes,
                          op.getType().getElementType(),
                          [&](Formula &f, ValueRange x) {
                            return f.result(formula(op, f, f.widen(x[0])));
                          }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeElementwise(RewritePatternSet &patterns) {
  patterns.add<DecomposeUnary<SigmoidOp>, DecomposeUnary<SiluOp>,
               DecomposeUnary<GeluOp>, DecomposeUnary<SoftplusOp>,
               DecomposeUnary<nn::TanhOp>, DecomposeUnary<nn::ExpOp>,
               DecomposeUnary<nn::LogOp>, DecomposeUnary<nn::SqrtOp>,
               DecomposeUnary<nn::RsqrtOp>, DecomposeUnary<ReciprocalOp>>(
      patterns.getContext());
}
