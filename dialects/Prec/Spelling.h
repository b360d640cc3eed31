// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Help with names that are not there.
#ifndef DIALECTS_PREC_SPELLING_H
#define DIALECTS_PREC_SPELLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace prec {

/// "; did you mean 'x'?" with the one of `names` that is nearest to `name`, to
/// stand at the end of an error; empty if none is near.
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> names);

} // namespace prec

#endif // DIALECTS_PREC_SPELLING_H
