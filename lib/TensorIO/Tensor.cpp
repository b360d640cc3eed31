// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/TensorIO/Tensor.h"

using namespace prec::io;

namespace {
struct DTypeInfo {
  const char *name;
  unsigned width;
  bool isInteger;
};
} // namespace

/// In the order of DType.
static constexpr DTypeInfo kInfo[] = {
    {"BOOL", 1, false},    {"U8", 1, true},       {"I8", 1, true},
    {"U16", 2, true},      {"I16", 2, true},      {"U32", 4, true},
    {"I32", 4, true},      {"U64", 8, true},      {"I64", 8, true},
    {"F8_E4M3", 1, false}, {"F8_E5M2", 1, false}, {"BF16", 2, false},
    {"F16", 2, false},     {"F32", 4, false},     {"F64", 8, false}};

static const DTypeInfo &info(DType dtype) {
  return kInfo[static_cast<size_t>(dtype)];
}

const char *prec::io::name(DType dtype) { return info(dtype).name; }

size_t prec::io::byteWidth(DType dtype) { return info(dtype).width; }

int64_t Tensor::numElements() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

std::string prec::io::describe(const Tensor &tensor) {
  std::string text = name(tensor.dtype);
  text += '[';
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + ']';
}

bool prec::io::byteSize(DType dtype, const std::vector<int64_t> &shape,
                        uint64_t &size) {
  // A zero dimension makes the product zero but not an overflowing shape right.
  int64_t product = static_cast<int64_t>(byteWidth(dtype));
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return false;
    if (dim == 0)
      empty = true;
    else if (__builtin_mul_overflow(product, dim, &product))
      return false;
  }
  size = empty ? 0 : static_cast<uint64_t>(product);
  return true;
}

bool prec::io::sameBits(DType from, DType to) {
  if (from == to)
    return true;
  if (info(from).width != info(to).width)
    return false;
  bool bitPattern = from == DType::U8 || from == DType::U16 ||
                    from == DType::U32 || from == DType::U64;
  return to != DType::Bool &&
         (bitPattern || (info(from).isInteger && info(to).isInteger));
}
