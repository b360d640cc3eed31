// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builder of MathExpansion.h that computes on the host's own numbers: loops
// over it vectorise. Needs -ffp-contract=off, and an FMA unit to be fast.
#ifndef PREC_NUMERICS_NATIVEBUILDER_H
#define PREC_NUMERICS_NATIVEBUILDER_H

#include "prec/Numerics/Rounding.h"

#include <cmath>

namespace prec::num {

struct NativeBuilder {
  using F32 = float;
  using F64 = double;
  using I32 = uint32_t;
  using I64 = uint64_t;
  using Bool = bool;

  F32 f32(float value) { return value; }
  F64 f64(double value) { return value; }
  I32 i32(uint32_t value) { return value; }
  I64 i64(uint64_t value) { return value; }

  F64 fma(F64 x, F64 y, F64 z) { return std::fma(x, y, z); }
  F32 fma(F32 x, F32 y, F32 z) { return std::fma(x, y, z); }
  F32 sqrt(F32 x) { return std::sqrt(x); }
  template <typename T> T select(Bool condition, T x, T y) {
    return condition ? x : y;
  }

  F64 extend(F32 x) { return x; }
  F32 truncate(F64 x) { return static_cast<float>(x); }
  I32 bits(F32 x) { return bitCast<uint32_t>(x); }
  I64 bits(F64 x) { return bitCast<uint64_t>(x); }
  F32 float32(I32 x) { return bitCast<float>(x); }
  F64 float64(I64 x) { return bitCast<double>(x); }

  I32 shiftLeft(I32 x, unsigned amount) { return x << amount; }
  I32 shiftRight(I32 x, unsigned amount) { return x >> amount; }
  I32 signMask(I32 x) { return static_cast<int32_t>(x) >> 31; }
  F32 minimumNumber(F32 x, F32 y) { return y == y && !(x < y) ? y : x; }
  I32 multiplyHigh(I32 x, I32 y) { return uint64_t(x) * y >> 32; }
  I32 minimumSigned(I32 x, I32 y) {
    return static_cast<int32_t>(x) < static_cast<int32_t>(y) ? x : y;
  }
  I32 minimumUnsigned(I32 x, I32 y) { return x < y ? x : y; }
  I32 lookUp(const uint32_t (&table)[32], I32 place) {
    return table[place & 31];
  }
  I64 shiftLeft(I64 x, unsigned amount) { return x << amount; }
  I64 shiftRight(I64 x, unsigned amount) { return x >> amount; }
};

} // namespace prec::num

#endif // PREC_NUMERICS_NATIVEBUILDER_H
