// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the parts of Canonical share.
#ifndef PREC_LIB_AUDIT_CANONICALPARTS_H
#define PREC_LIB_AUDIT_CANONICALPARTS_H

#include "Rebuild.h"
#include "prec/Audit/Canonical.h"

namespace prec::audit {

inline bool isNearest(num::Rounding mode) {
  return mode == num::Rounding::NearestEven ||
         mode == num::Rounding::NearestAway;
}
inline bool is16(sym::FormatId format) {
  return format == sym::FormatId::BF16 || format == sym::FormatId::F16;
}

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_CANONICALPARTS_H
