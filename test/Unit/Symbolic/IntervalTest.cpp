// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that expressions with approximate operations may evaluate to.
#include "prec/Symbolic/Interval.h"
#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Functions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace prec;
using namespace prec::sym;

namespace {
constexpr FormatId f32 = FormatId::F32;

uint32_t bits(float value) { return num::bitCast<uint32_t>(value); }
float number(uint64_t bits) { return num::bitCast<float>(uint32_t(bits)); }

/// Evaluates some nodes of a graph to everything that they can be.
class IntervalEvaluator {
public:
  IntervalEvaluator(const Graph &graph, std::vector<Node> roots)
      : graph(graph), roots(std::move(roots)),
        order(reachable(graph, this->roots)) {}
  std::vector<Outcomes> operator()(const std::vector<uint64_t> &leafValues) {
    size_t leaf = 0;
    for (Node n : order) {
      const Expr &e = graph[n];
      if (e.op == Op::Leaf) {
        at[n].kind = Outcomes::Kind::Values;
        at[n].values = {leafValues[leaf++]};
        continue;
      }
      std::array<const Outcomes *, 3> operands{};
      for (unsigned o = 0; o < 3; ++o)
        if (Node operand = e.operands[o])
          operands[o] = &at[operand];
      at[n] = outcomesOf(graph, e, operands);
    }
    std::vector<Outcomes> out;
    for (Node root : roots)
      out.push_back(at[root]);
    return out;
  }

private:
  const Graph &graph;
  std::vector<Node> roots, order;
  std::unordered_map<Node, Outcomes> at;
};

/// Expressions of one element of x, of 16 or 32 bits.
struct Expressions : Graph {
  explicit Expressions(unsigned width) : x(leaf(tensor("x", width), 0)) {}
  Node f(float value) { return constant(bits(value), 32); }
  Node approx(FunctionId id, Node a) {
    return function(id, f32, a, Approximate);
  }
  Node rcp(Node a) {
    return arithmetic(Op::Div, f32, f(1), a, 0, num::Rounding::NearestEven,
                      Approximate | Reciprocal);
  }
  Node add(Node a, Node b) { return arithmetic(Op::Add, f32, a, b); }
  Node mul(Node a, Node b) { return arithmetic(Op::Mul, f32, a, b); }
  Outcomes at(Node n, uint64_t value) {
    return IntervalEvaluator(*this, {n})({value})[0];
  }
  Node x;
};

/// How many inputs of a 16-bit format leave `sigmoid` undecided, by
/// 1 / (1 + 2^(-x * log2(e))) with the two approximate instructions; on all
/// others it is the correctly rounded function's rounding, unless one of
/// `wrong` is.
unsigned undecidedSigmoid(FormatId id, unsigned &wrong) {
  const num::Format &format = *formatOf(id);
  Expressions e(16);
  Node wide = e.convert(id, f32, e.x);
  Node t = e.mul(wide, e.f(-1.44269504f));
  Node s = e.rcp(e.add(e.f(1), e.approx(FunctionId::Exp2, t)));
  IntervalEvaluator evaluate(e, {e.convert(f32, id, s)});
  unsigned undecided = 0;
  wrong = 0;
  for (unsigned x = 0; x < 65536; ++x) {
    Outcomes o = evaluate({x})[0];
    float exact = number(num::round(format, x, num::kF32));
    float value = 1.0f / (1.0f + num::cr::exp(-exact));
    uint64_t expected = num::round(num::kF32, bits(value), format);
    if (!o.isAlways(format, expected))
      ++(o.isSingle() ? wrong : undecided);
    EXPECT_TRUE(o.isSingle() || o.contains(format, expected)) << x;
  }
  return undecided;
}
} // namespace

