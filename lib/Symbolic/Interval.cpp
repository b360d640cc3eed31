// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Symbolic/Interval.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Symbolic/Ops.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace prec;
using namespace prec::sym;

/// Values that are listed one by one; more become a range.
static constexpr size_t maxValues = 256;
/// Numbers of a range that are listed: later operations on them are exact.
static constexpr uint64_t fewNumbers = 64;
/// Combinations of operands that are tried; of a monotone operation the ends
/// do.
static constexpr size_t maxCombinations = 4096;
static constexpr size_t maxMonotoneCombinations = 16;

//===----------------------------------------------------------------------===//
// Numbers in order
//===----------------------------------------------------------------------===//

int64_t prec::sym::ordinal(const num::Format &f, uint64_t bits) {
  int64_t magnitude = int64_t(bits & f.absMask());
  return num::isNegative(f, bits) ? -magnitude - 1 : magnitude;
}
uint64_t prec::sym::fromOrdinal(const num::Format &f, int64_t o) {
  return o < 0 ? uint64_t(-(o + 1)) | f.signMask() : uint64_t(o);
}
static uint64_t largest(const num::Format &f) {
  return f.hasInf ? f.expMask() : f.maxFinite();
}

namespace {
/// Numbers from `lo` to `hi`, as ordinals.
struct Range {
  int64_t lo, hi;
  bool maybeNaN;
};
} // namespace

static Range everything(const num::Format &f) {
  int64_t top = ordinal(f, largest(f));
  return {-top - 1, top, true};
}

static void include(Range &range, const Range &other) {
  range.lo = std::min(range.lo, other.lo);
  range.hi = std::max(range.hi, other.hi);
  range.maybeNaN |= other.maybeNaN;
}

/// Outcomes as numbers of a format.
static Range asRange(const num::Format &f, const Outcomes &o) {
  if (o.kind == Outcomes::Kind::Range && *formatOf(o.format) == f)
    return {ordinal(f, o.lo), ordinal(f, o.hi), o.maybeNaN};
  if (o.kind != Outcomes::Kind::Values)
    return everything(f);
  std::optional<Range> range;
  bool maybeNaN = false;
  for (uint64_t bits : o.values) {
    if (num::isNaN(f, bits)) {
      maybeNaN = true;
      continue;
    }
    int64_t at = ordinal(f, bits);
    if (!range)
      range = Range{at, at, false};
    include(*range, {at, at, false});
  }
  if (!range)
    return everything(f);
  range->maybeNaN = maybeNaN;
  return *range;
}

static Outcomes asOutcomes(FormatId id, const Range &range) {
  const num::Format &f = *formatOf(id);
  Outcomes o;
  if (uint64_t(range.hi) - uint64_t(range.lo) < fewNumbers) {
    o.kind = Outcomes::Kind::Values;
    for (int64_t at = range.lo; at <= range.hi; ++at)
      o.values.push_back(fromOrdinal(f, at));
    if (range.maybeNaN)
      o.values.push_back(canonicalNaN(f));
    std::sort(o.values.begin(), o.values.end());
    return o;
  }
  o.kind = Outcomes::Kind::Range;
  o.format = id;
  o.lo = fromOrdinal(f, range.lo);
  o.hi = fromOrdinal(f, range.hi);
  o.maybeNaN = range.maybeNaN;
  return o;
}

static Outcomes asOutcomes(std::vector<uint64_t> values, FormatId format) {
  Outcomes o;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  o.kind = Outcomes::Kind::Values;
  o.values = std::move(values);
  if (o.values.size() <= maxValues)
    return o;
  return format == FormatId::None
             ? Outcomes()
             : asOutcomes(format, asRange(*formatOf(format), o));
}

bool Outcomes::isAlways(const num::Format &f, uint64_t bits) const {
  return kind == Kind::Values &&
         std::all_of(values.begin(), values.end(), [&](uint64_t value) {
           return num::sameValue(f, value, bits);
         });
}

