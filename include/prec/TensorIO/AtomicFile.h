// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that appear whole or not at all.
#ifndef PREC_TENSORIO_ATOMICFILE_H
#define PREC_TENSORIO_ATOMICFILE_H

#include <string>
#include <string_view>
#include <vector>

namespace prec::io {

/// Writes the pieces one after the other into a temporary file beside `path`
/// and renames it to `path`. Gives an empty string, or one line that names the
/// file and says why it cannot be written.
std::string writeAtomically(const std::string &path,
                            const std::vector<std::string_view> &pieces);

} // namespace prec::io

#endif // PREC_TENSORIO_ATOMICFILE_H
