// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The domain without floats: what is left of an evaluation are shapes.
#ifndef PREC_REFERENCE_SHAPEDOMAIN_H
#define PREC_REFERENCE_SHAPEDOMAIN_H

#include "prec/Reference/FloatDomain.h"

namespace prec::ref {

/// Floats and truth values made from them take no bytes, and computing with
/// them does nothing. Evaluating a function gives the shapes of its results at
/// next to no cost, unless they or the control flow depend on a float.
class ShapeDomain final : public FloatDomain {
public:
  llvm::StringRef name() const override { return "shape"; }
  unsigned bytes(const num::Format &) const override { return 0; }
  unsigned boolBytes() const override { return 1; }
  void fromBits(const num::Format &, const uint64_t *, size_t,
                void *) override {}
  bool toBits(const num::Format &, const void *, size_t, uint64_t *) override {
    return false;
  }
  void undefined(const num::Format &, size_t, void *) override {}
  bool unary(FloatUnary, const num::Format &, const void *, size_t,
             void *) override {
    return true;
  }
  bool binary(FloatBinary, const num::Format &, const void *, const void *,
              size_t, void *) override {
    return true;
  }
  bool fma(const num::Format &, const void *, const void *, const void *,
           size_t, void *) override {
    return true;
  }
  bool powi(const num::Format &, const void *, const int64_t *, size_t,
            void *) override {
    return true;
  }
  bool convert(const num::Format &, const num::Format &, num::Rounding, bool,
               const void *, size_t, void *) override {
    return true;
  }
  bool fromInteger(const num::Format &, bool, const int64_t *, size_t,
                   void *) override {
    return true;
  }
  bool toInteger(const num::Format &, bool, unsigned, const void *, size_t,
                 int64_t *) override {
    return false;
  }
  bool compare(mlir::arith::CmpFPredicate, const num::Format &, const void *,
               const void *, size_t n, void *bools) override;
  bool classify(FloatClass, const num::Format &, const void *, size_t n,
                void *bools) override;
  bool sum(const num::SumOrder &, const num::Format &, const void *, size_t,
           size_t, void *) override {
    return true;
  }
  void fromBools(const uint8_t *in, size_t n, void *bools) override;
  bool toBools(const void *bools, size_t n, uint8_t *out) override;
  bool logic(Logic op, const void *a, const void *b, size_t n,
             void *bools) override;
  bool select(const void *condition, const num::Format *format, const void *a,
              const void *b, size_t n, void *out) override;
};

} // namespace prec::ref

#endif // PREC_REFERENCE_SHAPEDOMAIN_H
