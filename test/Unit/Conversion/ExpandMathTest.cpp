// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expanded functions, run as machine code on every bf16 and f16 input, against
// the correctly rounded functions of the numerics library. That the sequences
// are right on every f32 input is bench/sweep's; this is about their lowering.
#include "../ElementwiseJIT.h"

#include "prec/Numerics/Functions.h"
#include "prec/Numerics/Rounding.h"
#include "prec/Transforms/Passes.h"

using namespace prec;

namespace {

struct Function {
  const char *name;
  float (*reference)(float);
};

constexpr Function kFunctions[] = {
    {"exp", num::cr::exp},     {"exp2", num::cr::exp2},
    {"expm1", num::cr::expm1}, {"log", num::cr::log},
    {"log2", num::cr::log2},   {"log10", num::cr::log10},
    {"log1p", num::cr::log1p}, {"tanh", num::cr::tanh},
    {"erf", num::cr::erf},     {"sin", num::cr::sin},
    {"cos", num::cr::cos},     {"rsqrt", num::cr::rsqrt},
};

constexpr Function kPowers[] = {
    {"2", [](float x) { return num::cr::powi(x, 2); }},
    {"3", [](float x) { return num::cr::powi(x, 3); }},
    {"5", [](float x) { return num::cr::powi(x, 5); }},
    {"-2", [](float x) { return num::cr::powi(x, -2); }},
    {"-3", [](float x) { return num::cr::powi(x, -3); }},
};

/// A function's name for a power, which may be negative.
std::string powerName(const Function &power, const std::string &suffix) {
  std::string name = std::string("power") + power.name + suffix;
  std::replace(name.begin(), name.end(), '-', 'm');
  return name;
}

class ExpandMath : public ::testing::TestWithParam<const char *> {};

TEST_P(ExpandMath, AllSixteenBitInputs) {
  std::vector<float> inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    inputs.push_back(num::widenBF16(uint16_t(bits)));
    inputs.push_back(num::widenF16(uint16_t(bits)));
  }
  ElementwiseJIT jit;
  for (unsigned lanes : {1, 8, 16}) {
    std::string suffix = "_" + std::to_string(lanes);
    for (const Function &f : kFunctions)
      jit.add(f.name + suffix, {"f32"}, "f32", lanes,
              std::string("%r = math.") + f.name + " %x0 : $0");
    for (const Function &f : kPowers) {
      std::string type =
          lanes == 1 ? "i32" : "vector<" + std::to_string(lanes) + "xi32>";
      std::string value = lanes == 1 ? std::string(f.name)
                                     : std::string("dense<") + f.name + ">";
      jit.add(powerName(f, suffix), {"f32"}, "f32", lanes,
              "%power = arith.constant " + value + " : " + type +
                  "\n    %r = math.fpowi %x0, %power : $0, " + type);
    }
  }
  ASSERT_NO_FATAL_FAILURE(jit.compile(
      [](mlir::OpPassManager &passes) {
        passes.addPass(createExpandMathPass());
        passes.addPass(mlir::createCanonicalizerPass());
        passes.addPass(mlir::createCSEPass());
      },
      GetParam()));
  auto check = [&](const std::string &name, float (*reference)(float)) {
    std::vector<float> got = jit.run<float>(name, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      auto bits = num::bitCast<uint32_t>(got[i]);
      auto want = num::bitCast<uint32_t>(reference(inputs[i]));
      ASSERT_TRUE(num::sameValue(num::kF32, bits, want))
          << name << " of " << std::hexfloat << inputs[i] << ": got "
          << std::hex << bits << ", expected " << want;
    }
  };
  for (const char *suffix : {"_1", "_8", "_16"}) {
    for (const Function &f : kFunctions)
      check(std::string(f.name) + suffix, f.reference);
    for (const Function &f : kPowers)
      check(powerName(f, suffix), f.reference);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, ExpandMath,
                         ::testing::Values("host", "x86-64-v3"));

} // namespace
