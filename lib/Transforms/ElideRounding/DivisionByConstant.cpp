// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DivisionByConstant.h"

#include "prec/Numerics/Rounding.h"

using namespace prec;

std::optional<llvm::APFloat>
prec::exactReciprocal(const llvm::APFloat &divisor) {
  if (!divisor.isFiniteNonZero() || divisor.getExactLog2Abs() == INT_MIN)
    return std::nullopt;
  llvm::APFloat reciprocal = llvm::scalbn(
      llvm::APFloat::getOne(divisor.getSemantics(), divisor.isNegative()),
      -divisor.getExactLog2Abs(), llvm::APFloat::rmNearestTiesToEven);
  if (!reciprocal.isFiniteNonZero())
    return std::nullopt;
  return reciprocal;
}

bool prec::reciprocalSuffices(const num::Format &from, float divisor,
                              float reciprocal, const num::Format &to) {
  bool isBF16 = from == num::kBF16, toBF16 = to == num::kBF16;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float x = isBF16 ? num::widenBF16(bits) : num::widenF16(bits);
    float quotient = x / divisor, product = x * reciprocal;
    uint16_t want =
        toBF16 ? num::roundToBF16(quotient) : num::roundToF16(quotient);
    uint16_t got =
        toBF16 ? num::roundToBF16(product) : num::roundToF16(product);
    if (!num::sameValue(to, want, got))
      return false;
  }
  return true;
}
