// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point instructions of one thread. Results are exact, rounded once;
// NaN results are the canonical NaN of the ISA (all ones but the sign).
#include "Program.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Functions.h"

#include <cmath>

using namespace prec;
using namespace prec::ptx;
using num::bitCast;
using num::Format;
using num::Rounding;

namespace {

/// NaN as the ISA canonicalises it; f64 keeps the quiet NaN of IEEE 754.
template <const Format &F> constexpr uint64_t canonicalNaN() {
  return F == num::kF64 ? F.quietNaN() : F.absMask();
}

template <const Format &F> uint64_t flush(uint64_t a) {
  return (a & F.expMask()) == 0 ? a & F.signMask() : a;
}

/// One in the format.
template <const Format &F> constexpr uint64_t one() {
  return uint64_t(F.bias) << F.fracBits;
}

/// What modifiers do to a result: .ftz, .sat, .relu and the canonical NaN.
template <const Format &F> uint64_t finish(const Inst &i, uint64_t r) {
  if (num::isNaN(F, r)) {
    if (i.sat)
      return 0;
    return canonicalNaN<F>();
  }
  if (i.ftz)
    r = flush<F>(r);
  if (i.sat || i.relu) {
    if (r & F.signMask())
      return 0;
    if (i.sat && r > one<F>())
      return one<F>();
  }
  return r;
}

template <const Format &F> uint64_t input(const Inst &i, uint64_t a) {
  return i.ftz ? flush<F>(a) : a;
}

/// The four operations, in each format by the fastest exact way.
enum class Arithmetic { Add, Sub, Mul, Div };

template <Arithmetic Op, typename T> T native(T a, T b) {
  switch (Op) {
  case Arithmetic::Add:
    return a + b;
  case Arithmetic::Sub:
    return a - b;
  case Arithmetic::Mul:
    return a * b;
  case Arithmetic::Div:
    return a / b;
  }
}
template <Arithmetic Op>
uint64_t exact(const Format &f, uint64_t a, uint64_t b, Rounding mode) {
  switch (Op) {
  case Arithmetic::Add:
    return num::add(f, a, b, mode);
  case Arithmetic::Sub:
    return num::sub(f, a, b, mode);
  case Arithmetic::Mul:
    return num::mul(f, a, b, mode);
  case Arithmetic::Div:
    return num::div(f, a, b, mode);
  }
}

template <const Format &F, Arithmetic Op>
uint64_t arithmetic(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  a = input<F>(i, a);
  b = input<F>(i, b);
  uint64_t r;
  if (i.rounding != Rounding::NearestEven)
    r = exact<Op>(F, a, b, i.rounding);
  else if constexpr (F == num::kF32)
    r = bitCast<uint32_t>(
        native<Op>(bitCast<float>(uint32_t(a)), bitCast<float>(uint32_t(b))));
  else if constexpr (F == num::kF64)
    r = bitCast<uint64_t>(native<Op>(bitCast<double>(a), bitCast<double>(b)));
  else
    // The f32 operation, rounded again, is the 16-bit operation.
    r = num::roundTo<F>(native<Op>(num::widenFrom<F>(uint32_t(a)),
                                   num::widenFrom<F>(uint32_t(b))));
  return finish<F>(i, r);
}

/// The usual f32 form, kept free of tests so that the loop vectorises.
template <Arithmetic Op>
uint64_t plainF32(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  float r =
      native<Op>(bitCast<float>(uint32_t(a)), bitCast<float>(uint32_t(b)));
  return r != r ? 0x7fffffffu : bitCast<uint32_t>(r);
}

/// The same for bf16, whose operands widen by a shift.
template <Arithmetic Op>
uint64_t plainBF16(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  float r = native<Op>(bitCast<float>(uint32_t(a) << 16),
                       bitCast<float>(uint32_t(b) << 16));
  uint32_t w = bitCast<uint32_t>(r);
  uint32_t rounded = (w + 0x7fff + (w >> 16 & 1)) >> 16;
  return r != r ? 0x7fff : rounded;
}

/// a * b + c of 16-bit numbers in f64, rounded to odd: the product is exact,
/// and the next rounding, to 16 bits, is as if it were the only one.
double fmaToOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  // The error of the sum, exactly (2Sum).
  double back = sum - product;
  double lost = (product - (sum - back)) + (c - back);
  uint64_t bits = bitCast<uint64_t>(sum);
  if (lost != 0 && std::isfinite(sum) && !(bits & 1)) {
    // One step towards the exact value makes it odd.
    bool outward = (lost > 0) == (sum > 0);
    bits = outward ? bits + 1 : bits - 1;
  }
  return bitCast<double>(bits);
}

