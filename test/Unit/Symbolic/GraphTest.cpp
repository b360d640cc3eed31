// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Symbolic/Graph.h"

#include "prec/Numerics/Arithmetic.h"

#include <gtest/gtest.h>
#include <random>

using namespace prec;
using namespace prec::sym;

namespace {
struct SymbolicGraph : testing::Test {
  Graph g;
  uint32_t wide = g.tensor("w", 32), half = g.tensor("h", 16);
  Node x = g.leaf(wide, 0), y = g.leaf(wide, 1);
  Node a = g.leaf(half, 0), b = g.leaf(half, 1);

  uint64_t evaluate(Node n, std::vector<uint64_t> leaves) {
    return Evaluator(g, {n})(leaves)[0];
  }
};
} // namespace

TEST_F(SymbolicGraph, EqualExpressionsAreOneNode) {
  EXPECT_EQ(g.leaf(wide, 0), x);
  EXPECT_NE(x, y);
  Node sum = g.arithmetic(Op::Add, FormatId::F32, x, y);
  EXPECT_EQ(g.arithmetic(Op::Add, FormatId::F32, y, x), sum);
  EXPECT_NE(g.arithmetic(Op::Sub, FormatId::F32, x, y),
            g.arithmetic(Op::Sub, FormatId::F32, y, x));
  EXPECT_NE(g.arithmetic(Op::Add, FormatId::F32, x, y, 0,
                         num::Rounding::NearestEven, Contractible),
            sum);
  EXPECT_NE(
      g.arithmetic(Op::Add, FormatId::F32, x, y, 0, num::Rounding::Upward),
      sum);
}

TEST_F(SymbolicGraph, ConstantsFold) {
  Node one = g.constant(0x3f800000, 32);
  EXPECT_EQ(g.arithmetic(Op::Add, FormatId::F32, one, one),
            g.constant(0x40000000, 32));
  // What is only approximated is not folded away.
  EXPECT_FALSE(g.isConstant(
      g.function(FunctionId::Exp2, FormatId::F32, one, Approximate)));
  EXPECT_EQ(g.constant(0x1ff, 8), g.constant(0xff, 8));
}

TEST_F(SymbolicGraph, PiecesComeBack) {
  Node pair = g.concat(a, b);
  EXPECT_EQ(g.extract(pair, 0, 16), b);
  EXPECT_EQ(g.extract(pair, 16, 16), a);
  EXPECT_EQ(g.concat(g.extract(x, 16, 16), g.extract(x, 0, 16)), x);
  EXPECT_EQ(g.extract(g.extract(x, 8, 16), 4, 4), g.extract(x, 12, 4));
  // bf16 above zeros is its f32 value, by whatever instructions.
  Node value = g.convert(FormatId::BF16, FormatId::F32, a);
  EXPECT_EQ(g.concat(a, g.constant(0, 16)), value);
  EXPECT_EQ(g.shiftLeft(g.concat(g.constant(0, 16), a), 16), value);
  EXPECT_EQ(g.logic(Op::And, pair, g.constant(0xffff0000, 32)), value);
  EXPECT_EQ(g.shiftLeft(pair, 16), g.convert(FormatId::BF16, FormatId::F32, b));
  EXPECT_EQ(g.shiftRight(pair, 16, false), g.concat(g.constant(0, 16), a));
  EXPECT_EQ(g.logic(Op::Or, g.concat(g.constant(0, 16), b), value), pair);
  EXPECT_EQ(g.extract(value, 16, 16), a);
  EXPECT_EQ(g.extract(value, 0, 16), g.constant(0, 16));
}

TEST_F(SymbolicGraph, Signs) {
  EXPECT_EQ(g.logic(Op::Xor, x, g.constant(0x80000000, 32)), g.neg(x));
  EXPECT_EQ(g.logic(Op::And, x, g.constant(0x7fffffff, 32)), g.abs(x));
  EXPECT_EQ(g.neg(g.neg(x)), x);
  EXPECT_EQ(g.abs(g.neg(x)), g.abs(x));
  Node value = g.convert(FormatId::BF16, FormatId::F32, a);
  EXPECT_EQ(g.extract(g.neg(value), 16, 16), g.neg(a));
  EXPECT_EQ(g.concat(g.neg(a), g.constant(0, 16)), g.neg(value));
}

