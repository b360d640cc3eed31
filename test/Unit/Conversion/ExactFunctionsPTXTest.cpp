// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one 16-bit value whose f32 bits matter, as PTX on all 65,536
// inputs, with approximate instructions that give what is nearest, the least
// and the most that the ISA allows, and anything in between.
#include "../PTX/Kernels.h"
#include "CompilePTX.h"

#include "prec/Numerics/Functions.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/Common/LLVMModule.h"

using namespace prec;

namespace {

namespace cr = num::cr;

struct Formula {
  const char *name;
  /// Defines %result from %x, both f32; %one is 1.
  const char *text;
  float (*reference)(float);
  /// In which formats a reciprocal is approximated.
  bool inBF16, inF16;
};

const Formula kFormulas[] = {
    {"exp", "%result = math.exp %x : f32", cr::exp, false, false},
    {"exp_of_minus",
     "%n = arith.negf %x : f32\n"
     "%result = math.exp %n : f32",
     [](float x) { return cr::exp(-x); }, false, false},
    {"sigmoid",
     "%n = arith.negf %x : f32\n"
     "%e = math.exp %n : f32\n"
     "%d = arith.addf %one, %e : f32\n"
     "%result = arith.divf %one, %d : f32",
     [](float x) { return 1.0f / (cr::exp(-x) + 1.0f); }, true, true},
    {"silu",
     "%n = arith.negf %x : f32\n"
     "%e = math.exp %n : f32\n"
     "%d = arith.addf %e, %one : f32\n"
     "%result = arith.divf %x, %d : f32",
     [](float x) { return x / (cr::exp(-x) + 1.0f); }, true, true},
    {"slope_of_silu",
     "%n = arith.negf %x : f32\n"
     "%e = math.exp %n : f32\n"
     "%d = arith.addf %e, %one : f32\n"
     "%s = arith.divf %one, %d : f32\n"
     "%p = arith.mulf %x, %s : f32\n"
     "%m = arith.subf %one, %s : f32\n"
     "%q = arith.mulf %p, %m : f32\n"
     "%result = arith.addf %s, %q : f32",
     [](float x) {
       float s = 1.0f / (cr::exp(-x) + 1.0f);
       return s + x * s * (1.0f - s);
     },
     true, true},
    // Both ways to divide by one sum.
    {"two_quotients",
     "%n = arith.negf %x : f32\n"
     "%e = math.exp %n : f32\n"
     "%d = arith.addf %e, %one : f32\n"
     "%s = arith.divf %one, %d : f32\n"
     "%q = arith.divf %x, %d : f32\n"
     "%result = arith.subf %q, %s : f32",
     [](float x) {
       float d = cr::exp(-x) + 1.0f;
       return x / d - 1.0f / d;
     },
     true, true},
    // The sum is used for more than quotients.
    {"sum_and_quotient",
     "%e = math.exp %x : f32\n"
     "%d = arith.addf %e, %one : f32\n"
     "%q = arith.divf %one, %d : f32\n"
     "%result = arith.mulf %q, %d : f32",
     [](float x) {
       float d = cr::exp(x) + 1.0f;
       return 1.0f / d * d;
     },
     false, false},
};

std::string kernelText(const Formula &formula, const std::string &type,
                       mlir::MLIRContext &context) {
  return compileElementwise(
      type, "f32", "%x = arith.extf %in : " + type + " to f32\n" + formula.text,
      context);
}

class ExactFunctionsPTX : public ::testing::TestWithParam<Formula> {};

TEST_P(ExactFunctionsPTX, AllSixteenBitInputs) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  mlir::MLIRContext context(registry);
  const Formula &formula = GetParam();
  for (bool isBF16 : {true, false}) {
    std::string text = kernelText(formula, isBF16 ? "bf16" : "f16", context);
    ASSERT_NE(text, "");
    std::vector<uint16_t> inputs(65536);
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
      inputs[bits] = uint16_t(bits);
    const bool approximate = isBF16 ? formula.inBF16 : formula.inF16;
    for (uint64_t outcome = 0; outcome < (approximate ? 4 : 1); ++outcome) {
      std::vector<uint32_t> outputs(65536);
      Launch launch(text, "k");
      launch.options.outcome = outcome;
      launch.shape(512, 128).in(inputs).out(outputs).run();
      EXPECT_EQ(!launch.report.approximations.empty(), approximate);
      EXPECT_TRUE(launch.report.contractible.empty());
      for (uint16_t x : inputs) {
        float want =
            formula.reference(isBF16 ? num::widenBF16(x) : num::widenF16(x));
        ASSERT_TRUE(
            num::sameValue(num::kF32, outputs[x], num::bitCast<uint32_t>(want)))
            << formula.name << (isBF16 ? " bf16 " : " f16 ") << std::hex << x
            << ", outcome " << outcome << ": got " << outputs[x]
            << ", expected " << num::bitCast<uint32_t>(want);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formulas, ExactFunctionsPTX,
                         ::testing::ValuesIn(kFormulas), [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
