// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Numerics/SumOrder.h"

#include "prec/Numerics/SumTree.h"

#include <algorithm>
#include <functional>

using namespace prec::num;

SumOrder SumOrder::lanes(int64_t count) {
  SumOrder order;
  order.digits = {count, kRest};
  order.steps = {{1, StepKind::Sequential}, {0, StepKind::Halving}};
  return order;
}

// Vectors of 8 f32, four interleaved accumulators, each a cascade; then the
// accumulators and the lanes in order (ATen/native/cpu/SumKernel.cpp).
SumOrder SumOrder::atenCPU() {
  SumOrder order;
  order.digits = {8, 4, kRest};
  order.steps = {{2, StepKind::Cascade},
                 {1, StepKind::Sequential},
                 {0, StepKind::Sequential}};
  order.fromZero = true;
  order.ragged = Ragged::AtenCPU;
  return order;
}

std::string prec::num::checkOrder(const SumOrder &order) {
  if (order.digits.empty())
    return "expected at least one digit";
  if (std::count(order.digits.begin(), order.digits.end(), SumOrder::kRest) > 1)
    return "expected '*' at most once among the digits";
  std::vector<bool> seen(order.digits.size(), false);
  for (const SumStep &step : order.steps) {
    if (step.digit >= order.digits.size())
      return "step names digit " + std::to_string(step.digit) +
             " but there are only " + std::to_string(order.digits.size());
    if (seen[step.digit])
      return "digit " + std::to_string(step.digit) + " is summed twice";
    seen[step.digit] = true;
    int64_t radix = order.digits[step.digit];
    bool tree =
        step.kind == StepKind::Halving || step.kind == StepKind::Adjacent;
    if (tree && (radix <= 0 || (radix & (radix - 1)) != 0))
      return "a halving or adjacent step needs a digit that is a power of two";
  }
  for (size_t i = 0; i < order.digits.size(); ++i) {
    if (order.digits[i] != SumOrder::kRest && order.digits[i] <= 0)
      return "expected positive digits";
    if (!seen[i])
      return "digit " + std::to_string(i) + " is never summed";
  }
  if (order.ragged == Ragged::AtenCPU &&
      (order.digits.size() != 3 || order.digits[2] != SumOrder::kRest))
    return "expected digits [lanes, accumulators, *] in ATen's row order";
  return {};
}

int64_t prec::num::capacity(const SumOrder &order) {
  int64_t product = 1;
  for (int64_t digit : order.digits)
    if (digit == SumOrder::kRest ||
        __builtin_mul_overflow(product, digit, &product))
      return SumOrder::kRest;
  return product;
}

size_t prec::num::hashOrder(const SumOrder &order) {
  size_t seed = order.fromZero * 2 + static_cast<size_t>(order.ragged);
  auto mix = [&](int64_t value) {
    seed ^= std::hash<int64_t>()(value) + 0x9e3779b97f4a7c15ULL + (seed << 6) +
            (seed >> 2);
  };
  for (int64_t digit : order.digits)
    mix(digit);
  for (const SumStep &step : order.steps)
    mix(step.digit * 8 + static_cast<int64_t>(step.kind));
  return seed;
}

namespace {

template <typename Float>
Float sumValues(const SumOrder &order, const Float *values, size_t count,
                size_t stride) {
  // The common order without a tree.
  if (order == SumOrder::sequential() && count != 0) {
    Float total = values[0];
    for (size_t i = 1; i < count; ++i)
      total += values[i * stride];
    return total;
  }
  std::vector<Float> gathered(count);
  for (size_t i = 0; i < count; ++i)
    gathered[i] = values[i * stride];
  auto add = [](Float a, Float b) { return a + b; };
  return SumTree<Float, decltype(add)>(order, Float(0), add)(gathered);
}

} // namespace

float prec::num::sum(const SumOrder &order, const float *values, size_t count,
                     size_t stride) {
  return sumValues(order, values, count, stride);
}

double prec::num::sum(const SumOrder &order, const double *values, size_t count,
                      size_t stride) {
  return sumValues(order, values, count, stride);
}
