// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Reference/ShapeDomain.h"

#include <cstring>

using namespace prec::ref;

/// A truth value that a float decides.
static constexpr uint8_t kUnknown = 2;

bool ShapeDomain::compare(mlir::arith::CmpFPredicate, const num::Format &,
                          const void *, const void *, size_t n, void *bools) {
  std::memset(bools, kUnknown, n);
  return true;
}

bool ShapeDomain::classify(FloatClass, const num::Format &, const void *,
                           size_t n, void *bools) {
  std::memset(bools, kUnknown, n);
  return true;
}

void ShapeDomain::fromBools(const uint8_t *in, size_t n, void *bools) {
  std::memcpy(bools, in, n);
}

bool ShapeDomain::toBools(const void *bools, size_t n, uint8_t *out) {
  std::memcpy(out, bools, n);
  return !std::memchr(bools, kUnknown, n);
}

bool ShapeDomain::logic(Logic op, const void *a, const void *b, size_t n,
                        void *bools) {
  auto *x = static_cast<const uint8_t *>(a),
       *y = static_cast<const uint8_t *>(b);
  auto *out = static_cast<uint8_t *>(bools);
  for (size_t i = 0; i < n; ++i) {
    if (x[i] == kUnknown || y[i] == kUnknown)
      out[i] = kUnknown;
    else
      out[i] = op == Logic::And  ? x[i] & y[i]
               : op == Logic::Or ? x[i] | y[i]
                                 : x[i] ^ y[i];
  }
  return true;
}

bool ShapeDomain::select(const void *condition, const num::Format *format,
                         const void *a, const void *b, size_t n, void *out) {
  if (format)
    return true;
  auto *choice = static_cast<const uint8_t *>(condition);
  auto *x = static_cast<const uint8_t *>(a),
       *y = static_cast<const uint8_t *>(b);
  for (size_t i = 0; i < n; ++i)
    static_cast<uint8_t *>(out)[i] = choice[i] == kUnknown ? kUnknown
                                     : choice[i]           ? x[i]
                                                           : y[i];
  return true;
}
