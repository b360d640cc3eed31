// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binary floating-point formats as data: everything else in this library is
// written once over them.
#ifndef PREC_NUMERICS_FORMAT_H
#define PREC_NUMERICS_FORMAT_H

#include <cstdint>
#include <string_view>

namespace prec::num {

/// A binary interchange format of at most 64 bits: sign, exponent, fraction.
/// `hasInf` is false for the "fn" formats, whose all-ones exponent holds finite
/// numbers and whose only NaN is the all-ones pattern (of each sign).
struct Format {
  unsigned expBits;
  unsigned fracBits;
  int bias;
  bool hasInf;
  const char *name;

  constexpr unsigned width() const { return 1 + expBits + fracBits; }
  /// Bits of significand, with the implicit one.
  constexpr unsigned precision() const { return fracBits + 1; }
  /// Exponent of the smallest normal number.
  constexpr int minExp() const { return 1 - bias; }

  constexpr uint64_t signMask() const { return uint64_t(1) << (width() - 1); }
  constexpr uint64_t absMask() const { return signMask() - 1; }
  constexpr uint64_t fracMask() const { return (uint64_t(1) << fracBits) - 1; }
  constexpr uint64_t expMask() const { return absMask() & ~fracMask(); }
  constexpr uint64_t minNormal() const { return uint64_t(1) << fracBits; }
  /// Infinity where there is one, else NaN: the value of an overflow.
  constexpr uint64_t infOrNaN() const { return hasInf ? expMask() : absMask(); }
  constexpr uint64_t maxFinite() const { return infOrNaN() - 1; }
  /// The positive quiet NaN without payload.
  constexpr uint64_t quietNaN() const {
    return hasInf ? expMask() | quietBit() : absMask();
  }
  constexpr uint64_t quietBit() const {
    return hasInf ? uint64_t(1) << (fracBits - 1) : 0;
  }

  constexpr bool operator==(const Format &o) const {
    return expBits == o.expBits && fracBits == o.fracBits && bias == o.bias &&
           hasInf == o.hasInf;
  }
  constexpr bool operator!=(const Format &o) const { return !(*this == o); }
};

inline constexpr Format kBF16{8, 7, 127, true, "bf16"};
inline constexpr Format kF16{5, 10, 15, true, "f16"};
inline constexpr Format kF32{8, 23, 127, true, "f32"};
inline constexpr Format kF64{11, 52, 1023, true, "f64"};
inline constexpr Format kF8E4M3FN{4, 3, 7, false, "f8E4M3FN"};
inline constexpr Format kF8E5M2{5, 2, 15, true, "f8E5M2"};

/// The format of that (MLIR) name, or null.
inline const Format *findFormat(std::string_view name) {
  for (const Format *format :
       {&kBF16, &kF16, &kF32, &kF64, &kF8E4M3FN, &kF8E5M2})
    if (name == format->name)
      return format;
  return nullptr;
}

constexpr bool isNaN(const Format &f, uint64_t bits) {
  uint64_t abs = bits & f.absMask();
  return f.hasInf ? abs > f.expMask() : abs == f.absMask();
}
constexpr bool isInf(const Format &f, uint64_t bits) {
  return f.hasInf && (bits & f.absMask()) == f.expMask();
}
constexpr bool isZero(const Format &f, uint64_t bits) {
  return (bits & f.absMask()) == 0;
}
constexpr bool isSubnormal(const Format &f, uint64_t bits) {
  return !isZero(f, bits) && (bits & f.absMask()) < f.minNormal();
}
constexpr bool isNegative(const Format &f, uint64_t bits) {
  return (bits & f.signMask()) != 0;
}

/// Same bits, NaN being equal to NaN: how results are compared everywhere.
constexpr bool sameValue(const Format &f, uint64_t a, uint64_t b) {
  return a == b || (isNaN(f, a) && isNaN(f, b));
}

} // namespace prec::num

#endif // PREC_NUMERICS_FORMAT_H
