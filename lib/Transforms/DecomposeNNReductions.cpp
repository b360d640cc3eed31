// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn.sum, nn.mean, nn.softmax.
#include "DecomposeNNBuilder.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

namespace {
/// Sum and mean: the result's elements are `finish` of the sums.
template <typename OpTy> struct DecomposeReduction : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  static Value finish(nn::SumOp, Formula &f, Value sum, OpFoldResult) {
    return sum;
  }
  static Value finish(MeanOp op, Formula &f, Value sum, OpFoldResult count) {
    return f.divide(op.getDivide(), f.round("sum", sum),
                    f.number(count, sum.getType()));
  }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op));
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t dimension = op.getDimension();
    OpFoldResult count = sizes[dimension];
    Type sumType = getSumType(op.getContext(), op.getAccumulate());
    Value sum = t.sum(t.widen(op.getInput(), sumType), dimension,
                      op.getEffectiveOrder());

    AffineMap map = t.identityMap(sizes.size() - 1);
    if (op.getKeepdim()) {
      map = t.dropMap(sizes.size(), dimension);
      sizes[dimension] = rewriter.getIndexAttr(1);
    } else {
      sizes.erase(sizes.begin() + dimension);
    }
    rewriter.replaceOp(
        op, t.elementwise({{sum, map}}, sizes, op.getType().getElementType(),
                          [&](Formula &f, ValueRange x) {
                            return f.result(finish(op, f, x[0], count));
                          }));
    return success();
  }
};

struct DecomposeSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t dimension = op.getDimension();
    AffineMap all = t.identityMap(sizes.size());
    AffineMap row = t.dropMap(sizes.size(), dimension);

    Value largest = t.maximum(op.getInput(), dimension);
    Value exponentials = t.elementwise(
        {{op.getInput(), all}, {largest, row}}, sizes, rewriter.getF32Type(),
        [](Formula &f, ValueRange x) {
          Value shifted = f.round("shifted", f.sub(f.widen(x[0]), x[1]));
          return f.round("exponential", f.call<math::ExpOp>(shifted));
        });
    Type sumType = getSumType(op.getContext(), op.getAccumulate());
    Value sum = t.sum(t.widen(exponentials, sumType), dimension,
                      op.getEffectiveOrder());
    rewriter.replaceOp(
        op, t.elementwise(
                {{exponentials, all}, {sum, row}}, sizes,
                op.getType().getElementType(), [&](Formula &f, ValueRange x) {
                  Value divisor = f.toF32(f.round("sum", x[1]));
                  return f.result(f.divide(op.getDivide(), x[0], divisor));
                }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeReductions(RewritePatternSet &patterns) {
  patterns.add<DecomposeReduction<nn::SumOp>, DecomposeReduction<MeanOp>,
               DecomposeSoftmax>(patterns.getContext());
}
