// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parallel.h"

#include <algorithm>
#include <thread>
#include <vector>

using namespace prec;

static thread_local unsigned threadCount = 1;

ThreadsScope::ThreadsScope(unsigned count) : before(threadCount) {
  threadCount = count;
}
ThreadsScope::~ThreadsScope() { threadCount = before; }

void prec::parallelFor(void (*body)(void *, int64_t, int64_t), void *data,
                       int64_t count) {
  // More threads than iterations would have nothing to do.
  const int64_t shares = std::min<int64_t>(threadCount, count);
  auto run = [=](int64_t share) {
    // The first shares get one more where they do not divide.
    int64_t size = count / shares, more = count % shares;
    int64_t begin = share * size + std::min(share, more);
    body(data, begin, begin + size + (share < more));
  };
  std::vector<std::thread> others;
  for (int64_t share = 1; share < shares; ++share)
    others.emplace_back(run, share);
  if (shares > 0)
    run(0);
  for (std::thread &thread : others)
    thread.join();
}
