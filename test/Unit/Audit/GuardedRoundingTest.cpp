// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What conditions say of values, and what is concluded from it, on all pairs of
// 8-bit numbers, by the audit's own arithmetic, and on some by MPFR.
#include "prec/Audit/GuardedRounding.h"
#include "RealEvaluator.h"
#include "prec/Audit/Canonical.h"
#include "prec/Numerics/Arithmetic.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace prec;
using namespace prec::audit;
using num::Ordering;
using sym::FormatId;
using sym::Graph;
using sym::Node;
using sym::Op;

namespace {

constexpr FormatId f8 = FormatId::F8E5M2, f32 = FormatId::F32;
const num::Format &narrow = num::kF8E5M2;

constexpr unsigned less = 1u << unsigned(Ordering::Less),
                   greater = 1u << unsigned(Ordering::Greater),
                   unordered = 1u << unsigned(Ordering::Unordered);

class Guarded : public ::testing::Test {
protected:
  Node number(double value) {
    return g.constant(
        num::round(num::kF64, num::bitCast<uint64_t>(value), num::kF32), 32);
  }
  Node wide(Node n) { return g.convert(f8, f32, n); }
  Node mul(Node a, Node b) { return g.arithmetic(Op::Mul, f32, a, b); }
  Node round(Node n, num::Rounding mode = num::Rounding::NearestEven) {
    return g.convert(f32, f8, n, mode);
  }
  template <typename T> T pick(const std::vector<T> &of) {
    return of[random() % of.size()];
  }
  /// The bits that every leaf has, of all pairs.
  std::vector<uint64_t> pair(const std::vector<Node> &leaves, uint64_t n) {
    std::vector<uint64_t> bits;
    for (Node leaf : leaves)
      bits.push_back(leaf == x ? n & 0xff : n >> 8);
    return bits;
  }

