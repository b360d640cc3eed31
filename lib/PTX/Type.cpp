// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Type.h"

using namespace prec;
using namespace prec::ptx;

namespace {
struct Row {
  std::string_view name;
  unsigned bits, lanes;
  const num::Format *format;
};
/// In the order of Ty.
constexpr Row rows[] = {
    {"pred", 1, 1, nullptr},         {"b8", 8, 1, nullptr},
    {"b16", 16, 1, nullptr},         {"b32", 32, 1, nullptr},
    {"b64", 64, 1, nullptr},         {"u8", 8, 1, nullptr},
    {"u16", 16, 1, nullptr},         {"u32", 32, 1, nullptr},
    {"u64", 64, 1, nullptr},         {"s8", 8, 1, nullptr},
    {"s16", 16, 1, nullptr},         {"s32", 32, 1, nullptr},
    {"s64", 64, 1, nullptr},         {"u16x2", 32, 2, nullptr},
    {"s16x2", 32, 2, nullptr},       {"f16", 16, 1, &num::kF16},
    {"bf16", 16, 1, &num::kBF16},    {"f32", 32, 1, &num::kF32},
    {"f64", 64, 1, &num::kF64},      {"tf32", 32, 1, &kTF32},
    {"f16x2", 32, 2, &num::kF16},    {"bf16x2", 32, 2, &num::kBF16},
    {"f32x2", 64, 2, &num::kF32},    {"e4m3x2", 16, 2, &num::kF8E4M3FN},
    {"e5m2x2", 16, 2, &num::kF8E5M2}};
static_assert(sizeof(rows) / sizeof(Row) == size_t(Ty::E5M2x2) + 1);
} // namespace

std::optional<Ty> prec::ptx::findType(std::string_view name) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(Row); ++i)
    if (rows[i].name == name)
      return Ty(i);
  return std::nullopt;
}
unsigned prec::ptx::bitsOf(Ty type) { return rows[size_t(type)].bits; }
unsigned prec::ptx::lanesOf(Ty type) { return rows[size_t(type)].lanes; }
const num::Format *prec::ptx::formatOf(Ty type) {
  return rows[size_t(type)].format;
}