template <const Format &F>
uint64_t fma(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  a = input<F>(i, a);
  b = input<F>(i, b);
  c = input<F>(i, c);
  uint64_t r;
  if (F == num::kF32 && i.rounding == Rounding::NearestEven)
    r = bitCast<uint32_t>(std::fma(bitCast<float>(uint32_t(a)),
                                   bitCast<float>(uint32_t(b)),
                                   bitCast<float>(uint32_t(c))));
  else if (F == num::kF64 && i.rounding == Rounding::NearestEven)
    r = bitCast<uint64_t>(
        std::fma(bitCast<double>(a), bitCast<double>(b), bitCast<double>(c)));
  else if constexpr (F.width() == 16)
    r = num::roundTo<F>(fmaToOdd(num::widenFrom<F>(uint32_t(a)),
                                 num::widenFrom<F>(uint32_t(b)),
                                 num::widenFrom<F>(uint32_t(c))));
  else
    r = num::fma(F, a, b, c, i.rounding);
  return finish<F>(i, r);
}

/// Mixed operands: the last one is f32, the others are widened exactly.
template <const Format &F, LaneFn Op>
uint64_t mixed(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  auto widen = [](uint64_t x) {
    return uint64_t(bitCast<uint32_t>(num::widenFrom<F>(uint32_t(x))));
  };
  return i.sources == 3 ? Op(i, widen(a), widen(b), c) : Op(i, widen(a), b, 0);
}

template <const Format &F>
uint64_t sqrt(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  a = input<F>(i, a);
  uint64_t r = i.rounding == Rounding::NearestEven && F == num::kF32
                   ? bitCast<uint32_t>(std::sqrt(bitCast<float>(uint32_t(a))))
                   : num::sqrt(F, a, i.rounding);
  return finish<F>(i, r);
}
template <const Format &F>
uint64_t rcp(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  return arithmetic<F, Arithmetic::Div>(i, one<F>(), a, 0);
}

template <const Format &F>
uint64_t neg(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  return input<F>(i, a) ^ F.signMask();
}
template <const Format &F>
uint64_t abs(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  return input<F>(i, a) & F.absMask();
}
/// copysign d, a, b: the sign of a on b.
template <const Format &F>
uint64_t copySign(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  return (a & F.signMask()) | (b & F.absMask());
}

template <const Format &F, bool Max>
uint64_t minMax(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  a = input<F>(i, a);
  b = input<F>(i, b);
  uint64_t sign = (a ^ b) & F.signMask();
  if (i.xorsign) {
    a &= F.absMask();
    b &= F.absMask();
  }
  uint64_t r;
  bool nanA = num::isNaN(F, a), nanB = num::isNaN(F, b);
  if (nanA || nanB) {
    if (i.nan || (nanA && nanB))
      return canonicalNaN<F>();
    r = nanA ? b : a;
  } else {
    // Order by a key that puts -0 below +0.
    auto key = [](uint64_t x) {
      return x & F.signMask() ? -int64_t(x & F.absMask()) - 1 : int64_t(x);
    };
    r = (key(a) < key(b)) != Max ? a : b;
  }
  if (i.xorsign)
    r = (r & F.absMask()) | sign;
  return r;
}

/// A function of mathematics, correctly rounded to f32 and then to F.
template <const Format &F, float (*Fn)(float)>
uint64_t function(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  a = input<F>(i, a);
  if constexpr (F == num::kF32)
    return finish<F>(i, bitCast<uint32_t>(Fn(bitCast<float>(uint32_t(a)))));
  else
    return finish<F>(i, num::roundTo<F>(Fn(num::widenFrom<F>(uint32_t(a)))));
}
uint64_t rsqrtF64(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  // Only approximations exist in f64: two correct roundings stand for them.
  return finish<num::kF64>(
      i, num::div(num::kF64, one<num::kF64>(), num::sqrt(num::kF64, a)));
}

/// testp: `imm` 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal,
/// 5 subnormal.
template <const Format &F>
uint64_t testp(const Inst &i, uint64_t a, uint64_t, uint64_t) {
  bool nan = num::isNaN(F, a), inf = num::isInf(F, a);
  switch (i.imm) {
  case 0:
    return !nan && !inf;
  case 1:
    return inf;
  case 2:
    return !nan;
  case 3:
    return nan;
  case 4:
    return !nan && !inf && (a & F.expMask()) != 0;
  default:
    return num::isSubnormal(F, a);
  }
}

/// Two numbers in a register.
template <LaneFn F, unsigned Width>
uint64_t packed(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  constexpr uint64_t mask = (uint64_t(1) << Width) - 1;
  return F(i, a & mask, b & mask, c & mask) |
         F(i, a >> Width, b >> Width, c >> Width) << Width;
}

