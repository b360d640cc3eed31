// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer, bit and comparison instructions of one thread.
#include "Program.h"

#include "prec/Numerics/Arithmetic.h"

#include <algorithm>
#include <limits>

using namespace prec;
using namespace prec::ptx;

namespace {

template <typename T> using Unsigned = std::make_unsigned_t<T>;
/// Twice as wide, for products.
template <typename T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

template <typename T> uint64_t bits(T value) {
  return uint64_t(Unsigned<T>(value));
}
/// Arithmetic is done unsigned: it wraps.
template <typename T> T wrap(uint64_t value) { return T(Unsigned<T>(value)); }

template <typename T> struct Ops {
  using U = Unsigned<T>;
  using W = Wide<T>;
  static constexpr unsigned width = sizeof(T) * 8;

  static uint64_t add(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
    if (i.sat) {
      W sum = W(T(a)) + W(T(b));
      return bits(T(std::clamp<W>(sum, std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max())));
    }
    return U(a + b);
  }
  static uint64_t sub(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
    if (i.sat) {
      W difference = W(T(a)) - W(T(b));
      return bits(T(std::clamp<W>(difference, std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max())));
    }
    return U(a - b);
  }
  static uint64_t mulLo(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    return U(a * b);
  }
  static uint64_t mulHi(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    return U((W(T(a)) * W(T(b))) >> width);
  }
  static uint64_t mulWide(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    return bits(W(W(T(a)) * W(T(b))));
  }
  static uint64_t madLo(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
    return U(a * b + c);
  }
  static uint64_t madHi(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t high = mulHi(i, a, b, 0);
    return add(i, high, c, 0);
  }
  static uint64_t madWide(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
    using WU = Unsigned<W>;
    return WU(WU(mulWide(i, a, b, 0)) + WU(c));
  }
  /// The 24 low bits, as T.
  static W low24(uint64_t a) {
    uint32_t low = uint32_t(a) & 0xffffff;
    return std::is_signed_v<T> && (low >> 23) ? W(low) - (W(1) << 24) : W(low);
  }
  static uint64_t mul24Lo(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    return U(low24(a) * low24(b));
  }
  static uint64_t mul24Hi(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    return U((low24(a) * low24(b)) >> 16);
  }
  static uint64_t mad24Lo(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
    return U(mul24Lo(i, a, b, 0) + c);
  }
  static uint64_t mad24Hi(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
    return add(i, mul24Hi(i, a, b, 0), c, 0);
  }
  static uint64_t sad(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
    T x = T(a), y = T(b);
    return U(c + (x > y ? U(a) - U(b) : U(b) - U(a)));
  }
  // Division by zero gives all ones, as NVIDIA's GPUs do; the ISA leaves it
  // open. The remainder is then the dividend.
  static uint64_t div(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    T x = T(a), y = T(b);
    if (y == 0)
      return U(~U(0));
    if (std::is_signed_v<T> && y == T(-1))
      return U(-U(a));
    return bits(T(x / y));
  }
  static uint64_t rem(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    T x = T(a), y = T(b);
    if (y == 0)
      return U(a);
    if (std::is_signed_v<T> && y == T(-1))
      return 0;
    return bits(T(x % y));
  }
  static uint64_t abs(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return T(a) < T(0) ? U(-U(a)) : U(a);
  }
  static uint64_t neg(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return U(-U(a));
  }
  static uint64_t min(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
    T value = std::min(T(a), T(b));
    return bits(i.relu ? std::max(value, T(0)) : value);
  }
  static uint64_t max(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
    T value = std::max(T(a), T(b));
    return bits(i.relu ? std::max(value, T(0)) : value);
  }
  // Shifts by the width or more give 0 (or the sign).
  static uint64_t shl(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    uint32_t by = uint32_t(b);
    return by >= width ? 0 : U(a << by);
  }
  static uint64_t shr(const Inst &, uint64_t a, uint64_t b, uint64_t) {
    uint32_t by = std::min<uint32_t>(uint32_t(b), width - 1);
    if (!std::is_signed_v<T> && uint32_t(b) >= width)
      return 0;
    return bits(T(T(a) >> by));
  }
  static uint64_t notBits(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return U(~a);
  }
  static uint64_t cnot(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return U(a) == 0;
  }
  static uint64_t popc(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return __builtin_popcountll(U(a));
  }
  static uint64_t clz(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return U(a) ? __builtin_clzll(U(a)) - (64 - width) : width;
  }
  static uint64_t brev(const Inst &, uint64_t a, uint64_t, uint64_t) {
    return __builtin_bitreverse64(a) >> (64 - width);
  }
  static uint64_t bfind(const Inst &i, uint64_t a, uint64_t, uint64_t) {
    U value = std::is_signed_v<T> && T(a) < T(0) ? U(~a) : U(a);
    if (value == 0)
      return 0xffffffff;
    unsigned top = 63 - __builtin_clzll(value);
    return i.shiftamt ? width - 1 - top : top;
  }
  static uint64_t bfe(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
    unsigned pos = b & 0xff, len = c & 0xff;
    // The sign is the field's top bit, or the operand's where the field ends
    // beyond it.
    unsigned top = std::min<unsigned>(pos + len - 1, width - 1);
    uint64_t value = pos < width ? U(a) >> pos : 0;
    if (len < 64)
      value &= (uint64_t(1) << len) - 1;
    bool sign = std::is_signed_v<T> && len != 0 && ((U(a) >> top) & 1);
    if (sign && len < width) {
      unsigned valid = pos < width ? std::min(len, width - pos) : 0;
      value |= valid < 64 ? ~uint64_t(0) << valid : 0;
    }
    return U(value);
  }
  static uint64_t selp(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
    return c ? a : b;
  }
  static uint64_t slctInteger(const Inst &, uint64_t a, uint64_t b,
                              uint64_t c) {
    return int32_t(c) >= 0 ? a : b;
  }
};

uint64_t andBits(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  return a & b;
}
uint64_t orBits(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  return a | b;
}
uint64_t xorBits(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  return a ^ b;
}
uint64_t notPred(const Inst &, uint64_t a, uint64_t, uint64_t) { return !a; }
uint64_t copy(const Inst &, uint64_t a, uint64_t, uint64_t) { return a; }

/// NaN counts as not negative only if it is not: slct's NaN rule selects b.
uint64_t slctFloat(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  uint32_t w = uint32_t(c);
  if (num::isNaN(num::kF32, w))
    return b;
  // ftz turns a negative subnormal into -0, which counts as >= 0.
  bool zero = i.ftz ? (w & 0x7f800000) == 0 : (w & 0x7fffffff) == 0;
  return zero || !(w >> 31) ? a : b;
}

uint64_t bfi32(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  // c has position (low byte) and length (next byte): see the decoder.
  unsigned pos = c & 0xff, len = (c >> 32) & 0xff;
  unsigned width = bitsOf(i.type);
  if (pos >= width)
    return b;
  uint64_t mask = len >= 64 ? ~uint64_t(0) : (uint64_t(1) << len) - 1;
  mask <<= pos;
  if (width == 32)
    mask &= 0xffffffff;
  return (b & ~mask) | ((a << pos) & mask);
}

uint64_t lop3(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 8; ++k)
    if (i.imm >> k & 1)
      r |= uint32_t(k & 4 ? a : ~a) & uint32_t(k & 2 ? b : ~b) &
           uint32_t(k & 1 ? c : ~c);
  return r;
}

