// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `prec-finalize-abi` and those who call the compiled code agree on.
#ifndef PREC_CONVERSION_ABI_H
#define PREC_CONVERSION_ABI_H

#include "llvm/ADT/StringRef.h"

namespace prec {

/// Attribute of a compiled host function: an array of strings, the message of
/// status k at position k - 1.
inline constexpr llvm::StringLiteral kChecksAttrName = "prec.checks";

} // namespace prec

#endif // PREC_CONVERSION_ABI_H