TEST(Interval, WithoutApproximationsIsEvaluation) {
  Expressions e(16);
  Node wide = e.convert(FormatId::BF16, f32, e.x);
  Node n =
      e.convert(f32, FormatId::BF16,
                e.choice(e.compare(f32, 1, wide, e.f(2)),
                         e.function(FunctionId::Tanh, f32, e.mul(wide, wide)),
                         e.arithmetic(Op::Sqrt, f32, wide)));
  IntervalEvaluator all(e, {n});
  Evaluator one(e, {n});
  for (unsigned x = 0; x < 65536; x += 7) {
    Outcomes o = all({x})[0];
    ASSERT_TRUE(o.isSingle());
    // NaN is the one that a GPU makes.
    EXPECT_TRUE(num::sameValue(num::kBF16, o.values[0], one({x})[0]));
  }
}

TEST(Interval, BoundsOfInstructions) {
  Expressions e(32);
  auto span = [&](Node n, float x) {
    Outcomes o = e.at(n, bits(x));
    uint64_t lo = o.kind == Outcomes::Kind::Values ? o.values.front() : o.lo;
    uint64_t hi = o.kind == Outcomes::Kind::Values ? o.values.back() : o.hi;
    return std::make_pair(double(number(lo)), double(number(hi)));
  };
  auto around = [&](Node n, float x, double exact, double below, double above) {
    auto [lo, hi] = span(n, x);
    EXPECT_EQ(lo, exact - below) << x;
    EXPECT_EQ(hi, exact + above) << x;
  };
  // 2 ulp: of 2^-22 above a power of two, also below it.
  around(e.approx(FunctionId::Exp2, e.x), 3, 8, 0x1p-19, 0x1p-19);
  around(e.rcp(e.x), 4, 0.25, 0x1p-25, 0x1p-25);
  around(
      e.arithmetic(Op::Div, f32, e.x, e.f(2), 0, {}, Approximate | FullRange),
      3, 1.5, 0x1p-22, 0x1p-22);
  around(e.arithmetic(Op::Sqrt, f32, e.x, 0, 0, {}, Approximate), 4, 2, 0x1p-22,
         0x1p-22);
  around(e.approx(FunctionId::Log2, e.x), 16, 4, 0x1p-20, 0x1p-20);
  around(e.approx(FunctionId::Log2, e.x), 1, 0, 0x1p-22, 0x1p-22);
  auto [lo, hi] = span(e.approx(FunctionId::Tanh, e.x), 20);
  EXPECT_EQ(lo, 1 - 0x1p-11);
  EXPECT_EQ(hi, 1 + 0x1p-11);
  around(e.approx(FunctionId::Rsqrt, e.x), 4, 0.5, 3 * 0x1p-25, 0x1p-24);
  around(e.arithmetic(Op::Div, f32, e.x, e.f(2), 0, {}, Approximate), 3, 1.5,
         0x1p-22, 0x1p-22);
  for (FunctionId id : {FunctionId::Sin, FunctionId::Cos}) {
    auto [least, most] = span(e.approx(id, e.x), 0.7853982f);
    EXPECT_NEAR(most - least, 2 * 0x1.6a09e667f3bcdp-21, 0x1p-23);
    auto [low, high] = span(e.approx(id, e.x), 100);
    EXPECT_NEAR(high - low, 2 * 0x1.3b2c47bff832cp-15, 0x1p-23);
    EXPECT_EQ(e.at(e.approx(id, e.x), bits(315)).kind, Outcomes::Kind::Range);
    EXPECT_TRUE(e.at(e.approx(id, e.x), bits(315)).maybeNaN);
  }
  // What the ISA's tables list is exact.
  EXPECT_TRUE(e.at(e.approx(FunctionId::Exp2, e.x), bits(-INFINITY))
                  .isAlways(num::kF32, 0));
  EXPECT_TRUE(
      e.at(e.rcp(e.x), bits(-0.0f)).isAlways(num::kF32, bits(-INFINITY)));
  EXPECT_TRUE(e.at(e.approx(FunctionId::Log2, e.x), bits(-1))
                  .isAlways(num::kF32, num::kF32.quietNaN()));
  EXPECT_TRUE(
      e.at(e.rcp(e.x), bits(NAN)).isAlways(num::kF32, num::kF32.quietNaN()));
  // Overflow: the largest number or infinity.
  Outcomes big = e.at(e.approx(FunctionId::Exp2, e.x), bits(128));
  EXPECT_TRUE(big.contains(num::kF32, bits(INFINITY)));
  EXPECT_FALSE(big.contains(num::kF32, bits(0x1p127f)));
  // Without a bound: all numbers.
  Outcomes far = e.at(e.approx(FunctionId::Sin, e.x), bits(1000));
  EXPECT_EQ(far.kind, Outcomes::Kind::Range);
  EXPECT_TRUE(far.maybeNaN);
  Node limited = e.arithmetic(Op::Div, f32, e.f(1), e.x, 0, {}, Approximate);
  EXPECT_TRUE(e.at(limited, bits(0x1p127f)).contains(num::kF32, 0));
  EXPECT_FALSE(e.at(limited, bits(0x1p127f)).contains(num::kF32, bits(1)));
  EXPECT_FALSE(e.at(limited, bits(0x1p125f)).contains(num::kF32, 0));
  EXPECT_TRUE(e.at(limited, bits(0x1p-127f)).maybeNaN);
  // An infinite dividend by such a divisor: NaN.
  Node infinite =
      e.arithmetic(Op::Div, f32, e.f(INFINITY), e.x, 0, {}, Approximate);
  EXPECT_TRUE(e.at(infinite, bits(0x1p127f)).contains(num::kF32, bits(NAN)));
  EXPECT_FALSE(e.at(infinite, bits(0x1p125f)).contains(num::kF32, bits(NAN)));
  // Results do not cross zero: nothing is below 0.
  EXPECT_FALSE(e.at(e.approx(FunctionId::Exp2, e.x), bits(-200))
                   .contains(num::kF32, bits(-0.0f)));
}

