// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on 16-bit types, made explicit and run as machine code, against
// IEEE arithmetic in the 16-bit format itself: exact results, rounded once.
#include "../ElementwiseJIT.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Transforms/Passes.h"

#include <random>

using namespace prec;

namespace {

/// The two formats that level M computes in.
class ExplicitTest : public testing::TestWithParam<const num::Format *> {
protected:
  const num::Format &format() const { return *GetParam(); }
  std::string type() const { return format().name; }

  void compile() {
    jit.compile(
        [](mlir::OpPassManager &passes) {
          passes.addPass(createMakeRoundingExplicitPass());
          passes.addPass(createVerifyExplicitPass());
          passes.addPass(createConvertPrecToLLVMPass({/*nativeF16=*/true}));
        },
        "host");
  }

  /// `count` numbers of the format: zeros, ones, infinities, NaN, the ends of
  /// the ranges, and random bits.
  std::vector<uint16_t> numbers(size_t count, unsigned seed) const {
    std::mt19937 random(seed);
    const num::Format &f = format();
    const uint64_t special[] = {0,
                                1,
                                f.minNormal() - 1,
                                f.minNormal(),
                                f.maxFinite(),
                                f.infOrNaN(),
                                f.quietNaN(),
                                uint64_t(f.bias) << f.fracBits};
    std::vector<uint16_t> result(count);
    for (uint16_t &bits : result) {
      unsigned kind = random() % 16;
      bits = kind ? random() : special[random() % std::size(special)];
      if (random() % 2)
        bits ^= f.signMask();
    }
    return result;
  }

  void expectSame(const std::string &what, size_t index, uint64_t got,
                  uint64_t expected) {
    if (!num::sameValue(format(), got, expected) && ++mismatches < 8)
      ADD_FAILURE() << what << " at " << index << std::hex << ": expected "
                    << expected << " but got " << got;
  }

