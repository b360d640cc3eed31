// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An oracle that knows no rounding code: the list of all non-negative numbers
// of a 16-bit format as doubles. A rounding is right if the exact value lies
// where that list says, and everything compared is exact in double.
#ifndef PREC_BENCH_SWEEP_NEIGHBOURS_H
#define PREC_BENCH_SWEEP_NEIGHBOURS_H

#include "prec/Numerics/Format.h"

#include <cmath>
#include <vector>

namespace prec::sweep {

class Neighbours {
public:
  explicit Neighbours(const num::Format &f) {
    int maxField = (1 << f.expBits) - 1;
    for (int field = 0; field < maxField; ++field)
      for (int fraction = 0; fraction < (1 << f.fracBits); ++fraction)
        values.push_back(
            field == 0 ? std::ldexp(fraction, 1 - f.bias - int(f.fracBits))
                       : std::ldexp((1 << f.fracBits) + fraction,
                                    field - f.bias - int(f.fracBits)));
    // Infinity stands for the number that would follow: ties are exact then.
    values.push_back(std::ldexp(1.0, maxField - f.bias));
    inf = uint32_t(values.size()) - 1;
  }

  /// The number with these bits.
  double value(uint32_t bits) const { return values[bits]; }
  /// The middle between the number with these bits and the next.
  double tieAbove(uint32_t bits) const {
    return (values[bits] + values[bits + 1]) / 2;
  }
  uint32_t infinity() const { return inf; }

  /// The bits of the largest number at most x >= 0, infinity's beyond the
  /// range. `near` is a guess: consecutive inputs have close answers.
  uint32_t below(double x, uint32_t near) const {
    while (values[near] > x)
      --near;
    while (near < inf && values[near + 1] <= x)
      ++near;
    return near;
  }

  /// Whether rounding to nearest, ties to even, gives `bits`, where
  /// order(tie) says how the exact, non-negative value compares with a tie:
  /// negative, 0 or positive.
  template <typename Order> bool isNearest(uint32_t bits, Order order) const {
    bool even = bits % 2 == 0;
    if (bits > 0) {
      int below = order(tieAbove(bits - 1));
      if (below < 0 || (below == 0 && !even))
        return false;
    }
    if (bits == inf)
      return true;
    int above = order(tieAbove(bits));
    return above < 0 || (above == 0 && even);
  }

private:
  std::vector<double> values;
  uint32_t inf;
};

} // namespace prec::sweep

#endif // PREC_BENCH_SWEEP_NEIGHBOURS_H
