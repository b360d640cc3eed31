// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;
using namespace prec::ref;

/// Writes n elements: bits of floats, 0 and 1, or sign-extended integers.
static void fill(FloatDomain &domain, Element element,
                 ArrayRef<uint64_t> values, void *out) {
  switch (element.kind) {
  case Element::Kind::Float:
    return domain.fromBits(*element.format, values.data(), values.size(), out);
  case Element::Kind::Bool:
    return domain.fromBools(
        SmallVector<uint8_t>(values.begin(), values.end()).data(),
        values.size(), out);
  case Element::Kind::Integer:
    std::memcpy(out, values.data(), values.size() * sizeof(uint64_t));
  }
}

static uint64_t valueOf(Element element, const APInt &value) {
  return element.isInteger() ? static_cast<uint64_t>(value.getSExtValue())
                             : value.getZExtValue();
}

/// Elements that lie in memory as a resource does: little endian, an i1 in a
/// byte of its own.
static SmallVector<uint64_t> fromBytes(Element element, int64_t count,
                                       ArrayRef<char> bytes) {
  unsigned width = llvm::divideCeil(element.width, 8);
  SmallVector<uint64_t> values;
  if (static_cast<int64_t>(bytes.size()) != count * width)
    return values;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * width, width);
    values.push_back(
        valueOf(element, APInt(element.width, value, false, true)));
  }
  return values;
}

FailureOr<Array> prec::ref::constantArray(Operation *op, Attribute value,
                                          FloatDomain &domain) {
  auto typed = dyn_cast<TypedAttr>(value);
  std::optional<Element> element =
      typed ? Element::of(typed.getType()) : std::nullopt;
  if (!element)
    return op->emitError() << "the reference evaluator does not support the "
                              "constant "
                           << value;
  auto shaped = dyn_cast<ShapedType>(typed.getType());
  std::optional<Array> array = Array::make(
      domain, *element, shaped ? shaped.getShape() : ArrayRef<int64_t>());
  if (!array)
    return op->emitError("cannot make a tensor of this type");

  SmallVector<uint64_t> values;
  if (auto scalar = dyn_cast<FloatAttr>(value))
    values.push_back(scalar.getValue().bitcastToAPInt().getZExtValue());
  else if (auto scalar = dyn_cast<IntegerAttr>(value))
    values.push_back(valueOf(*element, scalar.getValue()));
  else if (auto dense = dyn_cast<DenseFPElementsAttr>(value))
    for (const APFloat &v : dense)
      values.push_back(v.bitcastToAPInt().getZExtValue());
  else if (auto dense = dyn_cast<DenseIntElementsAttr>(value))
    for (const APInt &v : dense)
      values.push_back(valueOf(*element, v));
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      values = fromBytes(*element, array->size(), blob->getData());
  if (static_cast<int64_t>(values.size()) != array->size())
    return op->emitError("cannot read the elements of this constant");
  fill(domain, *element, values, array->mutableData());
  return *array;
}
