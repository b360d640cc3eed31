// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of the evaluator.
#ifndef PREC_REFERENCE_ARRAY_H
#define PREC_REFERENCE_ARRAY_H

#include "prec/Reference/FloatDomain.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>

namespace prec::ref {

/// What an element is to the evaluator.
struct Element {
  enum class Kind : uint8_t {
    Float,   ///< the domain's floats
    Bool,    ///< i1: the domain's truth values
    Integer, ///< int64_t, sign-extended from `width`; index has 64 bits
  };
  Kind kind = Kind::Integer;
  unsigned width = 64;
  const num::Format *format = nullptr; ///< of a float

  bool isFloat() const { return kind == Kind::Float; }
  bool isBool() const { return kind == Kind::Bool; }
  bool isInteger() const { return kind == Kind::Integer; }
  bool operator==(const Element &other) const {
    return kind == other.kind && width == other.width && format == other.format;
  }
  bool operator!=(const Element &other) const { return !(*this == other); }

  /// Bytes that an element takes in the domain's arrays.
  unsigned bytes(const FloatDomain &domain) const;

  /// Of a scalar type, or of the elements of a tensor or vector; nothing for
  /// types that the evaluator has no values for.
  static std::optional<Element> of(mlir::Type type);
};

/// A scalar (rank 0), vector or tensor: elements in row-major order. Copies
/// share their elements until one of them is written to.
class Array {
public:
  Array() = default;

  /// Elements are uninitialised. Nothing when a dimension is negative or
  /// memory does not suffice.
  static std::optional<Array> make(const FloatDomain &domain, Element element,
                                   llvm::ArrayRef<int64_t> shape);
  /// An integer scalar, of type index unless said otherwise.
  static Array integer(const FloatDomain &domain, int64_t value,
                       Element element = Element());

  Element element() const { return kind; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t size() const { return count; }
  unsigned elementBytes() const { return width; }

  const void *data() const { return storage.get(); }
  const void *at(int64_t i) const {
    return static_cast<const char *>(data()) + i * width;
  }
  /// For writing: copies the elements first if another array shares them.
  void *mutableData();

  /// Integer and index elements.
  llvm::ArrayRef<int64_t> integers() const {
    return {static_cast<const int64_t *>(data()), static_cast<size_t>(count)};
  }

  /// The same elements under another shape of the same size.
  Array reshaped(llvm::ArrayRef<int64_t> shape) const;

private:
  struct Free {
    void operator()(void *memory) const;
  };
  static std::shared_ptr<void> allocate(size_t bytes);

  Element kind;
  unsigned width = 0;
  int64_t count = 0;
  llvm::SmallVector<int64_t, 4> dims;
  std::shared_ptr<void> storage;
};

/// Elements between neighbours of each dimension, row-major.
llvm::SmallVector<int64_t, 4> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// "4x64".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace prec::ref

#endif // PREC_REFERENCE_ARRAY_H
