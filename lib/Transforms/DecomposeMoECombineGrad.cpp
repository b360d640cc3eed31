// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.combine_grad.
#include "DecomposeMoE.h"
#include "DecomposeNNBuilder.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;
using prec::nn::Formula;
using prec::nn::TensorBuilder;

namespace {

/// Builds level R of one operation, in letters as in dialects/MoE/README.md.
class CombineGradient {
public:
  CombineGradient(CombineGradOp op, PatternRewriter &rewriter)
      : op(op), builder(rewriter), loc(op.getLoc()),
        t(rewriter, cast<RoundingPointOpInterface>(*op)) {}

  SmallVector<Value> run();

private:
  Value ofSlots();
  Value ofRows();
  Value ofWeights();
  Value e(Formula &f, Value dy);
  Value termGradient(Formula &f, Value dy, Value weight);

  AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  AffineMap map(unsigned rank, ArrayRef<AffineExpr> results) {
    return AffineMap::get(rank, 0, results, builder.getContext());
  }
  Value withZero(Value tensor);

  CombineGradOp op;
  OpBuilder &builder;
  Location loc;
  TensorBuilder t;
  OpFoldResult tokens, slots, hidden;
};

} // namespace

/// The tensor and behind it one element of its first dimension that is zero:
/// what an index that names nothing reads.
Value CombineGradient::withZero(Value tensor) {
  SmallVector<OpFoldResult> sizes = t.sizes(tensor);
  sizes[0] = builder.getIndexAttr(1);
  Value zero = t.filled(sizes, cast<TypedAttr>(builder.getZeroAttr(
                                   getElementTypeOrSelf(tensor.getType()))));
  return tensor::ConcatOp::create(builder, loc, 0, ValueRange{tensor, zero});
}

Value CombineGradient::e(Formula &f, Value dy) {
  dy = f.widen(dy);
  if (!op.getScale())
    return dy;
  return f.round("scaled", f.mul(dy, f.constant(*op.getScale())));
}

/// The gradient of one term's element; `weight` may be null.
Value CombineGradient::termGradient(Formula &f, Value dy, Value weight) {
  Value value = e(f, dy);
  if (weight)
    value = f.mul(value, weight.getType().isF32() ? f.round("weight", weight)
                                                  : f.widen(weight));
  return f.result(value);
}

Value CombineGradient::ofSlots() {
  SmallVector<TensorBuilder::Input> inputs = {
      {op.getGradient(), map(3, {dim(0), dim(2)})}};
  if (op.getWeights())
    inputs.push_back({op.getWeights(), map(3, {dim(0), dim(1)})});
  return t.elementwise(
      inputs, {tokens, slots, hidden}, op.getTerms().getType().getElementType(),
      [&](Formula &f, ValueRange x) {
        return termGradient(f, x[0], op.getWeights() ? x[1] : Value());
      });
}

/// Each row's gradient is that of the slot that names it.
Value CombineGradient::ofRows() {
  Value gradient = withZero(op.getGradient());
  Value weights = op.getWeights();
  if (weights) {
    SmallVector<ReassociationIndices> flat = {{0, 1}};
    weights =
        withZero(tensor::CollapseShapeOp::create(builder, loc, weights, flat));
  }
  Value numTokens = getValueOrCreateConstantIndexOp(builder, loc, tokens);
  Value numSlots = getValueOrCreateConstantIndexOp(builder, loc, slots);
  Value count = arith::MulIOp::create(builder, loc, numTokens, numSlots);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  // Without slots no row has one; nothing is divided by zero then.
  Value divisor = arith::MaxUIOp::create(builder, loc, numSlots, one);

  SmallVector<OpFoldResult> sizes = t.sizes(op.getTerms());
  Type element = op.getTerms().getType().getElementType();
  return t.elementwise(
      {{op.getSlots(), map(2, {dim(0)})}}, sizes, element,
      [&](Formula &f, ValueRange x) {
        OpBuilder &b = f.getBuilder();
        auto [isThere, slot] = checkIndex(f, toIndex(f, x[0]), count);
        Value token = arith::DivUIOp::create(b, loc, slot, divisor);
        token = select(f, isThere, token, numTokens);
        Value dy = extract(f, gradient, {token, loopIndex(f, 1)});
        Value weight;
        if (weights)
          weight = extract(f, weights, slot);
        Value zero =
            arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0.0));
        return select(f, isThere, termGradient(f, dy, weight), zero);
      });
}

Value CombineGradient::ofWeights() {
  AffineMap all = t.identityMap(3);
  AffineMap slot = map(3, {dim(0), dim(1)});
  SmallVector<TensorBuilder::Input> inputs = {
      {op.getGradient(), map(3, {dim(0), dim(2)})}};
  Value rows, numRows;
  if (op.getIndices()) {
    inputs.push_back({op.getIndices(), slot});
    rows = withZero(op.getTerms());
    numRows = getValueOrCreateConstantIndexOp(builder, loc,
                                              t.sizes(op.getTerms())[0]);
  } else {
    inputs.push_back({op.getTerms(), all});
  }
  Type type = getElementTypeOrSelf(op.getWeights().getType());
  Value products =
      t.elementwise(inputs, {tokens, slots, hidden}, builder.getF32Type(),
                    [&](Formula &f, ValueRange x) -> Value {
                      Value z = x[1], isThere;
                      if (rows) {
                        auto [known, row] =
                            checkIndex(f, toIndex(f, x[1]), numRows);
                        isThere = known;
                        z = extract(f, rows, {row, loopIndex(f, 2)});
                      }
                      Value product = f.mul(e(f, x[0]), f.widen(z));
                      // In f32 where the weights are.
                      if (!type.isF32())
                        product = f.round("product", product);
                      if (!rows)
                        return product;
                      return select(f, isThere, product, f.constant(0.0));
                    });
  Value sum = t.sum(products, 2, op.getEffectiveOrder());
  return t.elementwise(
      {{sum, t.identityMap(2)}}, {tokens, slots}, type,
      [](Formula &f, ValueRange x) { return f.result(x[0], 1); });
}

SmallVector<Value> CombineGradient::run() {
  SmallVector<OpFoldResult> sizes =
      t.sizes(op.getIndices() ? Value(op.getIndices()) : op.getTerms());
  tokens = sizes[0];
  slots = sizes[1];
  hidden = t.sizes(op.getTerms()).back();
  SmallVector<Value> results = {op.getIndices() ? ofRows() : ofSlots()};
  if (op.getWeights())
    results.push_back(ofWeights());
  return results;
}

namespace {
struct DecomposeCombineGrad : OpRewritePattern<CombineGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CombineGradOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, CombineGradient(op, rewriter).run());
    return success();
  }
};
} // namespace

void prec::moe::populateDecomposeCombineGrad(RewritePatternSet &patterns) {
  patterns.add<DecomposeCombineGrad>(patterns.getContext());
}
