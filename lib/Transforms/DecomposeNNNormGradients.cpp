// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of nn.rms_norm and nn.layer_norm.
#include "DecomposeNNRows.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

/// R_result of the sums of `terms`, f32 of `sizes`, over the rows of `op`.
template <typename OpTy>
static Value sumOverRows(OpTy op, TensorBuilder &t, Value terms,
                         ArrayRef<OpFoldResult> sizes) {
  int64_t rank = sizes.size();
  int64_t kept = op.getType().getRank();
  Value sums = t.sumOverOuter(terms, rank - kept, op.getEffectiveRowsOrder());
  return t.elementwise({{sums, t.identityMap(kept)}}, sizes.take_back(kept),
                       op.getType().getElementType(),
                       [](Formula &f, ValueRange x) { return f.result(x[0]); });
}

/// R_centered(x - R_saved_mean(m)).
static Value centered(Formula &f, Value x, Value mean) {
  Value saved = f.round("saved_mean", f.toF32(mean));
  return f.round("centered", f.sub(f.widen(x), saved));
}

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
    RowsBuilder t(rewriter, op);
    AffineMap allRows = t.identityMap(t.rank - 1);
    Type f32 = rewriter.getF32Type();
    Type sumType = getSumType(op.getContext(), op.getAccumulate());
    bool isClosed = op.getForm() == NormGradForm::closed;

    Value r = rmsReciprocal(op, t, t.shape);
    SmallVector<TensorBuilder::Input> inputs = {t.elements(op.getGradient())};
    t.append(inputs, op.getWeight());
    Value h =
        t.elementwise(inputs, t.shape, f32, [&](Formula &f, ValueRange x) {
          return weighted(op, f, x);
        });
    SmallVector<TensorBuilder::Input> factors = {t.elements(h),
                                                 t.elements(op.getInput())};
    if (isClosed)
      factors.push_back(t.numbers(r));
    Value products =
        t.elementwise(factors, t.shape, sumType, [&](Formula &f, ValueRange x) {
          Value factor = f.widen(x[1], sumType);
          if (isClosed)
            factor = f.mul(factor, f.widen(x[2], sumType));
          return f.mul(f.widen(x[0], sumType), factor);
        });
    Value sum = t.sum(products, t.rank - 1, op.getEffectiveOrder());
    SmallVector<TensorBuilder::Input> ofRow = {{sum, allRows}};
    if (!isClosed)
      ofRow.push_back({r, allRows});
    Value e = t.elementwise(
        ofRow, ArrayRef(t.shape).drop_back(), f32,
        [&](Formula &f, ValueRange x) {
          Value dr = f.toF32(x[0]);
          Value count = f.number(t.shape.back(), f32);
          if (isClosed)
            return f.divide(op.getDivide(), dr, count);
          Value cube = f.mul(f.mul(x[1], x[1]), x[1]);
          return f.divide(op.getDivide(),
                          f.mul(f.mul(f.constant(-0.5), dr), cube), count);
        });
    rewriter.replaceOp(
        op, t.elementwise(
                {t.elements(h), t.elements(op.getInput()), t.numbers(r),
                 t.numbers(e)},
                t.shape, op.getType().getElementType(),
                [&](Formula &f, ValueRange v) {
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
    RowsBuilder t(rewriter, op);
    Type f32 = rewriter.getF32Type();

    Value r = rmsReciprocal(op, t, t.shape);
    Value sum = t.elementwise(
        {t.elements(op.getGradient()), t.elements(op.getInput()), t.numbers(r)},
        t.shape, f32, [](Formula &f, ValueRange x) {
          Value normalized = f.round("normalized", f.mul(f.widen(x[1]), x[2]));
          return f.round("product", f.mul(f.widen(x[0]), normalized));
        });
    rewriter.replaceOp(op, sumOverRows(op, t, sum, t.shape));
    return success();
  }
};

/// The formula in letters as in dialects/NN/README.md: x, g, h, and the row's m
/// and r; a and b are the row's sums.
struct DecomposeLayerNormGrad : OpRewritePattern<LayerNormGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerNormGradOp op,
                                PatternRewriter &rewriter) const override {
    RowsBuilder t(rewriter, op);
    Type f32 = rewriter.getF32Type();
    Type sumType = getSumType(op.getContext(), op.getAccumulate());
    bool isClosed = op.getForm() == LayerNormGradForm::closed;

    auto [m, r] = LayerMoments::of(op, t, t.shape);
    TensorBuilder::Input gradient = t.elements(op.getGradient());
    SmallVector<TensorBuilder::Input> inputs = {gradient};
    t.append(inputs, op.getWeight());
    Value h =
        t.elementwise(inputs, t.shape, f32, [&](Formula &f, ValueRange x) {
          Value g = f.widen(x[0]);
          return op.getWeight() ? f.round("weighted", f.mul(g, f.widen(x[1])))
                                : g;
        });
    Value y = t.elementwise(
        {t.elements(op.getInput()), t.numbers(m), t.numbers(r)}, t.shape, f32,
        [&](Formula &f, ValueRange x) {
          return f.round("normalized", f.mul(centered(f, x[0], x[1]), x[2]));
        });
    Value products =
        isClosed
            ? t.elementwise({t.elements(h), t.elements(y)}, t.shape, sumType,
                            [&](Formula &f, ValueRange x) {
                              return f.mul(f.widen(x[0], sumType),
                                           f.widen(x[1], sumType));
                            })
            : t.elementwise({t.elements(h), t.elements(op.getInput()),
                             t.numbers(m), t.numbers(r)},
                            t.shape, sumType, [&](Formula &f, ValueRange x) {
                              Value c = centered(f, x[1], x[2]);
                              return f.mul(f.mul(f.widen(x[0], sumType),
                                                 f.widen(c, sumType)),
                                           f.widen(x[3], sumType));
                            });
    Value a = t.sum(t.widen(h, sumType), t.rank - 1, op.getEffectiveOrder());
    Value b = t.sum(products, t.rank - 1, op.getEffectiveOrder());
    SmallVector<TensorBuilder::Input> last = {t.elements(y), t.numbers(r),
                                              t.numbers(a), t.numbers(b)};
    if (isClosed)
      last.push_back(t.elements(h));
    else
      last.append(inputs);
    rewriter.replaceOp(
        op, t.elementwise(
                last, t.shape, op.getType().getElementType(),
                [&](Formula &f, ValueRange v) {
                  Value y = v[0], r = v[1], a = f.toF32(v[2]),
                        b = f.toF32(v[3]), n = f.number(t.shape.back(), f32);
                  if (isClosed) {
                    Value rest = f.sub(v[4], f.divide(op.getDivide(), a, n));
                    Value along = f.mul(y, f.divide(op.getDivide(), b, n));
                    return f.result(f.mul(r, f.sub(rest, along)));
                  }
                  Value direct = n;
                  if (op.getWeight())
                    direct = f.mul(direct, f.widen(v[5]));
                  direct = f.mul(direct, f.widen(v[4]));
                  Value sum = f.sub(f.sub(direct, f.mul(y, b)), a);
                  Value scale = f.mul(f.div(f.constant(1.0), n), r);
                  return f.result(f.mul(sum, scale));
                }));
    return success();
  }
};

struct DecomposeLayerNormWeightGrad : OpRewritePattern<LayerNormWeightGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerNormWeightGradOp op,
                                PatternRewriter &rewriter) const override {
    RowsBuilder t(rewriter, op);
    auto [m, r] = LayerMoments::of(op, t, t.shape);
    Value terms = t.elementwise(
        {t.elements(op.getGradient()), t.elements(op.getInput()), t.numbers(m),
         t.numbers(r)},
        t.shape, rewriter.getF32Type(), [](Formula &f, ValueRange x) {
          Value normalized =
              f.round("normalized", f.mul(centered(f, x[1], x[2]), x[3]));
          return f.round("product", f.mul(f.widen(x[0]), normalized));
        });
    rewriter.replaceOp(op, sumOverRows(op, t, terms, t.shape));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeNormGradients(RewritePatternSet &patterns) {
  patterns.add<DecomposeLayerNormGrad, DecomposeLayerNormWeightGrad,
               DecomposeRMSNormGrad, DecomposeRMSNormWeightGrad>(
      patterns.getContext());
}
