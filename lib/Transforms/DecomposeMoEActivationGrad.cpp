// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.activation_grad.
#include "DecomposeMoE.h"
#include "DecomposeNNBuilder.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;
using prec::nn::Formula;
using prec::nn::TensorBuilder;

namespace {

/// The formulas of one element, in letters as in dialects/MoE/README.md. Each
/// of its parts is written where it is used.
class Gradient {
public:
  /// All but the first two may be null.
  Gradient(ActivationGradOp op, Formula &f, Value gradient, Value gate,
           Value up, Value gateBias, Value upBias, Value probability)
      : op(op), f(f), dy(f.widen(gradient)),
        gate(addBias(f, f.widen(gate), gateBias)),
        up(up ? addBias(f, f.widen(up), upBias) : Value()),
        probability(probability) {}

  Value ofGate();
  Value ofUp();
  /// The summand of the probability's gradient.
  Value term();

private:
  Value d();
  Value g();
  Value a(Value g);
  /// value * o, or the value itself without an up.
  Value timesUp(Value value);
  Value gradientOfFunction(Value c, Value g);
  Value chain(Value g);
  /// The sigmoid of alpha * g.
  Value sigmoid(Value g) { return f.sigmoid(scale(f, op.getAlpha(), g)); }
  Value scaledSteps(Value c, Value g);

  ActivationGradOp op;
  Formula &f;
  Value dy, gate, up; ///< before they are clamped
  Value probability;
};

} // namespace

Value Gradient::d() {
  if (!probability)
    return dy;
  Value p = probability.getType().isF32() ? f.round("probability", probability)
                                          : f.widen(probability);
  return f.round("weighted", f.mul(dy, p));
}

Value Gradient::g() {
  return op.getLimit() ? clampGate(f, *op.getLimit(), gate) : gate;
}

Value Gradient::a(Value g) {
  return f.round("silu", applyFunction(f, op.getFunction(), op.getForm(),
                                       op.getAlpha(), g));
}

Value Gradient::timesUp(Value value) {
  if (!up)
    return value;
  Value o = op.getLimit() ? clampUp(f, *op.getLimit(), up) : up;
  if (op.getOffset())
    o = addOffset(f, *op.getOffset(), o);
  return f.mul(value, o);
}

/// function'(c, g)
Value Gradient::gradientOfFunction(Value c, Value g) {
  auto whereNotNegative = [&](Value value) {
    Value zero = f.constant(0.0);
    return f.select(arith::CmpFPredicate::OLE, g, zero, zero, value);
  };
  switch (op.getFunction()) {
  case Function::silu:
    return f.siluGradient(nn::MultiplyAdd::fused, c, g);
  case Function::gelu:
    return f.mul(c, f.geluSlope(nn::Approximation::none, g));
  case Function::gelu_tanh:
    return f.mul(c, f.geluSlope(nn::Approximation::tanh, g));
  case Function::relu_squared:
    return whereNotNegative(f.mul(c, f.mul(f.constant(2.0), g)));
  case Function::relu:
    return whereNotNegative(c);
  }
  llvm_unreachable("unknown function");
}

/// Of g * s, s being the sigmoid of alpha * g.
Value Gradient::scaledSteps(Value c, Value g) {
  Value s = f.round("sigmoid", sigmoid(g));
  Value complement = f.round("complement", f.sub(f.constant(1.0), s));
  Value slope =
      f.round("slope", f.mul(f.round("inner", f.mul(c, g)), complement));
  Value z = f.round("sloped", f.mul(slope, s));
  return f.add(f.round("gated", f.mul(c, s)),
               f.round("chained", f.mul(z, f.constant(*op.getAlpha()))));
}

Value Gradient::chain(Value g) {
  Value one = f.constant(1.0);
  Value s = f.round("sigmoid", sigmoid(g));
  Value complement = f.round("complement", f.sub(one, s));
  Value inner = f.round("inner", f.mul(scale(f, op.getAlpha(), g), complement));
  Value slope = f.round("slope", f.add(one, inner));
  Value sloped = f.mul(f.round("gated", f.mul(d(), s)), slope);
  return up ? timesUp(f.round("sloped", sloped)) : sloped;
}

Value Gradient::ofGate() {
  Value g = this->g(), value;
  switch (op.getDerivative()) {
  case Derivative::steps: {
    Value c = timesUp(d());
    if (up)
      c = f.round("activated", c);
    value = op.getAlpha() ? scaledSteps(c, g) : gradientOfFunction(c, g);
    break;
  }
  case Derivative::chain:
    value = chain(g);
    break;
  case Derivative::closed: {
    Value s = sigmoid(g);
    Value rest = f.mul(a(g), f.sub(f.constant(1.0), s));
    if (op.getAlpha())
      rest = f.mul(f.constant(*op.getAlpha()), rest);
    Value slope = f.add(s, rest);
    value = f.mul(timesUp(d()), slope);
    break;
  }
  }
  if (!op.getLimit())
    return value;
  return f.select(arith::CmpFPredicate::OLE, gate, f.constant(*op.getLimit()),
                  value, f.constant(0.0));
}

Value Gradient::ofUp() {
  Value value = f.mul(d(), a(g()));
  if (!op.getLimit())
    return value;
  Value zero = f.constant(0.0);
  APFloat least = *op.getLimit();
  least.changeSign();
  value = f.select(arith::CmpFPredicate::OLE, up, f.constant(*op.getLimit()),
                   value, zero);
  return f.select(arith::CmpFPredicate::OGE, up, f.constant(least), value,
                  zero);
}

Value Gradient::term() {
  Value value = a(g());
  if (op.getDerivative() == Derivative::closed)
    value = timesUp(f.mul(dy, value));
  else
    value = f.mul(dy, up ? f.round("product", timesUp(value)) : value);
  // In f32 where the probability is.
  return probability.getType().isF32() ? value : f.round("term", value);
}

