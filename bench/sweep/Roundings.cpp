// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 to 16 bits on every input, in every mode, saturating or not; and what
// stands for a rounding to f16 that goes on in f32 (prec-round-by-arithmetic).
#include "Neighbours.h"
#include "Sweep.h"

#include "prec/Numerics/Rounding.h"

#include <algorithm>
#include <array>
#include <limits>
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

/// What f32 arithmetic makes of an input: the number that is rounded, and what
/// stands for its rounding (exact in double).
struct ByArithmetic {
  float number;
  double rounded;
};

/// R(v) for v = x * w, times 2^100.
ByArithmetic f16Product(uint32_t bits) {
  auto v = bitCast<float>(bits);
  float large = v * 0x1p113f, least = 0.75f * 0x1p100f;
  float m = std::fabs(large) > least ? large : std::copysign(least, v);
  return {v, (m - std::fma(-v, 0x1p100f, m)) * 0x1p-100};
}

ByArithmetic f16Sum(uint32_t bits) {
  auto v = bitCast<float>(bits);
  float scaled = v * 0x1p100f;
  return {v, std::fma(scaled, 8192.0f, -(scaled * 8191.0f)) * 0x1p-100};
}

/// R(x * w), times 2^-16, for the two numbers with these bits.
ByArithmetic bf16Product(uint32_t bits) {
  auto x = bitCast<float>(bits & 0xffff0000), w = bitCast<float>(bits << 16);
  float rest = x * (w * (1 - 0x1p-16f));
  return {x * w, std::fma(x, w, -rest) * 0x1p16};
}

ByArithmetic bf16Sum(uint32_t bits) {
  auto v = bitCast<float>(bits);
  return {v, std::fma(v, 65536.0f, -(v * 65535.0f))};
}

/// Whether v can be a sum of numbers of a format: a multiple of its least one.
bool isMultiple(float v, const Format &format) {
  double count = std::ldexp(double(v), format.bias - 1 + int(format.fracBits));
  return std::isinf(v) || count == std::trunc(count);
}

/// How one kind of numbers is rounded.
struct Way {
  ByArithmetic (*round)(uint32_t);
  /// Only of what can be a sum.
  bool ofSums;
  /// From which magnitude on it may not be finite.
  double limit;
  /// Whether a zero is +0 always; else it has any sign.
  bool plusZero;
};

/// What it must be: the number's rounding, its sign aside if it is zero.
bool isRounded(const Neighbours &list, const ByArithmetic &made, const Way &way,
               uint32_t &near) {
  double magnitude = std::fabs(double(made.number));
  if (!std::isfinite(made.rounded))
    return !(magnitude < way.limit);
  if (std::isnan(magnitude))
    return false;
  near = list.below(magnitude, near);
  bool up = false;
  if (near < list.infinity()) {
    double tie = list.tieAbove(near);
    up = magnitude > tie || (magnitude == tie && near % 2 == 1);
  }
  return std::fabs(made.rounded) == list.value(near + up) &&
         (made.rounded == 0
              ? !(way.plusZero && std::signbit(made.rounded))
              : std::signbit(made.rounded) == std::signbit(made.number));
}

Sweep arithmeticSweep(std::string name, std::string what, const Format &format,
                      Way way) {
  auto list = std::make_shared<Neighbours>(format);
  auto check = [=, &format](uint64_t begin, uint64_t end,
                            Differences &differences) {
    uint32_t near = 0;
    for (uint64_t bits = begin; bits < end; ++bits) {
      ByArithmetic made = way.round(uint32_t(bits));
      if (way.ofSums && !isMultiple(made.number, format))
        continue;
      if (!isRounded(*list, made, way, near))
        differences.add(spell(bitCast<float>(uint32_t(bits))));
    }
  };
  return {std::move(name),
          what + ", rounded to " + format.name +
              " by f32 arithmetic, is the number that the list of all " +
              format.name + " numbers says, or not finite",
          uint64_t(1) << 32, check};
}

} // namespace

std::vector<Sweep> prec::sweep::roundingSweeps() {
  return {roundingSweep<kBF16>(),
          roundingSweep<kF16>(),
          arithmeticSweep("product-by-arithmetic-f16", "any f32 number", kF16,
                          {f16Product, false, 0x1p15, true}),
          arithmeticSweep("sum-by-arithmetic-f16", "any multiple of 2^-24",
                          kF16, {f16Sum, true, 0x1p15, true}),
          arithmeticSweep("product-by-arithmetic-bf16",
                          "any product of two bf16 numbers", kBF16,
                          {bf16Product, false,
                           std::numeric_limits<double>::infinity(), false}),
          arithmeticSweep("sum-by-arithmetic-bf16", "any multiple of 2^-133",
                          kBF16, {bf16Sum, true, 0x1p112, true})};
}