TEST_F(SymbolicGraph, Choices) {
  Node p = g.compare(FormatId::F32, 1, x, y);
  EXPECT_EQ(g.choice(p, x, x), x);
  EXPECT_EQ(g.choice(g.logicalNot(p), x, y), g.choice(p, y, x));
  EXPECT_EQ(g.choice(g.constant(1, 1), x, y), x);
  EXPECT_EQ(g.choice(p, g.choice(p, x, y), y), g.choice(p, x, y));
  EXPECT_EQ(g.extract(g.choice(p, x, y), 0, 8),
            g.choice(p, g.extract(x, 0, 8), g.extract(y, 0, 8)));
  EXPECT_EQ(evaluate(g.choice(p, x, y), {0x3f800000, 0x40000000}), 0x3f800000u);
}

TEST_F(SymbolicGraph, EqualBits) {
  EXPECT_EQ(g.equal(x, x), g.constant(1, 1));
  EXPECT_EQ(g.equal(x, y), g.equal(y, x));
  EXPECT_EQ(g.width(g.equal(x, y)), 1u);
  EXPECT_EQ(evaluate(g.equal(x, y), {0x7fc00000, 0x7fc00000}), 1u);
  EXPECT_EQ(evaluate(g.equal(x, y), {0x80000000, 0}), 0u);
}

/// Whatever is simplified evaluates to what was asked for.
TEST_F(SymbolicGraph, SimplificationsKeepBits) {
  std::mt19937 random(1);
  const uint64_t masks[] = {0xff,       0xffff0000, 0x00ffff00,
                            0x80000000, 0x7fffffff, 0x12345678,
                            0xff00ff00, 0xffffffff, 0};
  // Each node with its values for some inputs.
  constexpr int samples = 100;
  using Values = std::vector<uint64_t>;
  std::vector<std::pair<Node, Values>> pool{{x, Values(samples)},
                                            {y, Values(samples)}};
  for (int k = 0; k < samples; ++k)
    for (int n = 0; n < 2; ++n)
      pool[n].second[k] = random();
  for (int step = 0; step < 400; ++step) {
    std::pair<Node, Values> first = pool[random() % pool.size()];
    std::pair<Node, Values> second = pool[random() % pool.size()];
    Node n = first.first, result = 0;
    uint64_t mask = masks[random() % 9];
    unsigned by = random() % 32, low = random() % 31;
    unsigned width = 1 + random() % (32 - low);
    std::function<uint64_t(uint64_t, uint64_t)> f;
    switch (random() % 8) {
    case 0:
      result = g.logic(Op::And, n, g.constant(mask, 32));
      f = [=](uint64_t u, uint64_t) { return u & mask; };
      break;
    case 1:
      result = g.logic(Op::Or, n, g.constant(mask, 32));
      f = [=](uint64_t u, uint64_t) { return u | mask; };
      break;
    case 2:
      result = g.logic(Op::Xor, n, second.first);
      f = [=](uint64_t u, uint64_t v) { return u ^ v; };
      break;
    case 3:
      result = g.logic(Op::Or, n, second.first);
      f = [=](uint64_t u, uint64_t v) { return u | v; };
      break;
    case 4:
      result = g.shiftLeft(n, by);
      f = [=](uint64_t u, uint64_t) { return u << by & 0xffffffff; };
      break;
    case 5:
      result = g.shiftRight(n, by, false);
      f = [=](uint64_t u, uint64_t) { return u >> by; };
      break;
    case 6:
      result = g.shiftRight(n, by, true);
      f = [=](uint64_t u, uint64_t) { return uint32_t(int32_t(u) >> by); };
      break;
    default:
      result = g.extract(n, low, width);
      if (width < 32)
        result = g.concat(g.constant(0, 32 - width), result);
      f = [=](uint64_t u, uint64_t) {
        return u >> low & ((uint64_t(1) << width) - 1);
      };
    }
    Values values(samples);
    for (int k = 0; k < samples; ++k)
      values[k] = f(first.second[k], second.second[k]);
    pool.emplace_back(result, values);
  }
  std::vector<Node> roots;
  for (auto &entry : pool)
    roots.push_back(entry.first);
  Evaluator evaluator(g, roots);
  ASSERT_EQ(evaluator.leaves(), (std::vector<Node>{x, y}));
  for (int k = 0; k < samples; ++k) {
    auto values = evaluator({pool[0].second[k], pool[1].second[k]});
    for (size_t r = 0; r < roots.size(); ++r)
      ASSERT_EQ(values[r], pool[r].second[k]) << g.text(roots[r]);
  }
}

