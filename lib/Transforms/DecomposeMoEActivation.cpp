// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.activation.
#include "DecomposeMoE.h"
#include "DecomposeNNBuilder.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;
using prec::nn::Formula;
using prec::nn::TensorBuilder;

Value prec::moe::addBias(Formula &f, Value value, Value bias) {
  return bias ? f.round("bias", f.add(value, f.widen(bias))) : value;
}

Value prec::moe::scale(Formula &f, std::optional<APFloat> alpha, Value gate) {
  return alpha ? f.round("scaled", f.mul(f.constant(*alpha), gate)) : gate;
}

Value prec::moe::applyFunction(Formula &f, Function function, SiluForm form,
                               std::optional<APFloat> alpha, Value g) {
  auto relu = [&] { return f.max(g, f.constant(0.0)); };
  switch (function) {
  case Function::silu: {
    Value divisor = f.onePlusExpOfMinus(scale(f, alpha, g));
    if (form == SiluForm::quotient)
      return f.div(g, divisor);
    return f.mul(g, f.round("sigmoid", f.div(f.constant(1.0), divisor)));
  }
  case Function::gelu:
    return f.gelu(nn::Approximation::none, g);
  case Function::gelu_tanh:
    return f.gelu(nn::Approximation::tanh, g);
  case Function::relu_squared: {
    Value positive = relu();
    return f.mul(positive, positive);
  }
  case Function::relu:
    return relu();
  }
  llvm_unreachable("unknown function");
}

Value prec::moe::clampGate(Formula &f, const APFloat &limit, Value gate) {
  return f.round("clamp", f.min(gate, f.constant(limit)));
}

Value prec::moe::clampUp(Formula &f, const APFloat &limit, Value up) {
  APFloat least = limit;
  least.changeSign();
  Value most = f.constant(limit);
  return f.round("clamp", f.min(f.max(up, f.constant(least)), most));
}

Value prec::moe::addOffset(Formula &f, const APFloat &offset, Value up) {
  Value scalar = f.round("offset_scalar", f.constant(offset));
  return f.round("offset", f.add(up, scalar));
}

void GateAndUp::split(TensorBuilder &t, Layout layout, int64_t hidden,
                      Value &first, Value &second) {
  if (!first)
    return;
  bool halves = layout == Layout::halves;
  int64_t stride = halves ? 1 : 2;
  second = t.sliceOfLast(first, halves ? hidden : 1, hidden, stride);
  first = t.sliceOfLast(first, 0, hidden, stride);
}

/// One element; null values are absent.
static Value formula(ActivationOp op, Formula &f, Value gate, Value up,
                     Value gateBias, Value upBias, Value probability) {
  // Operands of the format are rounded to it already.
  auto cast = [&](StringRef point, Value x) {
    return x.getType().isF32() ? f.round(point, x) : f.widen(x);
  };
  Value g = addBias(f, cast("gate_cast", gate), gateBias);
  Value u = up ? addBias(f, cast("up_cast", up), upBias) : Value();
  if (op.getLimit()) {
    g = clampGate(f, *op.getLimit(), g);
    if (u)
      u = clampUp(f, *op.getLimit(), u);
  }
  Value v = f.round("silu", applyFunction(f, op.getFunction(), op.getForm(),
                                          op.getAlpha(), g));
  if (u) {
    if (op.getOffset())
      u = addOffset(f, *op.getOffset(), u);
    v = f.round("product", f.mul(v, u));
  }
  if (probability)
    v = f.mul(v, probability.getType().isF32()
                     ? f.round("probability", probability)
                     : f.widen(probability));
  return f.result(v);
}

namespace {
struct DecomposeActivation : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    TensorBuilder t(rewriter, cast<RoundingPointOpInterface>(*op),
                    op.getMathAttr());
    SmallVector<OpFoldResult> sizes = t.sizes(op.getInput());
    int64_t hidden = op.getType().getShape().back();
    GateAndUp parts(t, op, hidden);
    Value gate = parts.gate, up = parts.up;
    Value gateBias = parts.gateBias, upBias = parts.upBias;
    if (op.getLayout())
      sizes.back() = rewriter.getIndexAttr(hidden);

    int64_t rank = sizes.size();
    SmallVector<TensorBuilder::Input> inputs;
    auto add = [&](Value tensor, AffineMap map) {
      if (tensor)
        inputs.push_back({tensor, map});
    };
    auto lastDimensions = [&](Value tensor) {
      if (!tensor)
        return AffineMap();
      int64_t count = cast<RankedTensorType>(tensor.getType()).getRank();
      return t.lastMap(rank, count);
    };
    add(gate, t.identityMap(rank));
    add(up, t.identityMap(rank));
    add(gateBias, lastDimensions(gateBias));
    add(upBias, lastDimensions(upBias));
    add(op.getProbability(), t.dropMap(rank, rank - 1));
    rewriter.replaceOp(
        op, t.elementwise(inputs, sizes, op.getType().getElementType(),
                          [&](Formula &f, ValueRange x) {
                            auto next = [&, i = 0u](Value tensor) mutable {
                              return tensor ? x[i++] : Value();
                            };
                            Value g = next(gate), u = next(up),
                                  gb = next(gateBias), ub = next(upBias),
                                  p = next(op.getProbability());
                            return formula(op, f, g, u, gb, ub, p);
                          }));
    return success();
  }
};
} // namespace

void prec::moe::populateDecomposeActivation(RewritePatternSet &patterns) {
  patterns.add<DecomposeActivation>(patterns.getContext());
}
