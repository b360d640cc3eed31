// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn.rms_norm_grad, nn.rms_norm_weight_grad.
#include "DecomposeNNBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

namespace {
/// The formula in letters as in dialects/NN/README.md: x and g with a weight
/// make h, the row makes r and e.
struct DecomposeRMSNormGrad : OpRewritePattern<RMSNormGradOp> {
  using OpRewritePattern::OpRewritePattern;

  /// h of the elements of the gradient and, if there is one, the weight.
  static Value weighted(RMSNormGradOp op, Formula &f, ValueRange x) {
    Value gradient = f.widen(x[0]);
    if (!op.getWeight())
      return gradient;
    Value weight = f.widen(x[1]);
    if (op.getOnePlus())
      weight = f.round("weight", f.add(weight, f.constant(1.0)));
    return f.round("weighted", f.mul(gradient, weight));
  }

  LogicalResult matchAndRewrite(RMSNormGradOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t rank = sizes.size();
    AffineMap all = t.identityMap(rank);
    AffineMap row = t.dropMap(rank, rank - 1);
    AffineMap allRows = t.identityMap(rank - 1);
    Type f32 = rewriter.getF32Type();
    Type sumType = getSumType(op.getContext(), op.getAccumulate());
    bool isClosed = op.getForm() == NormGradForm::closed;

    Value r = rmsReciprocal(op, t, sizes);
    SmallVector<TensorBuilder::Input> inputs = {{op.getGradient(), all}};
    if (Value weight = op.getWeight()) {
      int64_t count = cast<RankedTensorType>(weight.getType()).getRank();
      inputs.push_back({weight, t.lastMap(rank, count)});
    }
    Value h = t.elementwise(inputs, sizes, f32, [&](Formula &f, ValueRange x) {
      return weighted(op, f, x);
    });
    SmallVector<TensorBuilder::Input> factors = {{h, all},
                                                 {op.getInput(), all}};
    if (isClosed)
      factors.push_back({r, row});
    Value products =
        t.elementwise(factors, sizes, sumType, [&](Formula &f, ValueRange x) {
          Value factor = f.widen(x[1], sumType);
          if (isClosed)
            factor = f.mul(factor, f.widen(x[2], sumType));
          return f.mul(f.widen(x[0], sumType), factor);
        });
    Value sum = t.sum(products, rank - 1, op.getEffectiveOrder());
    SmallVector<TensorBuilder::Input> ofRow = {{sum, allRows}};
    if (!isClosed)
      ofRow.push_back({r, allRows});
    Value e = t.elementwise(
        ofRow, ArrayRef(sizes).drop_back(), f32, [&](Formula &f, ValueRange x) {
          Value dr = f.toF32(x[0]);
          Value count = f.number(sizes.back(), f32);
          if (isClosed)
            return f.divide(op.getDivide(), dr, count);
          Value cube = f.mul(f.mul(x[1], x[1]), x[1]);
          return f.divide(op.getDivide(),
                          f.mul(f.mul(f.constant(-0.5), dr), cube), count);
        });
    rewriter.replaceOp(
        op, t.elementwise(
                {{h, all}, {op.getInput(), all}, {r, row}, {e, row}}, sizes,
                op.getType().getElementType(), [&](Formula &f, ValueRange v) {
                  Value h = v[0], x = f.widen(v[1]), r = v[2], e = v[3];
                  if (isClosed)
                    return f.result(f.mul(r, f.sub(h, f.mul(f.mul(x, r), e))));
                  Value direct = f.mul(h, r);
                  Value through = f.mul(e, f.mul(x, f.constant(2.0)));
                  return f.result(f.add(direct, through));
                }));
    return success();
  }
};

struct DecomposeRMSNormWeightGrad : OpRewritePattern<RMSNormWeightGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RMSNormWeightGradOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t rank = sizes.size();
    int64_t kept = op.getType().getRank(), outer = rank - kept;
    AffineMap all = t.identityMap(rank);
    Type f32 = rewriter.getF32Type();

    Value r = rmsReciprocal(op, t, sizes);
    Value sum = t.elementwise(
        {{op.getGradient(), all},
         {op.getInput(), all},
         {r, t.dropMap(rank, rank - 1)}},
        sizes, f32, [](Formula &f, ValueRange x) {
          Value normalized = f.round("normalized", f.mul(f.widen(x[1]), x[2]));
          return f.round("product", f.mul(f.widen(x[0]), normalized));
        });
    if (outer > 1) {
      SmallVector<ReassociationIndices> groups(1);
      for (int64_t d = 0; d < rank; ++d) {
        if (d >= outer)
          groups.emplace_back();
        groups.back().push_back(d);
      }
      sum = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), sum, groups);
    }
    if (outer > 0)
      sum = t.sum(sum, 0, op.getEffectiveRowsOrder());
    rewriter.replaceOp(op, t.elementwise({{sum, t.identityMap(kept)}},
                                         ArrayRef(sizes).take_back(kept),
                                         op.getType().getElementType(),
                                         [](Formula &f, ValueRange x) {
                                           return f.result(x[0]);
                                         }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeNormGradients(RewritePatternSet &patterns) {
  patterns.add<DecomposeRMSNormGrad, DecomposeRMSNormWeightGrad>(
      patterns.getContext());
}
