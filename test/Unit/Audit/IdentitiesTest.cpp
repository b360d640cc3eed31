// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every identity, three times: the canonical forms of its two sides are one
// node; its two sides have the same value by the audit's own arithmetic; and
// they have it by MPFR, which is independent of ours. The values are tried on
// all operands of an 8-bit format where the identity holds in any format, on
// all 16-bit inputs where it speaks of them, and on random and special f32
// numbers.
#include "RealEvaluator.h"
#include "prec/Audit/Canonical.h"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace prec;
using namespace prec::audit;
using sym::FormatId;
using sym::Graph;
using sym::Node;
using sym::Op;

namespace {

using Sides = std::pair<Node, Node>;
/// Both sides of an identity on leaves of a format.
using Make = std::function<Sides(Graph &, FormatId, const std::vector<Node> &)>;

const num::Format &fmt(FormatId id) { return *sym::formatOf(id); }

Node add(Graph &g, FormatId f, Node a, Node b) {
  return g.arithmetic(Op::Add, f, a, b);
}
Node mul(Graph &g, FormatId f, Node a, Node b) {
  return g.arithmetic(Op::Mul, f, a, b);
}
Node number(Graph &g, FormatId f, double value) {
  return g.constant(
      num::round(num::kF64, num::bitCast<uint64_t>(value), fmt(f)),
      fmt(f).width());
}
Node widen(Graph &g, FormatId from, Node a) {
  return g.convert(from, FormatId::F32, a);
}

std::vector<Node> leaves(Graph &g, unsigned width, unsigned count) {
  uint32_t tensor = g.tensor("x", width);
  std::vector<Node> out;
  for (unsigned k = 0; k < count; ++k)
    out.push_back(g.leaf(tensor, k));
  return out;
}

uint64_t randomNumber(std::mt19937_64 &random, const num::Format &f) {
  const uint64_t special[] = {0,
                              1,
                              f.minNormal() - 1,
                              f.minNormal(),
                              uint64_t(f.bias) << f.fracBits,
                              f.maxFinite(),
                              f.infOrNaN(),
                              f.quietNaN()};
  uint64_t r = random();
  uint64_t any = random() & (f.absMask() | f.signMask());
  if (r % 4 == 0)
    return special[(r >> 8) % std::size(special)] |
           (r >> 16 & 1 ? f.signMask() : 0);
  if (r % 4 == 1)
    return any;
  // Of ordinary size.
  return (any & (f.fracMask() | f.signMask())) |
         uint64_t(f.bias - 8 + int(r >> 8 & 15)) << f.fracBits;
}

/// What a result of an identity on numbers of `f` is.
const num::Format *resultFormat(const Graph &g, Node n, const num::Format &f) {
  switch (g.width(n)) {
  case 64:
    return &num::kF64;
  case 32:
    return &num::kF32;
  case 1:
    return nullptr;
  case 16:
    return f.width() == 16 ? &f : &num::kBF16;
  default:
    return &num::kF8E5M2;
  }
}

void expectSame(Graph &g, const num::Format *f, Sides sides,
                sym::Evaluator &evaluate, const std::vector<uint64_t> &x,
                bool &good) {
  std::vector<uint64_t> v = evaluate(x);
  bool same = f ? num::sameValue(*f, v[0], v[1]) : v[0] == v[1];
  if (!same && good)
    ADD_FAILURE() << g.text(sides.first) << " = 0x" << std::hex << v[0]
                  << " but " << g.text(sides.second) << " = 0x" << v[1]
                  << " where x[0] = 0x" << x[0];
  good &= same;
}

/// The two sides have the same value in exact arithmetic, rounded where they
/// say so.
void expectSameReal(Graph &g, const num::Format *f, Sides sides,
                    RealEvaluator &real, const std::vector<Node> &leaves,
                    const std::vector<uint64_t> &x, bool &good) {
  real.clear();
  for (size_t k = 0; k < leaves.size(); ++k)
    real.set(leaves[k], x[k]);
  const uint64_t a = real(sides.first), b = real(sides.second);
  bool same = f ? num::sameValue(*f, a, b) : a == b;
  if (!same && good)
    ADD_FAILURE() << "by MPFR: " << g.text(sides.first) << " = 0x" << std::hex
                  << a << " but " << g.text(sides.second) << " = 0x" << b
                  << " where x[0] = 0x" << x[0];
  good &= same;
}

/// The two sides are one canonical node, by way of the identity.
void expectRewritten(Identity identity, FormatId f, unsigned count,
                     const Make &make) {
  Graph g;
  Tables tables(g);
  Sides sides = make(g, f, leaves(g, fmt(f).width(), count));
  Canonical canonical(g, tables);
  const num::Format *result = resultFormat(g, sides.first, fmt(f));
  Node a = canonical.result(sides.first, result);
  Node b = canonical.result(sides.second, result);
  EXPECT_EQ(a, b) << info(identity).name << ": " << g.text(a) << " and "
                  << g.text(b);
  // The graph itself puts operands that commute in order.
  if (identity != Identity::Commute)
    EXPECT_GT(canonical.uses()[size_t(identity)], 0u) << info(identity).name;
}

/// The two sides have the same values: on all operands of a narrow format.
void expectTrueEverywhere(FormatId f, unsigned count, const Make &make) {
  Graph g;
  const num::Format &format = fmt(f);
  Sides sides = make(g, f, leaves(g, format.width(), count));
  sym::Evaluator evaluate(g, {sides.first, sides.second});
  RealEvaluator real(g);
  bool good = true;
  std::vector<uint64_t> x(evaluate.leaves().size());
  const uint64_t total = uint64_t(1) << (format.width() * x.size());
  for (uint64_t n = 0; n < total && good; ++n) {
    for (size_t k = 0; k < x.size(); ++k)
      x[k] = n >> (k * format.width()) & ((uint64_t(1) << format.width()) - 1);
    const num::Format *result = resultFormat(g, sides.first, format);
    expectSame(g, result, sides, evaluate, x, good);
    // Of triples MPFR takes one in 251.
    if (total <= 65536 || n % 251 == 0)
      expectSameReal(g, result, sides, real, evaluate.leaves(), x, good);
  }
}

/// ... on random and special operands.
void expectTrueOnSamples(FormatId f, unsigned count, const Make &make,
                         unsigned samples = 100000) {
  Graph g;
  const num::Format &format = fmt(f);
  Sides sides = make(g, f, leaves(g, format.width(), count));
  sym::Evaluator evaluate(g, {sides.first, sides.second});
  RealEvaluator real(g);
  std::mt19937_64 random(1);
  bool good = true;
  std::vector<uint64_t> x(evaluate.leaves().size());
  for (unsigned n = 0; n < samples && good; ++n) {
    for (uint64_t &bits : x)
      bits = randomNumber(random, format);
    const num::Format *result = resultFormat(g, sides.first, format);
    expectSame(g, result, sides, evaluate, x, good);
    if (n % 16 == 0)
      expectSameReal(g, result, sides, real, evaluate.leaves(), x, good);
  }
}

/// An identity of any format.
void check(Identity identity, unsigned count, const Make &make) {
  expectRewritten(identity, FormatId::F32, count, make);
  expectTrueEverywhere(FormatId::F8E5M2, count, make);
  expectTrueOnSamples(FormatId::F32, count, make);
}

using Leaves = const std::vector<Node> &;

TEST(Identities, Commute) {
  for (Op op :
       {Op::Add, Op::Mul, Op::Minimum, Op::Maximum, Op::MinNum, Op::MaxNum})
    check(Identity::Commute, 2, [=](Graph &g, FormatId f, Leaves x) {
      return Sides(g.arithmetic(op, f, x[0], x[1]),
                   g.arithmetic(op, f, x[1], x[0]));
    });
  check(Identity::Commute, 3, [](Graph &g, FormatId f, Leaves x) {
    return Sides(g.arithmetic(Op::Fma, f, x[0], x[1], x[2]),
                 g.arithmetic(Op::Fma, f, x[1], x[0], x[2]));
  });
}

TEST(Identities, SubIsAddNeg) {
  for (num::Rounding mode :
       {num::Rounding::NearestEven, num::Rounding::TowardZero,
        num::Rounding::Upward, num::Rounding::Downward})
    check(Identity::SubIsAddNeg, 2, [=](Graph &g, FormatId f, Leaves x) {
      return Sides(g.arithmetic(Op::Sub, f, x[0], x[1], 0, mode),
                   g.arithmetic(Op::Add, f, x[0], g.neg(x[1]), 0, mode));
    });
}

TEST(Identities, NegOfProduct) {
  for (Op op : {Op::Mul, Op::Div})
    for (num::Rounding mode :
         {num::Rounding::NearestEven, num::Rounding::TowardZero})
      check(Identity::NegOfProduct, 2, [=](Graph &g, FormatId f, Leaves x) {
        return Sides(g.arithmetic(op, f, g.neg(x[0]), x[1], 0, mode),
                     g.neg(g.arithmetic(op, f, x[0], x[1], 0, mode)));
      });
  check(Identity::NegOfProduct, 1, [](Graph &g, FormatId f, Leaves x) {
    return Sides(mul(g, f, x[0], number(g, f, -3)),
                 g.neg(mul(g, f, number(g, f, 3), x[0])));
  });
  // The sign may be within a table of one input.
  for (Op op : {Op::Mul, Op::Div}) {
    auto inputs = [=](Graph &g, FormatId f, Leaves x) {
      Node y = widen(g, f, x[1]);
      return Sides(
          g.arithmetic(op, FormatId::F32, widen(g, f, g.neg(x[0])), y),
          g.neg(g.arithmetic(op, FormatId::F32, widen(g, f, x[0]), y)));
    };
    expectRewritten(Identity::NegOfProduct, FormatId::BF16, 2, inputs);
    expectTrueOnSamples(FormatId::BF16, 2, inputs);
    expectTrueEverywhere(FormatId::F8E5M2, 2, inputs);
  }
}

TEST(Identities, NegOfProductNotInDirectedModes) {
  Graph g;
  Tables tables(g);
  std::vector<Node> x = leaves(g, 32, 2);
  Canonical canonical(g, tables);
  auto up = [&](Node a, Node b) {
    return g.arithmetic(Op::Mul, FormatId::F32, a, b, 0, num::Rounding::Upward);
  };
  EXPECT_NE(canonical(up(g.neg(x[0]), x[1])), canonical(g.neg(up(x[0], x[1]))));
}

TEST(Identities, RoundOfNeg) {
  // On all bf16 inputs by way of f16, and as a rewriting of f32.
  auto make = [](Graph &g, FormatId f, Leaves x) {
    FormatId to = f == FormatId::F32 ? FormatId::BF16 : FormatId::F8E5M2;
    return Sides(g.convert(f, to, g.neg(x[0])), g.neg(g.convert(f, to, x[0])));
  };
  expectRewritten(Identity::RoundOfNeg, FormatId::F32, 1, make);
  expectTrueEverywhere(FormatId::F16, 1, make);
  expectTrueOnSamples(FormatId::F32, 1, make);
}

TEST(Identities, DivByPowerOfTwo) {
  for (double divisor : {4.0, 0.5, -8.0, 1024.0})
    check(Identity::DivByPowerOfTwo, 1, [=](Graph &g, FormatId f, Leaves x) {
      return Sides(g.arithmetic(Op::Div, f, x[0], number(g, f, divisor)),
                   mul(g, f, x[0], number(g, f, 1 / divisor)));
    });
}

TEST(Identities, ScaleTwice) {
  auto make = [](Graph &g, FormatId f, Leaves x) {
    Node wide = widen(g, f, x[0]), other = widen(g, f, x[1]);
    Node sum = add(g, FormatId::F32, wide, other);
    Node by4 = mul(g, FormatId::F32, sum, number(g, FormatId::F32, 4));
    return Sides(mul(g, FormatId::F32, by4, number(g, FormatId::F32, 0.125)),
                 mul(g, FormatId::F32, sum, number(g, FormatId::F32, 0.5)));
  };
  expectRewritten(Identity::ScaleTwice, FormatId::F16, 2, make);
  expectTrueOnSamples(FormatId::F16, 2, make);
  expectTrueEverywhere(FormatId::F8E5M2, 2, make);
  // A bf16 sum may overflow on the way: nothing to rewrite.
  Graph g;
  Tables tables(g);
  Sides sides = make(g, FormatId::BF16, leaves(g, 16, 2));
  Canonical canonical(g, tables);
  EXPECT_NE(canonical(sides.first), canonical(sides.second));
}

TEST(Identities, Double) {
  check(Identity::Double, 2, [](Graph &g, FormatId f, Leaves x) {
    Node p = mul(g, f, x[0], x[1]);
    return Sides(add(g, f, p, p), mul(g, f, number(g, f, 2), p));
  });
}

TEST(Identities, TimesOne) {
  check(Identity::TimesOne, 2, [](Graph &g, FormatId f, Leaves x) {
    Node s = add(g, f, x[0], x[1]);
    return Sides(mul(g, f, number(g, f, 1), s), s);
  });
}

TEST(Identities, PlusMinusZero) {
  check(Identity::PlusMinusZero, 2, [](Graph &g, FormatId f, Leaves x) {
    Node p = mul(g, f, x[0], x[1]);
    return Sides(add(g, f, number(g, f, -0.0), p), p);
  });
}

TEST(Identities, PlusZero) {
  check(Identity::PlusZero, 2, [](Graph &g, FormatId f, Leaves x) {
    Node square = mul(g, f, x[0], x[0]);
    Node sum = add(g, f, square, x[1]);
    return Sides(add(g, f, number(g, f, 0.0), sum), sum);
  });
}

TEST(Identities, PlusZeroLast) {
  check(Identity::PlusZeroLast, 3, [](Graph &g, FormatId f, Leaves x) {
    Node zero = number(g, f, 0.0);
    Node first = add(g, f, add(g, f, add(g, f, zero, x[0]), x[1]), x[2]);
    Node last = add(g, f, zero, add(g, f, add(g, f, x[0], x[1]), x[2]));
    return Sides(first, last);
  });
  check(Identity::PlusZeroLast, 2, [](Graph &g, FormatId f, Leaves x) {
    Node zero = number(g, f, 0.0);
    return Sides(add(g, f, add(g, f, zero, x[0]), add(g, f, x[1], zero)),
                 add(g, f, zero, add(g, f, x[0], x[1])));
  });
  // A sum of inputs, the first of which is a table with its zero.
  auto inputs = [](Graph &g, FormatId f, Leaves x) {
    Node a = widen(g, f, x[0]), b = widen(g, f, x[1]), c = widen(g, f, x[2]);
    Node zero = number(g, FormatId::F32, 0.0);
    auto plus = [&](Node p, Node q) { return add(g, FormatId::F32, p, q); };
    return Sides(plus(plus(plus(zero, a), b), c),
                 plus(zero, plus(plus(a, b), c)));
  };
  expectRewritten(Identity::PlusZeroLast, FormatId::BF16, 3, inputs);
  expectTrueOnSamples(FormatId::BF16, 3, inputs);
  // Without a zero a sum of -0s is -0: another value.
  Graph g;
  Tables tables(g);
  std::vector<Node> x = leaves(g, 32, 2);
  Canonical canonical(g, tables);
  Node zero = number(g, FormatId::F32, 0.0);
  Node sum = add(g, FormatId::F32, x[0], x[1]);
  EXPECT_NE(canonical(add(g, FormatId::F32, zero, sum)), canonical(sum));
}

TEST(Identities, PlusNegOfSum) {
  check(Identity::PlusNegOfSum, 3, [](Graph &g, FormatId f, Leaves x) {
    Node square = mul(g, f, x[0], x[0]);
    return Sides(add(g, f, square, g.neg(add(g, f, x[1], x[2]))),
                 add(g, f, square, add(g, f, g.neg(x[1]), g.neg(x[2]))));
  });
  // -0 - (y - y) is -0, and -0 + (y - y) is +0.
  Graph g;
  Tables tables(g);
  std::vector<Node> x = leaves(g, 32, 3);
  Canonical canonical(g, tables);
  auto plus = [&](Node p, Node q) { return add(g, FormatId::F32, p, q); };
  EXPECT_NE(canonical(plus(x[0], g.neg(plus(x[1], x[2])))),
            canonical(plus(x[0], plus(g.neg(x[1]), g.neg(x[2])))));
}

TEST(Identities, FmaMinusZero) {
  check(Identity::FmaMinusZero, 2, [](Graph &g, FormatId f, Leaves x) {
    return Sides(g.arithmetic(Op::Fma, f, x[0], x[1], number(g, f, -0.0)),
                 mul(g, f, x[0], x[1]));
  });
  // With +0 a product that is -0 becomes +0.
  Graph g;
  Tables tables(g);
  std::vector<Node> x = leaves(g, 32, 2);
  Canonical canonical(g, tables);
  EXPECT_NE(canonical(g.arithmetic(Op::Fma, FormatId::F32, x[0], x[1],
                                   number(g, FormatId::F32, 0.0))),
            canonical(mul(g, FormatId::F32, x[0], x[1])));
}

TEST(Identities, FmaOfExactProduct) {
  auto make = [](Graph &g, FormatId f, Leaves x) {
    Node a = widen(g, f, x[0]), b = widen(g, f, x[1]), c = widen(g, f, x[2]);
    // c is any f32 number, say a third of it.
    c = mul(g, FormatId::F32, c, number(g, FormatId::F32, 1 / 3.0));
    return Sides(g.arithmetic(Op::Fma, FormatId::F32, a, b, c),
                 add(g, FormatId::F32, mul(g, FormatId::F32, a, b), c));
  };
  expectRewritten(Identity::FmaOfExactProduct, FormatId::F16, 3, make);
  expectTrueOnSamples(FormatId::F16, 3, make, 1000000);
  expectTrueEverywhere(FormatId::F8E5M2, 3, make);
  // A bf16 product may underflow (H11): nothing to rewrite.
  Graph g;
  Tables tables(g);
  Sides sides = make(g, FormatId::BF16, leaves(g, 16, 3));
  Canonical canonical(g, tables);
  EXPECT_NE(canonical(sides.first), canonical(sides.second));
}

TEST(Identities, Native16) {
  for (FormatId f : {FormatId::BF16, FormatId::F16})
    for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Minimum, Op::Maximum,
                  Op::MinNum, Op::MaxNum}) {
      auto make = [=](Graph &g, FormatId, Leaves x) {
        return Sides(
            g.arithmetic(op, f, x[0], x[1]),
            g.convert(FormatId::F32, f,
                      g.arithmetic(op, FormatId::F32, widen(g, f, x[0]),
                                   widen(g, f, x[1]))));
      };
      expectRewritten(Identity::Native16, f, 2, make);
      expectTrueOnSamples(f, 2, make, 500000);
    }
}

