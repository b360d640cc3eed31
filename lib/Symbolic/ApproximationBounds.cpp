// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the PTX ISA promises of its approximate instructions, by the sections of
// its edition 9.1. Where an older edition is remembered to have promised less,
// the larger error stands. Where the ISA gives a bound for the flushing form
// only, the other form has the same, with subnormals.
#include "prec/Symbolic/Interval.h"

#include <limits>

using namespace prec;
using namespace prec::sym;

namespace {

struct Row {
  Op op;
  FormatId format;
  /// Of Function: which one.
  FunctionId function;
  /// Flags of divisions: which instruction.
  uint8_t flags;
  /// Magnitudes of the operand (of a division: the divisor) for which it holds.
  double least, most;
  ApproximationBound bound;
  const char *text;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979311600; // rounded down, as 2 pi is
constexpr auto none = FunctionId::Exp;        // not a function
constexpr FormatId f32 = FormatId::F32, f16 = FormatId::F16,
                   bf16 = FormatId::BF16;

constexpr Row rows[] = {
    // 9.7.3.13: 1 ulp for all inputs; older editions: relative error 2^-23.
    {Op::Div,
     f32,
     none,
     Reciprocal,
     0,
     infinity,
     {1, 0x1p-23, 0},
     "rcp.approx.f32: 1 ulp and relative 2^-23"},
    // 9.7.3.8: 2 ulp for all inputs.
    {Op::Div,
     f32,
     none,
     FullRange,
     0,
     infinity,
     {2, 0, 0},
     "div.full.f32: 2 ulp"},
    // 9.7.3.8: 2 ulp for divisors of magnitude 2^-126 to 2^126; larger ones
    // give 0 or NaN (Interval.cpp).
    {Op::Div,
     f32,
     none,
     NoFlags,
     0x1p-126,
     0x1p126,
     {2, 0, 0},
     "div.approx.f32: 2 ulp for divisors from 2^-126 to 2^126"},
    // 9.7.3.15: relative error 2^-23 for positive finite inputs.
    {Op::Sqrt,
     f32,
     none,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-23, 0},
     "sqrt.approx.f32: relative 2^-23"},
    // 9.7.3.16: relative error 2^-22.9; older editions: 2^-22.4.
    {Op::Function,
     f32,
     FunctionId::Rsqrt,
     NoFlags,
     0,
     infinity,
     {0, 0x1.8406003b2ae64p-23, 0},
     "rsqrt.approx.f32: relative 2^-22.4"},
    // 9.7.3.21: 2 ulp from the correctly rounded result; older editions:
    // relative error 2^-22.
    {Op::Function,
     f32,
     FunctionId::Exp2,
     NoFlags,
     0,
     infinity,
     {2, 0x1p-22, 0},
     "ex2.approx.f32: 2 ulp and relative 2^-22"},
    // 9.7.4.10: relative error 2^-9.9.
    {Op::Function,
     f16,
     FunctionId::Exp2,
     NoFlags,
     0,
     infinity,
     {0, 0x1.125fbee25067p-10, 0},
     "ex2.approx.f16: relative 2^-9.9"},
    // 9.7.4.10: relative error 2^-7.
    {Op::Function,
     bf16,
     FunctionId::Exp2,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-7, 0},
     "ex2.approx.ftz.bf16: relative 2^-7"},
    // 9.7.3.20: absolute error 2^-22 for inputs from 0.5 to 2, whose logarithms
    // are below 1; relative error 2^-22 for others.
    {Op::Function,
     f32,
     FunctionId::Log2,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-22, 0x1p-22},
     "lg2.approx.f32: absolute and relative 2^-22"},
    // 9.7.3.18 and 9.7.3.19: absolute error 2^-20.5 from -2 pi to 2 pi and
    // 2^-14.7 from -100 pi to 100 pi; none beyond.
    {Op::Function,
     f32,
     FunctionId::Sin,
     NoFlags,
     0,
     2 * pi,
     {0, 0, 0x1.6a09e667f3bcep-21},
     "sin.approx.f32: absolute 2^-20.5 from -2pi to 2pi, 2^-14.7 from -100pi "
     "to 100pi"},
    {Op::Function,
     f32,
     FunctionId::Sin,
     NoFlags,
     0,
     100 * pi,
     {0, 0, 0x1.3b2c47bff832cp-15},
     "sin.approx.f32: absolute 2^-20.5 from -2pi to 2pi, 2^-14.7 from -100pi "
     "to 100pi"},
    {Op::Function,
     f32,
     FunctionId::Cos,
     NoFlags,
     0,
     2 * pi,
     {0, 0, 0x1.6a09e667f3bcep-21},
     "cos.approx.f32: absolute 2^-20.5 from -2pi to 2pi, 2^-14.7 from -100pi "
     "to 100pi"},
    {Op::Function,
     f32,
     FunctionId::Cos,
     NoFlags,
     0,
     100 * pi,
     {0, 0, 0x1.3b2c47bff832cp-15},
     "cos.approx.f32: absolute 2^-20.5 from -2pi to 2pi, 2^-14.7 from -100pi "
     "to 100pi"},
    // 9.7.3.22: relative error 2^-11.
    {Op::Function,
     f32,
     FunctionId::Tanh,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-11, 0},
     "tanh.approx.f32: relative 2^-11"},
    // 9.7.4.9: absolute error 2^-10.987 for f16, 2^-8 for bf16.
    {Op::Function,
     f16,
     FunctionId::Tanh,
     NoFlags,
     0,
     infinity,
     {0, 0, 0x1.0251353756992p-11},
     "tanh.approx.f16: absolute 2^-10.987"},
    {Op::Function,
     bf16,
     FunctionId::Tanh,
     NoFlags,
     0,
     infinity,
     {0, 0, 0x1p-8},
     "tanh.approx.bf16: absolute 2^-8"},
    // rcp.approx.ftz.f64 and rsqrt.approx.f64 have no bound.
};

} // namespace

static bool isOf(const Row &row, const Expr &e) {
  return row.op == e.op && row.format == e.format &&
         (e.op != Op::Function || row.function == FunctionId(e.index)) &&
         row.flags == (e.flags & (Reciprocal | FullRange));
}

const ApproximationBound *
prec::sym::approximationBound(const Expr &e, double least, double most) {
  for (const Row &row : rows)
    if (isOf(row, e) && least >= row.least && most <= row.most)
      return &row.bound;
  return nullptr;
}

std::string prec::sym::approximationText(const Expr &e) {
  for (const Row &row : rows)
    if (isOf(row, e))
      return row.text;
  return std::string(e.op == Op::Function ? name(FunctionId(e.index))
                                          : name(e.op)) +
         "." + formatOf(e.format)->name + ": no bound";
}
