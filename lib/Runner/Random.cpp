// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Random.h"

#include "prec/Numerics/Rounding.h"

#include <cstring>

using namespace prec;
using io::DType;

namespace {
/// SplitMix64: the same numbers on every machine.
class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// The sum of four uniform numbers, scaled to variance 1.
  double normal() {
    uint64_t word = next();
    int64_t sum = -2 * 0xffff;
    for (int i = 0; i < 4; ++i)
      sum += static_cast<int64_t>(word >> (16 * i) & 0xffff);
    return static_cast<double>(sum) / 65536.0 * 1.7320508075688772;
  }

private:
  uint64_t state;
};
} // namespace

static llvm::Expected<std::vector<int64_t>>
shapeFor(const Port &port, llvm::ArrayRef<std::string> shapes) {
  for (llvm::StringRef text : shapes) {
    auto [name, sizes] = text.split('=');
    if (name != port.name)
      continue;
    std::vector<int64_t> shape;
    llvm::SmallVector<llvm::StringRef> parts;
    if (!sizes.empty())
      sizes.split(parts, 'x');
    for (llvm::StringRef part : parts) {
      int64_t size;
      if (part.getAsInteger(10, size) || size < 0)
        return usageError("expected a shape like " + name + "=4x64 but got '" +
                          text + "'");
      shape.push_back(size);
    }
    return shape;
  }
  for (int64_t dim : port.shape)
    if (dim == Port::kAny)
      return usageError(
          "argument '" + port.name +
          "' has dynamic dimensions: expected --shape=" + port.name + "=...");
  return port.shape;
}

static uint64_t randomBits(DType dtype, Generator &generator) {
  switch (dtype) {
  case DType::Bool:
    return generator.next() & 1;
  case DType::BF16:
    return num::roundToBF16(generator.normal());
  case DType::F16:
    return num::roundToF16(generator.normal());
  case DType::F32:
    return num::roundTo<num::kF32>(generator.normal());
  case DType::F64:
    return num::bitCast<uint64_t>(generator.normal());
  case DType::F8E4M3:
    return num::roundTo<num::kF8E4M3FN>(generator.normal());
  case DType::F8E5M2:
    return num::roundTo<num::kF8E5M2>(generator.normal());
  default:
    return generator.next() & 15;
  }
}

llvm::Expected<io::Tensor>
prec::randomTensor(const Port &port, uint64_t seed,
                   llvm::ArrayRef<std::string> shapes) {
  if (!port.dtype)
    return usageError("argument '" + port.name +
                      "' has no type to make random values of");
  llvm::Expected<std::vector<int64_t>> shape = shapeFor(port, shapes);
  if (!shape)
    return shape.takeError();
  io::Tensor tensor{*port.dtype, *shape, {}};
  if (!allocate(tensor))
    return usageError("argument '" + port.name + "': the shape is too large");
  if (llvm::Error error = fitTensor(port, "argument", tensor))
    return std::move(error);
  size_t width = io::byteWidth(tensor.dtype);
  Generator generator(seed);
  for (size_t at = 0; at < tensor.bytes.size(); at += width) {
    uint64_t bits = randomBits(tensor.dtype, generator);
    std::memcpy(&tensor.bytes[at], &bits, width);
  }
  return tensor;
}