unsigned funnel(const Inst &i, uint64_t c) {
  return i.clampMode ? std::min<uint32_t>(uint32_t(c), 32) : c & 31;
}
uint64_t shfLeft(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t both = b << 32 | a;
  return uint32_t(both << funnel(i, c) >> 32);
}
uint64_t shfRight(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t both = b << 32 | a;
  return uint32_t(both >> funnel(i, c));
}

/// prmt: `imm` is the mode: 0 generic, 1 f4e, 2 b4e, 3 rc8, 4 ecl, 5 ecr, 6
/// rc16.
uint64_t prmt(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t bytes = b << 32 | a;
  unsigned select = c & 3;
  uint32_t out = 0;
  for (unsigned k = 0; k < 4; ++k) {
    unsigned s;
    switch (i.imm) {
    case 1:
      s = select + k;
      break;
    case 2:
      s = (select - k) & 7;
      break;
    case 3:
      s = select;
      break;
    case 4:
      s = std::max(select, k);
      break;
    case 5:
      s = std::min(select, k);
      break;
    case 6:
      s = (select & 1) * 2 + (k & 1);
      break;
    default:
      s = c >> (4 * k) & 15;
    }
    uint32_t byte = bytes >> (8 * (s & 7)) & 0xff;
    // The selector's top bit replicates the byte's sign.
    if (i.imm == 0 && s & 8)
      byte = byte & 0x80 ? 0xff : 0;
    out |= byte << (8 * k);
  }
  return out;
}

