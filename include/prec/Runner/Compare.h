// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing and printing tensors by their bits.
#ifndef PREC_RUNNER_COMPARE_H
#define PREC_RUNNER_COMPARE_H

#include "prec/TensorIO/Tensor.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace prec {

/// What the two sides of a comparison are called.
struct CompareWords {
  llvm::StringRef first = "got", second = "expected", differ = "mismatches";
};

/// Prints "NAME: N elements, M mismatches" and the first few of them by index
/// and bits; gives M. NaN equals NaN, everything else is compared bit for bit.
/// Tensors of another type or shape differ in all elements.
uint64_t compareTensors(llvm::StringRef name, const io::Tensor &got,
                        const io::Tensor &expected, llvm::raw_ostream &os,
                        const CompareWords &words = CompareWords());

/// The first element in which two float tensors of one shape have another
/// value, in whatever formats; nothing if there is none.
std::optional<uint64_t> firstDifference(const io::Tensor &a,
                                        const io::Tensor &b);

/// Prints "[1, 17]: FIRST 0x3f80, SECOND 0x3f81".
void printDifference(uint64_t i, const io::Tensor &a, const io::Tensor &b,
                     const CompareWords &words, llvm::raw_ostream &os);

/// Prints "NAME: BF16[2] 0x3f80 0x4000"; integers as numbers, long tensors
/// shortened.
void printTensor(llvm::StringRef name, const io::Tensor &tensor,
                 llvm::raw_ostream &os);

} // namespace prec

#endif // PREC_RUNNER_COMPARE_H
