// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the PTX ISA promises of its approximate instructions. Sections are those
// of "Floating-Point Instructions" (9.7.3) and "Half Precision Floating-Point
// Instructions" (9.7.4) of PTX ISA 8 and 9. Where the ISA gives a bound for
// the flushing form only, the other form has the same, with subnormals.
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
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979311600; // rounded down
constexpr auto none = FunctionId::Exp;        // not a function

constexpr Row rows[] = {
    // rcp.approx.f32: 1 ulp for all inputs.
    {Op::Div, FormatId::F32, none, Reciprocal, 0, infinity, {1, 0, 0}},
    // div.full.f32: 2 ulp for all inputs.
    {Op::Div, FormatId::F32, none, FullRange, 0, infinity, {2, 0, 0}},
    // div.approx.f32: 2 ulp for divisors of magnitude 2^-126 to 2^126. Beyond
    // it gives 0 or NaN.
    {Op::Div, FormatId::F32, none, NoFlags, 0x1p-126, 0x1p126, {2, 0, 0}},
    // sqrt.approx.f32: relative error 2^-23 for positive finite inputs.
    {Op::Sqrt, FormatId::F32, none, NoFlags, 0, infinity, {0, 0x1p-23, 0}},
    // rsqrt.approx.f32: relative error 2^-22.9.
    {Op::Function,
     FormatId::F32,
     FunctionId::Rsqrt,
     NoFlags,
     0,
     infinity,
     {0, 0x1.125fbee25067p-23, 0}},
    // ex2.approx.f32: 2 ulp for all inputs.
    {Op::Function,
     FormatId::F32,
     FunctionId::Exp2,
     NoFlags,
     0,
     infinity,
     {2, 0, 0}},
    // ex2.approx.f16: relative error 2^-9.9.
    {Op::Function,
     FormatId::F16,
     FunctionId::Exp2,
     NoFlags,
     0,
     infinity,
     {0, 0x1.125fbee25067p-10, 0}},
    // ex2.approx.ftz.bf16: relative error 2^-7.
    {Op::Function,
     FormatId::BF16,
     FunctionId::Exp2,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-7, 0}},
    // lg2.approx.f32: absolute error 2^-22 for inputs from 0.5 to 2, whose
    // logarithms are below 1; relative error 2^-22 for others.
    {Op::Function,
     FormatId::F32,
     FunctionId::Log2,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-22, 0x1p-22}},
    // sin.approx.f32, cos.approx.f32: absolute error 2^-20.5 within 2 pi,
    // 2^-14.7 within 100 pi.
    {Op::Function,
     FormatId::F32,
     FunctionId::Sin,
     NoFlags,
     0,
     2 * pi,
     {0, 0, 0x1.6a09e667f3bcep-21}},
    {Op::Function,
     FormatId::F32,
     FunctionId::Sin,
     NoFlags,
     0,
     100 * pi,
     {0, 0, 0x1.3b2c47bff833p-15}},
    {Op::Function,
     FormatId::F32,
     FunctionId::Cos,
     NoFlags,
     0,
     2 * pi,
     {0, 0, 0x1.6a09e667f3bcep-21}},
    {Op::Function,
     FormatId::F32,
     FunctionId::Cos,
     NoFlags,
     0,
     100 * pi,
     {0, 0, 0x1.3b2c47bff833p-15}},
    // tanh.approx.f32: relative error 2^-11.
    {Op::Function,
     FormatId::F32,
     FunctionId::Tanh,
     NoFlags,
     0,
     infinity,
     {0, 0x1p-11, 0}},
    // tanh.approx.f16: absolute error 2^-10.987; bf16: 2^-8.
    {Op::Function,
     FormatId::F16,
     FunctionId::Tanh,
     NoFlags,
     0,
     infinity,
     {0, 0, 0x1.0251353756992p-11}},
    {Op::Function,
     FormatId::BF16,
     FunctionId::Tanh,
     NoFlags,
     0,
     infinity,
     {0, 0, 0x1p-8}},
    // rcp.approx.ftz.f64 and rsqrt.approx.f64 have no bound.
};

} // namespace

const ApproximationBound *
prec::sym::approximationBound(const Expr &e, double least, double most) {
  for (const Row &row : rows)
    if (row.op == e.op && row.format == e.format &&
        (e.op != Op::Function || row.function == FunctionId(e.index)) &&
        row.flags == (e.flags & (Reciprocal | FullRange)) &&
        least >= row.least && most <= row.most)
      return &row.bound;
  return nullptr;
}
