// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings and widenings lowered for the host, run as machine code, against
// the numerics library.
#include "../ElementwiseJIT.h"
#include "RoundingCases.h"

#include "prec/Target/Host/HostTarget.h"

#include <cmath>
#include <iomanip>
#include <numeric>

using namespace prec;
using namespace roundings;

namespace {

/// What the code is compiled for: the processor, whether it converts f16, and
/// what else it has.
struct Machine {
  const char *name;
  const char *cpu;
  bool nativeF16;
  unsigned lanes = 8;
  bool vnni = false;
};
constexpr Machine kMachines[] = {{"host", "host", true},
                                 {"x86_64_v3", "x86-64-v3", true},
                                 {"x86_64", "x86-64", false},
                                 {"vnni", "host", true, 16, true}};

class RoundingTest : public testing::TestWithParam<Machine> {
protected:
  void SetUp() override {
    auto machine = createHostMachine(GetParam().cpu);
    ASSERT_TRUE(bool(machine));
    if (GetParam().vnni && !hasVNNI(**machine))
      GTEST_SKIP() << "this processor has no AVX512_VNNI";
  }

  void compile() {
    jit.compile(
        [](mlir::OpPassManager &passes) {
          passes.addPass(createConvertPrecToLLVMPass(
              {GetParam().nativeF16, GetParam().lanes, GetParam().vnni}));
        },
        GetParam().cpu);
  }

  /// All roundings from `from`, on vectors of `lanes`.
  template <typename Word>
  void checkAll(const num::Format &from, unsigned lanes, size_t spread) {
    for (const Case &c : allCases(from))
      jit.add(c.name(), {from.name}, c.to->name, lanes, c.operation());
    ASSERT_NO_FATAL_FAILURE(compile());
    auto inputs = patterns<Word>(from, spread);
    for (const Case &c : allCases(from))
      checkRun(c, inputs, [&](auto word) {
        return jit.run<decltype(word)>(c.name(), inputs);
      });
  }

