// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 to 16 bits on every input, in every mode, saturating or not; and what
// stands for a rounding to f16 that goes on in f32 (prec-round-by-arithmetic).
#include "Neighbours.h"
#include "Sweep.h"

#include "prec/Numerics/Rounding.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

using namespace prec::num;
using namespace prec::sweep;

namespace {

constexpr std::array kModes{Rounding::NearestEven, Rounding::TowardZero,
                            Rounding::Upward, Rounding::Downward,
                            Rounding::NearestAway};

/// The results of one input: the modes without saturation, then with.
using Results = std::array<uint32_t, 2 * kModes.size()>;

/// Where a magnitude lies between two neighbouring numbers.
enum class Place { AtLower, BelowTie, AtTie, AboveTie, BeyondLargest };

/// What rounding must give, for a number at its place above `low`.
template <const Format &To>
Results expected(const Neighbours &list, uint32_t low, Place place,
                 bool negative) {
  uint32_t inf = list.infinity();
  if (place == Place::BeyondLargest)
    low = inf - 1;
  uint32_t high = place == Place::AtLower ? low : low + 1;
  bool past = place == Place::AboveTie || place == Place::BeyondLargest;
  bool up = past || (place == Place::AtTie && low % 2 == 1);
  bool upAway = past || place == Place::AtTie;
  std::array<uint32_t, kModes.size()> want{
      up ? high : low, low, negative ? low : high, negative ? high : low,
      upAway ? high : low};
  Results results;
  for (size_t i = 0; i < want.size(); ++i) {
    uint32_t sign = negative ? uint32_t(To.signMask()) : 0;
    results[i] = sign | want[i];
    results[i + want.size()] = sign | std::min(want[i], inf - 1);
  }
  return results;
}

constexpr unsigned kBlock = 1024;

/// Rounds a block in every mode; these loops vectorise.
template <const Format &To, size_t... Mode>
void roundBlock(uint32_t first, uint32_t (&out)[2 * kModes.size()][kBlock],
                std::index_sequence<Mode...>) {
  auto fill = [&](uint32_t *row, auto round) {
    for (uint32_t i = 0; i < kBlock; ++i)
      row[i] = round(bitCast<float>(first + i));
  };
  (fill(out[Mode], [](float x) { return roundTo<To, kModes[Mode], false>(x); }),
   ...);
  (fill(out[Mode + kModes.size()],
        [](float x) { return roundTo<To, kModes[Mode], true>(x); }),
   ...);
}

/// Compares results with what the list of numbers says; remembers where the
/// last input lay, since most inputs lie where the one before does.
template <const Format &To> class Judge {
public:
  explicit Judge(const Neighbours &list) : list(list) {}

  bool isRight(float x, const Results &got) {
    bool negative = std::signbit(x);
    if (std::isnan(x))
      return std::all_of(got.begin(), got.end(), [&](uint32_t bits) {
        return isNaN(To, bits) && isNegative(To, bits) == negative;
      });
    if (std::isinf(x)) {
      // Infinities are kept, whatever the mode, or saturate.
      uint32_t sign = negative ? uint32_t(To.signMask()) : 0;
      Results want;
      want.fill(sign | list.infinity());
      std::fill(want.begin() + kModes.size(), want.end(),
                sign | (list.infinity() - 1));
      return got == want;
    }
    double magnitude = std::fabs(double(x));
    uint32_t below = list.below(magnitude, low);
    Place where = Place::BeyondLargest;
    if (below != list.infinity()) {
      double tie = list.tieAbove(below);
      where = magnitude == list.value(below) ? Place::AtLower
              : magnitude < tie              ? Place::BelowTie
              : magnitude == tie             ? Place::AtTie
                                             : Place::AboveTie;
    }
    if (below != low || where != place || negative != sign) {
      low = below;
      place = where;
      sign = negative;
      want = expected<To>(list, low, place, sign);
    }
    return got == want;
  }

private:
  const Neighbours &list;
  uint32_t low = 0;
  Place place = Place::AtLower;
  bool sign = false;
  Results want = expected<To>(list, 0, Place::AtLower, false);
};

template <const Format &To> Sweep roundingSweep() {
  auto list = std::make_shared<Neighbours>(To);
  auto check = [list](uint64_t begin, uint64_t end, Differences &differences) {
    Judge<To> judge(*list);
    static uint32_t out[2 * kModes.size()][kBlock];
    for (uint64_t first = begin; first < end; first += kBlock) {
      roundBlock<To>(uint32_t(first), out,
                     std::make_index_sequence<kModes.size()>());
      auto count = uint32_t(std::min<uint64_t>(kBlock, end - first));
      for (uint32_t i = 0; i < count; ++i) {
        Results got;
        for (size_t row = 0; row < got.size(); ++row)
          got[row] = out[row][i];
        float x = bitCast<float>(uint32_t(first) + i);
        if (!judge.isRight(x, got))
          differences.add(spell(x));
      }
    }
  };
  return {std::string("round-") + To.name,
          std::string("f32 to ") + To.name +
              ", five modes, saturating and not, is what the list of all " +
              To.name + " numbers says",
          uint64_t(1) << 32, check};
}

/// R(v) times 2^100 for v = x * w, or infinity or NaN.
float productByArithmetic(float v) {
  float large = v * 0x1p113f, least = 0.75f * 0x1p100f;
  float m = std::fabs(large) > least ? large : std::copysign(least, v);
  return m - std::fma(-v, 0x1p100f, m);
}

/// R(v) times 2^100 for a sum of f16 numbers, or infinity or NaN.
float sumByArithmetic(float v) {
  float scaled = v * 0x1p100f;
  return std::fma(scaled, 8192.0f, -(scaled * 8191.0f));
}

/// Whether v can be such a sum: a multiple of the least subnormal number.
bool isSum(float v) {
  float count = v * 0x1p24f;
  return std::isinf(count) || count == std::trunc(count);
}

/// R(v) without the sign of a zero; infinity and NaN for what f32 arithmetic
/// does not know, which is no more than what f16 has from 2^15 on.
bool isRounded(const Neighbours &list, float v, float scaled, uint32_t &near) {
  if (!std::isfinite(scaled))
    return !(std::fabs(v) < 0x1p15f);
  if (!(std::fabs(v) < 65520.0f))
    return false;
  double magnitude = std::fabs(double(v)), rounded = scaled * 0x1p-100;
  near = list.below(magnitude, near);
  double tie = list.tieAbove(near);
  bool up = magnitude > tie || (magnitude == tie && near % 2 == 1);
  return std::fabs(rounded) == list.value(near + up) &&
         (rounded == 0 ? !std::signbit(rounded)
                       : std::signbit(rounded) == std::signbit(v));
}

Sweep arithmeticSweep(std::string name, std::string what, float (*round)(float),
                      bool (*isInput)(float)) {
  auto list = std::make_shared<Neighbours>(kF16);
  auto check = [=](uint64_t begin, uint64_t end, Differences &differences) {
    uint32_t near = 0;
    for (uint64_t bits = begin; bits < end; ++bits) {
      float v = bitCast<float>(uint32_t(bits));
      if (isInput(v) && !isRounded(*list, v, round(v), near))
        differences.add(spell(v));
    }
  };
  return {std::move(name),
          what + ", rounded to f16 by f32 arithmetic, is the number that the "
                 "list of all f16 numbers says, or not finite",
          uint64_t(1) << 32, check};
}

} // namespace

std::vector<Sweep> prec::sweep::roundingSweeps() {
  return {roundingSweep<kBF16>(), roundingSweep<kF16>(),
          arithmeticSweep("product-by-arithmetic", "any f32 number",
                          productByArithmetic, [](float) { return true; }),
          arithmeticSweep("sum-by-arithmetic", "any multiple of 2^-24",
                          sumByArithmetic, isSum)};
}
