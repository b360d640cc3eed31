// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn.rms_norm, nn.layer_norm.
#include "DecomposeNNBuilder.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

/// Appends a weight or bias, which has the shape of the last dimensions.
static void addParameter(TensorBuilder &t, int64_t rank, Value parameter,
                         SmallVectorImpl<TensorBuilder::Input> &inputs) {
  if (!parameter)
    return;
  int64_t count = cast<RankedTensorType>(parameter.getType()).getRank();
  inputs.push_back({parameter, t.lastMap(rank, count)});
}

namespace {
struct DecomposeRMSNorm : OpRewritePattern<RMSNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RMSNormOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t rank = sizes.size();
    AffineMap all = t.identityMap(rank);
    Value rstd = rmsReciprocal(op, t, sizes);

    SmallVector<TensorBuilder::Input> inputs = {
        {op.getInput(), all}, {rstd, t.dropMap(rank, rank - 1)}};
    addParameter(t, rank, op.getWeight(), inputs);
    rewriter.replaceOp(
        op, t.elementwise(
                inputs, sizes, op.getType().getElementType(),
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
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t rank = sizes.size();
    AffineMap all = t.identityMap(rank);
    AffineMap row = t.dropMap(rank, rank - 1);
    auto [mean, rstd] = LayerMoments::of(op, t, sizes);

    SmallVector<TensorBuilder::Input> inputs = {
        {op.getInput(), all}, {mean, row}, {rstd, row}};
    addParameter(t, rank, op.getWeight(), inputs);
    addParameter(t, rank, op.getBias(), inputs);
    rewriter.replaceOp(
        op, t.elementwise(inputs, sizes, op.getType().getElementType(),
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