TEST(Identities, RoundOfRepresentable) {
  auto make = [](Graph &g, FormatId f, Leaves x) {
    // Of a difference of two inputs that f32 holds exactly no bits are lost.
    return Sides(
        g.convert(FormatId::F32, f,
                  g.choice(g.compare(FormatId::F32, 1, widen(g, f, x[0]),
                                     widen(g, f, x[1])),
                           widen(g, f, x[0]), widen(g, f, x[1]))),
        g.choice(
            g.compare(FormatId::F32, 1, widen(g, f, x[0]), widen(g, f, x[1])),
            x[0], x[1]));
  };
  expectRewritten(Identity::SelectForms, FormatId::BF16, 2, make);
  expectTrueOnSamples(FormatId::BF16, 2, make);
  auto maximum = [](Graph &g, FormatId f, Leaves x) {
    Node m = g.arithmetic(Op::Maximum, FormatId::F32, widen(g, f, x[0]),
                          widen(g, f, x[1]));
    return Sides(widen(g, f, g.convert(FormatId::F32, f, m)), m);
  };
  for (FormatId f : {FormatId::BF16, FormatId::F16}) {
    expectRewritten(Identity::RoundOfRepresentable, f, 2, maximum);
    expectTrueOnSamples(f, 2, maximum);
  }
  expectTrueEverywhere(FormatId::F8E5M2, 2, maximum);
}

