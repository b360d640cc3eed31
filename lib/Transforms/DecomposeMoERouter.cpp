// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.router. The experts are selected in one pass over them that keeps the k
// best so far, each a 64-bit integer: the upper half is the score's bits in an
// order that integers compare, the lower half is larger for lower experts. So
// no two are equal and the largest integers are the selection, whatever the
// order in which they come.
#include "DecomposeMoE.h"
#include "DecomposeNNBuilder.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prec;
using namespace prec::moe;
using prec::nn::Formula;
using prec::nn::TensorBuilder;

namespace {

/// Integer steps in the body of one linalg.generic.
class Integers {
public:
  explicit Integers(Formula &f)
      : f(f), b(f.getBuilder()), loc(f.getLoc()), i32(b.getI32Type()),
        i64(b.getI64Type()) {}

  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }
  /// f32 to an i32 that compares as it: of equal values one, and one NaN, the
  /// largest.
  Value ordered(Value score) {
    // -0 becomes +0.
    Value value = f.add(score, f.constant(0.0));
    Value isNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
    Value bits = arith::BitcastOp::create(b, loc, i32, value);
    return flipNegative(arith::SelectOp::create(
        b, loc, isNaN, constant(i32, 0x7fc00000), bits));
  }
  /// The candidate `expert` with `score`.
  Value candidate(Value score, Value expert) {
    Value high = arith::ShLIOp::create(
        b, loc, arith::ExtSIOp::create(b, loc, i64, ordered(score)),
        constant(i64, 32));
    Value number = arith::IndexCastOp::create(b, loc, i64, expert);
    Value low =
        arith::XOrIOp::create(b, loc, number, constant(i64, 0xffffffff));
    return arith::OrIOp::create(b, loc, high, low);
  }
  Value scoreOf(Value candidate) {
    Value high = arith::ShRSIOp::create(b, loc, candidate, constant(i64, 32));
    Value bits = flipNegative(arith::TruncIOp::create(b, loc, i32, high));
    return arith::BitcastOp::create(b, loc, f.f32(), bits);
  }
  Value expertOf(Value candidate, Type type) {
    Value low = arith::TruncIOp::create(b, loc, i32, candidate);
    Value number = arith::XOrIOp::create(b, loc, low, constant(i32, -1));
    if (type == i32)
      return number;
    return arith::ExtUIOp::create(b, loc, type, number);
  }

private:
  /// Reverses the order of the negative numbers; its own inverse.
  Value flipNegative(Value bits) {
    Value sign = arith::ShRSIOp::create(b, loc, bits, constant(i32, 31));
    Value mask = arith::AndIOp::create(b, loc, sign, constant(i32, 0x7fffffff));
    return arith::XOrIOp::create(b, loc, bits, mask);
  }

  Formula &f;
  OpBuilder &b;
  Location loc;
  Type i32, i64;
};

/// Builds level R of one operation.
class Router {
public:
  Router(RouterOp op, PatternRewriter &rewriter)
      : op(op), builder(rewriter), loc(op.getLoc()),
        t(rewriter, cast<RoundingPointOpInterface>(*op), op.getMathAttr()),
        topK(static_cast<int64_t>(op.getTopK())) {}

  /// The weights and the indices.
  std::pair<Value, Value> run();

private:
  void checkExperts();
  /// The largest element and the sum of exponentials of each row of
  /// `logits`, a softmax's.
  struct Statistics {
    Value largest, sum;
  };
  Statistics statistics(Value logits);
  Value logit(Formula &f, Value value) {
    return value.getType().isF32() ? f.round("logit", value) : f.widen(value);
  }
  Value exponential(Formula &f, Value logit, Value largest) {
    Value shifted = f.round("shifted", f.sub(logit, largest));
    return f.round("exponential", f.call<math::ExpOp>(shifted));
  }
  Value softmax(Formula &f, Value logit, Value largest, Value sum) {
    return f.round("score",
                   f.divide(op.getDivide(), exponential(f, logit, largest),
                            f.round("sum", sum)));
  }
  /// The score of a logit, in the row with these statistics.
  Value score(Formula &f, Value logit, ValueRange rowStatistics);
  Value biased(Formula &f, Value score, Value bias);

