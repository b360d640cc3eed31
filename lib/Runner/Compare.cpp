// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/Compare.h"

#include "prec/Numerics/Format.h"
#include "prec/Numerics/Rounding.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace prec;
using io::DType;

/// Mismatches and elements that are printed.
static constexpr uint64_t kShownMismatches = 5;
static constexpr uint64_t kShownElements = 16;

/// The format of a float type, or null.
static const num::Format *formatOf(DType dtype) {
  switch (dtype) {
  case DType::BF16:
    return &num::kBF16;
  case DType::F16:
    return &num::kF16;
  case DType::F32:
    return &num::kF32;
  case DType::F64:
    return &num::kF64;
  case DType::F8E4M3:
    return &num::kF8E4M3FN;
  case DType::F8E5M2:
    return &num::kF8E5M2;
  default:
    return nullptr;
  }
}

static uint64_t bitsAt(const io::Tensor &tensor, uint64_t i) {
  uint64_t bits = 0;
  size_t width = io::byteWidth(tensor.dtype);
  std::memcpy(&bits, &tensor.bytes[i * width], width);
  return bits;
}

static void printElement(DType dtype, uint64_t bits, llvm::raw_ostream &os) {
  unsigned width = static_cast<unsigned>(io::byteWidth(dtype));
  switch (dtype) {
  case DType::Bool:
  case DType::U8:
  case DType::U16:
  case DType::U32:
  case DType::U64:
    os << bits;
    break;
  case DType::I8:
  case DType::I16:
  case DType::I32:
  case DType::I64:
    os << llvm::SignExtend64(bits, width * 8);
    break;
  default:
    os << llvm::format_hex(bits, 2 + width * 2);
  }
}

/// "[1, 17]".
static void printIndex(const io::Tensor &tensor, uint64_t i,
                       llvm::raw_ostream &os) {
  std::vector<uint64_t> index(tensor.shape.size());
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = i % static_cast<uint64_t>(tensor.shape[d]);
    i /= static_cast<uint64_t>(tensor.shape[d]);
  }
  os << '[';
  llvm::interleaveComma(index, os);
  os << ']';
}

void prec::printDifference(uint64_t i, const io::Tensor &a, const io::Tensor &b,
                           const CompareWords &words, llvm::raw_ostream &os) {
  printIndex(a, i, os);
  os << ": " << words.first << " ";
  printElement(a.dtype, bitsAt(a, i), os);
  os << ", " << words.second << " ";
  printElement(b.dtype, bitsAt(b, i), os);
}

uint64_t prec::compareTensors(llvm::StringRef name, const io::Tensor &got,
                              const io::Tensor &expected, llvm::raw_ostream &os,
                              const CompareWords &words) {
  auto count = static_cast<uint64_t>(got.numElements());
  if (got.dtype != expected.dtype || got.shape != expected.shape) {
    uint64_t all = std::max<uint64_t>(count, 1);
    os << name << ": " << count << " elements, " << all << " " << words.differ
       << "\n  " << words.first << " " << io::describe(got) << ", "
       << words.second << " " << io::describe(expected) << "\n";
    return all;
  }
  const num::Format *format = formatOf(got.dtype);
  std::vector<uint64_t> shown;
  uint64_t mismatches = 0;
  if (got.bytes != expected.bytes)
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t a = bitsAt(got, i), b = bitsAt(expected, i);
      if (a == b || (format && num::sameValue(*format, a, b)))
        continue;
      if (++mismatches <= kShownMismatches)
        shown.push_back(i);
    }
  os << name << ": " << count << " elements, " << mismatches << " "
     << words.differ << "\n";
  for (uint64_t i : shown) {
    os << "  ";
    printDifference(i, got, expected, words, os);
    os << "\n";
  }
  return mismatches;
}

std::optional<uint64_t> prec::firstDifference(const io::Tensor &a,
                                              const io::Tensor &b) {
  const num::Format *from = formatOf(a.dtype), *to = formatOf(b.dtype);
  for (uint64_t i = 0, n = static_cast<uint64_t>(a.numElements()); i < n; ++i) {
    // Widening to f64 is exact.
    uint64_t left = num::round(*from, bitsAt(a, i), num::kF64);
    uint64_t right = num::round(*to, bitsAt(b, i), num::kF64);
    if (!num::sameValue(num::kF64, left, right))
      return i;
  }
  return std::nullopt;
}

void prec::printTensor(llvm::StringRef name, const io::Tensor &tensor,
                       llvm::raw_ostream &os) {
  os << name << ": " << io::describe(tensor);
  auto count = static_cast<uint64_t>(tensor.numElements());
  for (uint64_t i = 0; i < std::min(count, kShownElements); ++i) {
    os << ' ';
    printElement(tensor.dtype, bitsAt(tensor, i), os);
  }
  os << (count > kShownElements ? " ...\n" : "\n");
}
