// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing and printing tensors by their bits.
#ifndef PREC_RUNNER_COMPARE_H
#define PREC_RUNNER_COMPARE_H

#include "prec/TensorIO/Tensor.h"

#include "llvm/Support/raw_ostream.h"

namespace prec {

/// Prints "NAME: N elements, M mismatches" and the first few of them by index
/// and bits; gives M. NaN equals NaN, everything else is compared bit for bit.
/// Tensors of another type or shape differ in all elements.
uint64_t compareTensors(llvm::StringRef name, const io::Tensor &got,
                        const io::Tensor &expected, llvm::raw_ostream &os);

/// Prints "NAME: BF16[2] 0x3f80 0x4000"; integers as numbers, long tensors
/// shortened.
void printTensor(llvm::StringRef name, const io::Tensor &tensor,
                 llvm::raw_ostream &os);

} // namespace prec

#endif // PREC_RUNNER_COMPARE_H