  ElementwiseJIT jit;
};

TEST_P(RoundingTest, F32InEveryFormatAndMode) {
  checkAll<uint32_t>(num::kF32, 16, 1 << 18);
}

TEST_P(RoundingTest, F64InEveryFormatAndMode) {
  checkAll<uint64_t>(num::kF64, 4, 1 << 17);
}

// Vectors that fill no register, and scalars, take other code. (Without AVX,
// LLVM moves bf16 vectors of odd lengths through f32 and calls its library.)
TEST_P(RoundingTest, EveryVectorLength) {
  std::vector<unsigned> lengths = {1, 2, 4, 8};
  if (GetParam().nativeF16)
    lengths.insert(lengths.end(), {3, 5, 6, 12, 15});
  const Case toBF16{&num::kF32, &num::kBF16, num::Rounding::NearestEven, false};
  const Case toF16{&num::kF32, &num::kF16, num::Rounding::NearestEven, false};
  const Case toF32{&num::kF64, &num::kF32, num::Rounding::NearestEven, false};
  for (const Case &c : {toBF16, toF16, toF32})
    for (unsigned lanes : lengths)
      jit.add(c.name() + std::to_string(lanes), {c.from->name}, c.to->name,
              lanes, c.operation());
  ASSERT_NO_FATAL_FAILURE(compile());
  auto inputs = patterns<uint32_t>(num::kF32, 1 << 12);
  auto doubles = patterns<uint64_t>(num::kF64, 1 << 12);
  for (unsigned lanes : lengths) {
    std::string length = std::to_string(lanes);
    for (const Case &c : {toBF16, toF16})
      check(c, inputs, jit.run<uint16_t>(c.name() + length, inputs));
    check(toF32, doubles, jit.run<uint32_t>(toF32.name() + length, doubles));
  }
}

// 16.7 million patterns, one of each 256 of f32, for the two roundings that
// matter most.
TEST_P(RoundingTest, F32ToSixteenBitsDensely) {
  jit.add("bf16", {"f32"}, "bf16", 16, "%r = prec.round %x0 : $0 to $to");
  jit.add("f16", {"f32"}, "f16", 16, "%r = prec.round %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile());
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

// A power of two times every 16-bit number: only subnormal results round. As
// the number's format, and widened again.
TEST_P(RoundingTest, ScaledNumbers) {
  struct Narrow {
    const num::Format &format;
    float (*widen)(uint16_t);
    uint16_t (*round)(float);
  };
  const Narrow narrows[] = {
      {num::kBF16, [](uint16_t x) { return num::widenBF16(x); },
       [](float x) { return num::roundToBF16(x); }},
      {num::kF16, [](uint16_t x) { return num::widenF16(x); },
       [](float x) { return num::roundToF16(x); }},
  };
  auto name = [](const Narrow &narrow, int k, bool widened) {
    return narrow.format.name + std::string(widened ? "widened" : "scaled") +
           std::to_string(k);
  };
  auto constant = [](int k) {
    std::ostringstream text;
    text << std::scientific << std::setprecision(17) << std::ldexp(1.0, -k);
    return text.str();
  };
  for (const Narrow &narrow : narrows) {
    const std::string format = narrow.format.name;
    for (int k = 1; k <= 17; ++k) {
      const std::string rounded =
          "%w = arith.extf %x0 : $0 to vector<16xf32>\n"
          "%c = arith.constant dense<" +
          constant(k) + "> : vector<16xf32>\n%p = arith.mulf " +
          (k % 2 ? "%w, %c" : "%c, %w") + " : vector<16xf32>\n";
      jit.add(name(narrow, k, false), {format}, format, 16,
              rounded + "%r = prec.round %p : vector<16xf32> to $to");
      jit.add(name(narrow, k, true), {format}, "f32", 16,
              rounded + "%q = prec.round %p : vector<16xf32> to $0\n"
                        "%r = arith.extf %q : $0 to $to");
    }
  }
  ASSERT_NO_FATAL_FAILURE(compile());
  std::vector<uint16_t> inputs(0x10000);
  std::iota(inputs.begin(), inputs.end(), 0);
  for (const Narrow &n : narrows)
    for (int k = 1; k <= 17; ++k) {
      auto narrow = jit.run<uint16_t>(name(n, k, false), inputs);
      auto wide = jit.run<float>(name(n, k, true), inputs);
      for (uint16_t x : inputs) {
        uint16_t want = n.round(std::ldexp(n.widen(x), -k));
        ASSERT_TRUE(num::sameValue(n.format, narrow[x], want))
            << n.format.name << " " << std::hex << x << " times 2^-" << k;
        ASSERT_TRUE(num::sameValue(num::kF32, num::bitCast<uint32_t>(wide[x]),
                                   num::bitCast<uint32_t>(n.widen(want))))
            << n.format.name << " " << std::hex << x << " times 2^-" << k
            << ", widened";
      }
    }
}

// All values of every format narrower than f32.
TEST_P(RoundingTest, WideningIsExact) {
  for (const num::Format *from : kNarrow)
    for (unsigned lanes : {1, 16})
      for (const num::Format *to : {&num::kF32, &num::kF64})
        jit.add(std::string(from->name) + to->name + std::to_string(lanes),
                {from->name}, to->name, lanes,
                "%r = arith.extf %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile());
  auto checkAll = [&](auto inputs, const num::Format &from) {
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i] = i;
    for (unsigned lanes : {1, 16}) {
      std::string name = from.name, length = std::to_string(lanes);
      auto f32 = jit.run<uint32_t>(name + "f32" + length, inputs);
      auto f64 = jit.run<uint64_t>(name + "f64" + length, inputs);
      for (size_t i = 0; i < inputs.size(); ++i) {
        ASSERT_TRUE(
            num::sameValue(num::kF32, f32[i], num::round(from, i, num::kF32)))
            << name << " " << i;
        ASSERT_TRUE(
            num::sameValue(num::kF64, f64[i], num::round(from, i, num::kF64)))
            << name << " " << i;
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
                           return std::string(info.param.name);
                         });

} // namespace