TEST(Identities, WidenTwice) {
  auto make = [](Graph &g, FormatId f, Leaves x) {
    Node s = g.arithmetic(Op::Fma, f, x[0], x[1], x[2]);
    return Sides(g.convert(FormatId::F32, FormatId::F64, widen(g, f, s)),
                 g.convert(f, FormatId::F64, s));
  };
  expectRewritten(Identity::WidenTwice, FormatId::F16, 3, make);
  expectTrueOnSamples(FormatId::F16, 3, make);
}

TEST(Identities, FlushOfNormal) {
  auto make = [](Graph &g, FormatId f, Leaves x) {
    Node s = add(g, FormatId::F32, widen(g, f, x[0]), widen(g, f, x[1]));
    return Sides(g.modify(Op::Flush, FormatId::F32, s), s);
  };
  expectRewritten(Identity::FlushOfNormal, FormatId::F16, 2, make);
  expectTrueOnSamples(FormatId::F16, 2, make);
  expectTrueEverywhere(FormatId::F8E5M2, 2, make);
  // bf16 numbers may be subnormal in f32.
  Graph g;
  Tables tables(g);
  Sides sides = make(g, FormatId::BF16, leaves(g, 16, 2));
  Canonical canonical(g, tables);
  EXPECT_NE(canonical(sides.first), canonical(sides.second));
}