/// dp4a and dp2a: `imm` bit 0: a signed, bit 1: b signed, bit 2: dp2a, bit 3:
/// dp2a.hi.
uint64_t dot(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  bool two = i.imm & 4;
  uint32_t sum = uint32_t(c);
  if (two && i.imm & 8)
    b >>= 16;
  for (unsigned k = 0; k < (two ? 2u : 4u); ++k) {
    int32_t x = two ? (i.imm & 1 ? int16_t(a >> 16 * k) : uint16_t(a >> 16 * k))
                    : (i.imm & 1 ? int8_t(a >> 8 * k) : uint8_t(a >> 8 * k));
    int32_t y = i.imm & 2 ? int8_t(b >> 8 * k) : uint8_t(b >> 8 * k);
    sum += uint32_t(x) * uint32_t(y);
  }
  return sum;
}

uint64_t bmsk(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  uint32_t pos = uint32_t(a), len = uint32_t(b);
  if (i.clampMode) {
    pos = std::min(pos, 32u);
    len = std::min(len, 32u);
  } else {
    pos &= 31;
    len &= 31;
  }
  uint64_t mask = (uint64_t(1) << len) - 1;
  return uint32_t(mask << pos);
}

/// 16-bit pairs: the operation on each half.
template <LaneFn F>
uint64_t halves(const Inst &i, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t low = F(i, a & 0xffff, b & 0xffff, c & 0xffff);
  uint64_t high = F(i, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff);
  return (low & 0xffff) | high << 16;
}

template <typename T> PureFn forType(const std::string &op, const Inst &i) {
  using O = Ops<T>;
  bool hi = i.mode == Mode::Max, wide = i.mode == Mode::Any;
  if (op == "add")
    return pure<O::add>();
  if (op == "sub")
    return pure<O::sub>();
  if (op == "mul") {
    if constexpr (sizeof(T) < 8)
      if (wide)
        return pure<O::mulWide>();
    return hi ? pure<O::mulHi>() : pure<O::mulLo>();
  }
  if (op == "mad") {
    if constexpr (sizeof(T) < 8)
      if (wide)
        return pure<O::madWide>();
    return hi ? pure<O::madHi>() : pure<O::madLo>();
  }
  if constexpr (sizeof(T) == 4) {
    if (op == "mul24")
      return hi ? pure<O::mul24Hi>() : pure<O::mul24Lo>();
    if (op == "mad24")
      return hi ? pure<O::mad24Hi>() : pure<O::mad24Lo>();
  }
  if (op == "sad")
    return pure<O::sad>();
  if (op == "div")
    return pure<O::div>();
  if (op == "rem")
    return pure<O::rem>();
  if (op == "abs")
    return pure<O::abs>();
  if (op == "neg")
    return pure<O::neg>();
  if (op == "min")
    return pure<O::min>();
  if (op == "max")
    return pure<O::max>();
  if (op == "shl")
    return pure<O::shl>();
  if (op == "shr")
    return pure<O::shr>();
  if (op == "not")
    return pure<O::notBits>();
  if (op == "cnot")
    return pure<O::cnot>();
  if (op == "popc")
    return pure<O::popc>();
  if (op == "clz")
    return pure<O::clz>();
  if (op == "brev")
    return pure<O::brev>();
  if (op == "bfind")
    return pure<O::bfind>();
  if (op == "bfe")
    return pure<O::bfe>();
  return {};
}

PureFn forPairs(const std::string &op, Ty type) {
  bool isSigned = type == Ty::S16x2;
  if (op == "add")
    return pure<halves<Ops<uint16_t>::add>>();
  if (op == "min")
    return isSigned ? pure<halves<Ops<int16_t>::min>>()
                    : pure<halves<Ops<uint16_t>::min>>();
  if (op == "max")
    return isSigned ? pure<halves<Ops<int16_t>::max>>()
                    : pure<halves<Ops<uint16_t>::max>>();
  return {};
}