bool Outcomes::contains(const num::Format &f, uint64_t bits) const {
  if (kind == Kind::Values)
    return std::any_of(values.begin(), values.end(), [&](uint64_t value) {
      return num::sameValue(f, value, bits);
    });
  if (kind == Kind::Any || *formatOf(format) != f)
    return true;
  if (num::isNaN(f, bits))
    return maybeNaN;
  return ordinal(f, lo) <= ordinal(f, bits) &&
         ordinal(f, bits) <= ordinal(f, hi);
}

//===----------------------------------------------------------------------===//
// Approximate operations
//===----------------------------------------------------------------------===//

/// The exact value nearly, by more than the format has: the error of the
/// host's functions is below 2^-50 of it.
static double nearlyExact(const Expr &e, double a, double b) {
  if (e.op == Op::Div)
    return a / b;
  if (e.op == Op::Sqrt)
    return std::sqrt(a);
  switch (FunctionId(e.index)) {
  case FunctionId::Exp2:
    return std::exp2(a);
  case FunctionId::Log2:
    return std::log2(a);
  case FunctionId::Tanh:
    return std::tanh(a);
  case FunctionId::Sin:
    return std::sin(a);
  case FunctionId::Cos:
    return std::cos(a);
  case FunctionId::Rsqrt:
    return 1 / std::sqrt(a);
  default:
    return NAN;
  }
}

/// A unit in the last place of a number of magnitude `y`.
static double unitOf(const num::Format &f, double y) {
  int exponent = y == 0 ? f.minExp() : std::ilogb(y);
  return std::ldexp(1.0, std::max(exponent, f.minExp()) - int(f.fracBits));
}

/// Bits `steps` numbers further up or down, at most to the ends of the format.
static int64_t step(const num::Format &f, uint64_t bits, int64_t steps) {
  int64_t top = ordinal(f, largest(f));
  return std::clamp(ordinal(f, bits) + steps, -top - 1, top);
}

