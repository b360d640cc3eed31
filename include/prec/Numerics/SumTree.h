// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum's order carried out over any kind of value: numbers, expressions, or
// the operations of a compiler that unrolls a sum.
#ifndef PREC_NUMERICS_SUMTREE_H
#define PREC_NUMERICS_SUMTREE_H

#include "prec/Numerics/SumOrder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

namespace prec::num {

/// Carries out the additions of `order`. `Value` is copyable; `add(a, b)` is
/// one addition, a being the running sum. The order is well formed (checkOrder)
/// and, where it has no `*`, its digits hold the number of values.
template <typename Value, typename Add> class SumTree {
public:
  SumTree(const SumOrder &order, Value zero, Add add)
      : order(order), zero(std::move(zero)), add(std::move(add)) {}

  /// The sum of the values; no values give zero.
  Value operator()(const std::vector<Value> &values) {
    if (values.empty())
      return zero;
    if (order.ragged == Ragged::AtenCPU)
      return atenRow(values);
    std::vector<std::optional<Value>> slots(values.begin(), values.end());
    Value total = *sumDigits(std::move(slots));
    // A partial sum that starts with +0 differs from one that does not only
    // where all its elements are -0; one +0 anywhere undoes that.
    return order.fromZero ? add(zero, total) : total;
  }

private:
  using Slot = std::optional<Value>;

  Slot addSlots(const Slot &a, const Slot &b) {
    return a && b ? Slot(add(*a, *b)) : a ? a : b;
  }

  /// Radices with `*` resolved for a number of elements.
  std::vector<size_t> radices(size_t count) const {
    size_t known = 1;
    for (int64_t digit : order.digits)
      if (digit != SumOrder::kRest)
        known *= size_t(digit);
    std::vector<size_t> result;
    for (int64_t digit : order.digits)
      result.push_back(digit == SumOrder::kRest ? (count + known - 1) / known
                                                : size_t(digit));
    return result;
  }

  /// Steps over all digits: each replaces the lines along its digit by their
  /// sums. Missing elements are empty slots.
  Slot sumDigits(std::vector<Slot> slots) {
    std::vector<size_t> radix = radices(slots.size());
    size_t padded = 1;
    for (size_t r : radix)
      padded *= r;
    assert(padded >= slots.size() && "more values than the digits hold");
    slots.resize(padded);
    for (const SumStep &step : order.steps) {
      size_t inner = 1;
      for (unsigned d = 0; d < step.digit; ++d)
        inner *= radix[d];
      size_t length = radix[step.digit];
      std::vector<Slot> sums(slots.size() / length);
      std::vector<Slot> line(length);
      for (size_t i = 0; i < sums.size(); ++i) {
        size_t first = i / inner * inner * length + i % inner;
        for (size_t k = 0; k < length; ++k)
          line[k] = slots[first + k * inner];
        sums[i] = sumLine(step.kind, line);
      }
      slots = std::move(sums);
      radix[step.digit] = 1;
    }
    return slots[0];
  }

  Slot sumLine(StepKind kind, std::vector<Slot> &line) {
    switch (kind) {
    case StepKind::Sequential: {
      Slot total;
      for (const Slot &slot : line)
        total = addSlots(total, slot);
      return total;
    }
    case StepKind::Halving:
      for (size_t half = line.size() / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; ++i)
          line[i] = addSlots(line[i], line[i + half]);
      return line[0];
    case StepKind::Adjacent:
      for (size_t length = line.size(); length > 1; length /= 2)
        for (size_t i = 0; i < length / 2; ++i)
          line[i] = addSlots(line[2 * i], line[2 * i + 1]);
      return line[0];
    case StepKind::Cascade:
      return cascade(line);
    }
    return {};
  }

  /// Four accumulators, each fed by the one below after every full group: a
  /// group is 2^max(4, ceil(log2 n) / 4) additions.
  Slot cascade(std::vector<Slot> &line) {
    line.erase(std::remove(line.begin(), line.end(), std::nullopt), line.end());
    size_t size = line.size(), power = 0;
    while ((size_t(1) << power) < size)
      ++power;
    power = std::max<size_t>(4, power / 4);
    size_t group = size_t(1) << power;
    std::array<Slot, 4> level;
    size_t i = 0;
    while (i + group <= size) {
      for (size_t end = i + group; i < end; ++i)
        level[0] = addSlots(level[0], line[i]);
      for (unsigned j = 1; j < 4; ++j) {
        level[j] = addSlots(level[j], level[j - 1]);
        level[j - 1].reset();
        if (i & ((group - 1) << (j * power)))
          break;
      }
    }
    for (; i < size; ++i)
      level[0] = addSlots(level[0], line[i]);
    for (unsigned j = 1; j < 4; ++j)
      level[0] = addSlots(level[0], level[j]);
    return level[0];
  }

  /// ATen's rule for a contiguous row: vectors of digit 0 lanes, dealt to digit
  /// 1 accumulators in whole rounds; the vectors left over join accumulator 0,
  /// the accumulators are added in order, then the elements left over, then the
  /// lanes in order. A row shorter than a vector is dealt element by element.
  Value atenRow(const std::vector<Value> &values) {
    size_t lanes = size_t(order.digits[0]), dealt = size_t(order.digits[1]);
    if (values.size() < lanes)
      lanes = 1;
    size_t vectors = values.size() / lanes;
    size_t rounds = vectors / dealt;
    std::vector<Slot> line;
    Slot total;
    for (size_t i = vectors * lanes; i < values.size(); ++i)
      total = addSlots(total, values[i]);
    for (size_t lane = 0; lane < lanes; ++lane) {
      Slot sum;
      for (size_t a = 0; a < dealt; ++a) {
        line.clear();
        for (size_t r = 0; r < rounds; ++r)
          line.push_back(values[(r * dealt + a) * lanes + lane]);
        Slot part = cascade(line);
        if (a == 0)
          for (size_t v = rounds * dealt; v < vectors; ++v)
            part = addSlots(part, values[v * lanes + lane]);
        sum = addSlots(sum, part);
      }
      total = addSlots(total, sum);
    }
    return add(zero, *total);
  }

  const SumOrder &order;
  Value zero;
  Add add;
};

} // namespace prec::num

#endif // PREC_NUMERICS_SUMTREE_H