  using Inputs = SmallVector<TensorBuilder::Input>;
  using Candidate = llvm::function_ref<Value(Formula &, ValueRange)>;
  SmallVector<Value> best(const Inputs &inputs, AffineMap map,
                          ArrayRef<OpFoldResult> sizes, int64_t count,
                          Candidate candidate);
  Inputs choiceInputs(Value logits, Value bias);
  Value choiceOf(Formula &f, ValueRange x);
  SmallVector<Value> select();
  Value selectGroups(int64_t perGroup);
  SmallVector<Value> selectInGroups();
  Value indicesOf(ArrayRef<Value> selected);
  Value scoresAt(Value indices);
  Value finish(Value scores);

  AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  AffineMap map(unsigned rank, ArrayRef<AffineExpr> results) {
    return AffineMap::get(rank, 0, results, builder.getContext());
  }
  /// Appends the statistics of the row `dim(0)`.
  void addStatistics(unsigned rank, Inputs &inputs) {
    for (Value value : {row.largest, row.sum})
      if (value)
        inputs.push_back({value, map(rank, {dim(0)})});
  }

  RouterOp op;
  OpBuilder &builder;
  Location loc;
  TensorBuilder t;
  int64_t topK;
  Value logits;   ///< f32, rounded where that was asked for
  Statistics row; ///< null unless scores are a softmax
  OpFoldResult tokens, experts;
};

} // namespace

void Router::checkExperts() {
  auto count = dyn_cast<Value>(experts);
  if (!count)
    return;
  Value least = arith::ConstantIndexOp::create(builder, loc, topK);
  Value enough = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       count, least);
  cf::AssertOp::create(builder, loc, enough,
                       "moe.router: fewer experts than top_k");
}

Router::Statistics Router::statistics(Value ofLogits) {
  Value largest = t.maximum(ofLogits, 1);
  Value exponentials = t.elementwise(
      {{ofLogits, t.identityMap(2)}, {largest, t.dropMap(2, 1)}},
      t.sizes(ofLogits), builder.getF32Type(),
      [&](Formula &f, ValueRange x) { return exponential(f, x[0], x[1]); });
  return {largest, t.sum(exponentials, 1, op.getEffectiveOrder())};
}

Value Router::score(Formula &f, Value logit, ValueRange rowStatistics) {
  switch (op.getScoring()) {
  case Scoring::softmax:
    return softmax(f, logit, rowStatistics[0], rowStatistics[1]);
  case Scoring::sigmoid:
    return f.round("score", f.div(f.constant(1.0), f.onePlusExpOfMinus(logit)));
  case Scoring::softmax_of_top:
    return logit;
  }
  llvm_unreachable("unknown scoring");
}

/// What experts are selected by; a null bias is absent.
Value Router::biased(Formula &f, Value score, Value bias) {
  if (!bias)
    return score;
  Value b = bias.getType().isF32() ? f.round("bias", bias) : f.widen(bias);
  return f.round("biased", f.add(score, b));
}

/// For each point of the output map, the `count` largest candidates in
/// descending order.
SmallVector<Value> Router::best(const Inputs &inputs, AffineMap outputMap,
                                ArrayRef<OpFoldResult> sizes, int64_t count,
                                Candidate candidate) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const TensorBuilder::Input &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.append(count, outputMap);
  SmallVector<utils::IteratorType> iterators(outputMap.getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : outputMap.getResults())
    iterators[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  Value none = t.filled(
      sizes, builder.getI64IntegerAttr(std::numeric_limits<int64_t>::min()));
  SmallVector<Value> inits(count, none);
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange(ValueRange(inits)), tensors, inits, maps,
      iterators, [&](OpBuilder &b, Location, ValueRange all) {
        Formula f(b, loc, cast<RoundingPointOpInterface>(*op),
                  op.getMathAttr());
        Value next = candidate(f, all.take_front(inputs.size()));
        SmallVector<Value> kept;
        for (Value held : all.drop_front(inputs.size())) {
          kept.push_back(arith::MaxSIOp::create(b, loc, held, next));
          next = arith::MinSIOp::create(b, loc, held, next);
        }
        linalg::YieldOp::create(b, loc, kept);
      });
  return SmallVector<Value>(generic.getResults());
}

