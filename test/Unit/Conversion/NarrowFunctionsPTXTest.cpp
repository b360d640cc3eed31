// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one 16-bit value with a 16-bit result, as PTX on all 65,536
// inputs. The evaluator takes an approximate instruction as correctly rounded,
// which is within its bounds; that all that is within them leads to the same
// bits, the audit says (test/Audit/own.py).
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
  /// Defines %y from %x, both f32; %one and %half are 1 and 0.5.
  const char *text;
  float (*reference)(float);
  bool approximateInBF16;
};

const Formula kFormulas[] = {
    {"exp", "%y = math.exp %x : f32", cr::exp, true},
    {"exp2", "%y = math.exp2 %x : f32", cr::exp2, true},
    {"tanh", "%y = math.tanh %x : f32", cr::tanh, true},
    {"log", "%y = math.log %x : f32", cr::log, false},
    {"sigmoid",
     "%n = arith.negf %x : f32\n"
     "%e = math.exp %n : f32\n"
     "%d = arith.addf %e, %one : f32\n"
     "%y = arith.divf %one, %d : f32",
     [](float x) { return 1.0f / (cr::exp(-x) + 1.0f); }, true},
    {"silu",
     "%n = arith.negf %x : f32\n"
     "%e = math.exp %n : f32\n"
     "%d = arith.addf %e, %one : f32\n"
     "%y = arith.divf %x, %d : f32",
     [](float x) { return x / (cr::exp(-x) + 1.0f); }, true},
    {"sigmoid_of_quarter",
     "%q = arith.mulf %x, %half : f32\n"
     "%e = math.exp %q : f32\n"
     "%d = arith.addf %one, %e : f32\n"
     "%y = arith.divf %half, %d : f32",
     [](float x) { return 0.5f / (1.0f + cr::exp(x * 0.5f)); }, true},
    {"other_divisor",
     "%e = math.exp %x : f32\n"
     "%d = arith.addf %e, %half : f32\n"
     "%y = arith.divf %e, %d : f32",
     [](float x) {
       float e = cr::exp(x);
       return e / (e + 0.5f);
     },
     true},
};

std::string kernelText(const Formula &formula, const std::string &type,
                       mlir::MLIRContext &context) {
  return compileElementwise(type, type,
                            "%x = arith.extf %in : " + type + " to f32\n" +
                                formula.text +
                                "\n%result = prec.round %y : f32 to " + type,
                            context);
}

class NarrowFunctionsPTX : public ::testing::TestWithParam<Formula> {};

TEST_P(NarrowFunctionsPTX, AllSixteenBitInputs) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  mlir::MLIRContext context(registry);
  const Formula &formula = GetParam();
  for (bool isBF16 : {true, false}) {
    std::string text = kernelText(formula, isBF16 ? "bf16" : "f16", context);
    ASSERT_NE(text, "");
    std::vector<uint16_t> inputs(65536), outputs(65536);
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
      inputs[bits] = uint16_t(bits);
    Launch launch(text, "k");
    launch.shape(512, 128).in(inputs).out(outputs).run();
    if (isBF16)
      EXPECT_EQ(!launch.report.approximations.empty(),
                formula.approximateInBF16);
    EXPECT_TRUE(launch.report.contractible.empty());
    for (uint16_t x : inputs) {
      float y =
          formula.reference(isBF16 ? num::widenBF16(x) : num::widenF16(x));
      uint16_t want = isBF16 ? num::roundToBF16(y) : num::roundToF16(y);
      ASSERT_TRUE(
          num::sameValue(isBF16 ? num::kBF16 : num::kF16, outputs[x], want))
          << formula.name << (isBF16 ? " bf16 " : " f16 ") << std::hex << x
          << ": got " << outputs[x] << ", expected " << want;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formulas, NarrowFunctionsPTX,
                         ::testing::ValuesIn(kFormulas), [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
