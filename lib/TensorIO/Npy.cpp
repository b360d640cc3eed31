// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .npy format: magic, version, header length, a Python dict, the elements.
#include "prec/TensorIO/Files.h"

#include "Bytes.h"

#include <cctype>
#include <cstring>

using namespace prec::io;

namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicSize = 6;

struct TypeCode {
  std::string_view code; ///< without the byte order
  DType dtype;
};

/// The first entry of a type is the one that is written.
constexpr TypeCode kCodes[] = {
    {"b1", DType::Bool},  {"u1", DType::U8},  {"i1", DType::I8},
    {"u2", DType::U16},   {"i2", DType::I16}, {"u4", DType::U32},
    {"i4", DType::I32},   {"u8", DType::U64}, {"i8", DType::I64},
    {"V2", DType::BF16},  {"f2", DType::F16}, {"f4", DType::F32},
    {"f8", DType::F64},   {"V1", DType::U8},  {"V1", DType::F8E4M3},
    {"V1", DType::F8E5M2}};

/// What the header says.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Parser of the dict literal. Each method gives false on a syntax error.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  bool parse(Header &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!eat('{'))
      return false;
    while (!eat('}')) {
      std::string key;
      if (!string(key) || !eat(':'))
        return false;
      bool ok = false;
      if (key == "descr" && !hasDescr)
        ok = hasDescr = string(header.descr);
      else if (key == "fortran_order" && !hasOrder)
        ok = hasOrder = boolean(header.fortranOrder);
      else if (key == "shape" && !hasShape)
        ok = hasShape = tuple(header.shape);
      if (!ok)
        return false;
      if (!eat(',')) {
        if (!eat('}'))
          return false;
        break;
      }
    }
    skipSpace();
    return rest.empty() && hasDescr && hasOrder && hasShape;
  }

private:
  void skipSpace() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest[0])))
      rest.remove_prefix(1);
  }
  bool eat(char c) {
    skipSpace();
    if (rest.empty() || rest[0] != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool word(std::string_view text) {
    skipSpace();
    if (rest.substr(0, text.size()) != text)
      return false;
    rest.remove_prefix(text.size());
    return true;
  }
  bool string(std::string &out) {
    skipSpace();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == std::string_view::npos)
      return false;
    out = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool boolean(bool &out) {
    out = word("True");
    return out || word("False");
  }
  bool integer(int64_t &out) {
    skipSpace();
    out = 0;
    size_t digits = 0;
    while (digits < rest.size() &&
           std::isdigit(static_cast<unsigned char>(rest[digits]))) {
      if (__builtin_mul_overflow(out, 10, &out) ||
          __builtin_add_overflow(out, rest[digits] - '0', &out))
        return false;
      ++digits;
    }
    rest.remove_prefix(digits);
    return digits > 0;
  }
  bool tuple(std::vector<int64_t> &out) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      int64_t dim;
      if (!integer(dim))
        return false;
      out.push_back(dim);
      if (!eat(','))
        return eat(')');
    }
    return true;
  }

  std::string_view rest;
};

} // namespace

/// Reorders column-major elements into row-major ones.
static std::vector<uint8_t> toRowMajor(const std::vector<uint8_t> &from,
                                       const std::vector<int64_t> &shape,
                                       size_t width) {
  std::vector<uint8_t> to(from.size());
  std::vector<int64_t> index(shape.size(), 0);
  std::vector<uint64_t> strides(shape.size());
  uint64_t stride = width;
  for (size_t i = 0; i < shape.size(); ++i) {
    strides[i] = stride;
    stride *= static_cast<uint64_t>(shape[i]);
  }
  uint64_t source = 0;
  for (size_t target = 0; target < to.size(); target += width) {
    std::memcpy(&to[target], &from[source], width);
    for (size_t i = shape.size(); i-- > 0;) {
      source += strides[i];
      if (++index[i] < shape[i])
        break;
      source -= strides[i] * static_cast<uint64_t>(shape[i]);
      index[i] = 0;
    }
  }
  return to;
}

