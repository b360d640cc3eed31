// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The domain of exact IEEE results: each float is its bits.
#ifndef PREC_REFERENCE_BITSDOMAIN_H
#define PREC_REFERENCE_BITSDOMAIN_H

#include "prec/Reference/FloatDomain.h"

namespace prec::ref {

/// Elements have the layout that they have in memory: 1, 2, 4 or 8 bytes. Truth
/// values are one byte, 0 or 1. Functions of f32 are correctly rounded; f64 has
/// the IEEE operations only.
class BitsDomain : public FloatDomain {
public:
  llvm::StringRef name() const override { return "bits"; }
  unsigned bytes(const num::Format &format) const override;
  unsigned boolBytes() const override { return 1; }
  void fromBits(const num::Format &format, const uint64_t *bits, size_t n,
                void *out) override;
  bool toBits(const num::Format &format, const void *in, size_t n,
              uint64_t *bits) override;
  void undefined(const num::Format &format, size_t n, void *out) override;
  bool unary(FloatUnary op, const num::Format &format, const void *a, size_t n,
             void *out) override;
  bool binary(FloatBinary op, const num::Format &format, const void *a,
              const void *b, size_t n, void *out) override;
  bool fma(const num::Format &format, const void *a, const void *b,
           const void *c, size_t n, void *out) override;
  bool powi(const num::Format &format, const void *a, const int64_t *exponents,
            size_t n, void *out) override;
  bool convert(const num::Format &from, const num::Format &to,
               num::Rounding mode, bool saturate, const void *in, size_t n,
               void *out) override;
  bool fromInteger(const num::Format &to, bool isUnsigned, const int64_t *in,
                   size_t n, void *out) override;
  bool toInteger(const num::Format &from, bool isUnsigned, unsigned width,
                 const void *in, size_t n, int64_t *out) override;
  bool compare(mlir::arith::CmpFPredicate predicate, const num::Format &format,
               const void *a, const void *b, size_t n, void *bools) override;
  bool classify(FloatClass kind, const num::Format &format, const void *a,
                size_t n, void *bools) override;
  bool sum(const num::SumOrder &order, const num::Format &format,
           const void *in, size_t count, size_t stride, void *out) override;
  void fromBools(const uint8_t *in, size_t n, void *bools) override;
  bool toBools(const void *bools, size_t n, uint8_t *out) override;
  bool logic(Logic op, const void *a, const void *b, size_t n,
             void *bools) override;
  bool select(const void *condition, const num::Format *format, const void *a,
              const void *b, size_t n, void *out) override;
};

} // namespace prec::ref

#endif // PREC_REFERENCE_BITSDOMAIN_H