/// The numbers that an approximate operation may give for operands of which the
/// first `corners` of `a`, `b` are the extremes (`b` of a division only), none
/// of them NaN; none: it gives NaN.
static std::optional<Range>
approximate(const Graph &graph, const Expr &e,
            const std::vector<std::array<uint64_t, 2>> &corners) {
  const num::Format &f = *formatOf(e.format);
  auto divisor = [&](const std::array<uint64_t, 2> &at) {
    return num::toDouble(f, e.op == Op::Div ? at[1] : at[0]);
  };
  double least = INFINITY, most = 0;
  for (const auto &at : corners) {
    least = std::min(least, std::fabs(divisor(at)));
    most = std::max(most, std::fabs(divisor(at)));
  }
  const ApproximationBound *bound = approximationBound(e, least, most);
  // A divisor that div.approx takes for infinite gives zero, or NaN.
  bool mayVanish = false;
  if (!bound && e.op == Op::Div && least >= 0x1p-126) {
    mayVanish = true;
    bound = approximationBound(e, 1, 1);
  }
  if (!bound)
    return everything(f);
  // All results are within one distance, that of the largest one.
  std::optional<Range> range;
  double distance = 0, low = INFINITY, high = -INFINITY;
  bool anyNaN = false, allNaN = true, finite = false;
  bool positiveZero = false, negativeZero = false;
  for (const auto &at : corners) {
    uint64_t rounded = graph.apply(e, at[0], at[1], 0);
    if (num::isNaN(f, rounded)) {
      anyNaN = true;
      continue;
    }
    allNaN = false;
    double x = num::toDouble(f, at[0]), z = divisor(at);
    auto isSpecial = [](double v) { return v == 0 || std::isinf(v); };
    int64_t here = ordinal(f, rounded);
    (num::isNegative(f, rounded) ? negativeZero : positiveZero) |=
        num::isZero(f, rounded);
    // The ISA lists the results for zeros and infinities.
    bool exact = isSpecial(x) || isSpecial(z);
    int64_t ulps =
        exact || num::isInf(f, rounded) ? 0 : int64_t(std::ceil(bound->ulps));
    Range near{step(f, rounded, -ulps), step(f, rounded, ulps), false};
    if (!range)
      range = near;
    include(*range, near);
    if (exact) {
      double y = num::toDouble(f, rounded);
      low = std::min(low, std::clamp(y, -0x1p200, 0x1p200));
      high = std::max(high, std::clamp(y, -0x1p200, 0x1p200));
      range->lo = std::min(range->lo, here);
      range->hi = std::max(range->hi, here);
      if (mayVanish && std::isinf(x))
        range->maybeNaN = true;
      continue;
    }
    // Beyond every format all is infinite.
    double y = std::clamp(nearlyExact(e, x, z), -0x1p200, 0x1p200);
    finite = true;
    low = std::min(low, y);
    high = std::max(high, y);
    distance = std::max(
        distance, std::max({bound->ulps * unitOf(f, y),
                            bound->relative * std::fabs(y), bound->absolute}) +
                      std::fabs(y) * 0x1p-48 + 0x1p-1000);
  }
  if (allNaN)
    return std::nullopt;
  if (anyNaN)
    return everything(f);
  if (finite) {
    auto toFormat = [&](double value, num::Rounding mode) {
      return ordinal(
          f, num::round(num::kF64, num::bitCast<uint64_t>(value), f, mode));
    };
    double lower = low - distance, upper = high + distance;
    int64_t lo = toFormat(lower, num::Rounding::Upward),
            hi = toFormat(upper, num::Rounding::Downward);
    // Beyond the largest number a result may be infinite.
    double end = num::toDouble(f, f.maxFinite());
    if (upper > end)
      hi = ordinal(f, largest(f));
    if (lower < -end)
      lo = ordinal(f, largest(f) | f.signMask());
    include(*range, {std::min(lo, hi), std::max(lo, hi), false});
  } else if (corners.size() > 1) {
    // Between exact ends anything may be off by a step.
    range->lo = std::max(range->lo - 4, ordinal(f, largest(f) | f.signMask()));
    range->hi = std::min(range->hi + 4, ordinal(f, largest(f)));
  }
  // A result whose error is relative has the sign of the exact one.
  if (bound->absolute == 0) {
    if (low >= 0 && range->hi >= 0)
      range->lo = std::max<int64_t>(range->lo, negativeZero ? -1 : 0);
    if (high <= 0 && range->lo < 0)
      range->hi = std::min<int64_t>(range->hi, positiveZero ? 0 : -1);
  }
  if (mayVanish)
    include(*range, range->lo < 0 && range->hi < 0
                        ? Range{-1, -1, false}
                        : Range{range->lo < 0 ? -1 : 0, 0, false});
  return range;
}

//===----------------------------------------------------------------------===//
// Operations on ranges
//===----------------------------------------------------------------------===//

namespace {
/// Which kinds of numbers are in a range.
struct Has {
  bool zero, infinity;
  Has(const num::Format &f, const Range &r)
      : zero(r.lo <= 0 && r.hi >= -1),
        infinity(f.hasInf && (r.hi == ordinal(f, f.expMask()) ||
                              r.lo == ordinal(f, f.expMask() | f.signMask()))) {
  }
};
} // namespace

/// Whether operands within the ranges, none of them NaN, may give NaN, or a
/// result that is not between those of the extremes.
static bool mayBeInvalid(const Expr &e, const std::array<Range, 3> &in) {
  const num::Format &f = *formatOf(e.format);
  Has a(f, in[0]), b(f, in[1]), c(f, in[2]);
  switch (e.op) {
  case Op::Add:
  case Op::Sub:
    return a.infinity && b.infinity;
  case Op::Mul:
    return (a.zero && b.infinity) || (a.infinity && b.zero);
  case Op::Fma:
    return (a.zero && b.infinity) || (a.infinity && b.zero) ||
           ((a.infinity || b.infinity) && c.infinity);
  case Op::Div:
    return b.zero || (a.infinity && b.infinity);
  case Op::Function:
    // The reciprocal square roots of the two zeros are the two infinities.
    return FunctionId(e.index) == FunctionId::Rsqrt && a.zero;
  default:
    return false;
  }
}