TEST(Identities, MinMaxWithoutNaN) {
  auto make = [](Graph &g, FormatId f, Leaves x) {
    auto bounded = [&](Node n) {
      return g.modify(Op::Saturate, FormatId::F32, widen(g, f, n));
    };
    Node a = bounded(x[0]), b = bounded(x[1]);
    return Sides(g.arithmetic(Op::MinNum, FormatId::F32, a, b),
                 g.arithmetic(Op::Minimum, FormatId::F32, a, b));
  };
  expectRewritten(Identity::MinMaxWithoutNaN, FormatId::F16, 2, make);
  expectTrueEverywhere(FormatId::F8E5M2, 2, make);
  expectTrueOnSamples(FormatId::F16, 2, make);
}

TEST(Identities, MinMaxOfSame) {
  for (Op op : {Op::Minimum, Op::Maximum, Op::MinNum, Op::MaxNum})
    check(Identity::MinMaxOfSame, 2, [=](Graph &g, FormatId f, Leaves x) {
      Node s = add(g, f, x[0], x[1]);
      return Sides(g.arithmetic(op, f, s, s), s);
    });
}

TEST(Identities, MinMaxOfInfinity) {
  for (Op op : {Op::Minimum, Op::Maximum})
    check(Identity::MinMaxOfInfinity, 2, [=](Graph &g, FormatId f, Leaves x) {
      double infinity = op == Op::Minimum ? HUGE_VAL : -HUGE_VAL;
      Node p = mul(g, f, x[0], x[1]);
      return Sides(g.arithmetic(op, f, p, number(g, f, infinity)), p);
    });
}

