// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/SumOrder.h"

#include "prec/Numerics/SumTree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace prec::num;

namespace {

std::vector<float> randomValues(size_t count, uint32_t seed) {
  std::mt19937 rng(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(rng) * std::exp2(float(rng() % 12));
  return values;
}

/// The order as an expression of the elements' indices.
std::string spell(const SumOrder &order, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i)
    names.push_back(std::to_string(i));
  auto add = [](const std::string &a, const std::string &b) {
    return "(" + a + "+" + b + ")";
  };
  return SumTree<std::string, decltype(add)>(order, "z", add)(names);
}

SumOrder digits(std::vector<int64_t> radix, std::vector<SumStep> steps,
                bool fromZero = false) {
  SumOrder order;
  order.digits = std::move(radix);
  order.steps = std::move(steps);
  order.fromZero = fromZero;
  return order;
}

constexpr auto kSequential = StepKind::Sequential;
constexpr auto kHalving = StepKind::Halving;
constexpr auto kAdjacent = StepKind::Adjacent;
constexpr int64_t kRest = SumOrder::kRest;

TEST(SumOrder, Trees) {
  EXPECT_EQ(spell(SumOrder::sequential(), 4), "(((0+1)+2)+3)");
  EXPECT_EQ(spell(SumOrder::lanes(4), 8), "(((0+4)+(2+6))+((1+5)+(3+7)))");
  EXPECT_EQ(spell(digits({8}, {{0, kAdjacent}}), 8),
            "(((0+1)+(2+3))+((4+5)+(6+7)))");
  EXPECT_EQ(spell(digits({8}, {{0, kHalving}}), 8),
            "(((0+4)+(2+6))+((1+5)+(3+7)))");
  EXPECT_EQ(spell(digits({2, kRest}, {{0, kSequential}, {1, kSequential}}), 6),
            "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(
      spell(digits({2, 2, kRest},
                   {{2, kSequential}, {0, kSequential}, {1, kAdjacent}}, true),
            8),
      "(z+(((0+4)+(1+5))+((2+6)+(3+7))))");
}

TEST(SumOrder, MissingElementsAreSkipped) {
  EXPECT_EQ(spell(SumOrder::lanes(4), 6), "(((0+4)+2)+((1+5)+3))");
  EXPECT_EQ(spell(SumOrder::lanes(4), 1), "0");
  EXPECT_EQ(spell(SumOrder::lanes(4), 0), "z");
  EXPECT_EQ(spell(digits({8}, {{0, kAdjacent}}), 5), "(((0+1)+(2+3))+4)");
}

TEST(SumOrder, AtenShortRows) {
  // Shorter than a vector: dealt element by element to the accumulators.
  EXPECT_EQ(spell(SumOrder::atenCPU(), 6), "(z+(((((0+4)+5)+1)+2)+3))");
}

TEST(SumOrder, ZeroSigns) {
  float minus[3] = {-0.0f, -0.0f, -0.0f};
  EXPECT_TRUE(std::signbit(sum(SumOrder::sequential(), minus, 3)));
  EXPECT_FALSE(std::signbit(sum(SumOrder::atenCPU(), minus, 3)));
  EXPECT_FALSE(std::signbit(sum(SumOrder::sequential(), minus, 0)));
}

/// Written from the top down, unlike the library: the sum after the last step
/// is a sum, along its digit, of sums after the steps before it.
struct TopDown {
  const SumOrder &order;
  const std::vector<float> &values;
  std::vector<size_t> radix, index;

  TopDown(const SumOrder &order, const std::vector<float> &values)
      : order(order), values(values), index(order.digits.size()) {
    size_t product = 1;
    for (int64_t d : order.digits)
      product *= d == kRest ? 1 : size_t(d);
    for (int64_t d : order.digits)
      radix.push_back(d == kRest ? (values.size() + product - 1) / product
                                 : size_t(d));
  }

  std::optional<float> join(std::optional<float> a, std::optional<float> b) {
    if (a && b)
      return *a + *b;
    return a ? a : b;
  }

  std::optional<float> line(size_t step, size_t first, size_t count,
                            size_t stride) {
    unsigned digit = order.steps[step].digit;
    if (order.steps[step].kind == kSequential) {
      std::optional<float> total;
      for (size_t i = 0; i < count; ++i) {
        index[digit] = i;
        total = join(total, value(step));
      }
      return total;
    }
    if (count == 1) {
      index[digit] = first;
      return value(step);
    }
    // Halving pairs i with i + n/2, so its two halves are the even and odd
    // multiples of a stride; adjacent trees split in the middle.
    if (order.steps[step].kind == kHalving) {
      auto a = line(step, first, count / 2, stride * 2);
      auto b = line(step, first + stride, count / 2, stride * 2);
      return join(a, b);
    }
    auto a = line(step, first, count / 2, stride);
    auto b = line(step, first + count / 2, count / 2, stride);
    return join(a, b);
  }

