// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact tree of a sum, without MLIR.
#ifndef PREC_NUMERICS_SUMORDER_H
#define PREC_NUMERICS_SUMORDER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace prec::num {

/// How one digit of the reduced index is summed away.
enum class StepKind {
  Sequential, ///< ((a0 + a1) + a2) + ...
  Halving,    ///< a[l] += a[l + n/2], then n/4, ... 1
  Adjacent,   ///< (a0 + a1) + (a2 + a3), again until one is left
  Cascade,    ///< PyTorch CPU's four-level cascade (ATen multi_row_sum)
};

/// One step: the digit (position in SumOrder::digits) and how it is summed.
struct SumStep {
  unsigned digit = 0;
  StepKind kind = StepKind::Sequential;
  bool operator==(const SumStep &o) const {
    return digit == o.digit && kind == o.kind;
  }
};

/// What becomes of elements that do not fill a whole block of the digits.
enum class Ragged {
  Skip,    ///< they stand at their own digits; absent ones are skipped
  AtenCPU, ///< ATen CPU rows: left-over vectors join accumulator 0, the scalar
           ///< tail is summed first, then the lanes follow
};

/// The tree. `digits` are radices, innermost first, kRest at most once; `steps`
/// names every digit exactly once, in the order in which they are summed away.
/// Ragged::AtenCPU goes with digits [lanes, accumulators, *] only.
struct SumOrder {
  static constexpr int64_t kRest = -1;

  std::vector<int64_t> digits{kRest};
  std::vector<SumStep> steps{{0, StepKind::Sequential}};
  bool fromZero = false; ///< each partial sum starts with +0
  Ragged ragged = Ragged::Skip;

  static SumOrder sequential() { return {}; }
  static SumOrder lanes(int64_t count);
  static SumOrder atenCPU();

  bool operator==(const SumOrder &o) const {
    return digits == o.digits && steps == o.steps && fromZero == o.fromZero &&
           ragged == o.ragged;
  }
};

/// Empty when the order is well formed, else what is wrong with it.
std::string checkOrder(const SumOrder &order);

/// How many values the digits hold; kRest when there is no limit.
int64_t capacity(const SumOrder &order);

size_t hashOrder(const SumOrder &order);

/// Sums `count` values, `stride` elements apart, by `order`; each addition
/// is one IEEE addition in the type. No values: +0. SumTree.h does the same
/// over any kind of value. The order is well formed and has the capacity.
float sum(const SumOrder &order, const float *values, size_t count,
          size_t stride = 1);
double sum(const SumOrder &order, const double *values, size_t count,
           size_t stride = 1);

} // namespace prec::num

#endif // PREC_NUMERICS_SUMORDER_H