/// Which of the four orderings: their bit in `accept`.
template <typename T> unsigned order(uint64_t a, uint64_t b) {
  T x = T(a), y = T(b);
  return x < y ? 0 : x == y ? 1 : 2;
}
template <typename T>
uint64_t compareIntegers(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  return i.accept >> order<T>(a, b) & 1;
}
uint64_t compareF32(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  uint32_t wa = uint32_t(a), wb = uint32_t(b);
  if (i.ftz) {
    wa = wa & 0x7f800000 ? wa : wa & 0x80000000;
    wb = wb & 0x7f800000 ? wb : wb & 0x80000000;
  }
  float x = num::bitCast<float>(wa), y = num::bitCast<float>(wb);
  unsigned which = x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
  return i.accept >> which & 1;
}
template <const num::Format &F, unsigned Shift>
uint64_t compareFormat(const Inst &i, uint64_t a, uint64_t b, uint64_t) {
  a = a >> Shift & (F.signMask() | F.absMask());
  b = b >> Shift & (F.signMask() | F.absMask());
  if (i.ftz) {
    a = num::isSubnormal(F, a) ? a & F.signMask() : a;
    b = num::isSubnormal(F, b) ? b & F.signMask() : b;
  }
  return i.accept >> unsigned(num::compare(F, a, b)) & 1;
}
} // namespace

static_assert(unsigned(num::Ordering::Less) == 0 &&
              unsigned(num::Ordering::Equal) == 1 &&
              unsigned(num::Ordering::Greater) == 2 &&
              unsigned(num::Ordering::Unordered) == 3);

PureFn prec::ptx::compareFunction(Ty type, bool packedHigh) {
  switch (type) {
  case Ty::F32:
    return pure<compareF32>();
  case Ty::F64:
    return pure<compareFormat<num::kF64, 0>>();
  case Ty::F16:
    return pure<compareFormat<num::kF16, 0>>();
  case Ty::BF16:
    return pure<compareFormat<num::kBF16, 0>>();
  case Ty::F16x2:
    return packedHigh ? pure<compareFormat<num::kF16, 16>>()
                      : pure<compareFormat<num::kF16, 0>>();
  case Ty::BF16x2:
    return packedHigh ? pure<compareFormat<num::kBF16, 16>>()
                      : pure<compareFormat<num::kBF16, 0>>();
  case Ty::S16:
    return pure<compareIntegers<int16_t>>();
  case Ty::S32:
    return pure<compareIntegers<int32_t>>();
  case Ty::S64:
    return pure<compareIntegers<int64_t>>();
  case Ty::B16:
  case Ty::U16:
    return pure<compareIntegers<uint16_t>>();
  case Ty::B32:
  case Ty::U32:
    return pure<compareIntegers<uint32_t>>();
  case Ty::B64:
  case Ty::U64:
    return pure<compareIntegers<uint64_t>>();
  default:
    return {};
  }
}

PureFn prec::ptx::integerFunction(const std::string &op, Inst &i) {
  if (op == "mov" || op == "cvta")
    return pure<copy>();
  if (op == "and")
    return pure<andBits>();
  if (op == "or")
    return pure<orBits>();
  if (op == "xor")
    return pure<xorBits>();
  if (op == "not" && i.type == Ty::Pred)
    return pure<notPred>();
  if (op == "selp")
    return pure<Ops<uint64_t>::selp>();
  if (op == "slct")
    return i.sourceType == Ty::F32 ? pure<slctFloat>()
                                   : pure<Ops<uint64_t>::slctInteger>();
  if (op == "bfi")
    return pure<bfi32>();
  if (op == "lop3")
    return pure<lop3>();
  if (op == "shf")
    return i.mode == Mode::Down ? pure<shfLeft>() : pure<shfRight>();
  if (op == "prmt")
    return pure<prmt>();
  if (op == "dp4a" || op == "dp2a")
    return pure<dot>();
  if (op == "bmsk")
    return pure<bmsk>();
  switch (i.type) {
  case Ty::S16:
    return forType<int16_t>(op, i);
  case Ty::U16:
  case Ty::B16:
    return forType<uint16_t>(op, i);
  case Ty::S32:
    return forType<int32_t>(op, i);
  case Ty::U32:
  case Ty::B32:
    return forType<uint32_t>(op, i);
  case Ty::S64:
    return forType<int64_t>(op, i);
  case Ty::U64:
  case Ty::B64:
    return forType<uint64_t>(op, i);
  case Ty::S16x2:
  case Ty::U16x2:
    return forPairs(op, i.type);
  default:
    return {};
  }
}