/// What choiceOf reads: logits and perhaps biases of experts, by (token,
/// expert), and the statistics of the row.
Router::Inputs Router::choiceInputs(Value logits, Value bias) {
  Inputs inputs = {{logits, t.identityMap(2)}};
  if (bias)
    inputs.push_back({bias, map(2, {dim(1)})});
  addStatistics(2, inputs);
  return inputs;
}

/// What an expert is selected by.
Value Router::choiceOf(Formula &f, ValueRange x) {
  Value bias = op.getBias() ? x[1] : Value();
  return biased(f, score(f, x[0], x.drop_front(bias ? 2 : 1)), bias);
}

SmallVector<Value> Router::select() {
  return best(choiceInputs(logits, op.getBias()), map(2, {dim(0)}), {tokens},
              topK, [&](Formula &f, ValueRange x) {
                return Integers(f).candidate(choiceOf(f, x), loopIndex(f, 1));
              });
}

/// [tokens]: a number whose bit g says that group g is selected. All of a
/// token's groups are in one row, so that a kernel can have all of it.
Value Router::selectGroups(int64_t perGroup) {
  auto groups = static_cast<int64_t>(*op.getGroups());
  int64_t members = op.getGroupScore() == GroupScore::top2_sum ? 2 : 1;
  Inputs leaders; // the best of group 0, of group 1, ...
  for (int64_t group = 0; group < groups; ++group) {
    auto ofGroup = [&](Value tensor) -> Value {
      return t.sliceOfLast(tensor, group * perGroup, perGroup);
    };
    Value bias = op.getBias() ? ofGroup(op.getBias()) : Value();
    for (Value leader :
         best(choiceInputs(ofGroup(logits), bias), map(2, {dim(0)}), {tokens},
              members, [&](Formula &f, ValueRange x) {
                return Integers(f).candidate(choiceOf(f, x), loopIndex(f, 1));
              }))
      leaders.push_back({leader, t.identityMap(1)});
  }
  return t.elementwise(
      leaders, {tokens}, builder.getI64Type(), [&](Formula &f, ValueRange x) {
        OpBuilder &b = f.getBuilder();
        Integers integers(f);
        SmallVector<Value> ranked, kept;
        for (int64_t group = 0; group < groups; ++group) {
          ValueRange leader = x.slice(group * members, members);
          Value total = integers.scoreOf(leader[0]);
          if (members == 2)
            total = f.round("group_score",
                            f.add(total, integers.scoreOf(leader[1])));
          Value number = arith::ConstantIndexOp::create(b, loc, group);
          Value next = integers.candidate(total, number);
          ranked.push_back(next);
          for (Value &held : kept) {
            Value larger = arith::MaxSIOp::create(b, loc, held, next);
            next = arith::MinSIOp::create(b, loc, held, next);
            held = larger;
          }
          if (kept.size() < *op.getTopGroups())
            kept.push_back(next);
        }
        Value mask = integers.constant(b.getI64Type(), 0);
        for (auto [group, candidate] : llvm::enumerate(ranked)) {
          Value isSelected = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::sge, candidate, kept.back());
          Value bit = arith::SelectOp::create(
              b, loc, isSelected,
              integers.constant(b.getI64Type(), int64_t(uint64_t(1) << group)),
              integers.constant(b.getI64Type(), 0));
          mask = arith::OrIOp::create(b, loc, mask, bit);
        }
        return mask;
      });
}