TEST(Identities, MinMaxOrder) {
  for (Op op : {Op::Minimum, Op::Maximum, Op::MinNum, Op::MaxNum}) {
    auto triple = [=](Graph &g, FormatId f, Leaves x) {
      auto join = [&](Node a, Node b) { return g.arithmetic(op, f, a, b); };
      return Sides(join(join(x[0], x[1]), x[2]), join(x[1], join(x[2], x[0])));
    };
    expectRewritten(Identity::MinMaxOrder, FormatId::F32, 3, triple);
    expectTrueOnSamples(FormatId::F32, 3, triple);
    if (op == Op::Minimum || op == Op::MaxNum)
      expectTrueEverywhere(FormatId::F8E5M2, 3, triple);
    // Trees of more, some of which come twice.
    auto many = [=](Graph &g, FormatId f, Leaves x) {
      auto join = [&](Node a, Node b) { return g.arithmetic(op, f, a, b); };
      return Sides(
          join(join(x[0], x[1]), join(x[2], x[3])),
          join(join(join(x[3], x[1]), join(x[0], x[3])), join(x[2], x[1])));
    };
    expectRewritten(Identity::MinMaxOrder, FormatId::F32, 4, many);
    expectTrueOnSamples(FormatId::F32, 4, many);
  }
  // A maximum that ignores NaN is another operation.
  Graph g;
  Tables tables(g);
  std::vector<Node> x = leaves(g, 32, 3);
  Canonical canonical(g, tables);
  auto join = [&](Op op, Node a, Node b) {
    return g.arithmetic(op, FormatId::F32, a, b);
  };
  EXPECT_NE(canonical(join(Op::MaxNum, join(Op::Maximum, x[0], x[1]), x[2])),
            canonical(join(Op::MaxNum, x[0], join(Op::Maximum, x[1], x[2]))));
}