namespace {
struct DecomposeActivationGrad : OpRewritePattern<ActivationGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ActivationGradOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    std::optional<Layout> layout = op.getLayout();
    int64_t hidden = op.getInput().getType().getShape().back() / 2;
    GateAndUp parts(t, op, hidden);
    Value gate = parts.gate, up = parts.up;
    Value gateBias = parts.gateBias, upBias = parts.upBias;
    if (layout)
      sizes.back() = rewriter.getIndexAttr(hidden);
    int64_t rank = sizes.size();
    AffineMap all = t.identityMap(rank), row = t.dropMap(rank, rank - 1);
    Type element = op.getInput().getType().getElementType();

    SmallVector<TensorBuilder::Input> inputs = {{op.getGradient(), all},
                                                {gate, all}};
    if (up)
      inputs.push_back({up, all});
    for (Value bias : {gateBias, upBias})
      if (bias)
        inputs.push_back(
            {bias,
             t.lastMap(rank,
                       cast<RankedTensorType>(bias.getType()).getRank())});
    if (op.getProbability())
      inputs.push_back({op.getProbability(), row});
    using Part = llvm::function_ref<Value(Formula &, Gradient &)>;
    auto build = [&](Type type, Part part) {
      return t.elementwise(inputs, sizes, type, [&](Formula &f, ValueRange x) {
        auto next = [&, i = 2u](Value tensor) mutable {
          return tensor ? x[i++] : Value();
        };
        Value u = next(up), gb = next(gateBias), ub = next(upBias);
        Gradient gradient(op, f, x[0], x[1], u, gb, ub,
                          next(op.getProbability()));
        return part(f, gradient);
      });
    };
    auto rounded = [&](Formula &f, Value value) {
      auto addZero = [&](Value x) { return f.add(x, f.constant(0.0)); };
      switch (op.getPack()) {
      case Pack::concat:
        return f.result(value);
      case Pack::add:
        return f.result(addZero(f.widen(f.result(value))));
      case Pack::add_f32:
        return f.result(addZero(value));
      }
      llvm_unreachable("unknown pack");
    };

    SmallVector<Value> results = {build(element, [&](Formula &f, Gradient &of) {
      return rounded(f, of.ofGate());
    })};
    if (up) {
      Value ofUp = build(element, [&](Formula &f, Gradient &of) {
        return rounded(f, of.ofUp());
      });
      if (layout)
        results[0] = pack(t, rewriter, results[0], ofUp, *layout);
      else
        results.push_back(ofUp);
    }
    for (auto [gradient, of] : {std::pair(op.getBiasGradient(), 0),
                                std::pair(op.getUpBiasGradient(), 1)})
      if (gradient)
        results.push_back(sumOverRows(op, t, rewriter, results[of],
                                      gradient.getType(), results.size()));
    if (op.getProbability()) {
      Value terms = build(rewriter.getF32Type(),
                          [](Formula &, Gradient &of) { return of.term(); });
      Value sum = t.sum(terms, rank - 1, op.getEffectiveOrder());
      results.push_back(t.elementwise(
          {{sum, t.identityMap(rank - 1)}}, ArrayRef(sizes).drop_back(),
          getElementTypeOrSelf(op.getProbability().getType()),
          [&](Formula &f, ValueRange x) {
            return f.result(x[0], op->getNumResults() - 1);
          }));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

  /// The gradient of a bias, of `type` and the result `number`: the sum of
  /// `gradient` over the rows.
  static Value sumOverRows(ActivationGradOp op, TensorBuilder &t,
                           PatternRewriter &rewriter, Value gradient,
                           RankedTensorType type, unsigned number) {
    SmallVector<OpFoldResult> sizes = t.sizes(gradient);
    int64_t outer = sizes.size() - type.getRank();
    Value terms = t.sumOverOuter(t.widen(gradient, rewriter.getF32Type()),
                                 outer, op.getEffectiveRowsOrder());
    return t.elementwise(
        {{terms, t.identityMap(type.getRank())}},
        ArrayRef(sizes).take_back(type.getRank()), type.getElementType(),
        [&](Formula &f, ValueRange x) { return f.result(x[0], number); });
  }

  /// The gradients of gate and up as one tensor in `layout`.
  static Value pack(TensorBuilder &t, PatternRewriter &rewriter, Value ofGate,
                    Value ofUp, Layout layout) {
    Location loc = ofGate.getLoc();
    int64_t rank = cast<RankedTensorType>(ofGate.getType()).getRank();
    if (layout == Layout::halves)
      return tensor::ConcatOp::create(rewriter, loc, rank - 1,
                                      ValueRange{ofGate, ofUp});
    // [..., n] and [..., n] make [..., n, 2], which is [..., 2 n].
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0; d < rank; ++d)
      groups.push_back({d});
    groups.back().push_back(rank);
    auto addUnit = [&](Value tensor) -> Value {
      SmallVector<OpFoldResult> sizes = t.sizes(tensor);
      sizes.push_back(rewriter.getIndexAttr(1));
      RankedTensorType type = cast<RankedTensorType>(tensor.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape.push_back(1);
      return tensor::ExpandShapeOp::create(
          rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
          tensor, groups, sizes);
    };
    Value pairs = tensor::ConcatOp::create(
        rewriter, loc, rank, ValueRange{addUnit(ofGate), addUnit(ofUp)});
    return tensor::CollapseShapeOp::create(rewriter, loc, pairs, groups);
  }
};
} // namespace

void prec::moe::populateDecomposeActivationGrad(RewritePatternSet &patterns) {
  patterns.add<DecomposeActivationGrad>(patterns.getContext());
}
