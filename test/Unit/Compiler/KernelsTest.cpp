// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our own kernels over symbols: each element of the results is an expression
// that evaluates to what the kernel gives.
#include "../PTX/Kernels.h"

#include "prec/Compiler/Compiler.h"
#include "prec/Pipelines/Register.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace {
struct Case {
  const char *function;
  std::map<std::string, std::vector<int64_t>> inputs;
  std::string output;
  std::vector<int64_t> shape;
};
const Case cases[] = {
    {"mix_elementwise", {{"d", {1, 2560}}}, "a", {1, 2560}},
    {"mix_and_reduce",
     {{"u", {1, 4, 2560}}, {"xn", {1, 4, 2560}}},
     "y",
     {1, 2560}},
    {"write_back",
     {{"x", {1, 4, 2560}}, {"h", {1, 2560}}, {"i", {1, 4}}},
     "out",
     {1, 4, 2560}},
};

class GatedResidual
    : public testing::TestWithParam<std::tuple<const char *, const char *>> {};
} // namespace

TEST_P(GatedResidual, EvaluatesToWhatTheKernelGives) {
  const char *element = std::get<0>(GetParam()),
             *chip = std::get<1>(GetParam());
  std::string text = readFile(PREC_EXAMPLES "/gated-residual.mlir");
  for (size_t at = 0; (at = text.find("bf16", at)) != std::string::npos;)
    text.replace(at++, 4, element);

  DialectRegistry registry;
  prec::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  for (const Case &c : cases) {
    auto function = module->lookupSymbol<func::FuncOp>(c.function);
    FailureOr<prec::GPUFunction> compiled = prec::compileForGPU(function, chip);
    ASSERT_TRUE(succeeded(compiled));
    Launch launch(compiled->ptx, c.function);
    launch.description = compiled->description;

    Random random(1);
    std::vector<std::vector<uint16_t>> data;
    auto tensor = [&](const std::vector<int64_t> &shape) {
      prec::ptx::TensorRef ref{nullptr, element, shape};
      std::vector<uint16_t> &bits = data.emplace_back(ref.bytes() / 2);
      for (uint16_t &value : bits)
        value = uint16_t(random.bits());
      // The vector may move, what it owns stays.
      ref.data = bits.data();
      return ref;
    };
    for (auto &[name, shape] : c.inputs)
      launch.inputs[name] = tensor(shape);
    launch.outputs[c.output] = tensor(c.shape);
    launch.run();
    launch.checkSymbolic(/*step=*/1);
  }
}
INSTANTIATE_TEST_SUITE_P(Compiler, GatedResidual,
                         testing::Combine(testing::Values("bf16", "f16"),
                                          testing::Values("sm_80", "sm_90",
                                                          "sm_100")));