TEST(Identities, CompareForms) {
  for (unsigned accept = 0; accept < 16; ++accept) {
    auto turned = [=](Graph &g, FormatId f, Leaves x) {
      unsigned swapped =
          (accept & ~5u) | (accept & 1 ? 4 : 0) | (accept & 4 ? 1 : 0);
      return Sides(g.compare(f, accept, x[0], x[1]),
                   g.compare(f, swapped, x[1], x[0]));
    };
    auto negated = [=](Graph &g, FormatId f, Leaves x) {
      return Sides(g.logicalNot(g.compare(f, accept, x[0], x[1])),
                   g.compare(f, ~accept & 15, x[0], x[1]));
    };
    for (const Make &make : {Make(turned), Make(negated)}) {
      expectRewritten(Identity::CompareForms, FormatId::F32, 2, make);
      expectTrueOnSamples(FormatId::F32, 2, make, 20000);
    }
  }
}

TEST(Identities, SelectForms) {
  // Under a condition that holds for NaN.
  check(Identity::SelectForms, 2, [](Graph &g, FormatId f, Leaves x) {
    return Sides(g.choice(g.compare(f, 8 | 1, x[0], x[1]), x[0], x[1]),
                 g.choice(g.compare(f, 2 | 4, x[0], x[1]), x[1], x[0]));
  });
  // Signs move in.
  check(Identity::SelectForms, 2, [](Graph &g, FormatId f, Leaves x) {
    Node p = g.compare(f, 1, x[0], x[1]);
    return Sides(g.neg(g.choice(p, x[0], x[1])),
                 g.choice(p, g.neg(x[0]), g.neg(x[1])));
  });
  // A slow path taken for others' sake: where this input does not ask for it,
  // both paths agree.
  auto guarded = [](bool isOr) {
    return [=](Graph &g, FormatId f, Leaves x) {
      Node zero = number(g, f, 0.0);
      Node own = g.compare(f, 1, x[0], zero),
           other = g.compare(f, 1, x[1], zero);
      if (!isOr) {
        own = g.logicalNot(own);
        other = g.logicalNot(other);
      }
      Node slow = g.abs(x[0]), fast = x[0];
      Node p = g.logic(isOr ? Op::Or : Op::And, own, other);
      // |x| is x but where x is negative, a -0 and a NaN: those are selected.
      Node nan = g.compare(f, 2 | 8, x[0], zero);
      fast = g.choice(nan, slow, fast);
      return Sides(isOr ? g.choice(p, slow, fast) : g.choice(p, fast, slow),
                   slow);
    };
  };
  for (bool isOr : {true, false}) {
    expectRewritten(Identity::SelectForms, FormatId::BF16, 2, guarded(isOr));
    expectTrueEverywhere(FormatId::F8E5M2, 2, guarded(isOr));
  }
}

