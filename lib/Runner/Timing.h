// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_RUNNER_TIMING_H
#define PREC_LIB_RUNNER_TIMING_H

#include <algorithm>
#include <chrono>

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

} // namespace prec

#endif // PREC_LIB_RUNNER_TIMING_H
