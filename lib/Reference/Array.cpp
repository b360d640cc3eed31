// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Reference/Array.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace prec::ref;
using namespace prec;

FloatDomain::~FloatDomain() = default;

unsigned Element::bytes(const FloatDomain &domain) const {
  switch (kind) {
  case Kind::Float:
    return domain.bytes(*format);
  case Kind::Bool:
    return domain.boolBytes();
  case Kind::Integer:
    break;
  }
  return sizeof(int64_t);
}

std::optional<Element> Element::of(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!isa<RankedTensorType, VectorType>(type))
      return std::nullopt;
    type = shaped.getElementType();
  }
  Element element;
  if (isa<IndexType>(type))
    return element;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    element.width = integer.getWidth();
    element.kind = element.width == 1 ? Kind::Bool : Kind::Integer;
    if (element.width > 64 || element.width == 0)
      return std::nullopt;
    return element;
  }
  element.kind = Kind::Float;
  element.format = TypeSwitch<Type, const num::Format *>(type)
                       .Case([](BFloat16Type) { return &num::kBF16; })
                       .Case([](Float16Type) { return &num::kF16; })
                       .Case([](Float32Type) { return &num::kF32; })
                       .Case([](Float64Type) { return &num::kF64; })
                       .Case([](Float8E4M3FNType) { return &num::kF8E4M3FN; })
                       .Case([](Float8E5M2Type) { return &num::kF8E5M2; })
                       .Default([](Type) { return nullptr; });
  if (!element.format)
    return std::nullopt;
  element.width = element.format->width();
  return element;
}

std::shared_ptr<void> Array::allocate(size_t bytes) {
  // malloc, not new: a tensor that is too large is an error, not an exception,
  // and memory that is not touched costs nothing.
  void *memory = std::malloc(std::max<size_t>(bytes, 1));
  return memory ? std::shared_ptr<void>(memory, Free()) : nullptr;
}

void Array::Free::operator()(void *memory) const { std::free(memory); }

std::optional<Array> Array::make(const FloatDomain &domain, Element element,
                                 ArrayRef<int64_t> shape) {
  Array array;
  array.kind = element;
  array.width = element.bytes(domain);
  array.dims.assign(shape.begin(), shape.end());
  array.count = 1;
  for (int64_t dim : shape)
    if (dim < 0 || llvm::MulOverflow(array.count, dim, array.count))
      return std::nullopt;
  int64_t bytes;
  if (llvm::MulOverflow<int64_t>(array.count, array.width, bytes))
    return std::nullopt;
  array.storage = allocate(static_cast<size_t>(bytes));
  if (!array.storage)
    return std::nullopt;
  return array;
}

Array Array::integer(const FloatDomain &domain, int64_t value,
                     Element element) {
  std::optional<Array> array = make(domain, element, {});
  if (!array)
    llvm::report_bad_alloc_error("cannot make a scalar");
  std::memcpy(array->mutableData(), &value, sizeof(value));
  return *array;
}

void *Array::mutableData() {
  if (storage.use_count() > 1) {
    size_t bytes = static_cast<size_t>(count) * width;
    std::shared_ptr<void> copy = allocate(bytes);
    if (!copy)
      llvm::report_bad_alloc_error("cannot copy a tensor");
    std::memcpy(copy.get(), storage.get(), bytes);
    storage = std::move(copy);
  }
  return storage.get();
}

Array Array::reshaped(ArrayRef<int64_t> shape) const {
  Array array = *this;
  array.dims.assign(shape.begin(), shape.end());
  return array;
}

SmallVector<int64_t, 4> prec::ref::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

std::string prec::ref::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t dim : shape)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}
