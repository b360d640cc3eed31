// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expanded functions, lowered to PTX and run by the PTX evaluator, against the
// correctly rounded functions: the same bits as on the host. On a GPU with slow
// f64 as well, without any f64.
#include "../PTX/Kernels.h"
#include "CompilePTX.h"

#include "prec/Numerics/Functions.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/Common/LLVMModule.h"

using namespace prec;

namespace {

struct Function {
  const char *name;
  float (*reference)(float);
  const char *chip = "sm_90";
};

class ExpandMathPTX : public ::testing::TestWithParam<Function> {};

/// PTX of a kernel that applies a function to every element.
std::string kernelText(const Function &function, mlir::MLIRContext &context) {
  return compileElementwise("f32", "f32",
                            "%result = math." + std::string(function.name) +
                                " %in : f32",
                            context, function.chip);
}

TEST_P(ExpandMathPTX, AllSixteenBitInputsAndExceptions) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  mlir::MLIRContext context(registry);
  std::string text = kernelText(GetParam(), context);
  ASSERT_NE(text, "");
  EXPECT_EQ(text.find(".f64") == std::string::npos,
            GetParam().chip == std::string("sm_89"));

  // Exceptional inputs of MathConstants.h, and all of 16 bits.
  std::vector<float> inputs;
  for (uint32_t bits :
       {0x3B429D37u, 0xBCF3A937u, 0x3C413D3Au, 0x41178FEBu, 0x4C5D65A5u,
        0x65D890D3u, 0x6F31A8ECu, 0x35400003u, 0x3EFD81ADu, 0xBB0EC8C4u,
        0x0EFEEE7Au, 0x46199998u, 0xC6199998u, 0x5F18B878u, 0x6115CB11u,
        0x3AC37DE2u, 0x3D7C3055u})
    inputs.push_back(num::bitCast<float>(bits));
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    inputs.push_back(num::widenBF16(uint16_t(bits)));
    inputs.push_back(num::widenF16(uint16_t(bits)));
  }
  inputs.resize((inputs.size() + 127) / 128 * 128, 0.0f);

  std::vector<float> outputs(inputs.size());
  Launch launch(text, "k");
  launch.shape(int64_t(inputs.size() / 128), 128).in(inputs).out(outputs).run();
  EXPECT_TRUE(launch.report.approximations.empty());
  EXPECT_TRUE(launch.report.contractible.empty());
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto got = num::bitCast<uint32_t>(outputs[i]);
    auto want = num::bitCast<uint32_t>(GetParam().reference(inputs[i]));
    ASSERT_TRUE(num::sameValue(num::kF32, got, want))
        << std::hexfloat << inputs[i] << ": got " << std::hex << got
        << ", expected " << want;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandMathPTX,
    ::testing::Values(
        Function{"exp", num::cr::exp}, Function{"exp2", num::cr::exp2},
        Function{"expm1", num::cr::expm1}, Function{"log", num::cr::log},
        Function{"log2", num::cr::log2}, Function{"log10", num::cr::log10},
        Function{"log1p", num::cr::log1p}, Function{"tanh", num::cr::tanh},
        Function{"erf", num::cr::erf}, Function{"sin", num::cr::sin},
        Function{"cos", num::cr::cos}, Function{"rsqrt", num::cr::rsqrt}),
    [](const auto &info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    SlowF64, ExpandMathPTX,
    ::testing::Values(Function{"exp", num::cr::exp, "sm_89"},
                      Function{"exp2", num::cr::exp2, "sm_89"},
                      Function{"expm1", num::cr::expm1, "sm_89"},
                      Function{"log", num::cr::log, "sm_89"},
                      Function{"log1p", num::cr::log1p, "sm_89"},
                      Function{"tanh", num::cr::tanh, "sm_89"},
                      Function{"erf", num::cr::erf, "sm_89"},
                      Function{"rsqrt", num::cr::rsqrt, "sm_89"}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
