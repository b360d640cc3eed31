// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as bytes: what both formats are built on.
#ifndef PREC_LIB_TENSORIO_BYTES_H
#define PREC_LIB_TENSORIO_BYTES_H

#include "prec/TensorIO/AtomicFile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace prec::io {

/// A regular file opened for reading, with its size known beforehand: headers
/// are checked against it before memory is taken for what they promise.
class InputFile {
public:
  InputFile() = default;
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile();

  /// Empty, or why the file cannot be read.
  std::string open(const std::string &path);
  uint64_t size() const { return fileSize; }

  /// Reads `count` bytes at `offset`, which the caller has checked against
  /// size(); empty, or what went wrong.
  std::string read(uint64_t offset, uint64_t count, void *out);

private:
  std::string path;
  int descriptor = -1;
  uint64_t fileSize = 0;
};

/// "PATH: MESSAGE".
std::string fileError(const std::string &path, const std::string &message);

inline std::string_view asText(const std::vector<uint8_t> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace prec::io

#endif // PREC_LIB_TENSORIO_BYTES_H
