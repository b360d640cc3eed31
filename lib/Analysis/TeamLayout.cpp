// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/TeamLayout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace prec;
using num::StepKind;

std::optional<OrderDigits> OrderDigits::get(const num::SumOrder &order,
                                            int64_t count) {
  if (order.ragged != num::Ragged::Skip)
    return std::nullopt;
  int64_t product = 1;
  for (int64_t digit : order.digits)
    if (digit != num::SumOrder::kRest)
      product *= digit;
  OrderDigits result;
  for (int64_t digit : order.digits)
    result.radices.push_back(digit == num::SumOrder::kRest
                                 ? llvm::divideCeil(count, product)
                                 : digit);
  for (const num::SumStep &step : order.steps) {
    if (step.kind == StepKind::Cascade)
      return std::nullopt;
    if (result.radices[step.digit] > 1)
      result.steps.push_back(step);
  }
  return result;
}

void OrderDigits::splitAt(int64_t boundary) {
  int64_t stride = 1;
  for (unsigned d = 0; d < radices.size(); stride *= radices[d++]) {
    int64_t radix = radices[d];
    if (boundary <= stride || boundary >= stride * radix)
      continue;
    auto step = llvm::find_if(
        steps, [&](const num::SumStep &s) { return s.digit == d; });
    int64_t low = boundary / stride;
    if (step == steps.end() || step->kind == StepKind::Sequential ||
        boundary % stride != 0 || radix % low != 0)
      return;
    StepKind kind = step->kind;
    unsigned place = step - steps.begin();
    for (num::SumStep &other : steps)
      other.digit += other.digit > d;
    radices[d] = radix / low;
    radices.insert(radices.begin() + d, low);
    steps[place].digit = kind == StepKind::Halving ? d + 1 : d;
    steps.insert(steps.begin() + place + 1,
                 {kind == StepKind::Halving ? d : d + 1, kind});
    return;
  }
}

std::optional<TeamLayout> TeamLayout::get(const OrderDigits &digits,
                                          int64_t width, int64_t team) {
  TeamLayout layout;
  OrderDigits &rest = layout.digits;
  rest = digits;
  rest.splitAt(width);
  rest.splitAt(width * team);
  rest.splitAt(width * kWarp);
  int64_t stride = 1, numThreads = 1;
  for (int64_t radix : rest.radices) {
    int64_t end = stride * radix;
    if (radix == 1 || (end <= width && width % end == 0)) {
      layout.places.push_back(Lane);
    } else if (stride % width == 0 && (width * team) % end == 0) {
      layout.places.push_back(Thread);
      numThreads *= radix;
    } else if (stride % (width * team) == 0) {
      layout.places.push_back(Vector);
      layout.numVectors *= radix;
    } else {
      return std::nullopt;
    }
    stride = end;
  }
  if (numThreads != team)
    return std::nullopt;
  while (layout.local < rest.steps.size() &&
         layout.places[rest.steps[layout.local].digit] != Thread)
    ++layout.local;
  for (const num::SumStep &step :
       llvm::ArrayRef(rest.steps).drop_front(layout.local))
    if (layout.places[step.digit] != Thread)
      return std::nullopt;
  return layout;
}