// The sequences have no other form to be compared with than the function
// itself.
TEST(Identities, SweptFunction) {
  using sym::FunctionId;
  for (auto [id, to] : {std::pair(FunctionId::Exp, Expansion::F64),
                        {FunctionId::Expm1, Expansion::F64},
                        {FunctionId::Tanh, Expansion::F64},
                        {FunctionId::Erf, Expansion::F64},
                        {FunctionId::Rsqrt, Expansion::F64},
                        {FunctionId::Exp, Expansion::Pairs},
                        {FunctionId::Expm1, Expansion::Pairs},
                        {FunctionId::Tanh, Expansion::Pairs},
                        {FunctionId::Erf, Expansion::Pairs},
                        {FunctionId::Rsqrt, Expansion::Pairs}}) {
    Graph g;
    Tables tables(g);
    Node function = g.function(id, FormatId::F32, leaves(g, 32, 1)[0]);
    Canonical canonical(g, tables, Fuse::None, to);
    Node expansion = canonical(function);
    EXPECT_NE(g[expansion].op, Op::Function) << sym::name(id);
    EXPECT_EQ(canonical.uses()[size_t(Identity::SweptFunction)], 1u);
    EXPECT_EQ(Canonical(g, tables)(function), function);
    Sides sides(function, expansion);
    sym::Evaluator evaluate(g, {function, expansion});
    std::mt19937_64 random(1);
    bool good = true;
    for (unsigned n = 0; n < 100000 && good; ++n)
      expectSame(g, &num::kF32, sides, evaluate,
                 {randomNumber(random, num::kF32)}, good);
  }
}

