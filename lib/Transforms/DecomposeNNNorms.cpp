// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn.rms_norm, nn.layer_norm.
#include "DecomposeNNRows.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

namespace {
struct DecomposeRMSNorm : OpRewritePattern<RMSNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RMSNormOp op,
                                PatternRewriter &rewriter) const override {
    RowsBuilder t(rewriter, op);
    Value rstd = rmsReciprocal(op, t, t.shape);

    SmallVector<TensorBuilder::Input> inputs = {t.elements(op.getInput()),
                                                t.numbers(rstd)};
    t.append(inputs, op.getWeight());
    rewriter.replaceOp(
        op, t.elementwise(
                inputs, t.shape, op.getType().getElementType(),
                [&](Formula &f, ValueRange x) {
                  Value y = f.round("normalized", f.mul(f.widen(x[0]), x[1]));
                  if (!op.getWeight())
                    return f.result(y);
                  Value weight = f.widen(x[2]);
                  if (op.getOnePlus())
                    weight = f.round("weight", f.add(weight, f.constant(1.0)));
                  return f.result(f.mul(y, weight));
                }));
    return success();
  }
};

struct DecomposeLayerNorm : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The result of an element `x`, its row's mean and reciprocal deviation, and
  /// its weight and bias, which may be null.
  static Value apply(LayerNormOp op, Formula &f, Value x, Value mean,
                     Value rstd, Value weight, Value bias) {
    if (op.getForm() == LayerNormForm::shift_fma) {
      Value y = f.fma(x, rstd, f.neg(f.mul(mean, rstd)));
      if (weight && bias)
        return f.fma(y, weight, bias);
      return weight ? f.mul(y, weight) : bias ? f.add(y, bias) : y;
    }
    Value centered = f.round("centered", f.sub(x, mean));
    Value y = f.round("normalized", f.mul(centered, rstd));
    if (weight && bias && op.getForm() == LayerNormForm::center_fma)
      return f.fma(y, weight, bias);
    if (weight)
      y = f.mul(y, weight);
    if (weight && bias)
      y = f.round("scaled", y);
    return bias ? f.add(y, bias) : y;
  }

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    RowsBuilder t(rewriter, op);
    auto [mean, rstd] = LayerMoments::of(op, t, t.shape);

    SmallVector<TensorBuilder::Input> inputs = {
        t.elements(op.getInput()), t.numbers(mean), t.numbers(rstd)};
    t.append(inputs, op.getWeight());
    t.append(inputs, op.getBias());
    rewriter.replaceOp(
        op, t.elementwise(inputs, t.shape, op.getType().getElementType(),
                          [&](Formula &f, ValueRange x) {
                            Value weight, bias;
                            if (op.getWeight())
                              weight = f.widen(x[3]);
                            if (op.getBias())
                              bias = f.widen(x.back());
                            return f.result(apply(op, f, f.widen(x[0]),
                                                  f.toF32(x[1]), x[2], weight,
                                                  bias));
                          }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeNorms(RewritePatternSet &patterns) {
  patterns.add<DecomposeRMSNorm, DecomposeLayerNorm>(patterns.getContext());
}
