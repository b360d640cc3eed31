// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit arithmetic through f32, on all pairs of non-negative finite numbers;
// subtraction covers mixed signs.
#include "Neighbours.h"
#include "Sweep.h"

#include "prec/Numerics/Rounding.h"

#include <memory>

using namespace prec::num;
using namespace prec::sweep;

namespace {

int order(double a, double b) { return a < b ? -1 : a > b; }

/// How x + y compares with a double.
struct SumOrder {
  double sum, lost;
  SumOrder(double x, double y) : sum(x + y) {
    double back = sum - x;
    lost = (x - (sum - back)) + (y - back);
  }
  int operator()(double tie) const {
    int first = order(sum, tie);
    return first ? first : order(lost, 0);
  }
};

enum class Op { Add, Sub, Mul, Div };

/// Whether `rounded` (16 bits) is x op y, rounded once.
template <Op Kind>
bool isRight(const Neighbours &list, double x, double y, uint32_t rounded) {
  uint32_t magnitude = rounded & 0x7FFF;
  bool negative = rounded != magnitude;
  if constexpr (Kind == Op::Add)
    return !negative && list.isNearest(magnitude, SumOrder(x, y));
  if constexpr (Kind == Op::Sub) {
    // x - x is +0; the sign is that of the larger operand.
    if (negative != (x < y))
      return false;
    return list.isNearest(magnitude,
                          negative ? SumOrder(y, -x) : SumOrder(x, -y));
  }
  if constexpr (Kind == Op::Mul) {
    // 22 bits at most: exact in double.
    double product = x * y;
    return !negative && list.isNearest(magnitude, [=](double tie) {
      return order(product, tie);
    });
  }
  // x / y against a tie is x against tie * y, which is exact.
  return !negative && list.isNearest(magnitude, [=](double tie) {
    return order(x, tie * y);
  });
}

template <Op Kind> float compute(float x, float y) {
  switch (Kind) {
  case Op::Add:
    return x + y;
  case Op::Sub:
    return x - y;
  case Op::Mul:
    return x * y;
  case Op::Div:
    return x / y;
  }
}

template <const Format &F, Op Kind> Sweep pairSweep(const char *name) {
  auto list = std::make_shared<Neighbours>(F);
  uint64_t count = list->infinity();
  auto check = [=](uint64_t begin, uint64_t end, Differences &differences) {
    for (uint64_t pair = begin; pair < end; ++pair) {
      auto i = uint32_t(pair / count), j = uint32_t(pair % count);
      if (Kind == Op::Div && j == 0)
        continue;
      float x = widenFrom<F>(i), y = widenFrom<F>(j);
      uint32_t rounded = roundTo<F>(compute<Kind>(x, y));
      if (!isRight<Kind>(*list, list->value(i), list->value(j), rounded))
        differences.add(spell(x) + " and " + spell(y));
    }
  };
  return {
      std::string(name) + "-" + F.name,
      std::string("the f32 operation, then rounded, is the singly rounded ") +
          F.name + " operation (H10)",
      count * count, check};
}

/// H12: how far a normal bf16 quotient is from a tie.
Sweep quotientSlack() {
  uint64_t count = kBF16.expMask();
  auto check = [=](uint64_t begin, uint64_t end, Differences &differences) {
    for (uint64_t pair = begin; pair < end; ++pair) {
      auto i = uint32_t(pair / count), j = uint32_t(pair % count);
      float x = widenFrom<kBF16>(i), y = widenFrom<kBF16>(j), q = x / y;
      // Normal in bf16, with 64 units to spare at both ends.
      if (!(q > 0x1.00008p-126f && q < 0x1.FEp127f))
        continue;
      uint32_t bits = bitCast<uint32_t>(q);
      uint16_t want = roundToBF16(q);
      if (roundToBF16(bitCast<float>(bits - 64)) != want ||
          roundToBF16(bitCast<float>(bits + 64)) != want)
        differences.add(spell(x) + " and " + spell(y));
    }
  };
  return {"slack-bf16",
          "a normal bf16 quotient keeps its bits if the f32 quotient is 64 "
          "units off (H12)",
          count * count, check};
}

} // namespace

std::vector<Sweep> prec::sweep::arithmeticSweeps() {
  return {pairSweep<kBF16, Op::Add>("add"),
          pairSweep<kBF16, Op::Sub>("sub"),
          pairSweep<kBF16, Op::Mul>("mul"),
          pairSweep<kBF16, Op::Div>("div"),
          pairSweep<kF16, Op::Add>("add"),
          pairSweep<kF16, Op::Sub>("sub"),
          pairSweep<kF16, Op::Mul>("mul"),
          pairSweep<kF16, Op::Div>("div"),
          quotientSlack()};
}