TEST(Identities, Evaluated) {
  // The integer rounding of f32 to bf16, NaN apart, against the rounding.
  auto make = [](Graph &g, FormatId f, Leaves x) {
    Node wide = mul(g, FormatId::F32, widen(g, f, x[0]),
                    number(g, FormatId::F32, 1 / 3.0));
    Node sum = g.opaque(
        "round.up", 32,
        [](uint64_t w, uint64_t, uint64_t) {
          return w + 0x7fff + (w >> 16 & 1);
        },
        wide);
    Node narrow = g.extract(sum, 16, 16);
    Node isNaN = g.compare(FormatId::F32, 8, wide, wide);
    return Sides(g.choice(isNaN, g.constant(0x7fc0, 16), narrow),
                 g.convert(FormatId::F32, FormatId::BF16, wide));
  };
  Graph g;
  Tables tables(g);
  Sides sides = make(g, FormatId::BF16, leaves(g, 16, 1));
  Canonical canonical(g, tables);
  EXPECT_EQ(canonical.result(sides.first, &num::kBF16),
            canonical.result(sides.second, &num::kBF16));
  expectTrueEverywhere(FormatId::BF16, 1, make);
}

TEST(Identities, EvaluatedSeesTheMachinesNaN) {
  // Without the test for NaN the canonical NaN of PTX, 0x7fffffff, rounds to
  // -0: a fault that a NaN with another payload hides.
  Graph g;
  Tables tables(g);
  Node x = leaves(g, 16, 1)[0];
  Node wide = mul(g, FormatId::F32, widen(g, FormatId::BF16, x),
                  number(g, FormatId::F32, 3.0));
  Node sum = g.opaque(
      "round.up", 32,
      [](uint64_t w, uint64_t, uint64_t) { return w + 0x7fff + (w >> 16 & 1); },
      wide);
  Canonical canonical(g, tables);
  EXPECT_NE(canonical.result(g.extract(sum, 16, 16), &num::kBF16),
            canonical.result(g.convert(FormatId::F32, FormatId::BF16, wide),
                             &num::kBF16));
}

TEST(Identities, AreDocumented) {
  std::ifstream file(PREC_AUDIT_DOC);
  std::stringstream text;
  text << file.rdbuf();
  for (size_t k = 0; k < identities; ++k) {
    const IdentityInfo &i = info(Identity(k));
    std::string line = std::string("| ") + i.name + " | " + i.statement +
                       " | " + i.condition + " |";
    EXPECT_NE(text.str().find(line), std::string::npos) << line;
  }
}

} // namespace
