// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic is the host's, in IEEE f32 and f64 without contraction; functions
// and conversions are those of lib/Numerics.
#include "prec/Reference/BitsDomain.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Functions.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace prec;
using namespace prec::ref;
using num::Format;
using num::Rounding;

namespace {

/// The elements of a format in memory: an unsigned integer of its width.
template <typename F> void withWord(const Format &format, F body) {
  switch (format.width()) {
  case 8:
    return body(uint8_t());
  case 16:
    return body(uint16_t());
  case 32:
    return body(uint32_t());
  default:
    return body(uint64_t());
  }
}

/// Calls `body` with a float or a double, as the format says.
template <typename F> bool withFloat(const Format &format, F body) {
  return format == num::kF32 ? body(float()) : body(double());
}

template <typename T> const T *as(const void *data) {
  return static_cast<const T *>(data);
}
template <typename T> T *as(void *data) { return static_cast<T *>(data); }

template <typename T, typename F>
bool map(const void *a, size_t n, void *out, F function) {
  for (size_t i = 0; i < n; ++i)
    as<T>(out)[i] = function(as<T>(a)[i]);
  return true;
}

template <typename T, typename F>
bool map(const void *a, const void *b, size_t n, void *out, F function) {
  for (size_t i = 0; i < n; ++i)
    as<T>(out)[i] = function(as<T>(a)[i], as<T>(b)[i]);
  return true;
}

/// -0 < +0, and no NaN among the operands.
template <typename T> T smaller(T a, T b) {
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T> T larger(T a, T b) {
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename T>
bool ieeeUnary(FloatUnary op, const void *a, size_t n, void *out, bool &known) {
  known = true;
  switch (op) {
  case FloatUnary::Neg:
    return map<T>(a, n, out, [](T x) { return -x; });
  case FloatUnary::Abs:
    return map<T>(a, n, out, [](T x) { return std::fabs(x); });
  case FloatUnary::Ceil:
    return map<T>(a, n, out, [](T x) { return std::ceil(x); });
  case FloatUnary::Floor:
    return map<T>(a, n, out, [](T x) { return std::floor(x); });
  case FloatUnary::Trunc:
    return map<T>(a, n, out, [](T x) { return std::trunc(x); });
  case FloatUnary::RoundEven:
    return map<T>(a, n, out, [](T x) { return std::nearbyint(x); });
  case FloatUnary::RoundAway:
    return map<T>(a, n, out, [](T x) { return std::round(x); });
  case FloatUnary::Sqrt:
    return map<T>(a, n, out, [](T x) { return std::sqrt(x); });
  default:
    known = false;
    return false;
  }
}

/// The correctly rounded function of f32, or null.
float (*function(FloatUnary op))(float) {
  switch (op) {
  case FloatUnary::Rsqrt:
    return num::cr::rsqrt;
  case FloatUnary::Exp:
    return num::cr::exp;
  case FloatUnary::Exp2:
    return num::cr::exp2;
  case FloatUnary::Expm1:
    return num::cr::expm1;
  case FloatUnary::Log:
    return num::cr::log;
  case FloatUnary::Log2:
    return num::cr::log2;
  case FloatUnary::Log10:
    return num::cr::log10;
  case FloatUnary::Log1p:
    return num::cr::log1p;
  case FloatUnary::Sin:
    return num::cr::sin;
  case FloatUnary::Cos:
    return num::cr::cos;
  case FloatUnary::Tanh:
    return num::cr::tanh;
  case FloatUnary::Erf:
    return num::cr::erf;
  default:
    return nullptr;
  }
}

template <typename T>
bool binaryOf(FloatBinary op, const void *a, const void *b, size_t n,
              void *out) {
  switch (op) {
  case FloatBinary::Add:
    return map<T>(a, b, n, out, [](T x, T y) { return x + y; });
  case FloatBinary::Sub:
    return map<T>(a, b, n, out, [](T x, T y) { return x - y; });
  case FloatBinary::Mul:
    return map<T>(a, b, n, out, [](T x, T y) { return x * y; });
  case FloatBinary::Div:
    return map<T>(a, b, n, out, [](T x, T y) { return x / y; });
  case FloatBinary::Rem:
    return map<T>(a, b, n, out, [](T x, T y) { return std::fmod(x, y); });
  case FloatBinary::Minimum:
    return map<T>(a, b, n, out, [](T x, T y) {
      return x != x ? x : y != y ? y : smaller(x, y);
    });
  case FloatBinary::Maximum:
    return map<T>(a, b, n, out, [](T x, T y) {
      return x != x ? x : y != y ? y : larger(x, y);
    });
  case FloatBinary::MinNum:
    return map<T>(a, b, n, out, [](T x, T y) {
      return x != x ? y : y != y ? x : smaller(x, y);
    });
  case FloatBinary::MaxNum:
    return map<T>(a, b, n, out, [](T x, T y) {
      return x != x ? y : y != y ? x : larger(x, y);
    });
  case FloatBinary::CopySign:
    return map<T>(a, b, n, out, [](T x, T y) { return std::copysign(x, y); });
  case FloatBinary::Pow:
    if constexpr (std::is_same_v<T, float>)
      return map<T>(a, b, n, out, num::cr::pow);
    return false;
  case FloatBinary::Atan2:
    return false;
  }
  return false;
}

template <typename T>
bool compareOf(mlir::arith::CmpFPredicate predicate, const T *a, const T *b,
               size_t n, uint8_t *out) {
  using P = mlir::arith::CmpFPredicate;
  auto each = [&](auto test) {
    for (size_t i = 0; i < n; ++i)
      out[i] = test(a[i], b[i]);
    return true;
  };
  switch (predicate) {
  case P::AlwaysFalse:
    return each([](T, T) { return false; });
  case P::AlwaysTrue:
    return each([](T, T) { return true; });
  case P::OEQ:
    return each([](T x, T y) { return x == y; });
  case P::OGT:
    return each([](T x, T y) { return x > y; });
  case P::OGE:
    return each([](T x, T y) { return x >= y; });
  case P::OLT:
    return each([](T x, T y) { return x < y; });
  case P::OLE:
    return each([](T x, T y) { return x <= y; });
  case P::ONE:
    return each([](T x, T y) { return x < y || x > y; });
  case P::ORD:
    return each([](T x, T y) { return x == x && y == y; });
  case P::UEQ:
    return each([](T x, T y) { return !(x < y || x > y); });
  case P::UGT:
    return each([](T x, T y) { return !(x <= y); });
  case P::UGE:
    return each([](T x, T y) { return !(x < y); });
  case P::ULT:
    return each([](T x, T y) { return !(x >= y); });
  case P::ULE:
    return each([](T x, T y) { return !(x > y); });
  case P::UNE:
    return each([](T x, T y) { return x != y; });
  case P::UNO:
    return each([](T x, T y) { return x != x || y != y; });
  }
  return false;
}

/// The common conversions, in loops that the host compiler vectorises.
template <const Format &To, typename Word, typename From>
void narrowLoop(const void *in, size_t n, void *out) {
  for (size_t i = 0; i < n; ++i)
    as<Word>(out)[i] = static_cast<Word>(num::roundTo<To>(as<From>(in)[i]));
}
template <const Format &From, typename Word>
void widenLoop(const void *in, size_t n, void *out) {
  for (size_t i = 0; i < n; ++i)
    as<float>(out)[i] = num::widenFrom<From>(as<Word>(in)[i]);
}
bool fastConvert(const Format &from, const Format &to, const void *in, size_t n,
                 void *out) {
  if (from == num::kF32 && to == num::kBF16)
    narrowLoop<num::kBF16, uint16_t, float>(in, n, out);
  else if (from == num::kF32 && to == num::kF16)
    narrowLoop<num::kF16, uint16_t, float>(in, n, out);
  else if (from == num::kBF16 && to == num::kF32)
    widenLoop<num::kBF16, uint16_t>(in, n, out);
  else if (from == num::kF16 && to == num::kF32)
    widenLoop<num::kF16, uint16_t>(in, n, out);
  else
    return false;
  return true;
}

} // namespace

unsigned BitsDomain::bytes(const Format &format) const {
  return format.width() / 8;
}

void BitsDomain::fromBits(const Format &format, const uint64_t *bits, size_t n,
                          void *out) {
  withWord(format, [&](auto word) {
    using Word = decltype(word);
    for (size_t i = 0; i < n; ++i)
      as<Word>(out)[i] = static_cast<Word>(bits[i]);
  });
}

bool BitsDomain::toBits(const Format &format, const void *in, size_t n,
                        uint64_t *bits) {
  withWord(format, [&](auto word) {
    for (size_t i = 0; i < n; ++i)
      bits[i] = as<decltype(word)>(in)[i];
  });
  return true;
}

void BitsDomain::undefined(const Format &format, size_t n, void *out) {
  // All bits set: a NaN in every format, so that its use shows.
  std::memset(out, 0xff, n * bytes(format));
}

bool BitsDomain::unary(FloatUnary op, const Format &format, const void *a,
                       size_t n, void *out) {
  bool known, done = withFloat(format, [&](auto type) {
                return ieeeUnary<decltype(type)>(op, a, n, out, known);
              });
  if (known)
    return done;
  auto *f = function(op);
  return f && format == num::kF32 && map<float>(a, n, out, f);
}

bool BitsDomain::binary(FloatBinary op, const Format &format, const void *a,
                        const void *b, size_t n, void *out) {
  return withFloat(format, [&](auto type) {
    return binaryOf<decltype(type)>(op, a, b, n, out);
  });
}

bool BitsDomain::fma(const Format &format, const void *a, const void *b,
                     const void *c, size_t n, void *out) {
  auto each = [&](auto type, auto function) {
    using T = decltype(type);
    for (size_t i = 0; i < n; ++i)
      as<T>(out)[i] =
          static_cast<T>(function(as<T>(a)[i], as<T>(b)[i], as<T>(c)[i]));
    return true;
  };
  auto exact = [](auto x, auto y, auto z) { return num::cr::fma(x, y, z); };
  if (format == num::kF32)
    return each(float(), exact);
  if (format == num::kF64)
    return each(double(), exact);
  auto narrow = [&](uint64_t x, uint64_t y, uint64_t z) {
    return num::fma(format, x, y, z);
  };
  return format.width() == 16 ? each(uint16_t(), narrow)
                              : each(uint8_t(), narrow);
}

bool BitsDomain::powi(const Format &format, const void *a,
                      const int64_t *exponents, size_t n, void *out) {
  if (format != num::kF32)
    return false;
  for (size_t i = 0; i < n; ++i) {
    // Beyond 31 bits only the sign and the parity of an exponent matter.
    int64_t exponent = exponents[i];
    constexpr int64_t kLarge = int64_t(1) << 30;
    if (exponent > kLarge || exponent < -kLarge)
      exponent = (exponent < 0 ? -kLarge : kLarge) + (exponent & 1);
    as<float>(out)[i] =
        num::cr::powi(as<float>(a)[i], static_cast<int>(exponent));
  }
  return true;
}

bool BitsDomain::convert(const Format &from, const Format &to, Rounding mode,
                         bool saturate, const void *in, size_t n, void *out) {
  if (mode == Rounding::NearestEven && !saturate &&
      fastConvert(from, to, in, n, out))
    return true;
  withWord(from, [&](auto source) {
    withWord(to, [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      for (size_t i = 0; i < n; ++i)
        as<To>(out)[i] = static_cast<To>(
            num::round(from, as<From>(in)[i], to, mode, saturate));
    });
  });
  return true;
}

bool BitsDomain::fromInteger(const Format &to, bool isUnsigned,
                             const int64_t *in, size_t n, void *out) {
  withWord(to, [&](auto word) {
    using Word = decltype(word);
    for (size_t i = 0; i < n; ++i)
      as<Word>(out)[i] = static_cast<Word>(
          isUnsigned ? num::fromUnsigned(to, static_cast<uint64_t>(in[i]))
                     : num::fromSigned(to, in[i]));
  });
  return true;
}

bool BitsDomain::toInteger(const Format &from, bool isUnsigned, unsigned width,
                           const void *in, size_t n, int64_t *out) {
  return withFloat(from, [&](auto type) {
    using T = decltype(type);
    // 2^width or 2^(width-1), the first number above the range: exact in T.
    T above =
        std::ldexp(T(1), static_cast<int>(isUnsigned ? width : width - 1));
    uint64_t max = ~uint64_t(0) >> (64 - width) >> !isUnsigned;
    for (size_t i = 0; i < n; ++i) {
      T value = std::trunc(as<T>(in)[i]);
      if (value != value)
        out[i] = 0;
      else if (value >= above)
        out[i] = static_cast<int64_t>(max);
      else if (isUnsigned)
        out[i] =
            value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
      else
        out[i] = value < -above ? -static_cast<int64_t>(max) - 1
                                : static_cast<int64_t>(value);
    }
    return true;
  });
}

bool BitsDomain::compare(mlir::arith::CmpFPredicate predicate,
                         const Format &format, const void *a, const void *b,
                         size_t n, void *bools) {
  return withFloat(format, [&](auto type) {
    using T = decltype(type);
    return compareOf(predicate, as<T>(a), as<T>(b), n, as<uint8_t>(bools));
  });
}

bool BitsDomain::classify(FloatClass kind, const Format &format, const void *a,
                          size_t n, void *bools) {
  return withFloat(format, [&](auto type) {
    using T = decltype(type);
    for (size_t i = 0; i < n; ++i) {
      int value = std::fpclassify(as<T>(a)[i]);
      as<uint8_t>(bools)[i] =
          kind == FloatClass::NaN        ? value == FP_NAN
          : kind == FloatClass::Infinite ? value == FP_INFINITE
          : kind == FloatClass::Finite ? value != FP_NAN && value != FP_INFINITE
                                       : value == FP_NORMAL;
    }
    return true;
  });
}

bool BitsDomain::sum(const num::SumOrder &order, const Format &format,
                     const void *in, size_t count, size_t stride, void *out) {
  return withFloat(format, [&](auto type) {
    using T = decltype(type);
    *as<T>(out) = num::sum(order, as<T>(in), count, stride);
    return true;
  });
}

void BitsDomain::fromBools(const uint8_t *in, size_t n, void *bools) {
  std::memcpy(bools, in, n);
}

bool BitsDomain::toBools(const void *bools, size_t n, uint8_t *out) {
  std::memcpy(out, bools, n);
  return true;
}

bool BitsDomain::logic(Logic op, const void *a, const void *b, size_t n,
                       void *bools) {
  switch (op) {
  case Logic::And:
    return map<uint8_t>(a, b, n, bools, [](int x, int y) { return x & y; });
  case Logic::Or:
    return map<uint8_t>(a, b, n, bools, [](int x, int y) { return x | y; });
  case Logic::Xor:
    return map<uint8_t>(a, b, n, bools, [](int x, int y) { return x ^ y; });
  }
  return false;
}

bool BitsDomain::select(const void *condition, const Format *format,
                        const void *a, const void *b, size_t n, void *out) {
  auto pick = [&](auto word) {
    using Word = decltype(word);
    for (size_t i = 0; i < n; ++i)
      as<Word>(out)[i] =
          as<uint8_t>(condition)[i] ? as<Word>(a)[i] : as<Word>(b)[i];
  };
  if (format)
    withWord(*format, pick);
  else
    pick(uint8_t());
  return true;
}
