// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn.rope.
#include "DecomposeNNBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

namespace {
struct DecomposeRope : OpRewritePattern<RopeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RopeOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op));
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t rank = sizes.size();
    AffineMap all = t.identityMap(rank);
    Type f32 = rewriter.getF32Type();

    // The halves are rotated in f32: negation is then exact and no point.
    int64_t half = op.getInput().getType().getShape().back() / 2;
    SmallVector<OpFoldResult> halfSizes(sizes);
    halfSizes.back() = rewriter.getIndexAttr(half);
    Value low = t.widen(t.sliceOfLast(op.getInput(), 0, half), f32);
    Value high = t.elementwise(
        {{t.sliceOfLast(op.getInput(), half, half), all}}, halfSizes, f32,
        [](Formula &f, ValueRange x) { return f.neg(f.widen(x[0])); });
    Value rotated = tensor::ConcatOp::create(rewriter, loc, rank - 1,
                                             ValueRange{high, low});

    auto angles = [&](TypedValue<RankedTensorType> tensor) {
      return TensorBuilder::Input{tensor,
                                  t.lastMap(rank, tensor.getType().getRank())};
    };
    rewriter.replaceOp(
        op,
        t.elementwise(
            {{op.getInput(), all},
             angles(op.getCos()),
             {rotated, all},
             angles(op.getSin())},
            sizes, op.getType().getElementType(), [](Formula &f, ValueRange x) {
              Value a = f.round("product", f.mul(f.widen(x[0]), f.widen(x[1])));
              Value b = f.round("product", f.mul(x[2], f.widen(x[3])));
              return f.result(f.add(a, b));
            }));
    return success();
  }
};
} // namespace

void prec::nn::populateDecomposeRope(RewritePatternSet &patterns) {
  patterns.add<DecomposeRope>(patterns.getContext());
}
