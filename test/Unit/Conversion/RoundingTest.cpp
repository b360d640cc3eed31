// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowered roundings and widenings, run as machine code, against the numerics
// library.
#include "../ElementwiseJIT.h"

#include "prec/Numerics/Rounding.h"

#include <random>

using namespace prec;

namespace {

constexpr num::Rounding kModes[] = {
    num::Rounding::NearestEven, num::Rounding::TowardZero,
    num::Rounding::Upward, num::Rounding::Downward, num::Rounding::NearestAway};
constexpr const char *kModeNames[] = {"nearest_even", "toward_zero", "upward",
                                      "downward", "nearest_away"};
constexpr const num::Format *kNarrow[] = {&num::kBF16, &num::kF16,
                                          &num::kF8E4M3FN, &num::kF8E5M2};

/// What the code is compiled for: the processor, and whether it converts f16.
struct Machine {
  const char *cpu;
  bool nativeF16;
};
constexpr Machine kMachines[] = {
    {"host", true}, {"x86-64-v3", true}, {"x86-64", false}};

/// Bit patterns of `from`: every exponent and both signs with fractions around
/// every place where a narrower format may end, then a spread of others.
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
  // An odd stride through all patterns of 32 bits, random ones of 64.
  std::mt19937_64 random(20261130);
  for (size_t i = 0; i < spread; ++i) {
    auto word = Word(random());
    if (sizeof(Word) == 8 && i % 2)
      // Near 1, within the range of every format.
      word = (word & ~Word(from.expMask())) |
             (Word(1023 - 160 + random() % 320) << from.fracBits);
    result.push_back(sizeof(Word) == 4
                         ? Word(i * ((uint64_t(1) << 32) / spread | 1))
                         : word);
  }
  result.resize(result.size() / 240 * 240); // whole vectors of any length
  return result;
}

template <typename Word, typename Result>
void check(ElementwiseJIT &jit, const std::string &name,
           const std::vector<Word> &inputs, const num::Format &from,
           const num::Format &to, num::Rounding mode, bool saturate) {
  std::vector<Result> results = jit.run<Result>(name, inputs);
  size_t mismatches = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    uint64_t expected = num::round(from, inputs[i], to, mode, saturate);
    if (!num::sameValue(to, results[i], expected) && ++mismatches < 4)
      ADD_FAILURE() << name << std::hex << ": input " << uint64_t(inputs[i])
                    << " expected " << expected << " but got "
                    << uint64_t(results[i]);
  }
  EXPECT_EQ(mismatches, 0u) << name;
}

template <typename Word>
void checkAny(ElementwiseJIT &jit, const std::string &name,
              const std::vector<Word> &inputs, const num::Format &from,
              const num::Format &to, num::Rounding mode, bool saturate) {
  if (to.width() == 8)
    check<Word, uint8_t>(jit, name, inputs, from, to, mode, saturate);
  else if (to.width() == 16)
    check<Word, uint16_t>(jit, name, inputs, from, to, mode, saturate);
  else
    check<Word, uint32_t>(jit, name, inputs, from, to, mode, saturate);
}

struct Case {
  std::string name;
  const num::Format *to;
  unsigned mode;
  bool saturate;
};

/// Adds one function for every format narrower than `from`, mode and
/// saturation.
std::vector<Case> addRoundings(ElementwiseJIT &jit, const num::Format &from,
                               unsigned lanes) {
  std::vector<const num::Format *> formats(std::begin(kNarrow),
                                           std::end(kNarrow));
  if (from == num::kF64)
    formats.push_back(&num::kF32);
  std::vector<Case> cases;
  for (const num::Format *to : formats)
    for (unsigned mode = 0; mode < 5; ++mode)
      for (bool saturate : {false, true}) {
        std::string suffix = saturate ? "_saturate" : "";
        std::string name = std::string(from.name) + "_" + to->name + "_" +
                           kModeNames[mode] + suffix + "_" +
                           std::to_string(lanes);
        jit.add(name, {from.name}, to->name, lanes,
                std::string("%r = prec.round %x0 ") + kModeNames[mode] +
                    (saturate ? " saturate" : "") + " : $0 to $to");
        cases.push_back({name, to, mode, saturate});
      }
  return cases;
}

class RoundingTest : public testing::TestWithParam<Machine> {
protected:
  void compile(ElementwiseJIT &jit) {
    jit.compile(
        [](mlir::OpPassManager &passes) {
          passes.addPass(createConvertPrecToLLVMPass({GetParam().nativeF16}));
        },
        GetParam().cpu);
  }
};

TEST_P(RoundingTest, F32InEveryFormatAndMode) {
  ElementwiseJIT jit;
  std::vector<Case> cases = addRoundings(jit, num::kF32, 16);
  ASSERT_NO_FATAL_FAILURE(compile(jit));
  auto inputs = patterns<uint32_t>(num::kF32, 1 << 18);
  for (const Case &c : cases)
    checkAny(jit, c.name, inputs, num::kF32, *c.to, kModes[c.mode], c.saturate);
}

