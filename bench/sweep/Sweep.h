// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A claim about bits, checked on every input.
#ifndef PREC_BENCH_SWEEP_SWEEP_H
#define PREC_BENCH_SWEEP_SWEEP_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace prec::sweep {

/// Counts the differences of one sweep and keeps the first few.
class Differences {
public:
  uint64_t count() const { return total; }
  const std::vector<std::string> &first() const { return kept; }
  void add(const std::string &text) {
    if (total++ < 10)
      kept.push_back(text);
  }

private:
  uint64_t total = 0;
  std::vector<std::string> kept;
};

struct Sweep {
  std::string name;
  std::string claim;
  uint64_t size; ///< number of inputs, or of pairs
  /// Checks the inputs begin..end-1.
  std::function<void(uint64_t begin, uint64_t end, Differences &)> check;
};

/// `x` as C prints it, and its bits.
std::string spell(float x);

std::vector<Sweep> roundingSweeps();
std::vector<Sweep> arithmeticSweeps();
std::vector<Sweep> expansionSweeps();

} // namespace prec::sweep

#endif // PREC_BENCH_SWEEP_SWEEP_H