  std::mt19937_64 random{1};
  Graph g;
  Tables tables{g};
  Canonical canonical{g, tables};
  Node x = g.leaf(g.tensor("x", 8), 0), y = g.leaf(g.tensor("y", 8), 0);
};

/// Whether a magnitude is within a limit, where the number is `bits`.
bool isWithin(const num::Format &f, uint64_t bits, const Facts::Limit &limit,
              bool isUpper) {
  if (num::isNaN(f, bits))
    return limit.orNaN;
  const double size = std::fabs(asDouble(f, bits));
  return isUpper ? size <= limit.value : size >= limit.value;
}

/// Random conditions on two numbers and their product: wherever one has the
/// truth that was assumed, all facts hold.
TEST_F(Guarded, FactsHoldWhereTheConditionDoes) {
  uint64_t seen = 0, known = 0;
  for (int round = 0; round < 120; ++round) {
    const Node product = this->round(mul(wide(x), wide(y)));
    const Node sum = this->round(g.arithmetic(Op::Add, f32, wide(x), wide(y)));
    const std::vector<Node> numbers{x, y, product, sum};
    auto size = [&] {
      Node n = wide(pick(numbers));
      return random() % 4 ? g.abs(n) : n;
    };
    auto word = [&] { return g.concat(pick(numbers), pick(numbers)); };
    auto atom = [&]() -> Node {
      const Op op =
          pick<Op>({Op::Maximum, Op::MaxNum, Op::Minimum, Op::MinNum});
      Node tree = size();
      for (unsigned k = random() % 3; k; --k)
        tree = g.arithmetic(op, f32, tree, size());
      const Node limit = number(std::ldexp(1, int(random() % 24) - 12));
      const unsigned accept = unsigned(random() % 14) + 1;
      switch (random() % 4) {
      case 0: {
        Node difference = g.logic(Op::Xor, word(), word());
        if (random() % 2)
          difference =
              g.logic(Op::Or, difference,
                      g.choice(g.compare(f32, accept, tree, limit),
                               g.constant(0, 16), g.constant(0xffff, 16)));
        return g.equal(difference, g.constant(0, 16));
      }
      case 1:
        return g.equal(word(), word());
      case 2:
        return g.compare(f32, accept, limit, tree);
      default:
        return g.compare(f32, accept, tree, limit);
      }
    };
    Node condition = atom();
    for (unsigned k = random() % 3; k; --k) {
      const Node other = random() % 4 ? atom() : g.logicalNot(atom());
      switch (random() % 4) {
      case 0:
        condition = g.logic(Op::And, condition, other);
        break;
      case 1:
        condition = g.choice(condition, other, g.constant(random() % 2, 1));
        break;
      case 2:
        condition = g.choice(condition, g.constant(random() % 2, 1), other);
        break;
      default:
        condition = g.logic(Op::Or, condition, other);
        break;
      }
    }
    const Node assumed = canonical(condition);
    const bool truth = random() % 2;
    Facts facts(g, tables);
    facts.assume(assumed, truth);
    std::vector<Node> roots{condition}, nodes;
    for (Node n : numbers)
      nodes.push_back(canonical(n));
    roots.insert(roots.end(), nodes.begin(), nodes.end());
    sym::Evaluator evaluate(g, roots);
    for (uint64_t n = 0; n < 1 << 16; n += 1 + random() % 16) {
      const std::vector<uint64_t> v = evaluate(pair(evaluate.leaves(), n));
      if ((v[0] & 1) != truth)
        continue;
      ++seen;
      bool good = !facts.impossible();
      for (size_t k = 0; k < nodes.size(); ++k) {
        if (const Facts::Limit *limit = facts.atMost(nodes[k]))
          good &= isWithin(narrow, v[k + 1], *limit, true), ++known;
        if (const Facts::Limit *limit = facts.atLeast(nodes[k]))
          good &= isWithin(narrow, v[k + 1], *limit, false), ++known;
        for (size_t j = 0; j < nodes.size(); ++j)
          for (Node same : facts.equals(nodes[k]))
            if (same == nodes[j])
              good &= num::sameValue(narrow, v[k + 1], v[j + 1]), ++known;
        for (const LeafFact &fact : facts.ofLeaf(nodes[k]))
          good &= fact.mayHold(tables[fact.table], v[k + 1]), ++known;
      }
      ASSERT_TRUE(good) << g.text(assumed) << " is " << truth << " at 0x"
                        << std::hex << n;
    }
  }
  EXPECT_GT(seen, 100000u);
  EXPECT_GT(known, 100000u);
}

/// Products of random shapes with factors of all sizes: the ratio that MPFR
/// finds is within the bounds.
TEST_F(Guarded, RatiosAreWithinTheirBounds) {
  const Node p = g.leaf(g.tensor("p", 32), 0);
  auto function = [&](double error) {
    const Node square = mul(mul(wide(x), wide(x)), number(1 + error));
    return g.arithmetic(Op::Div, f32, wide(x),
                        g.arithmetic(Op::Add, f32, square, number(1)));
  };
  auto product = [&](std::vector<Node> factors, bool &negative) {
    while (factors.size() > 1) {
      std::shuffle(factors.begin(), factors.end(), random);
      Node n = mul(factors.back(), factors[factors.size() - 2]);
      factors.pop_back();
      if (random() % 4 == 0) {
        negative = !negative;
        n = g.neg(n);
      }
      factors.back() = n;
    }
    return factors[0];
  };
  auto power = [&](int from, int to) {
    return std::ldexp(1, from + int(random() % unsigned(to - from)));
  };
  unsigned found = 0, checked = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const double scale = 1.5 * power(-100, 100), mostP = power(-100, 100),
                 mostY = power(-10, 16), largest = power(-4, 8),
                 least = power(-126, 20);
    bool negative = false;
    const Node given =
        product({function(0x1p-12), wide(y), p, number(scale)}, negative);
    const Node wanted =
        product({function(0), wide(y), p, number(scale * 1.25)}, negative);
    Facts facts(g, tables);
    for (auto [n, limit] :
         {std::pair(wide(x), largest), {wide(y), mostY}, {p, mostP}})
      facts.assume(canonical(g.compare(f32, greater | unordered, g.abs(n),
                                       number(limit))),
                   false);
    FactorRatios ratios(g, tables);
    const std::optional<FactorRatios::Interval> bounds = ratios(
        {canonical(given), least, true, negative}, canonical(wanted), facts);
    if (!bounds) {
      ++refused;
      continue;
    }
    ++found;
    EXPECT_LE(bounds->high - bounds->low, 0x1p-12);
    RealEvaluator real(g);
    for (int k = 0; k < 200; ++k) {
      const uint64_t xBits = random() & 0xff, yBits = random() & 0xff;
      const double vx = asDouble(narrow, xBits), vy = asDouble(narrow, yBits);
      // So that the product is not much more than the least.
      const double other = vx / (1 + vx * vx) * vy * scale;
      const uint64_t pBits =
          num::round(num::kF64,
                     num::bitCast<uint64_t>(
                         least * (1 + double(random() % 4096) / 256) / other),
                     num::kF32);
      const double vp = asDouble(num::kF32, pBits);
      if (!(std::fabs(vx) <= largest && std::fabs(vy) <= mostY &&
            std::fabs(vp) <= mostP))
        continue;
      real.clear();
      real.set(x, xBits);
      real.set(y, yBits);
      real.set(p, pBits);
      const double l = asDouble(num::kF32, real(given)),
                   w = asDouble(num::kF32, real(wanted));
      if (!(std::fabs(l) >= least))
        continue;
      ++checked;
      const double ratio = negative ? -l / w : l / w;
      ASSERT_TRUE(ratio >= bounds->low && ratio <= bounds->high)
          << std::hexfloat << ratio << " is not from " << bounds->low << " to "
          << bounds->high << " at " << vx << ", " << vy << ", " << vp;
    }
  }
  EXPECT_GT(found, 30u);
  EXPECT_GT(refused, 30u);
  EXPECT_GT(checked, 1000u);
}