  /// The partial sum just before `step`, at the current index.
  std::optional<float> value(size_t step) {
    if (step > 0) {
      unsigned digit = order.steps[step - 1].digit;
      size_t saved = index[digit];
      auto result = line(step - 1, 0, radix[digit], 1);
      index[digit] = saved;
      return result;
    }
    size_t flat = 0, scale = 1;
    for (size_t d = 0; d < radix.size(); ++d) {
      flat += index[d] * scale;
      scale *= radix[d];
    }
    if (flat >= values.size())
      return std::nullopt;
    return values[flat];
  }
};

TEST(SumOrder, EqualsATreeBuiltFromTheTop) {
  std::vector<SumOrder> orders{
      SumOrder::sequential(),
      SumOrder::lanes(8),
      SumOrder::lanes(16),
      digits({4, 32, kRest},
             {{2, kSequential}, {0, kSequential}, {1, kAdjacent}}),
      digits({4, 16, kRest}, {{1, kHalving}, {2, kSequential}, {0, kAdjacent}}),
      digits({3, kRest, 4},
             {{2, kHalving}, {1, kSequential}, {0, kSequential}}),
  };
  for (const SumOrder &order : orders) {
    ASSERT_EQ(checkOrder(order), "");
    for (size_t count :
         {1, 2, 3, 4, 7, 8, 31, 64, 65, 127, 128, 129, 500, 2560}) {
      std::vector<float> values = randomValues(count, uint32_t(count));
      float got = sum(order, values.data(), count);
      float want = *TopDown(order, values).value(order.steps.size());
      ASSERT_EQ(std::memcmp(&got, &want, 4), 0) << count << " values";
    }
  }
}

/// ATen's cascade described by where its groups end rather than as a loop over
/// four accumulators.
float cascadeByGroups(const std::vector<float> &v) {
  size_t n = v.size();
  size_t power = std::max<size_t>(
      4, n > 1 ? size_t(std::ceil(std::log2(double(n)))) / 4 : 0);
  size_t g = size_t(1) << power;
  auto range = [&](auto &&self, size_t level, size_t begin,
                   size_t end) -> float {
    size_t unit = 1;
    for (size_t k = 0; k < level; ++k)
      unit *= g;
    float total = 0;
    for (size_t i = begin; i + unit <= end; i += unit)
      total += level == 0 ? v[i] : self(self, level - 1, i, i + unit);
    return total;
  };
  size_t g1 = n / g * g, g2 = n / (g * g) * (g * g),
         g3 = n / (g * g * g) * (g * g * g);
  float total = range(range, 0, g1, n);
  total += range(range, 1, g2, g1);
  total += range(range, 2, g3, g2);
  return total + range(range, 3, 0, g3);
}

float atenRow(const std::vector<float> &v) {
  size_t vectors = v.size() / 8, rounds = vectors / 4;
  float tail = 0;
  for (size_t i = vectors * 8; i < v.size(); ++i)
    tail += v[i];
  for (size_t lane = 0; lane < 8; ++lane) {
    float part[4];
    for (size_t a = 0; a < 4; ++a) {
      std::vector<float> mine;
      for (size_t r = 0; r < rounds; ++r)
        mine.push_back(v[(r * 4 + a) * 8 + lane]);
      part[a] = cascadeByGroups(mine);
    }
    for (size_t i = rounds * 4; i < vectors; ++i)
      part[0] += v[i * 8 + lane];
    tail += part[0] + part[1] + part[2] + part[3];
  }
  return tail;
}

TEST(SumOrder, AtenRows) {
  for (size_t count :
       {8,   9,   15,   16,   31,   32,   33,   64,    100,    511,
        512, 513, 1000, 2047, 2560, 4096, 9000, 20000, 140000, 2200000}) {
    std::vector<float> values = randomValues(count, uint32_t(count));
    float got = sum(SumOrder::atenCPU(), values.data(), count);
    float want = atenRow(values);
    ASSERT_EQ(std::memcmp(&got, &want, 4), 0) << count << " values";
  }
}

TEST(SumOrder, CascadeStep) {
  SumOrder cascade = digits({kRest}, {{0, StepKind::Cascade}}, true);
  for (size_t count :
       {1, 15, 16, 17, 255, 256, 257, 4096, 5000, 70000, 1100000}) {
    std::vector<float> values = randomValues(count, uint32_t(count));
    float got = sum(cascade, values.data(), count);
    float want = cascadeByGroups(values);
    ASSERT_EQ(std::memcmp(&got, &want, 4), 0) << count << " values";
  }
}

TEST(SumOrder, StridedDoubles) {
  double values[6] = {1e16, 0, 1, 0, -1e16, 0};
  EXPECT_EQ(sum(SumOrder::sequential(), values, 3, 2), 0.0);
  EXPECT_EQ(sum(SumOrder::lanes(2), values, 3, 2), 1.0);
}

TEST(SumOrder, Malformed) {
  EXPECT_EQ(checkOrder(digits({}, {})), "expected at least one digit");
  EXPECT_EQ(checkOrder(digits({kRest, kRest}, {})),
            "expected '*' at most once among the digits");
  EXPECT_EQ(checkOrder(digits({kRest}, {{1, kSequential}})),
            "step names digit 1 but there are only 1");
  EXPECT_EQ(checkOrder(digits({kRest}, {{0, kSequential}, {0, kSequential}})),
            "digit 0 is summed twice");
  EXPECT_EQ(checkOrder(digits({6}, {{0, kHalving}})),
            "a halving or adjacent step needs a digit that is a power of two");
  EXPECT_EQ(checkOrder(digits({-3}, {{0, kSequential}})),
            "expected positive digits");
  EXPECT_EQ(checkOrder(digits({2, kRest}, {{0, kSequential}})),
            "digit 1 is never summed");
  SumOrder aten = SumOrder::atenCPU();
  aten.digits = {8, kRest};
  aten.steps = {{1, StepKind::Cascade}, {0, kSequential}};
  EXPECT_EQ(checkOrder(aten),
            "expected digits [lanes, accumulators, *] in ATen's row order");
}

TEST(SumOrder, Capacity) {
  EXPECT_EQ(capacity(SumOrder::sequential()), kRest);
  EXPECT_EQ(capacity(digits({4, 32}, {{0, kSequential}, {1, kAdjacent}})), 128);
}

} // namespace
