// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_RUNNER_TIMING_H
#define PREC_LIB_RUNNER_TIMING_H

#include "prec/TensorIO/Tensor.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace prec {

/// The shortest of `runs` calls, in seconds.
template <typename F> double shortest(unsigned runs, F body) {
  double best = 0;
  for (unsigned i = 0; i < runs; ++i) {
    auto start = std::chrono::steady_clock::now();
    body();
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = i == 0 ? time.count() : std::min(best, time.count());
  }
  return best;
}

/// Of a memcpy that reads and writes `traffic` bytes together.
double timeHostCopy(size_t traffic, unsigned runs);

/// Bytes of all the tensors.
size_t traffic(llvm::ArrayRef<io::Tensor> inputs,
               llvm::ArrayRef<io::Tensor> outputs);

} // namespace prec

#endif // PREC_LIB_RUNNER_TIMING_H