TEST(Interval, BoundsOfNarrowInstructions) {
  auto widest = [](FunctionId function, FormatId id, bool relative) {
    const num::Format &format = *formatOf(id);
    Expressions e(16);
    Node n = e.function(function, id, e.x, Approximate);
    double most = 0;
    for (uint64_t x = 0; x < 65536; x += 3) {
      uint64_t exact = num::round(
          num::kF64,
          num::bitCast<uint64_t>(function == FunctionId::Exp2
                                     ? std::exp2(num::toDouble(format, x))
                                     : std::tanh(num::toDouble(format, x))),
          format);
      double y = num::toDouble(format, exact);
      if (num::isNaN(format, x) || !(std::fabs(y) > 0x1p-10) || y > 0x1p10)
        continue;
      Outcomes o = e.at(n, x);
      EXPECT_TRUE(o.contains(format, exact)) << x;
      uint64_t ends[2] = {o.lo, o.hi};
      if (o.kind == Outcomes::Kind::Values) {
        ends[0] = o.values.front();
        ends[1] = o.values.back();
      }
      for (uint64_t end : ends)
        most = std::max(most, std::fabs(num::toDouble(format, end) - y) /
                                  (relative ? std::fabs(y) : 1));
    }
    return most;
  };
  // The bound and the half unit by which `exact` is off.
  EXPECT_NEAR(widest(FunctionId::Exp2, FormatId::F16, true), std::exp2(-9.9),
              0x1p-11);
  EXPECT_NEAR(widest(FunctionId::Exp2, FormatId::BF16, true), 0x1p-7, 0x1p-8);
  EXPECT_NEAR(widest(FunctionId::Tanh, FormatId::F16, false),
              std::exp2(-10.987), 0x1p-12);
  EXPECT_NEAR(widest(FunctionId::Tanh, FormatId::BF16, false), 0x1p-8, 0x1p-9);
}

TEST(Interval, EveryBoundHasAText) {
  Expr e;
  e.op = Op::Div;
  e.format = f32;
  e.flags = Approximate | FullRange;
  EXPECT_EQ(approximationText(e), "div.full.f32: 2 ulp");
  e.flags = Approximate | Reciprocal;
  EXPECT_EQ(approximationText(e), "rcp.approx.f32: 1 ulp and relative 2^-23");
  e.format = FormatId::F64;
  EXPECT_EQ(approximationText(e), "div.f64: no bound");
  EXPECT_EQ(approximationBound(e, 1, 1), nullptr);
}