TEST_F(SymbolicGraph, EvaluatesFloats) {
  Node sum = g.arithmetic(Op::Add, FormatId::F32,
                          g.convert(FormatId::BF16, FormatId::F32, a),
                          g.convert(FormatId::BF16, FormatId::F32, b));
  Node rounded = g.convert(FormatId::F32, FormatId::BF16, sum);
  EXPECT_EQ(evaluate(rounded, {0x3f80, 0x3f80}), 0x4000u);
  EXPECT_EQ(evaluate(g.modify(Op::Flush, FormatId::F32, x), {0x80000001}),
            0x80000000u);
  EXPECT_EQ(evaluate(g.modify(Op::Saturate, FormatId::F32, x), {0x7fc00000}),
            0u);
  EXPECT_EQ(evaluate(g.modify(Op::Saturate, FormatId::F32, x), {0x40000000}),
            0x3f800000u);
  EXPECT_EQ(evaluate(g.modify(Op::Relu, FormatId::F32, x), {0xbf800000}), 0u);
  EXPECT_EQ(evaluate(g.toInteger(FormatId::F32, true, 32, x), {0xc0200000}),
            uint32_t(-2));
  EXPECT_EQ(evaluate(g.toInteger(FormatId::F32, false, 32, x), {0x7f000000}),
            0xffffffffu);
  EXPECT_EQ(evaluate(g.fromInteger(FormatId::F32, true, x), {0xffffffff}),
            0xbf800000u);
  EXPECT_EQ(evaluate(g.function(FunctionId::Exp2, FormatId::BF16, a), {0x3f80}),
            0x4000u);
  EXPECT_EQ(evaluate(g.compare(FormatId::F32, 8, x, y), {0x7fc00000, 0}), 1u);
  EXPECT_EQ(
      evaluate(g.opaque(
                   "twice", 32,
                   [](uint64_t v, uint64_t, uint64_t) { return 2 * v; }, x),
               {0x80000003}),
      6u);
}

TEST_F(SymbolicGraph, UndefinedValues) {
  Node p = g.compare(FormatId::F32, 1, x, y);
  Evaluator evaluator(g, {g.choice(p, x, g.undefined(32))});
  evaluator({0, 0x3f800000});
  EXPECT_FALSE(evaluator.usesUndefined());
  evaluator({0x3f800000, 0});
  EXPECT_TRUE(evaluator.usesUndefined());
}

TEST_F(SymbolicGraph, Text) {
  Node product = g.arithmetic(Op::Mul, FormatId::F32, x, y, 0,
                              num::Rounding::NearestEven, Contractible);
  Node e = g.function(FunctionId::Exp2, FormatId::F32,
                      g.arithmetic(Op::Fma, FormatId::F32, product, x,
                                   g.constant(0x3f800000, 32),
                                   num::Rounding::Downward),
                      Approximate);
  EXPECT_EQ(g.text(e), "exp2.approx.f32(fma.rm.f32(w[0], mul.contractible.f32("
                       "w[0], w[1]), 0x3f800000))");
  EXPECT_EQ(g.text(e, 0), "exp2.approx.f32(...)");
  EXPECT_EQ(g.text(g.extract(x, 8, 8)), "extract.8.8(w[0])");
}