  ElementwiseJIT jit;
  size_t mismatches = 0;
};

constexpr size_t kCount = 1 << 21;

TEST_P(ExplicitTest, BinaryOperations) {
  using Oracle = uint64_t (*)(const num::Format &, uint64_t, uint64_t);
  const std::pair<const char *, Oracle> operations[] = {
      {"addf",
       [](auto &f, uint64_t a, uint64_t b) { return num::add(f, a, b); }},
      {"subf",
       [](auto &f, uint64_t a, uint64_t b) { return num::sub(f, a, b); }},
      {"mulf",
       [](auto &f, uint64_t a, uint64_t b) { return num::mul(f, a, b); }},
      {"divf",
       [](auto &f, uint64_t a, uint64_t b) { return num::div(f, a, b); }},
      {"minimumf", num::minimum},
      {"maximumf", num::maximum},
  };
  for (auto &[name, oracle] : operations)
    jit.add(name, {type(), type()}, type(), 16,
            std::string("%r = arith.") + name + " %x0, %x1 : $0");
  ASSERT_NO_FATAL_FAILURE(compile());
  auto a = numbers(kCount, 1), b = numbers(kCount, 2);
  for (auto &[name, oracle] : operations) {
    auto results = jit.run<uint16_t>(name, a, b);
    for (size_t i = 0; i < kCount; ++i)
      expectSame(name, i, results[i], oracle(format(), a[i], b[i]));
  }
}

// In f32 it would round twice.
TEST_P(ExplicitTest, FusedMultiplyAdd) {
  jit.add("fma", {type(), type(), type()}, type(), 16,
          "%r = math.fma %x0, %x1, %x2 : $0");
  ASSERT_NO_FATAL_FAILURE(compile());
  auto a = numbers(kCount, 3), b = numbers(kCount, 4), c = numbers(kCount, 5);
  // Sums near the product: where double roundings live.
  std::mt19937 random(6);
  for (size_t i = 0; i < kCount; i += 2) {
    uint64_t product = num::mul(format(), a[i], b[i]);
    c[i] = product ^ (random() % 8) ^ ((random() % 2) * format().signMask());
    if (random() % 2)
      c[i] = uint16_t(c[i] + ((random() % 24) << format().fracBits));
  }
  auto results = jit.run<uint16_t>("fma", a, b, c);
  size_t roundedTwice = 0;
  for (size_t i = 0; i < kCount; ++i) {
    uint64_t expected = num::fma(format(), a[i], b[i], c[i]);
    expectSame("fma", i, results[i], expected);
    auto wide = [&](uint64_t x) { return num::round(format(), x, num::kF32); };
    uint64_t inF32 = num::round(
        num::kF32, num::fma(num::kF32, wide(a[i]), wide(b[i]), wide(c[i])),
        format());
    roundedTwice += !num::sameValue(format(), inF32, expected);
  }
  EXPECT_GT(roundedTwice, 10u); // the operands tell the two apart
}

TEST_P(ExplicitTest, SqrtOfEveryNumber) {
  jit.add("sqrt", {type()}, type(), 16, "%r = math.sqrt %x0 : $0");
  ASSERT_NO_FATAL_FAILURE(compile());
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  auto results = jit.run<uint16_t>("sqrt", all);
  for (size_t i = 0; i < all.size(); ++i)
    expectSame("sqrt", i, results[i], num::sqrt(format(), i));
}

TEST_P(ExplicitTest, ExactOperationsOfEveryNumber) {
  using Oracle = uint64_t (*)(const num::Format &, uint64_t);
  const std::pair<const char *, Oracle> operations[] = {
      {"arith.negf", [](auto &f, uint64_t a) { return num::negate(f, a); }},
      {"math.absf", [](auto &f, uint64_t a) { return num::absolute(f, a); }},
      {"math.floor",
       [](auto &f, uint64_t a) {
         return num::roundToIntegral(f, a, num::Rounding::Downward);
       }},
      {"math.ceil",
       [](auto &f, uint64_t a) {
         return num::roundToIntegral(f, a, num::Rounding::Upward);
       }},
      {"math.trunc",
       [](auto &f, uint64_t a) {
         return num::roundToIntegral(f, a, num::Rounding::TowardZero);
       }},
      {"math.roundeven",
       [](auto &f, uint64_t a) {
         return num::roundToIntegral(f, a, num::Rounding::NearestEven);
       }},
  };
  for (auto &[name, oracle] : operations)
    jit.add(std::string(name).substr(std::string(name).find('.') + 1), {type()},
            type(), 16, std::string("%r = ") + name + " %x0 : $0");
  ASSERT_NO_FATAL_FAILURE(compile());
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  for (auto &[name, oracle] : operations) {
    std::string function =
        std::string(name).substr(std::string(name).find('.') + 1);
    auto results = jit.run<uint16_t>(function, all);
    for (size_t i = 0; i < all.size(); ++i)
      expectSame(name, i, results[i], oracle(format(), i));
  }
}

// x^n is exact in f64 for the powers that are multiplied out; it rounds to f32
// and then to 16 bits.
TEST_P(ExplicitTest, PowersOfEveryNumber) {
  unsigned last = format() == num::kBF16 ? 6 : 4;
  for (unsigned n = 1; n <= last; ++n)
    jit.add("power" + std::to_string(n), {type()}, type(), 16,
            "%n = arith.constant dense<" + std::to_string(n) +
                "> : vector<16xi32>\n"
                "%r = math.fpowi %x0, %n : $0, vector<16xi32>");
  ASSERT_NO_FATAL_FAILURE(compile());
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  for (unsigned n = 1; n <= last; ++n) {
    auto results = jit.run<uint16_t>("power" + std::to_string(n), all);
    for (size_t i = 0; i < all.size(); ++i) {
      uint64_t x = num::round(format(), i, num::kF64), power = x;
      for (unsigned k = 1; k < n; ++k)
        power = num::mul(num::kF64, power, x);
      uint64_t wide = num::round(num::kF64, power, num::kF32);
      expectSame("power", i, results[i], num::round(num::kF32, wide, format()));
    }
  }
}

// One rounding from the integer's value, for every width.
TEST_P(ExplicitTest, Integers) {
  for (const char *kind : {"si", "ui"})
    for (const char *width : {"i8", "i16", "i32", "i64"})
      for (unsigned lanes : {1, 8})
        jit.add(kind + std::string(width) + "_" + std::to_string(lanes),
                {width}, type(), lanes,
                "%r = arith." + std::string(kind) + "tofp %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile());
  auto check = [&](const std::string &width, auto sample) {
    using Int = decltype(sample);
    std::mt19937_64 random(7);
    std::vector<Int> values(1 << 18);
    for (size_t i = 0; i < values.size(); ++i) {
      // Any number of leading bits, a bit pattern near a tie below them.
      uint64_t bits = random() >> (random() % 64);
      if (i % 2)
        bits = (uint64_t(1) << (random() % 64)) * (random() % 4096) +
               random() % 3 - 1;
      values[i] = i < 256 ? Int(Int(i) - 128) : Int(bits);
    }
    for (unsigned lanes : {1, 8}) {
      std::string suffix = width + "_" + std::to_string(lanes);
      auto asSigned = jit.run<uint16_t>("si" + suffix, values);
      auto asUnsigned = jit.run<uint16_t>("ui" + suffix, values);
      for (size_t i = 0; i < values.size(); ++i) {
        expectSame("si" + suffix, i, asSigned[i],
                   num::fromSigned(format(), values[i]));
        expectSame(
            "ui" + suffix, i, asUnsigned[i],
            num::fromUnsigned(format(), std::make_unsigned_t<Int>(values[i])));
      }
    }
  };
  check("i8", int8_t());
  check("i16", int16_t());
  check("i32", int32_t());
  check("i64", int64_t());
}

TEST_P(ExplicitTest, ClassesOfEveryNumber) {
  const char *names[] = {"isnormal", "isfinite", "isinf", "isnan"};
  for (const char *name : names)
    jit.add(name, {type()}, "i8", 16,
            std::string("%class = math.") + name +
                " %x0 : $0\n%r = arith.extui %class : vector<16xi1> to $to");
  ASSERT_NO_FATAL_FAILURE(compile());
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  std::vector<uint8_t> results[4];
  for (unsigned k = 0; k < 4; ++k)
    results[k] = jit.run<uint8_t>(names[k], all);
  for (size_t i = 0; i < all.size(); ++i) {
    bool inf = num::isInf(format(), i), nan = num::isNaN(format(), i);
    bool tiny = num::isZero(format(), i) || num::isSubnormal(format(), i);
    ASSERT_EQ(results[0][i], !inf && !nan && !tiny) << i;
    ASSERT_EQ(results[1][i], !inf && !nan) << i;
    ASSERT_EQ(results[2][i], inf) << i;
    ASSERT_EQ(results[3][i], nan) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ExplicitTest,
                         testing::Values(&num::kBF16, &num::kF16),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
