// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lowered roundings are compared on, on every target: formats, modes and
// bit patterns, and the numerics library's answers.
#ifndef PREC_TEST_UNIT_CONVERSION_ROUNDINGCASES_H
#define PREC_TEST_UNIT_CONVERSION_ROUNDINGCASES_H

#include "prec/Numerics/Rounding.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace roundings {
using namespace prec;

inline constexpr const num::Format *kNarrow[] = {
    &num::kBF16, &num::kF16, &num::kF8E4M3FN, &num::kF8E5M2};

/// One rounding from f32 or f64.
struct Case {
  const num::Format *from, *to;
  num::Rounding mode;
  bool saturate;

  std::string modeName() const {
    constexpr const char *names[] = {"nearest_even", "toward_zero", "upward",
                                     "downward", "nearest_away"};
    return names[unsigned(mode)];
  }
  std::string name() const {
    return std::string(from->name) + "_" + to->name + "_" + modeName() +
           (saturate ? "_saturate" : "");
  }
  /// The operation on %x0 that defines %r, between types $0 and $to.
  std::string operation() const {
    return "%r = prec.round %x0 " + modeName() + (saturate ? " saturate" : "") +
           " : $0 to $to";
  }
};

/// Every format narrower than `from`, mode and saturation.
inline std::vector<Case> allCases(const num::Format &from) {
  std::vector<const num::Format *> formats(std::begin(kNarrow),
                                           std::end(kNarrow));
  if (from == num::kF64)
    formats.push_back(&num::kF32);
  std::vector<Case> cases;
  for (const num::Format *to : formats)
    for (unsigned mode = 0; mode < 5; ++mode)
      for (bool saturate : {false, true})
        cases.push_back({&from, to, num::Rounding(mode), saturate});
  return cases;
}

/// Bit patterns of `from`: every exponent and both signs with fractions around
/// every place where a narrower format may end, then `spread` others. Their
/// number is a multiple of 240, so that vectors of any usual length fit.
template <typename Word>
std::vector<Word> patterns(const num::Format &from, size_t spread) {
  std::vector<Word> result;
  for (Word head = 0; head < Word(1) << (from.expBits + 1); ++head)
    for (unsigned bit = 0; bit < from.fracBits; ++bit)
      for (Word keep : {Word(0), Word(1), Word(~Word(0))})
        for (int delta : {-1, 0, 1}) {
          Word fraction = (keep << (bit + 1)) + (Word(1) << bit) + Word(delta);
          result.push_back((head << from.fracBits) |
                           (fraction & Word(from.fracMask())));
        }
  std::mt19937_64 random(20261130);
  for (size_t i = 0; i < spread; ++i) {
    auto word = Word(random());
    if (sizeof(Word) == 8 && i % 2) // in the range of narrower formats
      word = (word & ~Word(from.expMask())) |
             (Word(1023 - 160 + random() % 320) << from.fracBits);
    result.push_back(word);
  }
  result.resize(result.size() / 240 * 240);
  return result;
}

/// Compares results with the numerics library, NaN being equal to NaN.
template <typename Word, typename Result>
void check(const Case &c, const std::vector<Word> &inputs,
           const std::vector<Result> &results) {
  size_t mismatches = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    uint64_t expected =
        num::round(*c.from, inputs[i], *c.to, c.mode, c.saturate);
    if (!num::sameValue(*c.to, results[i], expected) && ++mismatches < 4)
      ADD_FAILURE() << c.name() << std::hex << ": input " << uint64_t(inputs[i])
                    << " expected " << expected << " but got "
                    << uint64_t(results[i]);
  }
  EXPECT_EQ(mismatches, 0u) << c.name();
}

/// Calls `run`, a generic function that takes a value of the result's word
/// type and gives the results, and checks what it gives.
template <typename Word, typename Run>
void checkRun(const Case &c, const std::vector<Word> &inputs, Run run) {
  if (c.to->width() == 8)
    check(c, inputs, run(uint8_t()));
  else if (c.to->width() == 16)
    check(c, inputs, run(uint16_t()));
  else
    check(c, inputs, run(uint32_t()));
}

} // namespace roundings

#endif // PREC_TEST_UNIT_CONVERSION_ROUNDINGCASES_H