/// How a kernel rounds R(t(x) * y), t(x) = x / (1 + x * x).
struct Form {
  double error = 0;         ///< of the denominator's square
  double low = 0, high = 0; ///< what the ends are less and more by
  double largest = INFINITY, most = INFINITY, least = 0; ///< or no test
  /// Factors on the way that cancel.
  double up = 1, down = 1;
  Op maximum = Op::Maximum, minimum = Op::Minimum;
  num::Rounding other = num::Rounding::NearestEven;
  bool tests = true; ///< that both ends round alike

  std::string text() const {
    std::ostringstream out;
    out << std::hexfloat << "error " << error << " low " << low << " high "
        << high << " largest " << largest << " most " << most << " least "
        << least << " up " << up << " down " << down << " maximum "
        << sym::name(maximum) << " minimum " << sym::name(minimum) << " other "
        << unsigned(other) << " tests " << tests;
    return out.str();
  }
};

class GuardedForms : public Guarded {
protected:
  struct Sides {
    Node expected, actual;
  };
  Node function(double error) {
    const Node square = mul(mul(wide(x), wide(x)), number(1 + error));
    const Node divisor = g.arithmetic(Op::Add, f32, square, number(1));
    return g.arithmetic(Op::Div, f32, wide(x), divisor);
  }
  Sides make(const Form &form) {
    auto product = [&](Node first) {
      Node n = mul(first, wide(y));
      return form.up == 1 ? n : mul(mul(n, number(form.up)), number(form.down));
    };
    const Node expected = round(product(function(0)));
    const Node low = product(mul(function(form.error), number(1 - form.low)));
    const Node a = round(low),
               b = round(mul(low, number(1 + form.high)), form.other);
    Node slow = 0;
    auto test = [&](Node condition) {
      slow = slow ? g.logic(Op::Or, slow, condition) : condition;
    };
    if (form.tests)
      test(g.logicalNot(g.equal(g.logic(Op::Xor, a, b), g.constant(0, 8))));
    // Of two elements, of which the other is the first turned around.
    const Node another = wide(y);
    if (std::isfinite(form.largest))
      test(g.compare(f32, greater | unordered, g.abs(wide(x)),
                     number(form.largest)));
    if (std::isfinite(form.most))
      test(g.compare(
          f32, greater | unordered,
          g.arithmetic(form.maximum, f32, g.abs(another), g.abs(wide(x))),
          number(form.most)));
    if (form.least > 0)
      test(g.compare(f32, less | unordered,
                     g.arithmetic(form.minimum, f32, g.abs(wide(a)), number(1)),
                     number(form.least)));
    return {expected, slow ? g.choice(slow, expected, a) : a};
  }
  bool isProven(const Sides &sides) {
    GuardedRounding guarded(g, tables);
    const Node e = canonical.result(sides.expected, &narrow),
               a = canonical.result(sides.actual, &narrow);
    return e == a || (g[a].op == Op::Choice &&
                      guarded.prove(e, a, [](Node) { return false; }));
  }
  /// The first pair on which the sides differ, or none.
  std::optional<uint64_t> difference(const Sides &sides) {
    sym::Evaluator evaluate(g, {sides.expected, sides.actual});
    for (uint64_t n = 0; n < 1 << 16; ++n) {
      const std::vector<uint64_t> v = evaluate(pair(evaluate.leaves(), n));
      if (!num::sameValue(narrow, v[0], v[1]))
        return n;
    }
    return std::nullopt;
  }
  bool isSameByMPFR(const Sides &sides, uint64_t n) {
    RealEvaluator real(g);
    real.set(x, n & 0xff);
    real.set(y, n >> 8);
    return num::sameValue(narrow, real(sides.expected), real(sides.actual));
  }
};

