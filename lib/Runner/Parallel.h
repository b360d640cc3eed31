// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prec_parallel_for of the host engine.
#ifndef PREC_LIB_RUNNER_PARALLEL_H
#define PREC_LIB_RUNNER_PARALLEL_H

#include <cstdint>

namespace prec {

/// Threads that a run may ask for.
inline constexpr unsigned kMaxThreads = 1024;

/// While it lives, parallel loops that this thread starts run on `count`
/// threads, this one being one of them.
class ThreadsScope {
public:
  explicit ThreadsScope(unsigned count);
  ~ThreadsScope();

private:
  unsigned before;
};

/// A ParallelFor: equal shares of the iterations, one for each thread.
void parallelFor(void (*body)(void *, int64_t, int64_t), void *data,
                 int64_t count);

} // namespace prec

#endif // PREC_LIB_RUNNER_PARALLEL_H
