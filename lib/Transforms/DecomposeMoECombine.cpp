// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.combine.
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

/// Builds level R of one operation.
class Combine {
public:
  Combine(CombineOp op, PatternRewriter &rewriter)
      : op(op), builder(rewriter), loc(op.getLoc()),
        t(rewriter, cast<RoundingPointOpInterface>(*op), op.getMathAttr()),
        terms(op.getTerms()) {}

  Value run();

private:
  void readSizes();
  void addBias();
  void addRowForDropped();
  Value slotsInOrder();
  Value sum();
  Value finish(Value sum);

  AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  AffineMap map(unsigned rank, ArrayRef<AffineExpr> results) {
    return AffineMap::get(rank, 0, results, builder.getContext());
  }
  /// Positions of the loops over tokens, slots and hidden elements.
  struct Loops {
    unsigned token, slot, hidden;
  };
  void addInputs(Loops loops, SmallVectorImpl<TensorBuilder::Input> &inputs);
  Value term(Formula &f, Loops loops, ValueRange elements);

  CombineOp op;
  OpBuilder &builder;
  Location loc;
  TensorBuilder t;
  Value terms;   ///< with their bias
  Value order;   ///< [tokens, slots] of slot numbers, or null
  Value numRows; ///< of the terms, where indices name them
  OpFoldResult tokens, slots, hidden;
};

} // namespace

void Combine::readSizes() {
  SmallVector<OpFoldResult> sizes = t.sizes(op.getTerms());
  hidden = sizes.back();
  if (op.getIndices()) {
    numRows = getValueOrCreateConstantIndexOp(builder, loc, sizes[0]);
    sizes = t.sizes(op.getIndices());
  }
  tokens = sizes[0];
  slots = sizes[1];
}

void Combine::addBias() {
  if (!op.getBias())
    return;
  SmallVector<OpFoldResult> sizes = t.sizes(terms);
  int64_t count = cast<RankedTensorType>(op.getBias().getType()).getRank();
  terms = t.elementwise(
      {{terms, t.identityMap(sizes.size())},
       {op.getBias(), t.lastMap(sizes.size(), count)}},
      sizes, builder.getF32Type(), [](Formula &f, ValueRange x) {
        return f.round("bias", f.add(f.widen(x[0]), f.widen(x[1])));
      });
}

/// Dropped slots read a row of -0 behind the last one: there may be no other.
void Combine::addRowForDropped() {
  if (!op.getIndices())
    return;
  Type element = getElementTypeOrSelf(terms.getType());
  Value row = t.filled({builder.getIndexAttr(1), hidden},
                       builder.getFloatAttr(element, -0.0));
  terms = tensor::ConcatOp::create(builder, loc, 0, ValueRange{terms, row});
}

/// [tokens, slots]: the slot that comes first, second, ... in ascending order
/// of the keys, and of the slots where keys are equal.
Value Combine::slotsInOrder() {
  auto zeros = [&] {
    return t.filled({tokens, slots}, builder.getI32IntegerAttr(0));
  };
  auto add = [](Formula &f, Value a, Value b) -> Value {
    return arith::AddIOp::create(f.getBuilder(), f.getLoc(), a, b);
  };
  auto toI32 = [&](Formula &f, Value index) -> Value {
    return arith::IndexCastOp::create(f.getBuilder(), f.getLoc(),
                                      builder.getI32Type(), index);
  };
  AffineMap own = map(3, {dim(0), dim(1)}), other = map(3, {dim(0), dim(2)});
  // How many slots come before each.
  Value places = t.generic(
      {{op.getKeys(), own}, {op.getKeys(), other}}, {zeros(), own},
      [&](Formula &f, ValueRange x) {
        Value less = compare(f, arith::CmpIPredicate::slt, x[1], x[0]);
        Value same = compare(f, arith::CmpIPredicate::eq, x[1], x[0]);
        Value earlier = compare(f, arith::CmpIPredicate::ult, loopIndex(f, 2),
                                loopIndex(f, 1));
        OpBuilder &b = f.getBuilder();
        Value tie = arith::AndIOp::create(b, loc, same, earlier);
        Value before = arith::OrIOp::create(b, loc, less, tie);
        return add(
            f, x[2],
            arith::ExtUIOp::create(b, loc, builder.getI32Type(), before));
      });
  return t.generic({{places, other}}, {zeros(), own},
                   [&](Formula &f, ValueRange x) {
                     Value isHere = compare(f, arith::CmpIPredicate::eq, x[0],
                                            toI32(f, loopIndex(f, 1)));
                     return select(f, isHere, toI32(f, loopIndex(f, 2)), x[1]);
                   });
}

void Combine::addInputs(Loops loops,
                        SmallVectorImpl<TensorBuilder::Input> &inputs) {
  AffineExpr token = dim(loops.token), slot = dim(loops.slot);
  if (order) {
    inputs.push_back({order, map(3, {token, slot})});
    return;
  }
  if (op.getWeights())
    inputs.push_back({op.getWeights(), map(3, {token, slot})});
  if (op.getIndices())
    inputs.push_back({op.getIndices(), map(3, {token, slot})});
  else
    inputs.push_back({terms, map(3, {token, slot, dim(loops.hidden)})});
}