template <const Format &F, LaneFn Scalar> PureFn scalarOrPacked(Ty type) {
  if constexpr (F.width() < 64)
    if (lanesOf(type) == 2)
      return pure<packed<Scalar, F.width()>>();
  return pure<Scalar>();
}

bool isPlain(const Inst &i) {
  return i.rounding == Rounding::NearestEven && !i.ftz && !i.sat && !i.relu;
}

template <const Format &F>
PureFn forFormat(const std::string &op, const Inst &i) {
  Ty t = i.type;
  if constexpr (F == num::kF32) {
    if (isPlain(i) && t == Ty::F32) {
      if (op == "add")
        return pure<plainF32<Arithmetic::Add>>();
      if (op == "sub")
        return pure<plainF32<Arithmetic::Sub>>();
      if (op == "mul")
        return pure<plainF32<Arithmetic::Mul>>();
      if (op == "div")
        return pure<plainF32<Arithmetic::Div>>();
    }
  }
  if constexpr (F == num::kBF16) {
    if (isPlain(i)) {
      if (op == "add")
        return scalarOrPacked<F, plainBF16<Arithmetic::Add>>(t);
      if (op == "sub")
        return scalarOrPacked<F, plainBF16<Arithmetic::Sub>>(t);
      if (op == "mul")
        return scalarOrPacked<F, plainBF16<Arithmetic::Mul>>(t);
    }
  }
  if (op == "add")
    return scalarOrPacked<F, arithmetic<F, Arithmetic::Add>>(t);
  if (op == "sub")
    return scalarOrPacked<F, arithmetic<F, Arithmetic::Sub>>(t);
  if (op == "mul")
    return scalarOrPacked<F, arithmetic<F, Arithmetic::Mul>>(t);
  if (op == "fma" || op == "mad")
    return scalarOrPacked<F, fma<F>>(t);
  if (op == "neg")
    return scalarOrPacked<F, neg<F>>(t);
  if (op == "abs")
    return scalarOrPacked<F, abs<F>>(t);
  if (op == "min")
    return scalarOrPacked<F, minMax<F, false>>(t);
  if (op == "max")
    return scalarOrPacked<F, minMax<F, true>>(t);
  if constexpr (F == num::kF64) {
    if (op == "rsqrt")
      return pure<rsqrtF64>();
  } else {
    if (op == "tanh")
      return scalarOrPacked<F, function<F, num::cr::tanh>>(t);
    if (op == "ex2")
      return scalarOrPacked<F, function<F, num::cr::exp2>>(t);
  }
  if constexpr (F == num::kF32) {
    if (op == "lg2")
      return pure<function<F, num::cr::log2>>();
    if (op == "sin")
      return pure<function<F, num::cr::sin>>();
    if (op == "cos")
      return pure<function<F, num::cr::cos>>();
    if (op == "rsqrt")
      return pure<function<F, num::cr::rsqrt>>();
  }
  if constexpr (F == num::kF32 || F == num::kF64) {
    if (op == "div")
      return pure<arithmetic<F, Arithmetic::Div>>();
    if (op == "rcp")
      return pure<rcp<F>>();
    if (op == "sqrt")
      return pure<sqrt<F>>();
    if (op == "copysign")
      return pure<copySign<F>>();
    if (op == "testp")
      return pure<testp<F>>();
  }
  return {};
}

template <const Format &F> PureFn forMixed(const std::string &op) {
  if (op == "add")
    return pure<mixed<F, arithmetic<num::kF32, Arithmetic::Add>>>();
  if (op == "sub")
    return pure<mixed<F, arithmetic<num::kF32, Arithmetic::Sub>>>();
  if (op == "fma")
    return pure<mixed<F, fma<num::kF32>>>();
  return {};
}
} // namespace

PureFn prec::ptx::floatFunction(const std::string &op, Inst &i) {
  if (i.type == Ty::F32 && i.sourceType == Ty::BF16)
    return forMixed<num::kBF16>(op);
  if (i.type == Ty::F32 && i.sourceType == Ty::F16)
    return forMixed<num::kF16>(op);
  switch (i.type) {
  case Ty::F32:
  case Ty::F32x2:
    return forFormat<num::kF32>(op, i);
  case Ty::F64:
    return forFormat<num::kF64>(op, i);
  case Ty::F16:
  case Ty::F16x2:
    return forFormat<num::kF16>(op, i);
  case Ty::BF16:
  case Ty::BF16x2:
    return forFormat<num::kBF16>(op, i);
  default:
    return {};
  }
}