Form good() {
  Form form;
  form.error = 0x1p-10;
  form.low = 0x1p-22;
  form.high = 0x1p-9;
  form.largest = 64;
  form.most = 0x1p12;
  form.least = 0x1p-6;
  return form;
}

TEST_F(GuardedForms, Proves) {
  const Sides sides = make(good());
  EXPECT_TRUE(isProven(sides));
  EXPECT_FALSE(difference(sides));
}

/// Each part of the guard is needed.
TEST_F(GuardedForms, ProvesNoFormThatLacksAPart) {
  auto open = [&](const char *what, std::function<void(Form &)> change) {
    Form form = good();
    change(form);
    EXPECT_FALSE(isProven(make(form))) << what;
  };
  open("tests", [](Form &f) { f.tests = false; });
  open("least", [](Form &f) { f.least = 0; });
  open("most", [](Form &f) { f.most = INFINITY; });
  open("rounding", [](Form &f) { f.other = num::Rounding::Upward; });
  open("distance", [](Form &f) { f.high = 0x1p-11; });
  open("side", [](Form &f) { f.error = -f.error; });
  open("NaN", [](Form &f) {
    f.maximum = Op::MaxNum;
    f.minimum = Op::MinNum;
    f.largest = INFINITY;
  });
  open("overflow", [](Form &f) { f.up = 0x1.8p122, f.down = 0x1.4p-122; });
  open("underflow", [](Form &f) { f.up = 0x1.8p-122, f.down = 0x1.4p122; });
}

/// Where no test is, or it is too narrow, a pair shows it.
TEST_F(GuardedForms, DifferWithoutTheTest) {
  Form form = good();
  form.tests = false;
  form.error = 0x1p-4;
  EXPECT_TRUE(difference(make(form)));
}

/// Forms of all kinds: what is proven is true of all pairs.
TEST_F(GuardedForms, WhatIsProvenIsTrue) {
  unsigned proven = 0, wrong = 0;
  for (int round = 0; round < 400; ++round) {
    Form form;
    form.error =
        pick<double>({0, 0x1p-20, 0x1p-10, 0x1p-6, 0x1p-3, -0x1p-10, -0x1p-4});
    form.low = pick<double>({0x1p-22, 0x1p-9, 0x1p-3, 0, -0x1p-22, -0x1p-2});
    form.high =
        pick<double>({0x1p-21, 0x1p-9, 0x1p-5, 0x1p-2, 0, -0x1p-9, -0x1p-2});
    form.largest = pick<double>({0x1p-2, 1, 16, 64, INFINITY});
    form.most = pick<double>({1, 0x1p8, 0x1p15, INFINITY});
    form.least = pick<double>({0x1p-13, 0x1p-6, 1, 0});
    form.maximum = pick<Op>({Op::Maximum, Op::MaxNum});
    form.minimum = pick<Op>({Op::Minimum, Op::MinNum});
    form.other = pick<num::Rounding>(
        {num::Rounding::NearestEven, num::Rounding::NearestEven,
         num::Rounding::NearestAway, num::Rounding::TowardZero});
    form.tests = random() % 8;
    const int way = int(pick<int>({0, 0, 100, 112, 120, 126}));
    form.up = way ? std::ldexp(1.5, random() % 2 ? way : -way) : 1;
    form.down = way ? 1.25 / form.up : 1;
    const Sides sides = make(form);
    if (!isProven(sides)) {
      // Some of what is not proven is not true.
      wrong += round % 8 == 0 && difference(sides);
      continue;
    }
    ++proven;
    const std::optional<uint64_t> n = difference(sides);
    ASSERT_FALSE(n) << form.text() << " at 0x" << std::hex << *n;
    for (int k = 0; k < 200; ++k) {
      const uint64_t pair = random() & 0xffff;
      ASSERT_TRUE(isSameByMPFR(sides, pair)) << form.text();
    }
  }
  EXPECT_GT(proven, 10u);
  EXPECT_GT(wrong, 10u);
}

} // namespace