/// R_term(z * R_weight(w)); for a dropped slot -0 * +0, which is -0 and adds
/// nothing to any sum. `elements` are those of addInputs.
Value Combine::term(Formula &f, Loops loops, ValueRange elements) {
  Value token, slot;
  if (order) {
    token = loopIndex(f, loops.token);
    slot = toIndex(f, elements[0]);
  }
  auto ofSlot = [&, next = 0u](Value tensor) mutable -> Value {
    return order ? extract(f, tensor, {token, slot}) : elements[next++];
  };
  Value weight = op.getWeights() ? ofSlot(op.getWeights()) : Value();
  Value z;
  if (op.getIndices()) {
    auto [isThere, row] =
        checkIndex(f, toIndex(f, ofSlot(op.getIndices())), numRows);
    if (weight)
      weight = select(f, isThere, weight, f.constant(0.0, weight.getType()));
    z = extract(f, terms, {row, loopIndex(f, loops.hidden)});
  } else if (order) {
    z = extract(f, terms, {token, slot, loopIndex(f, loops.hidden)});
  } else {
    z = ofSlot(terms);
  }
  Value value = f.widen(z);
  if (weight) {
    Value w =
        weight.getType().isF32() ? f.round("weight", weight) : f.widen(weight);
    value = f.round("term", f.mul(value, w));
  } else if (z.getType().isF32()) {
    // A 16-bit one is rounded already.
    value = f.round("term", value);
  }
  return value;
}

Value Combine::sum() {
  Type type = nn::getSumType(op.getContext(), op.getAccumulate());
  SmallVector<TensorBuilder::Input> inputs;
  if (OrderAttr tree = op.getOrderAttr()) {
    Loops loops{0, 1, 2};
    addInputs(loops, inputs);
    Value all = t.elementwise(inputs, {tokens, slots, hidden}, type,
                              [&](Formula &f, ValueRange x) {
                                return f.widen(term(f, loops, x), type);
                              });
    return t.sum(all, 1, tree);
  }
  // The slots are the innermost loop, which is reduced in ascending order.
  Loops loops{0, 2, 1};
  addInputs(loops, inputs);
  Value zero = t.filled({tokens, hidden}, builder.getFloatAttr(type, 0.0));
  return t.generic(inputs, {zero, map(3, {dim(0), dim(1)})},
                   [&](Formula &f, ValueRange x) {
                     Value next = f.widen(term(f, loops, x.drop_back()), type);
                     return f.round("accumulate", f.add(x.back(), next));
                   });
}

/// From the sum to the result.
Value Combine::finish(Value sum) {
  AffineMap all = t.identityMap(2);
  SmallVector<TensorBuilder::Input> inputs = {{sum, all}};
  if (op.getShared())
    inputs.push_back({op.getShared(), all});
  if (Value logit = op.getSharedLogit()) {
    SmallVector<AffineExpr> at = {dim(0)};
    if (cast<RankedTensorType>(logit.getType()).getRank() == 2)
      at.push_back(builder.getAffineConstantExpr(0));
    inputs.push_back({logit, map(2, at)});
  }
  if (op.getResidual())
    inputs.push_back({op.getResidual(), all});
  bool isLast = !op.getScale() && inputs.size() == 1;
  return t.elementwise(
      inputs, {tokens, hidden}, op.getType().getElementType(),
      [&](Formula &f, ValueRange x) {
        unsigned next = 1;
        Value s = f.round("sum", x[0]);
        // An f64 sum is rounded once where it is the result.
        if (!isLast)
          s = f.toF32(s);
        if (op.getScale())
          s = f.round("scaled", f.mul(s, f.constant(*op.getScale())));
        if (op.getShared()) {
          Value shared = f.widen(x[next++]);
          if (op.getSharedLogit()) {
            Value divisor = f.onePlusExpOfMinus(f.widen(x[next++]));
            Value gate =
                f.round("shared_gate", f.div(f.constant(1.0), divisor));
            shared = f.round("shared", f.mul(gate, shared));
          }
          s = f.round("combined", f.add(s, shared));
        }
        if (op.getResidual())
          s = f.add(s, f.widen(x[next++]));
        return f.result(s);
      });
}

Value Combine::run() {
  readSizes();
  addBias();
  addRowForDropped();
  if (op.isByKeys())
    order = slotsInOrder();
  return finish(sum());
}

namespace {
struct DecomposeCombine : OpRewritePattern<CombineOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CombineOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, Combine(op, rewriter).run());
    return success();
  }
};
} // namespace

void prec::moe::populateDecomposeCombine(RewritePatternSet &patterns) {
  patterns.add<DecomposeCombine>(patterns.getContext());
}
