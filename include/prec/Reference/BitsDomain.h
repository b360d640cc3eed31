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
#include "prec/Reference/FloatDomainOverrides.inc"
};

} // namespace prec::ref

#endif // PREC_REFERENCE_BITSDOMAIN_H
