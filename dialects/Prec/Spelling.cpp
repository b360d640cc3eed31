// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Spelling.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

std::string prec::didYouMean(llvm::StringRef name,
                             llvm::ArrayRef<llvm::StringRef> names) {
  // A third of the letters may differ.
  auto best = static_cast<unsigned>(std::max<size_t>(name.size() / 3, 2)) + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : names) {
    unsigned distance = name.edit_distance(
        candidate, /*AllowReplacements=*/true, /*MaxEditDistance=*/best);
    if (distance >= best)
      continue;
    best = distance;
    nearest = candidate;
  }
  return nearest.empty()
             ? ""
             : (llvm::Twine("; did you mean '") + nearest + "'?").str();
}