static Outcomes onRanges(const Graph &graph, const Expr &e,
                         const std::array<const Outcomes *, 3> &operands,
                         unsigned count) {
  FormatId resultId = resultFormat(e);
  const num::Format &f = *formatOf(e.format);
  if (!isMonotone(e))
    return resultId == FormatId::None
               ? Outcomes()
               : asOutcomes(resultId, everything(*formatOf(resultId)));
  const num::Format &to = *formatOf(resultId);
  std::array<Range, 3> in{};
  for (unsigned k = 0; k < count; ++k)
    in[k] = asRange(f, *operands[k]);
  if (mayBeInvalid(e, in))
    return asOutcomes(resultId, everything(to));
  auto end = [&](unsigned corner, unsigned k) {
    return fromOrdinal(f, corner >> k & 1 ? in[k].hi : in[k].lo);
  };
  if (e.flags & Approximate) {
    std::vector<std::array<uint64_t, 2>> corners;
    for (unsigned corner = 0; corner < 1u << count; ++corner)
      corners.push_back({end(corner, 0), count > 1 ? end(corner, 1) : 0});
    std::optional<Range> range = approximate(graph, e, corners);
    if (!range)
      range = everything(to);
    for (unsigned k = 0; k < count; ++k)
      range->maybeNaN |= in[k].maybeNaN;
    return asOutcomes(resultId, *range);
  }

  std::optional<Range> range;
  auto add = [&](uint64_t bits) {
    if (num::isNaN(to, bits))
      return false;
    int64_t at = ordinal(to, bits);
    if (!range)
      range = Range{at, at, false};
    include(*range, {at, at, false});
    return true;
  };
  for (unsigned corner = 0; corner < 1u << count; ++corner) {
    uint64_t bits[3] = {0, 0, 0};
    for (unsigned k = 0; k < count; ++k)
      bits[k] = end(corner, k);
    if (!add(graph.apply(e, bits[0], bits[1], bits[2])))
      return asOutcomes(resultId, everything(to));
  }
  // A zero at an end may have come with the other sign, but not that of a
  // product of numbers that are not negative.
  if (range->lo == 0 && !(e.op == Op::Mul && in[0].lo >= 0 && in[1].lo >= 0))
    range->lo = -1;
  if (range->hi == -1)
    range->hi = 0;
  // NaN operands: NaN, or a number (saturation, minNum).
  for (unsigned k = 0; k < count; ++k)
    if (in[k].maybeNaN) {
      if (e.op == Op::MinNum || e.op == Op::MaxNum)
        include(*range, in[1 - k]);
      else if (count > 1 || !add(graph.apply(e, f.quietNaN(), 0, 0)))
        range->maybeNaN = true;
    }
  if ((e.op == Op::MinNum || e.op == Op::MaxNum) && in[0].maybeNaN &&
      in[1].maybeNaN)
    range->maybeNaN = true;
  return asOutcomes(resultId, *range);
}

/// Sign operations and choices keep the format of their operands.
static Outcomes onSign(const Expr &e, const Outcomes &a) {
  if (a.kind != Outcomes::Kind::Range)
    return {};
  const num::Format &f = *formatOf(a.format);
  Range r = asRange(f, a);
  Range flipped{-r.hi - 1, -r.lo - 1, r.maybeNaN};
  if (e.op == Op::Neg)
    return asOutcomes(a.format, flipped);
  if (r.lo < 0 && r.hi >= 0)
    return asOutcomes(a.format, {0, std::max(r.hi, flipped.hi), r.maybeNaN});
  return r.lo >= 0 ? a : asOutcomes(a.format, flipped);
}

static Outcomes eitherOf(const Outcomes &a, const Outcomes &b) {
  using Kind = Outcomes::Kind;
  if (a.kind == Kind::Values && b.kind == Kind::Values) {
    std::vector<uint64_t> values = a.values;
    values.insert(values.end(), b.values.begin(), b.values.end());
    return asOutcomes(std::move(values), FormatId::None);
  }
  if (a.kind == Kind::Any || b.kind == Kind::Any ||
      (a.kind == Kind::Range && b.kind == Kind::Range && a.format != b.format))
    return {};
  FormatId id = a.kind == Kind::Range ? a.format : b.format;
  const num::Format &f = *formatOf(id);
  const Outcomes &other = a.kind == Kind::Range ? b : a;
  // NaN alone is no number.
  if (other.isAlways(f, f.quietNaN())) {
    Outcomes range = a.kind == Kind::Range ? a : b;
    range.maybeNaN = true;
    return range;
  }
  Range range = asRange(f, a);
  include(range, asRange(f, b));
  return asOutcomes(id, range);
}

