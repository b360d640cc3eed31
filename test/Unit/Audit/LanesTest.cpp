// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds: whatever an operand within its bounds is, the result lies within the
// result's bounds. On all intervals of an 8-bit format that are not too long.
#include "prec/Audit/Lanes.h"

#include <gtest/gtest.h>

using namespace prec;
using namespace prec::audit;
using sym::FormatId;
using sym::Op;

namespace {

const num::Format &f8 = num::kF8E5M2;

/// The numbers of the format in order, -inf to +inf.
std::vector<uint64_t> ordered() {
  std::vector<uint64_t> out;
  for (uint64_t m = f8.expMask() + 1; m-- > 0;)
    out.push_back(m | f8.signMask());
  for (uint64_t m = 0; m <= f8.expMask(); ++m)
    out.push_back(m);
  return out;
}

Lanes interval(uint64_t value, uint64_t low, uint64_t high) {
  Lanes lanes;
  lanes.width = 8;
  lanes.format = &f8;
  lanes.value = {value};
  lanes.low = {low};
  lanes.high = {high};
  lanes.open = {0};
  return lanes;
}
Lanes exactly(uint64_t value) {
  Lanes lanes;
  lanes.width = 8;
  lanes.value = {value};
  return lanes;
}

void expectContains(const sym::Expr &e, unsigned operands) {
  sym::Graph graph;
  const std::vector<uint64_t> numbers = ordered();
  unsigned failures = 0;
  for (size_t i = 0; i + 4 < numbers.size(); i += 3)
    for (uint64_t other : {0x00, 0x80, 0x01, 0x3c, 0xbd, 0x7b, 0x7c, 0x7e}) {
      Lanes a = interval(numbers[i + 1], numbers[i], numbers[i + 4]);
      Lanes b = exactly(other), c = exactly(0x3d);
      Lanes r = apply(graph, e, &a, operands > 1 ? &b : nullptr,
                      operands > 2 ? &c : nullptr);
      for (size_t k = i; k <= i + 4; ++k) {
        uint64_t value = graph.apply(e, numbers[k], other, 0x3d);
        if (!r.mayBe(0, value) && ++failures < 4)
          ADD_FAILURE() << sym::name(e.op) << " of 0x" << std::hex << numbers[k]
                        << " and 0x" << other << " is 0x" << value
                        << ", not in [0x" << (r.exact() ? r.value[0] : r.low[0])
                        << ", 0x" << (r.exact() ? r.value[0] : r.high[0])
                        << "]";
      }
    }
}

TEST(Bounds, Contain) {
  for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Minimum, Op::Maximum,
                Op::MinNum, Op::MaxNum, Op::Fma, Op::Sqrt, Op::Flush,
                Op::Saturate, Op::Relu, Op::Neg, Op::Abs, Op::RoundIntegral}) {
    sym::Expr e;
    e.op = op;
    e.width = 8;
    e.format = FormatId::F8E5M2;
    bool unary = op == Op::Sqrt || op == Op::Flush || op == Op::Saturate ||
                 op == Op::Relu || op == Op::Neg || op == Op::Abs ||
                 op == Op::RoundIntegral;
    expectContains(e, unary ? 1 : op == Op::Fma ? 3 : 2);
  }
  for (unsigned accept = 0; accept < 16; ++accept) {
    sym::Expr e;
    e.op = Op::Compare;
    e.width = 1;
    e.format = FormatId::F8E5M2;
    e.index = accept;
    expectContains(e, 2);
  }
}

/// The bounds of an approximate instruction on one f32 input.
Lanes approximate(Op op, sym::FunctionId function, uint32_t x, uint32_t y = 0,
                  uint8_t flags = sym::NoFlags) {
  sym::Graph graph;
  sym::Expr e;
  e.op = op;
  e.format = FormatId::F32;
  e.width = 32;
  e.flags = sym::Approximate | flags;
  e.index = op == Op::Function ? uint32_t(function) : 0;
  Lanes a = exactly(x), b = exactly(y);
  return apply(graph, e, &a, op == Op::Div ? &b : nullptr, nullptr);
}

TEST(Bounds, ApproximateInstructions) {
  // ex2(0.5) is sqrt(2), 2^-22 of which are 4 ulp and a bit, rounded outward.
  Lanes r = approximate(Op::Function, sym::FunctionId::Exp2, 0x3f000000);
  EXPECT_EQ(r.value[0], 0x3fb504f3u);
  EXPECT_TRUE(r.mayBe(0, 0x3fb504f3 - 2));
  EXPECT_TRUE(r.mayBe(0, 0x3fb504f3 + 2));
  EXPECT_FALSE(r.mayBe(0, 0x3fb504f3 + 8));
  // The ISA's table: 1 for zeros, 0 and infinity at the ends.
  for (uint32_t x : {0u, 0x80000000u, 0xff800000u, 0x7f800000u})
    EXPECT_TRUE(approximate(Op::Function, sym::FunctionId::Exp2, x).exact());
  // A reciprocal is off by one at most, a quotient by two.
  Lanes reciprocal = approximate(Op::Div, sym::FunctionId::Exp, 0x3f800000,
                                 0x40400000, sym::Reciprocal);
  EXPECT_TRUE(reciprocal.mayBe(0, reciprocal.value[0] + 1));
  EXPECT_FALSE(reciprocal.mayBe(0, reciprocal.value[0] + 3));
  Lanes quotient =
      approximate(Op::Div, sym::FunctionId::Exp, 0x3fc00000, 0x40400000 + 1);
  EXPECT_TRUE(quotient.mayBe(0, quotient.value[0] + 2));
  EXPECT_FALSE(quotient.mayBe(0, quotient.value[0] + 4));
  // sin beyond 100 pi has no bound.
  Lanes sine = approximate(Op::Function, sym::FunctionId::Sin, 0x42c80000);
  EXPECT_FALSE(sine.mayBe(0, 0x12345678));
  sine = approximate(Op::Function, sym::FunctionId::Sin, 0x43c80000);
  EXPECT_TRUE(sine.mayBe(0, 0x12345678));
}

TEST(Bounds, NaNIsOneValue) {
  Lanes r = approximate(Op::Function, sym::FunctionId::Exp2, 0x7fc00000);
  EXPECT_EQ(r.value[0], 0x7fffffffu);
  EXPECT_TRUE(r.mayBe(0, 0xffc00001));
  EXPECT_FALSE(r.mayBe(0, 0x3f800000));
}

} // namespace
