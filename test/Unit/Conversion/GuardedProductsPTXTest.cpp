// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of silu, of all 65,536 numbers of bf16, rounded to bf16 by a GPU's
// approximate instructions, or again where these do not tell: with factors that
// make ties and near ties in one lane or in all, are of every kind, or at the
// bounds. Approximate instructions give what is nearest, the least and the most
// that the ISA allows, and anything in between.
#include "../PTX/Kernels.h"
#include "CompilePTX.h"

#include "prec/Numerics/Functions.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/Common/LLVMModule.h"

using namespace prec;

namespace {

constexpr size_t kCount = 65536;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

float silu(float x) { return x / (num::cr::exp(-x) + 1.0f); }

/// Eight elements a thread; `factors` defines %y from %silu and %us, of `type`,
/// and %p.
std::string compile(const std::string &type, const std::string &factors,
                    mlir::MLIRContext &context, const std::string &chip) {
  return compileToPTX(
      "gpu.module @kernels {\n"
      "gpu.func @k(%x: memref<?xbf16>, %u: memref<?x" +
          type +
          ">, %f: memref<?xf32>, %out: memref<?xbf16>) kernel {\n"
          "%one = arith.constant dense<1.0> : vector<8xf32>\n"
          "%c0 = arith.constant 0 : index\n"
          "%c8 = arith.constant 8 : index\n"
          "%b = gpu.block_id x\n"
          "%t = gpu.thread_id x\n"
          "%size = gpu.block_dim x\n"
          "%first = arith.muli %b, %size : index\n"
          "%thread = arith.addi %first, %t : index\n"
          "%i = arith.muli %thread, %c8 : index\n"
          "%xs = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>\n"
          "%us = vector.load %u[%i] : memref<?x" +
          type + ">, vector<8x" + type +
          ">\n"
          "%one_p = memref.load %f[%c0] : memref<?xf32>\n"
          "%p = vector.broadcast %one_p : f32 to vector<8xf32>\n"
          "%w = arith.extf %xs : vector<8xbf16> to vector<8xf32>\n"
          "%n = arith.negf %w : vector<8xf32>\n"
          "%e = math.exp %n : vector<8xf32>\n"
          "%d = arith.addf %e, %one : vector<8xf32>\n"
          "%silu = arith.divf %w, %d : vector<8xf32>\n" +
          factors +
          "%r = prec.round %y : vector<8xf32> to vector<8xbf16>\n"
          "vector.store %r, %out[%i] : memref<?xbf16>, vector<8xbf16>\n"
          "gpu.return\n}\n}",
      context, chip);
}

/// All bf16 numbers in an order that has every kind in every lane.
std::vector<uint16_t> allNumbers() {
  std::vector<uint16_t> numbers(kCount);
  for (uint32_t i = 0; i < kCount; ++i)
    numbers[i] = uint16_t(i * 40503u);
  return numbers;
}

/// What makes silu(x) close to the middle between two numbers of bf16, `steps`
/// units in the last place further.
float nearTie(uint16_t x, uint32_t seed, int steps) {
  const float s = silu(F(x));
  const uint32_t middle =
      (R(s) & 0x8000u) << 16 | 0x3F808000u | (seed * 2654435761u >> 25) << 16;
  float factor = num::bitCast<float>(middle) / s;
  if (!std::isfinite(factor) || factor == 0)
    return 1;
  return num::bitCast<float>(num::bitCast<uint32_t>(factor) + uint32_t(steps));
}

class GuardedProductsPTX : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    registerLLVMTranslations(registry);
    context.appendDialectRegistry(registry);
  }

  template <typename T>
  void check(const std::string &text, std::vector<uint16_t> x, std::vector<T> u,
             float p, const std::vector<uint16_t> &want) {
    ASSERT_NE(text.find("call"), std::string::npos) << text;
    const bool all = GetParam() == std::string("sm_90");
    for (uint64_t outcome = all ? 0 : 3; outcome < 4; ++outcome) {
      std::vector<uint16_t> got(kCount);
      std::vector<float> factor{p};
      Launch launch(text, "k");
      launch.options.outcome = outcome;
      launch.shape(64, 128).in(x).in(u).in(factor).out(got).run();
      EXPECT_FALSE(launch.report.approximations.empty());
      for (size_t i = 0; i < kCount; ++i)
        ASSERT_TRUE(num::sameValue(num::kBF16, got[i], want[i]))
            << "silu of " << std::hex << x[i] << " in lane " << i % 8
            << " times " << float(u[i]) << " and " << p << ", outcome "
            << outcome << ": got " << got[i] << ", expected " << want[i];
    }
  }

  mlir::MLIRContext context;
};

TEST_P(GuardedProductsPTX, FactorOfEachElement) {
  const std::string text =
      compile("f32", "%y = arith.mulf %us, %silu : vector<8xf32>\n", context,
              GetParam());
  const std::vector<uint16_t> x = allNumbers();
  auto checkFactors = [&](auto factorOf) {
    std::vector<float> u(kCount);
    std::vector<uint16_t> want(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      u[i] = factorOf(i);
      want[i] = R(u[i] * silu(F(x[i])));
    }
    check(text, x, u, 1, want);
  };
  // One lane of eight, all lanes in turn; all at once.
  checkFactors([&](uint32_t i) {
    return i % 8 == i / 8 % 8 ? nearTie(x[i], i, int(i / 64 % 65) - 32) : 1;
  });
  checkFactors([&](uint32_t i) { return nearTie(x[i], i, int(i % 5) - 2); });
  const float kinds[] = {0.0f,    -0.0f,     kInfinity,      -kInfinity,
                         kNaN,    0x1p-149f, -0x1.8p-130f,   0x1.fffffep127f,
                         0x1p40f, -0x1p40f,  0x1.000002p40f, 0x1p-41f,
                         1.0f / 3};
  for (size_t shift : {0, 1})
    checkFactors([&](size_t i) {
      return kinds[(i * (shift ? 5 : 1) + i / 8) % std::size(kinds)];
    });
}

TEST_P(GuardedProductsPTX, TwoFactors) {
  const std::string text =
      compile("bf16",
              "%v = arith.extf %us : vector<8xbf16> to vector<8xf32>\n"
              "%q = arith.mulf %silu, %v : vector<8xf32>\n"
              "%y = arith.mulf %q, %p : vector<8xf32>\n",
              context, GetParam());
  const std::vector<uint16_t> x = allNumbers();
  for (float p : {1.0f, 0x1.234568p-3f, 0x1p40f, 0x1.000002p40f, 0.0f,
                  -0x1.23p-100f, 0x1p-149f, kInfinity, kNaN}) {
    // All numbers; for p = 1, ordinary ones, of which most are decided.
    std::vector<uint16_t> u(kCount), want(kCount);
    for (uint32_t i = 0; i < kCount; ++i) {
      u[i] = p == 1 ? uint16_t(0x3F00 + i * 37 % 0x180)
                    : uint16_t(i * 991 + i / 65521);
      want[i] = R(silu(F(x[i])) * F(u[i]) * p);
    }
    check(text, x, u, p, want);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, GuardedProductsPTX,
                         ::testing::Values("sm_80", "sm_89", "sm_90"));

} // namespace