static Outcomes compareRanges(const Expr &e, const Outcomes &a,
                              const Outcomes &b) {
  const num::Format &f = *formatOf(e.format);
  Range x = asRange(f, a), y = asRange(f, b);
  auto order = [&](int64_t p, int64_t q) {
    return num::compare(f, fromOrdinal(f, p), fromOrdinal(f, q));
  };
  using num::Ordering;
  std::vector<uint64_t> values;
  auto may = [&](Ordering o) { values.push_back(e.index >> unsigned(o) & 1); };
  if (order(x.lo, y.hi) == Ordering::Less)
    may(Ordering::Less);
  if (order(x.hi, y.lo) == Ordering::Greater)
    may(Ordering::Greater);
  if (order(x.lo, y.hi) != Ordering::Greater &&
      order(x.hi, y.lo) != Ordering::Less)
    may(Ordering::Equal);
  if (x.maybeNaN || y.maybeNaN)
    may(Ordering::Unordered);
  return asOutcomes(std::move(values), FormatId::None);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// All combinations of listed operands.
static Outcomes onValues(const Graph &graph, const Expr &e,
                         const std::array<const Outcomes *, 3> &operands,
                         unsigned count) {
  static const std::vector<uint64_t> absent{0};
  auto valuesOf = [&](unsigned k) -> const std::vector<uint64_t> & {
    return k < count ? operands[k]->values : absent;
  };
  std::vector<uint64_t> values;
  std::optional<Range> near;
  for (uint64_t a : valuesOf(0))
    for (uint64_t b : valuesOf(1))
      for (uint64_t c : valuesOf(2)) {
        uint64_t bits = graph.apply(e, a, b, c);
        const num::Format *to = formatOf(resultFormat(e));
        if (to && makesNaN(e) && num::isNaN(*to, bits))
          bits = canonicalNaN(*to);
        if (!(e.flags & Approximate) || num::isNaN(*to, bits)) {
          values.push_back(bits);
          continue;
        }
        std::optional<Range> range = approximate(graph, e, {{a, b}});
        if (!near)
          near = range;
        include(*near, *range);
      }
  if (!near)
    return asOutcomes(std::move(values), resultFormat(e));
  near->maybeNaN |= !values.empty();
  return asOutcomes(e.format, *near);
}

Outcomes
prec::sym::outcomesOf(const Graph &graph, const Expr &e,
                      const std::array<const Outcomes *, 3> &operands) {
  using Kind = Outcomes::Kind;
  if (e.op == Op::Undefined)
    return {};
  if (e.op == Op::Choice) {
    const Outcomes &condition = *operands[0];
    if (condition.isSingle())
      return *operands[condition.values[0] & 1 ? 1 : 2];
    return eitherOf(*operands[1], *operands[2]);
  }
  unsigned count = 0;
  size_t combinations = 1;
  bool listed = true;
  for (; count < 3 && operands[count]; ++count) {
    listed = listed && operands[count]->kind == Kind::Values;
    combinations *= std::max<size_t>(operands[count]->values.size(), 1);
  }
  const bool ends = isMonotone(e) && e.format != FormatId::None;
  if (listed &&
      combinations <= (ends ? maxMonotoneCombinations : maxCombinations))
    return onValues(graph, e, operands, count);
  if (e.op == Op::Neg || e.op == Op::Abs)
    return onSign(e, *operands[0]);
  if (e.op == Op::Compare)
    return compareRanges(e, *operands[0], *operands[1]);
  if (e.format == FormatId::None)
    return {};
  return onRanges(graph, e, operands, count);
}

Outcomes prec::sym::outcomesBetween(FormatId format, uint64_t lo, uint64_t hi,
                                    bool maybeNaN) {
  const num::Format &f = *formatOf(format);
  return asOutcomes(format, {ordinal(f, lo), ordinal(f, hi), maybeNaN});
}
