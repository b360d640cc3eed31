// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arith, math and prec.round on n elements: one line an operation.
#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prec;
using namespace prec::ref;
using num::Format;
using num::Rounding;

namespace {

/// An operation with its elements.
struct Call {
  Operation *op;
  ArrayRef<Lanes> in;
  ArrayRef<MutableLanes> out;
  size_t n;
  FloatDomain &domain;

  LogicalResult done(bool known) const {
    return known ? success() : unsupportedInDomain(op, domain);
  }
};

using Handler = LogicalResult (*)(const Call &);

/// Uninitialised memory for n elements.
class Scratch {
public:
  Scratch(size_t n, unsigned bytes) : memory(new char[n * bytes]) {}
  void *data() { return memory.get(); }

private:
  std::unique_ptr<char[]> memory;
};

//===----------------------------------------------------------------------===//
// Floats: an operation on a narrow type is the f32 operation on the widened
// operands, rounded once.
//===----------------------------------------------------------------------===//

const Format &wideFormat(const Format &format) {
  return format.width() < 32 ? num::kF32 : format;
}

/// An operand in f32 or f64.
class Wide {
public:
  Wide(const Call &call, const Lanes &lanes) : data(lanes.data) {
    const Format &format = *lanes.element.format, &wide = wideFormat(format);
    if (&wide == &format)
      return;
    scratch.emplace(call.n, call.domain.bytes(wide));
    known = call.domain.convert(format, wide, Rounding::NearestEven, false,
                                lanes.data, call.n, scratch->data());
    data = scratch->data();
  }
  operator const void *() const { return data; }
  bool known = true;

private:
  const void *data;
  std::optional<Scratch> scratch;
};

/// A result that is computed in f32 or f64 and then rounded.
class Narrow {
public:
  Narrow(const Call &call)
      : call(call), format(*call.out[0].element.format),
        data(call.out[0].data) {
    const Format &wide = wideFormat(format);
    if (&wide == &format)
      return;
    scratch.emplace(call.n, call.domain.bytes(wide));
    data = scratch->data();
  }
  operator void *() const { return data; }
  bool finish() {
    return !scratch ||
           call.domain.convert(num::kF32, format, Rounding::NearestEven, false,
                               data, call.n, call.out[0].data);
  }

private:
  const Call &call;
  const Format &format;
  void *data;
  std::optional<Scratch> scratch;
};

/// `prec.math` other than `correctly_rounded` names bits that are not ours.
LogicalResult checkMath(Operation *op) {
  auto math = op->getAttrOfType<MathAttr>("prec.math");
  if (!math || math.getKind() == MathKind::correctly_rounded)
    return success();
  return op->emitError() << "the reference evaluator has correctly rounded "
                            "functions only but got "
                         << math;
}

template <FloatUnary Kind> LogicalResult unary(const Call &c) {
  Wide a(c, c.in[0]);
  Narrow out(c);
  const Format &format = wideFormat(*c.in[0].element.format);
  auto math = c.op->getAttrOfType<MathAttr>("prec.math");
  if (math && math.getKind() == MathKind::libdevice && format == num::kF32 &&
      a.known && c.domain.libdevice(Kind, a, c.n, out))
    return c.done(out.finish());
  if (failed(checkMath(c.op)))
    return failure();
  return c.done(a.known && c.domain.unary(Kind, format, a, c.n, out) &&
                out.finish());
}

template <FloatBinary Kind> LogicalResult binary(const Call &c) {
  if (failed(checkMath(c.op)))
    return failure();
  Wide a(c, c.in[0]), b(c, c.in[1]);
  Narrow out(c);
  const Format &format = wideFormat(*c.in[0].element.format);
  return c.done(a.known && b.known &&
                c.domain.binary(Kind, format, a, b, c.n, out) && out.finish());
}

template <FloatClass Kind> LogicalResult classify(const Call &c) {
  Wide a(c, c.in[0]);
  const Format &format = wideFormat(*c.in[0].element.format);
  return c.done(a.known &&
                c.domain.classify(Kind, format, a, c.n, c.out[0].data));
}

LogicalResult compareFloats(const Call &c) {
  Wide a(c, c.in[0]), b(c, c.in[1]);
  const Format &format = wideFormat(*c.in[0].element.format);
  return c.done(a.known && b.known &&
                c.domain.compare(cast<arith::CmpFOp>(c.op).getPredicate(),
                                 format, a, b, c.n, c.out[0].data));
}

/// The exact a * b + c, rounded once to whatever the type is: in f32 it would
/// be rounded twice.
LogicalResult fma(const Call &c) {
  return c.done(c.domain.fma(*c.in[0].element.format, c.in[0].data,
                             c.in[1].data, c.in[2].data, c.n, c.out[0].data));
}

LogicalResult convert(const Call &c, Rounding mode, bool saturate = false) {
  return c.done(c.domain.convert(*c.in[0].element.format,
                                 *c.out[0].element.format, mode, saturate,
                                 c.in[0].data, c.n, c.out[0].data));
}

LogicalResult extend(const Call &c) {
  return convert(c, Rounding::NearestEven);
}

LogicalResult truncate(const Call &c) {
  auto mode = cast<arith::TruncFOp>(c.op).getRoundingmode();
  switch (mode.value_or(arith::RoundingMode::to_nearest_even)) {
  case arith::RoundingMode::to_nearest_even:
    return convert(c, Rounding::NearestEven);
  case arith::RoundingMode::toward_zero:
    return convert(c, Rounding::TowardZero);
  case arith::RoundingMode::upward:
    return convert(c, Rounding::Upward);
  case arith::RoundingMode::downward:
    return convert(c, Rounding::Downward);
  case arith::RoundingMode::to_nearest_away:
    return convert(c, Rounding::NearestAway);
  }
  return failure();
}

LogicalResult roundOp(const Call &c) {
  auto op = cast<RoundOp>(c.op);
  // num::Rounding stands in the order of the dialect's modes.
  return convert(c, static_cast<Rounding>(op.getMode()), op.getSaturate());
}

//===----------------------------------------------------------------------===//
// Integers: int64_t, sign-extended from the type's width. i1 takes part as 0
// and -1, where it is not a truth value of the domain anyway.
//===----------------------------------------------------------------------===//

/// An operand as integers.
class Integers {
public:
  Integers(const Call &call, const Lanes &lanes)
      : data(static_cast<const int64_t *>(lanes.data)) {
    if (!lanes.element.isBool())
      return;
    SmallVector<uint8_t> bools(call.n);
    known = call.domain.toBools(lanes.data, call.n, bools.data());
    for (uint8_t truth : bools)
      scratch.push_back(truth ? -1 : 0);
    data = scratch.data();
  }
  int64_t operator[](size_t i) const { return data[i]; }
  bool known = true;

private:
  const int64_t *data;
  SmallVector<int64_t, 0> scratch;
};

/// Stores n integers, brought into the range of the result's type.
LogicalResult store(const Call &c, llvm::function_ref<int64_t(size_t)> value) {
  const MutableLanes &out = c.out[0];
  if (out.element.isBool()) {
    SmallVector<uint8_t> bools;
    for (size_t i = 0; i < c.n; ++i)
      bools.push_back(value(i) & 1);
    c.domain.fromBools(bools.data(), c.n, out.data);
    return success();
  }
  auto *data = static_cast<int64_t *>(out.data);
  for (size_t i = 0; i < c.n; ++i)
    data[i] =
        llvm::SignExtend64(static_cast<uint64_t>(value(i)), out.element.width);
  return success();
}

/// The integer without its sign extension.
uint64_t zeroExtended(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// F of two sign-extended integers.
template <typename F> LogicalResult integers(const Call &c, F f) {
  Integers a(c, c.in[0]), b(c, c.in[1]);
  if (!a.known || !b.known)
    return c.done(false);
  return store(c, [&](size_t i) { return f(a[i], b[i]); });
}

/// F of two zero-extended integers.
template <typename F> LogicalResult naturals(const Call &c, F f) {
  Integers a(c, c.in[0]), b(c, c.in[1]);
  if (!a.known || !b.known)
    return c.done(false);
  unsigned width = c.in[0].element.width;
  return store(c, [&](size_t i) {
    return static_cast<int64_t>(
        f(zeroExtended(a[i], width), zeroExtended(b[i], width)));
  });
}

/// Division: what MLIR gives no meaning to is an error.
LogicalResult checkDivision(const Call &c, bool isSigned) {
  Integers a(c, c.in[0]), b(c, c.in[1]);
  unsigned width = c.in[0].element.width;
  for (size_t i = 0; i < c.n; ++i) {
    if (b[i] == 0)
      return c.op->emitError("division by zero");
    if (isSigned && b[i] == -1 && a[i] == llvm::minIntN(width))
      return c.op->emitError("division overflows");
  }
  return success();
}
template <typename F> LogicalResult division(const Call &c, F f) {
  return failed(checkDivision(c, true)) ? failure() : integers(c, f);
}
template <typename F> LogicalResult naturalDivision(const Call &c, F f) {
  return failed(checkDivision(c, false)) ? failure() : naturals(c, f);
}

LogicalResult checkShift(const Call &c) {
  Integers amount(c, c.in[1]);
  unsigned width = c.in[0].element.width;
  for (size_t i = 0; i < c.n; ++i)
    if (zeroExtended(amount[i], width) >= width)
      return c.op->emitError() << "expected a shift by less than " << width
                               << " but got " << zeroExtended(amount[i], width);
  return success();
}

template <typename F> LogicalResult shift(const Call &c, F f) {
  return failed(checkShift(c)) ? failure() : naturals(c, f);
}

/// Wrapping arithmetic is that of unsigned integers.
uint64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
  uint64_t result = 1, factor = static_cast<uint64_t>(base);
  for (; exponent; exponent >>= 1, factor *= factor)
    if (exponent & 1)
      result *= factor;
  return result;
}

template <typename F> LogicalResult logic(const Call &c, Logic kind, F f) {
  if (c.out[0].element.isBool())
    return c.done(
        c.domain.logic(kind, c.in[0].data, c.in[1].data, c.n, c.out[0].data));
  return naturals(c, f);
}

LogicalResult compareIntegers(const Call &c) {
  Integers a(c, c.in[0]), b(c, c.in[1]);
  if (!a.known || !b.known)
    return c.done(false);
  auto predicate = cast<arith::CmpIOp>(c.op).getPredicate();
  unsigned width = c.in[0].element.width;
  return store(c, [&](size_t i) {
    return arith::applyCmpPredicate(predicate,
                                    APInt(width, zeroExtended(a[i], width)),
                                    APInt(width, zeroExtended(b[i], width)));
  });
}

/// Sign extension and truncation are what store() does.
LogicalResult copySigned(const Call &c) {
  Integers a(c, c.in[0]);
  return a.known ? store(c, [&](size_t i) { return a[i]; }) : c.done(false);
}

/// F of the zero-extended integer and its width.
template <typename F> LogicalResult bits(const Call &c, F f) {
  Integers a(c, c.in[0]);
  if (!a.known)
    return c.done(false);
  unsigned width = c.in[0].element.width;
  return store(c, [&](size_t i) {
    return static_cast<int64_t>(f(zeroExtended(a[i], width), width));
  });
}

//===----------------------------------------------------------------------===//
// Between floats, integers and truth values
//===----------------------------------------------------------------------===//

/// The integer, rounded once to whatever the type is.
template <bool isUnsigned> LogicalResult fromInteger(const Call &c) {
  const Format &format = *c.out[0].element.format;
  void *out = c.out[0].data;
  if (c.in[0].element.isBool()) {
    // A choice between two constants keeps the truth value in the domain.
    unsigned bytes = c.domain.bytes(format);
    Scratch one(c.n, bytes), zero(c.n, bytes);
    uint64_t bits = num::fromSigned(format, isUnsigned ? 1 : -1);
    SmallVector<uint64_t> ones(c.n, bits), zeros(c.n, 0);
    c.domain.fromBits(format, ones.data(), c.n, one.data());
    c.domain.fromBits(format, zeros.data(), c.n, zero.data());
    return c.done(c.domain.select(c.in[0].data, &format, one.data(),
                                  zero.data(), c.n, out));
  }
  unsigned width = c.in[0].element.width;
  SmallVector<int64_t> values;
  auto *in = static_cast<const int64_t *>(c.in[0].data);
  for (size_t i = 0; i < c.n; ++i)
    values.push_back(
        isUnsigned ? static_cast<int64_t>(zeroExtended(in[i], width)) : in[i]);
  return c.done(
      c.domain.fromInteger(format, isUnsigned, values.data(), c.n, out));
}

template <bool isUnsigned> LogicalResult toInteger(const Call &c) {
  Wide a(c, c.in[0]);
  const Format &format = wideFormat(*c.in[0].element.format);
  SmallVector<int64_t> values(c.n);
  if (!a.known ||
      !c.domain.toInteger(format, isUnsigned, c.out[0].element.width, a, c.n,
                          values.data()))
    return c.done(false);
  return store(c, [&](size_t i) { return values[i]; });
}

LogicalResult bitcast(const Call &c) {
  const Lanes &in = c.in[0];
  const MutableLanes &out = c.out[0];
  if (!in.element.isFloat() && !out.element.isFloat())
    return copySigned(c);
  SmallVector<uint64_t> bits(c.n);
  if (in.element.isFloat()) {
    if (!c.domain.toBits(*in.element.format, in.data, c.n, bits.data()))
      return c.done(false);
  } else {
    for (size_t i = 0; i < c.n; ++i)
      bits[i] = static_cast<uint64_t>(static_cast<const int64_t *>(in.data)[i]);
  }
  if (!out.element.isFloat())
    return store(c, [&](size_t i) { return static_cast<int64_t>(bits[i]); });
  for (uint64_t &value : bits)
    value &= llvm::maskTrailingOnes<uint64_t>(out.element.width);
  c.domain.fromBits(*out.element.format, bits.data(), c.n, out.data);
  return success();
}

LogicalResult integerPower(const Call &c) {
  if (failed(checkMath(c.op)))
    return failure();
  Wide a(c, c.in[0]);
  Narrow out(c);
  const Format &format = wideFormat(*c.in[0].element.format);
  auto *exponents = static_cast<const int64_t *>(c.in[1].data);
  return c.done(a.known && c.in[1].element.isInteger() &&
                c.domain.powi(format, a, exponents, c.n, out) && out.finish());
}

LogicalResult select(const Call &c) {
  const Element &element = c.out[0].element;
  if (!element.isInteger())
    return c.done(c.domain.select(c.in[0].data, element.format, c.in[1].data,
                                  c.in[2].data, c.n, c.out[0].data));
  Integers condition(c, c.in[0]), a(c, c.in[1]), b(c, c.in[2]);
  if (!condition.known)
    return c.done(false);
  return store(c, [&](size_t i) { return condition[i] ? a[i] : b[i]; });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

class Table {
public:
  Table() {
    floats();
    functions();
    integerOps();
    casts();
  }
  Handler find(Operation *op) const {
    return handlers.lookup(op->getName().getTypeID());
  }

private:
  template <typename Op> void add(Handler handler) {
    handlers[TypeID::get<Op>()] = handler;
  }

  void floats() {
    add<arith::AddFOp>(binary<FloatBinary::Add>);
    add<arith::SubFOp>(binary<FloatBinary::Sub>);
    add<arith::MulFOp>(binary<FloatBinary::Mul>);
    add<arith::DivFOp>(binary<FloatBinary::Div>);
    add<arith::RemFOp>(binary<FloatBinary::Rem>);
    add<arith::MinimumFOp>(binary<FloatBinary::Minimum>);
    add<arith::MaximumFOp>(binary<FloatBinary::Maximum>);
    add<arith::MinNumFOp>(binary<FloatBinary::MinNum>);
    add<arith::MaxNumFOp>(binary<FloatBinary::MaxNum>);
    add<arith::NegFOp>(unary<FloatUnary::Neg>);
    add<arith::CmpFOp>(compareFloats);
    add<math::AbsFOp>(unary<FloatUnary::Abs>);
    add<math::CopySignOp>(binary<FloatBinary::CopySign>);
    add<math::FmaOp>(fma);
    add<math::CeilOp>(unary<FloatUnary::Ceil>);
    add<math::FloorOp>(unary<FloatUnary::Floor>);
    add<math::TruncOp>(unary<FloatUnary::Trunc>);
    add<math::RoundEvenOp>(unary<FloatUnary::RoundEven>);
    add<math::RoundOp>(unary<FloatUnary::RoundAway>);
    add<math::IsNaNOp>(classify<FloatClass::NaN>);
    add<math::IsInfOp>(classify<FloatClass::Infinite>);
    add<math::IsFiniteOp>(classify<FloatClass::Finite>);
    add<math::IsNormalOp>(classify<FloatClass::Normal>);
  }

  void functions() {
    add<math::SqrtOp>(unary<FloatUnary::Sqrt>);
    add<math::RsqrtOp>(unary<FloatUnary::Rsqrt>);
    add<math::ExpOp>(unary<FloatUnary::Exp>);
    add<math::Exp2Op>(unary<FloatUnary::Exp2>);
    add<math::ExpM1Op>(unary<FloatUnary::Expm1>);
    add<math::LogOp>(unary<FloatUnary::Log>);
    add<math::Log2Op>(unary<FloatUnary::Log2>);
    add<math::Log10Op>(unary<FloatUnary::Log10>);
    add<math::Log1pOp>(unary<FloatUnary::Log1p>);
    add<math::SinOp>(unary<FloatUnary::Sin>);
    add<math::CosOp>(unary<FloatUnary::Cos>);
    add<math::TanOp>(unary<FloatUnary::Tan>);
    add<math::AsinOp>(unary<FloatUnary::Asin>);
    add<math::AcosOp>(unary<FloatUnary::Acos>);
    add<math::AtanOp>(unary<FloatUnary::Atan>);
    add<math::SinhOp>(unary<FloatUnary::Sinh>);
    add<math::CoshOp>(unary<FloatUnary::Cosh>);
    add<math::TanhOp>(unary<FloatUnary::Tanh>);
    add<math::AsinhOp>(unary<FloatUnary::Asinh>);
    add<math::AcoshOp>(unary<FloatUnary::Acosh>);
    add<math::AtanhOp>(unary<FloatUnary::Atanh>);
    add<math::ErfOp>(unary<FloatUnary::Erf>);
    add<math::ErfcOp>(unary<FloatUnary::Erfc>);
    add<math::CbrtOp>(unary<FloatUnary::Cbrt>);
    add<math::PowFOp>(binary<FloatBinary::Pow>);
    add<math::Atan2Op>(binary<FloatBinary::Atan2>);
    add<math::FPowIOp>(integerPower);
  }

  void integerOps() {
    add<arith::AddIOp>([](const Call &c) {
      return naturals(c, [](uint64_t a, uint64_t b) { return a + b; });
    });
    add<arith::SubIOp>([](const Call &c) {
      return naturals(c, [](uint64_t a, uint64_t b) { return a - b; });
    });
    add<arith::MulIOp>([](const Call &c) {
      return naturals(c, [](uint64_t a, uint64_t b) { return a * b; });
    });
    add<arith::DivSIOp>([](const Call &c) {
      return division(c, [](int64_t a, int64_t b) { return a / b; });
    });
    add<arith::RemSIOp>([](const Call &c) {
      return division(c, [](int64_t a, int64_t b) { return a % b; });
    });
    add<arith::DivUIOp>([](const Call &c) {
      return naturalDivision(c, [](uint64_t a, uint64_t b) { return a / b; });
    });
    add<arith::RemUIOp>([](const Call &c) {
      return naturalDivision(c, [](uint64_t a, uint64_t b) { return a % b; });
    });
    add<arith::CeilDivSIOp>([](const Call &c) {
      return division(
          c, [](int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); });
    });
    add<arith::FloorDivSIOp>([](const Call &c) {
      return division(c, [](int64_t a, int64_t b) {
        return llvm::divideFloorSigned(a, b);
      });
    });
    add<arith::CeilDivUIOp>([](const Call &c) {
      return naturalDivision(
          c, [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });
    });
    add<arith::MaxSIOp>([](const Call &c) {
      return integers(c, [](int64_t a, int64_t b) { return std::max(a, b); });
    });
    add<arith::MinSIOp>([](const Call &c) {
      return integers(c, [](int64_t a, int64_t b) { return std::min(a, b); });
    });
    add<arith::MaxUIOp>([](const Call &c) {
      return naturals(c, [](uint64_t a, uint64_t b) { return std::max(a, b); });
    });
    add<arith::MinUIOp>([](const Call &c) {
      return naturals(c, [](uint64_t a, uint64_t b) { return std::min(a, b); });
    });
    add<arith::AndIOp>([](const Call &c) {
      return logic(c, Logic::And, [](uint64_t a, uint64_t b) { return a & b; });
    });
    add<arith::OrIOp>([](const Call &c) {
      return logic(c, Logic::Or, [](uint64_t a, uint64_t b) { return a | b; });
    });
    add<arith::XOrIOp>([](const Call &c) {
      return logic(c, Logic::Xor, [](uint64_t a, uint64_t b) { return a ^ b; });
    });
    add<arith::ShLIOp>([](const Call &c) {
      return shift(c, [](uint64_t a, uint64_t b) { return a << b; });
    });
    add<arith::ShRUIOp>([](const Call &c) {
      return shift(c, [](uint64_t a, uint64_t b) { return a >> b; });
    });
    add<arith::ShRSIOp>([](const Call &c) {
      return failed(checkShift(c))
                 ? failure()
                 : integers(c, [](int64_t a, int64_t b) { return a >> b; });
    });
    add<arith::CmpIOp>(compareIntegers);
    add<math::IPowIOp>([](const Call &c) {
      return integers(c, [](int64_t a, int64_t b) {
        return static_cast<int64_t>(power(a, b));
      });
    });
    add<math::AbsIOp>([](const Call &c) {
      return bits(c, [](uint64_t a, unsigned width) {
        return llvm::SignExtend64(a, width) < 0 ? 0 - a : a;
      });
    });
    add<math::CountLeadingZerosOp>([](const Call &c) {
      return bits(c, [](uint64_t a, unsigned width) {
        return static_cast<unsigned>(llvm::countl_zero(a)) - (64 - width);
      });
    });
    add<math::CountTrailingZerosOp>([](const Call &c) {
      return bits(c, [](uint64_t a, unsigned width) {
        return std::min(static_cast<unsigned>(llvm::countr_zero(a)), width);
      });
    });
    add<math::CtPopOp>([](const Call &c) {
      return bits(c, [](uint64_t a, unsigned) { return llvm::popcount(a); });
    });
  }

  void casts() {
    add<arith::ExtFOp>(extend);
    add<arith::TruncFOp>(truncate);
    add<RoundOp>(roundOp);
    add<arith::SIToFPOp>(fromInteger<false>);
    add<arith::UIToFPOp>(fromInteger<true>);
    add<arith::FPToSIOp>(toInteger<false>);
    add<arith::FPToUIOp>(toInteger<true>);
    add<arith::BitcastOp>(bitcast);
    add<arith::ExtSIOp>(copySigned);
    add<arith::TruncIOp>(copySigned);
    add<arith::IndexCastOp>(copySigned);
    auto zeroExtension = [](const Call &c) {
      return bits(c, [](uint64_t a, unsigned) { return a; });
    };
    add<arith::ExtUIOp>(zeroExtension);
    add<arith::IndexCastUIOp>(zeroExtension);
    add<arith::SelectOp>(select);
  }

  llvm::DenseMap<TypeID, Handler> handlers;
};

} // namespace

static const Table &table() {
  static const Table instance;
  return instance;
}

bool prec::ref::isElementwise(Operation *op) {
  return table().find(op) != nullptr;
}

LogicalResult prec::ref::runElementwise(Operation *op, ArrayRef<Lanes> operands,
                                        ArrayRef<MutableLanes> results,
                                        size_t n, FloatDomain &domain) {
  domain.at(op);
  return table().find(op)({op, operands, results, n, domain});
}
