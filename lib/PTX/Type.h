// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_PTX_TYPE_H
#define PREC_LIB_PTX_TYPE_H

#include "prec/Numerics/Format.h"

#include <optional>
#include <string_view>

namespace prec::ptx {

/// The types of PTX that the evaluator knows.
enum class Ty : uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  BF16,
  F32,
  F64,
  TF32,
  F16x2,
  BF16x2,
  F32x2,
  E4M3x2,
  E5M2x2
};

std::optional<Ty> findType(std::string_view name);

unsigned bitsOf(Ty type);
inline unsigned bytesOf(Ty type) { return bitsOf(type) / 8; }
/// Numbers in one register: 2 for packed types.
unsigned lanesOf(Ty type);
/// The format of the (single) numbers, or null for integers and bits.
const num::Format *formatOf(Ty type);

inline bool isFloat(Ty type) { return formatOf(type) != nullptr; }
inline bool isSigned(Ty type) {
  return type == Ty::S8 || type == Ty::S16 || type == Ty::S32 ||
         type == Ty::S64 || type == Ty::S16x2;
}
inline bool isBits(Ty type) {
  return type == Ty::B8 || type == Ty::B16 || type == Ty::B32 ||
         type == Ty::B64;
}
inline bool isInteger(Ty type) {
  return !isFloat(type) && !isBits(type) && type != Ty::Pred;
}

/// TF32 values are f32 values with 10 bits of fraction.
inline constexpr num::Format kTF32{8, 10, 127, true, "tf32"};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_TYPE_H