std::string prec::io::readNpy(const std::string &path, Tensor &tensor) {
  InputFile file;
  if (std::string error = file.open(path); !error.empty())
    return error;

  uint8_t prefix[12] = {};
  uint64_t prefixSize = std::min<uint64_t>(file.size(), sizeof prefix);
  if (std::string error = file.read(0, prefixSize, prefix); !error.empty())
    return error;
  if (file.size() < kMagicSize || std::memcmp(prefix, kMagic, kMagicSize) != 0)
    return fileError(path, "not an .npy file");
  if (file.size() < 10)
    return fileError(path, "truncated .npy header");
  unsigned version = prefix[6];
  if (version < 1 || version > 3)
    return fileError(path, "unknown .npy version " + std::to_string(version));
  // Version 1 has a 16-bit header length, the later ones a 32-bit length.
  uint64_t headerStart = version == 1 ? 10 : 12;
  if (file.size() < headerStart)
    return fileError(path, "truncated .npy header");
  uint64_t headerSize = prefix[8] | prefix[9] << 8;
  if (version > 1)
    headerSize |= static_cast<uint64_t>(prefix[10]) << 16 |
                  static_cast<uint64_t>(prefix[11]) << 24;
  if (headerSize > file.size() - headerStart)
    return fileError(path, "truncated .npy header");
  std::string text(headerSize, '\0');
  if (std::string error = file.read(headerStart, headerSize, text.data());
      !error.empty())
    return error;

  Header header;
  if (!HeaderParser(text).parse(header))
    return fileError(path, "malformed .npy header");
  const TypeCode *code = nullptr;
  if (header.descr.size() == 3 && std::strchr("<|=", header.descr[0]))
    for (const TypeCode &candidate : kCodes)
      if (!code && candidate.code == std::string_view(header.descr).substr(1))
        code = &candidate;
  if (!code)
    return fileError(path,
                     "unsupported .npy element type '" + header.descr + "'");
  tensor.dtype = code->dtype;
  tensor.shape = header.shape;
  uint64_t size, dataStart = headerStart + headerSize;
  if (!byteSize(tensor.dtype, tensor.shape, size))
    return fileError(path, "shape of the .npy header is too large");
  if (size != file.size() - dataStart)
    return fileError(path, "expected " + std::to_string(size) +
                               " bytes of elements but got " +
                               std::to_string(file.size() - dataStart));
  tensor.bytes.resize(size);
  if (std::string error = file.read(dataStart, size, tensor.bytes.data());
      !error.empty())
    return error;
  if (header.fortranOrder)
    tensor.bytes =
        toRowMajor(tensor.bytes, tensor.shape, byteWidth(tensor.dtype));
  return {};
}

std::string prec::io::writeNpy(const std::string &path, const Tensor &tensor) {
  std::string descr;
  for (const TypeCode &candidate : kCodes)
    if (descr.empty() && candidate.dtype == tensor.dtype)
      descr = candidate.code;
  bool hasByteOrder = byteWidth(tensor.dtype) > 1 && descr[0] != 'V';
  std::string header = "{'descr': '" + std::string(hasByteOrder ? "<" : "|") +
                       descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : tensor.shape)
    header += std::to_string(dim) + ",";
  header += "), }";
  // The elements start at a multiple of 64, and the header ends in a newline.
  constexpr size_t kPrefix = 10;
  header.resize((kPrefix + header.size()) / 64 * 64 + 63 - kPrefix, ' ');
  header += '\n';
  if (header.size() > 0xffff)
    return fileError(path, "cannot write: rank " +
                               std::to_string(tensor.shape.size()) +
                               " is too large for .npy");
  std::string prefix(kMagic, kMagicSize);
  prefix += {'\x01', '\x00', static_cast<char>(header.size() & 0xff),
             static_cast<char>(header.size() >> 8)};
  return writeAtomically(path, {prefix, header, asText(tensor.bytes)});
}
