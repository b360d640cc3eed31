// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 to 16 bits on every input, in every mode, saturating or not.
#include "Neighbours.h"
#include "Sweep.h"

#include "prec/Numerics/Rounding.h"

#include <array>
#include <memory>

using namespace prec::num;
using namespace prec::sweep;

namespace {

constexpr std::array kModes{Rounding::NearestEven, Rounding::TowardZero,
                            Rounding::Upward, Rounding::Downward,
                            Rounding::NearestAway};

/// What rounding must give, for all modes; `low` is the number at or below the
/// magnitude.
void expect(const Format &f, const Neighbours &list, float x, uint32_t low,
            bool saturate, std::array<uint32_t, 5> &want) {
  bool negative = std::signbit(x);
  double magnitude = std::fabs(double(x));
  uint32_t sign = negative ? uint32_t(f.signMask()) : 0;
  if (std::isinf(x)) {
    want.fill(sign | (saturate ? list.infinity() - 1 : list.infinity()));
    return;
  }
  bool exact = low < list.infinity() && list.value(low) == magnitude;
  uint32_t away = low, even = low, tieAway = low;
  if (low == list.infinity()) {
    low = low - 1; // beyond: between the largest finite one and infinity
  } else if (!exact) {
    double tie = list.tieAbove(low);
    away = low + 1;
    even = magnitude > tie || (magnitude == tie && low % 2 == 1) ? away : low;
    tieAway = magnitude >= tie ? away : low;
  }
  want = {even, low, negative ? low : away, negative ? away : low, tieAway};
  for (uint32_t &bits : want) {
    if (saturate && bits == list.infinity())
      bits = list.infinity() - 1;
    bits |= sign;
  }
}

template <const Format &To, bool Saturate>
std::array<uint32_t, 5> roundAll(float x) {
  return {
      roundTo<To, kModes[0], Saturate>(x), roundTo<To, kModes[1], Saturate>(x),
      roundTo<To, kModes[2], Saturate>(x), roundTo<To, kModes[3], Saturate>(x),
      roundTo<To, kModes[4], Saturate>(x)};
}

template <const Format &To> Sweep roundingSweep() {
  auto list = std::make_shared<Neighbours>(To);
  auto check = [list](uint64_t begin, uint64_t end, Differences &differences) {
    uint32_t low = 0;
    for (uint64_t bits = begin; bits < end; ++bits) {
      float x = bitCast<float>(uint32_t(bits));
      auto plain = roundAll<To, false>(x), saturating = roundAll<To, true>(x);
      bool good = true;
      if (std::isnan(x)) {
        for (uint32_t got : plain)
          good &= isNaN(To, got) && isNegative(To, got) == std::signbit(x);
        good &= plain == saturating;
      } else {
        std::array<uint32_t, 5> want;
        low = list->below(std::fabs(x), low);
        expect(To, *list, x, low, false, want);
        good = plain == want;
        expect(To, *list, x, low, true, want);
        good &= saturating == want;
      }
      if (!good)
        differences.add(spell(x));
    }
  };
  return {std::string("round-") + To.name,
          std::string("f32 to ") + To.name +
              ", five modes, saturating and not, is what the list of all " +
              To.name + " numbers says",
          uint64_t(1) << 32, check};
}

} // namespace

std::vector<Sweep> prec::sweep::roundingSweeps() {
  return {roundingSweep<kBF16>(), roundingSweep<kF16>()};
}