/// Selects groups, then experts of these.
SmallVector<Value> Router::selectInGroups() {
  auto groups = static_cast<int64_t>(*op.getGroups());
  int64_t perGroup = op.getLogits().getType().getDimSize(1) / groups;
  Value groupsOfToken = selectGroups(perGroup);
  Inputs inputs = choiceInputs(logits, op.getBias());
  inputs.push_back({groupsOfToken, map(2, {dim(0)})});
  Value masked = arith::ConstantOp::create(
      builder, loc,
      op.getMasked() == Masked::zero
          ? builder.getF32FloatAttr(0.0f)
          : builder.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
  return best(
      inputs, map(2, {dim(0)}), {tokens}, topK, [&](Formula &f, ValueRange x) {
        OpBuilder &b = f.getBuilder();
        Value expert = loopIndex(f, 1);
        Value group = arith::DivUIOp::create(
            b, loc, expert, arith::ConstantIndexOp::create(b, loc, perGroup));
        group = arith::IndexCastOp::create(b, loc, b.getI64Type(), group);
        Value bit = arith::ShRUIOp::create(b, loc, x.back(), group);
        Value selected = arith::TruncIOp::create(b, loc, b.getI1Type(), bit);
        Value choice = arith::SelectOp::create(
            b, loc, selected, choiceOf(f, x.drop_back()), masked);
        return Integers(f).candidate(choice, expert);
      });
}

/// [tokens, top_k]: the experts.
Value Router::indicesOf(ArrayRef<Value> selected) {
  Inputs inputs;
  for (Value candidate : selected)
    inputs.push_back({candidate, map(2, {dim(0)})});
  Type type = op.getIndices().getType().getElementType();
  return t.elementwise(
      inputs, {tokens, builder.getIndexAttr(topK)}, type,
      [&](Formula &f, ValueRange x) {
        OpBuilder &b = f.getBuilder();
        Value rank = loopIndex(f, 1);
        Value candidate = x.back();
        for (int64_t i = topK - 2; i >= 0; --i) {
          Value isHere =
              arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rank,
                                    arith::ConstantIndexOp::create(b, loc, i));
          candidate = arith::SelectOp::create(b, loc, isHere, x[i], candidate);
        }
        return Integers(f).expertOf(candidate, type);
      });
}

/// [tokens, top_k]: the scores without bias, of softmax_of_top the logits.
Value Router::scoresAt(Value indices) {
  Inputs inputs = {{indices, t.identityMap(2)}};
  addStatistics(2, inputs);
  return t.elementwise(
      inputs, {tokens, builder.getIndexAttr(topK)}, builder.getF32Type(),
      [&](Formula &f, ValueRange x) {
        Value logit = extract(f, logits, {loopIndex(f, 0), toIndex(f, x[0])});
        return score(f, logit, x.drop_front());
      });
}

/// From the scores of the selected experts to their weights.
Value Router::finish(Value scores) {
  AffineMap all = t.identityMap(2), ofToken = t.dropMap(2, 1);
  Inputs inputs = {{scores, all}};
  if (op.getScoring() == Scoring::softmax_of_top) {
    Statistics selected = statistics(scores);
    inputs.push_back({selected.largest, ofToken});
    inputs.push_back({selected.sum, ofToken});
  } else if (op.getRenormalize()) {
    inputs.push_back({t.sum(scores, 1, op.getEffectiveTotalOrder()), ofToken});
  }
  return t.elementwise(inputs, {tokens, builder.getIndexAttr(topK)},
                       op.getWeights().getType().getElementType(),
                       [&](Formula &f, ValueRange x) {
                         Value weight = x[0];
                         if (op.getScoring() == Scoring::softmax_of_top) {
                           weight = softmax(f, weight, x[1], x[2]);
                         } else if (op.getRenormalize()) {
                           Value total = x[1];
                           if (op.getEpsilon())
                             total = f.add(total, f.constant(*op.getEpsilon()));
                           weight =
                               f.round("normalized",
                                       f.div(weight, f.round("total", total)));
                         }
                         if (op.getScale())
                           weight = f.mul(weight, f.constant(*op.getScale()));
                         return f.result(weight);
                       });
}

std::pair<Value, Value> Router::run() {
  SmallVector<OpFoldResult> sizes = t.sizes(op.getLogits());
  tokens = sizes[0];
  experts = sizes[1];
  checkExperts();
  logits = t.elementwise(
      {{op.getLogits(), t.identityMap(2)}}, sizes, builder.getF32Type(),
      [&](Formula &f, ValueRange x) { return logit(f, x[0]); });
  if (op.getScoring() == Scoring::softmax)
    row = statistics(logits);
  Value indices = indicesOf(op.getGroups() ? selectInGroups() : select());
  return {finish(scoresAt(indices)), indices};
}

namespace {
struct DecomposeRouter : OpRewritePattern<RouterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RouterOp op,
                                PatternRewriter &rewriter) const override {
    auto [weights, indices] = Router(op, rewriter).run();
    rewriter.replaceOp(op, {weights, indices});
    return success();
  }
};
} // namespace

void prec::moe::populateDecomposeRouter(RewritePatternSet &patterns) {
  patterns.add<DecomposeRouter>(patterns.getContext());
}
