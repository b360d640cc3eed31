// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as they stand in files: element type, shape, bytes. No MLIR.
#ifndef PREC_TENSORIO_TENSOR_H
#define PREC_TENSORIO_TENSOR_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace prec::io {

enum class DType {
  Bool,
  U8,
  I8,
  U16,
  I16,
  U32,
  I32,
  U64,
  I64,
  F8E4M3,
  F8E5M2,
  BF16,
  F16,
  F32,
  F64,
};

/// The name that safetensors and our messages use: "BF16", "F8_E4M3", ...
const char *name(DType dtype);

/// Bytes of one element.
size_t byteWidth(DType dtype);

/// Elements in row-major order, little endian, without padding.
struct Tensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  /// Product of the dimensions; 1 for rank 0.
  int64_t numElements() const;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// "BF16[4, 64]".
std::string describe(const Tensor &tensor);

/// Bytes of a tensor of this type and shape; false when a dimension is negative
/// or the product does not fit into 63 bits.
bool byteSize(DType dtype, const std::vector<int64_t> &shape, uint64_t &size);

/// Whether elements of `from` may stand for `to` without changing a bit: the
/// same type, an unsigned integer of the same width (a bit pattern), or the
/// other signedness.
bool sameBits(DType from, DType to);

} // namespace prec::io

#endif // PREC_TENSORIO_TENSOR_H