/// Any results within the bounds, put through the same operations, are among
/// the outcomes.
TEST(Interval, ContainsWhatMachinesMayGive) {
  std::mt19937_64 random(1);
  auto pick = [&](std::initializer_list<float> values) {
    return *(values.begin() + random() % values.size());
  };
  for (unsigned round = 0; round < 3000; ++round) {
    // Two wide ranges, as leaves of one graph and as approximations in another.
    Expressions e(32);
    auto wide = [&](Node a) { return e.approx(FunctionId::Tanh, a); };
    float scale = pick({1, -1, 0x1p-130f, 0x1p127f, 3, 0});
    Node a = e.mul(wide(e.x), e.f(scale));
    Node b = e.add(wide(e.add(e.x, e.f(pick({0, 1, -1})))),
                   e.f(pick({0, 1, -1, 100, INFINITY, NAN})));
    Graph exact;
    Node p = exact.leaf(exact.tensor("a", 32), 0),
         q = exact.leaf(exact.tensor("b", 32), 0);
    auto build = [choice = random(), mode = num::Rounding(random() % 5)](
                     Graph &g, Node a, Node b) {
      static const Op ops[] = {Op::Add,    Op::Sub,     Op::Mul,
                               Op::Div,    Op::Minimum, Op::Maximum,
                               Op::MinNum, Op::MaxNum};
      switch (choice % 14) {
      case 8:
        return g.arithmetic(Op::Fma, f32, a, b, a, mode);
      case 9:
        return g.arithmetic(Op::Sqrt, f32, a, 0, 0, mode);
      case 10:
        return g.neg(g.modify(Op::Flush, f32, a));
      case 11:
        return g.abs(g.modify(Op::Saturate, f32, a));
      case 12:
        return g.choice(g.compare(f32, 1, a, b), b, a);
      case 13:
        return g.convert(f32, FormatId::F16, a, mode);
      default:
        return g.arithmetic(ops[choice % 14], f32, a, b, 0, mode);
      }
    };
    Node n = build(e, a, b), m = build(exact, p, q);
    const num::Format &format = e.width(n) == 16 ? num::kF16 : num::kF32;
    IntervalEvaluator all(e, {a, b, n});
    Evaluator one(exact, {m});
    for (unsigned k = 0; k < 20; ++k) {
      auto outcomes = all({bits(pick({0, -0.0f, 0.3f, -0.7f, 1e-40f, 5}))});
      auto sample = [&](const Outcomes &o) {
        if (o.kind == Outcomes::Kind::Values)
          return o.values[random() % o.values.size()];
        if (o.kind != Outcomes::Kind::Range ||
            (o.maybeNaN && random() % 4 == 0))
          return num::kF32.quietNaN();
        float lo = number(o.lo), hi = number(o.hi);
        switch (random() % 3) {
        case 0:
          return o.lo;
        case 1:
          return o.hi;
        default:
          float between = lo + (hi - lo) * float(random() % 1024) / 1024;
          return between >= lo && between <= hi ? uint64_t(bits(between))
                                                : o.lo;
        }
      };
      uint64_t u = sample(outcomes[0]), v = sample(outcomes[1]);
      std::vector<uint64_t> leaves;
      for (Node leaf : one.leaves())
        leaves.push_back(leaf == p ? u : v);
      uint64_t result = one(leaves)[0];
      ASSERT_TRUE(outcomes[2].contains(format, result))
          << e.text(n) << ": " << std::hex << u << ", " << v << " give "
          << result;
    }
  }
}

TEST(Interval, SigmoidByApproximations) {
  unsigned wrong;
  EXPECT_EQ(undecidedSigmoid(FormatId::BF16, wrong), 4u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(undecidedSigmoid(FormatId::F16, wrong), 31u);
  EXPECT_EQ(wrong, 0u);
}