TEST_P(RoundingTest, F64InEveryFormatAndMode) {
  ElementwiseJIT jit;
  std::vector<Case> cases = addRoundings(jit, num::kF64, 4);
  ASSERT_NO_FATAL_FAILURE(compile(jit));
  auto inputs = patterns<uint64_t>(num::kF64, 1 << 17);
  for (const Case &c : cases)
    checkAny(jit, c.name, inputs, num::kF64, *c.to, kModes[c.mode], c.saturate);
}

// Vectors that fill no register, and scalars, take other code. (Without AVX,
// LLVM moves bf16 vectors of odd lengths through f32 and calls its library.)
TEST_P(RoundingTest, EveryVectorLength) {
  ElementwiseJIT jit;
  std::vector<unsigned> lengths = {1, 2, 4, 8};
  if (GetParam().nativeF16)
    lengths.insert(lengths.end(), {3, 5, 6, 12, 15});
  for (const num::Format *to : {&num::kBF16, &num::kF16})
    for (unsigned lanes : lengths)
      jit.add(std::string(to->name) + std::to_string(lanes), {"f32"}, to->name,
              lanes, "%r = prec.round %x0 : $0 to $to");
  for (unsigned lanes : lengths)
    jit.add("f32" + std::to_string(lanes), {"f64"}, "f32", lanes,
            "%r = prec.round %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile(jit));
  auto inputs = patterns<uint32_t>(num::kF32, 1 << 12);
  auto doubles = patterns<uint64_t>(num::kF64, 1 << 12);
  for (unsigned lanes : lengths) {
    std::string length = std::to_string(lanes);
    for (const num::Format *to : {&num::kBF16, &num::kF16})
      checkAny(jit, to->name + length, inputs, num::kF32, *to,
               num::Rounding::NearestEven, false);
    checkAny(jit, "f32" + length, doubles, num::kF64, num::kF32,
             num::Rounding::NearestEven, false);
  }
}

// 16.7 million patterns, each 256th of f32, for the two roundings that matter
// most.
TEST_P(RoundingTest, F32ToSixteenBitsDensely) {
  ElementwiseJIT jit;
  jit.add("bf16", {"f32"}, "bf16", 16, "%r = prec.round %x0 : $0 to $to");
  jit.add("f16", {"f32"}, "f16", 16, "%r = prec.round %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile(jit));
  const uint32_t chunk = 1 << 16;
  std::vector<uint32_t> inputs(chunk);
  size_t mismatches = 0;
  for (uint64_t start = 0; start < uint64_t(1) << 32;
       start += uint64_t(chunk) << 8) {
    for (uint32_t i = 0; i < chunk; ++i)
      inputs[i] = uint32_t(start + (uint64_t(i) << 8) + i % 256);
    auto bf16 = jit.run<uint16_t>("bf16", inputs);
    auto f16 = jit.run<uint16_t>("f16", inputs);
    for (uint32_t i = 0; i < chunk; ++i) {
      auto value = num::bitCast<float>(inputs[i]);
      mismatches +=
          !num::sameValue(num::kBF16, bf16[i], num::roundToBF16(value));
      mismatches += !num::sameValue(num::kF16, f16[i], num::roundToF16(value));
    }
  }
  EXPECT_EQ(mismatches, 0u);
}

// All values of every format narrower than f32.
TEST_P(RoundingTest, WideningIsExact) {
  ElementwiseJIT jit;
  for (const num::Format *from : kNarrow)
    for (unsigned lanes : {1, 16})
      for (const num::Format *to : {&num::kF32, &num::kF64})
        jit.add(std::string(from->name) + to->name + std::to_string(lanes),
                {from->name}, to->name, lanes,
                "%r = arith.extf %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile(jit));
  auto checkAll = [&](auto inputs, const num::Format &from) {
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i] = i;
    for (unsigned lanes : {1, 16}) {
      std::string length = std::to_string(lanes);
      auto f32 =
          jit.run<uint32_t>(std::string(from.name) + "f32" + length, inputs);
      auto f64 =
          jit.run<uint64_t>(std::string(from.name) + "f64" + length, inputs);
      for (size_t i = 0; i < inputs.size(); ++i) {
        ASSERT_TRUE(
            num::sameValue(num::kF32, f32[i], num::round(from, i, num::kF32)))
            << from.name << " " << i;
        ASSERT_TRUE(
            num::sameValue(num::kF64, f64[i], num::round(from, i, num::kF64)))
            << from.name << " " << i;
      }
    }
  };
  checkAll(std::vector<uint16_t>(65536), num::kBF16);
  checkAll(std::vector<uint16_t>(65536), num::kF16);
  checkAll(std::vector<uint8_t>(256), num::kF8E4M3FN);
  checkAll(std::vector<uint8_t>(256), num::kF8E5M2);
}

INSTANTIATE_TEST_SUITE_P(Machines, RoundingTest, testing::ValuesIn(kMachines),
                         [](const auto &info) {
                           std::string name = info.param.cpu;
                           for (char &c : name)
                             c = c == '-' ? '_' : c;
                           return name;
                         });

} // namespace
