// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn.sum_grad, nn.mean_grad, nn.softmax_grad.
#include "DecomposeNNBuilder.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

namespace {
/// Sum and mean: every summand's gradient is `share` of the sum's.
template <typename OpTy> struct DecomposeExpansion : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  static Value share(SumGradOp, Formula &, Value gradient, OpFoldResult) {
    return gradient;
  }
  static Value share(MeanGradOp op, Formula &f, Value gradient,
                     OpFoldResult count) {
    return f.divide(op.getDivide(), gradient,
                    f.number(count, gradient.getType()));
  }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op));
    SmallVector<OpFoldResult> sizes = t.sizes(op.getGradient());
    int64_t dimension = op.getDimension();
    RankedTensorType type = op.getType();
    OpFoldResult count = rewriter.getIndexAttr(type.getDimSize(dimension));
    if (op.getSize())
      count = op.getSize();
    if (op.getKeepdim())
      sizes[dimension] = count;
    else
      sizes.insert(sizes.begin() + dimension, count);

    int64_t rank = sizes.size();
    AffineMap map = t.dropMap(rank, dimension);
    if (op.getKeepdim())
      map = t.oneMap(rank, dimension);
    rewriter.replaceOp(
        op, t.elementwise({{op.getGradient(), map}}, sizes,
                          type.getElementType(), [&](Formula &f, ValueRange x) {
                            return f.result(share(op, f, f.widen(x[0]), count));
                          }));
    return success();
  }
};

struct DecomposeSoftmaxGrad : OpRewritePattern<SoftmaxGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxGradOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op));
    SmallVector<OpFoldResult> sizes = t.sizes(op.getGradient());
    int64_t dimension = op.getDimension();
    AffineMap all = t.identityMap(sizes.size());
    Type sumType = getSumType(op.getContext(), op.getAccumulate());
    auto product = [](Formula &f, ValueRange x, Type type) {
      return f.round("product",
                     f.mul(f.widen(x[0], type), f.widen(x[1], type)));
    };

    Value products = t.elementwise(
        {{op.getGradient(), all}, {op.getOutput(), all}}, sizes, sumType,
        [&](Formula &f, ValueRange x) { return product(f, x, sumType); });
    Value sum = t.sum(products, dimension, op.getEffectiveOrder());
    rewriter.replaceOp(
        op,
        t.elementwise({{op.getGradient(), all},
                       {op.getOutput(), all},
                       {sum, t.dropMap(sizes.size(), dimension)}},
                      sizes, op.getType().getElementType(),
                      [&](Formula &f, ValueRange x) {
                        Value y = f.widen(x[1]);
                        Value s = f.toF32(f.round("sum", x[2]));
                        if (op.getForm() == SoftmaxGradForm::difference)
                          return f.result(f.mul(f.sub(f.widen(x[0]), s), y));
                        Value p = product(f, x, f.f32());
                        return f.result(f.fma(f.neg(y), s, p));
                      }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeReductionGradients(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeExpansion<SumGradOp>, DecomposeExpansion<MeanGradOp>,
               DecomposeSoftmaxGrad>(patterns.getContext());
}
