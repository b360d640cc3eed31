// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings and widenings lowered for GPUs, their PTX run by the evaluator,
// against the numerics library.
#include "../PTX/Kernels.h"
#include "RoundingCases.h"

#include "prec/Pipelines/Pipelines.h"
#include "prec/Pipelines/Register.h"
#include "prec/Target/PTX/PTXTarget.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <sstream>

using namespace prec;
using namespace roundings;

namespace {

/// Kernels in which each thread applies one operation to `lanes` elements.
class RoundingPTXTest : public testing::TestWithParam<const char *> {
protected:
  RoundingPTXTest() {
    mlir::DialectRegistry registry;
    prec::registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  void add(const std::string &name, const std::string &from,
           const std::string &to, unsigned lanes, std::string operation) {
    auto typeOf = [&](const std::string &element) {
      return lanes == 1
                 ? element
                 : "vector<" + std::to_string(lanes) + "x" + element + ">";
    };
    auto replace = [&](const std::string &what, const std::string &with) {
      for (size_t at; (at = operation.find(what)) != std::string::npos;)
        operation.replace(at, what.size(), with);
    };
    replace("$0", typeOf(from));
    replace("$to", typeOf(to));
    std::string in = "memref<?x" + from + ">", out = "memref<?x" + to + ">";
    std::string load = lanes == 1 ? "memref.load" : "vector.load";
    std::string store = lanes == 1 ? "memref.store" : "vector.store";
    text << "gpu.func @" << name << "(%in: " << in << ", %out: " << out
         << ") kernel {\n  %thread = gpu.thread_id x\n"
         << "  %block = gpu.block_id x\n  %size = gpu.block_dim x\n"
         << "  %first = arith.muli %block, %size : index\n"
         << "  %index = arith.addi %first, %thread : index\n"
         << "  %lanes = arith.constant " << lanes << " : index\n"
         << "  %i = arith.muli %index, %lanes : index\n"
         << "  %x0 = " << load << " %in[%i] : " << in
         << (lanes == 1 ? "" : ", " + typeOf(from)) << "\n  " << operation
         << "\n  " << store << " %r, %out[%i] : " << out
         << (lanes == 1 ? "" : ", " + typeOf(to)) << "\n  gpu.return\n}\n";
  }

  /// The PTX of all kernels for the target.
  void compile() {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "gpu.module @kernels {\n" + text.str() + "}\n", &context);
    ASSERT_TRUE(module);
    mlir::PassManager passes(&context);
    GPUPipelineOptions options;
    options.chip = GetParam();
    buildKernelsToNVVM(passes, options);
    ASSERT_TRUE(succeeded(passes.run(*module)));
    auto kernels = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
    auto target = findGPUTarget(GetParam(), module->getLoc());
    ASSERT_TRUE(succeeded(target));
    auto translated = translateToPTX(kernels, *target);
    ASSERT_TRUE(succeeded(translated));
    ptx = *translated;
  }

  template <typename Result, typename Word>
  std::vector<Result> run(const std::string &name, unsigned lanes,
                          std::vector<Word> inputs) {
    // Threads in full warps and blocks.
    size_t count = inputs.size(), block = 64;
    inputs.resize((count + block * lanes - 1) / (block * lanes) * block *
                  lanes);
    std::vector<Result> results(inputs.size());
    Launch launch(ptx, name);
    launch.options.countMemory = launch.options.checkRaces = false;
    launch.shape(inputs.size() / lanes / block, block)
        .in(inputs)
        .out(results)
        .run();
    results.resize(count);
    return results;
  }

  /// All roundings from `from`, on vectors of `lanes`.
  template <typename Word>
  void checkAll(const num::Format &from, unsigned lanes, size_t spread,
                size_t every) {
    for (const Case &c : allCases(from))
      add(c.name(), from.name, c.to->name, lanes, c.operation());
    ASSERT_NO_FATAL_FAILURE(compile());
    auto all = patterns<Word>(from, spread);
    std::vector<Word> inputs;
    for (size_t i = 0; i < all.size(); i += every)
      inputs.push_back(all[i]);
    for (const Case &c : allCases(from))
      checkRun(c, inputs, [&](auto word) {
        return run<decltype(word)>(c.name(), lanes, inputs);
      });
  }

private:
  mlir::MLIRContext context;
  std::ostringstream text;
  std::string ptx;
};

TEST_P(RoundingPTXTest, F32InEveryFormatAndMode) {
  checkAll<uint32_t>(num::kF32, 4, 1 << 12, 5);
}

TEST_P(RoundingPTXTest, F32Scalars) {
  checkAll<uint32_t>(num::kF32, 1, 1 << 10, 31);
}

TEST_P(RoundingPTXTest, F64InEveryFormatAndMode) {
  checkAll<uint64_t>(num::kF64, 2, 1 << 13, 101);
}

// All values of every format narrower than f32.
TEST_P(RoundingPTXTest, WideningIsExact) {
  for (const num::Format *from : kNarrow)
    for (unsigned lanes : {1, 4})
      add(std::string(from->name) + "_" + std::to_string(lanes), from->name,
          "f32", lanes, "%r = arith.extf %x0 : $0 to $to");
  ASSERT_NO_FATAL_FAILURE(compile());
  auto checkFormat = [&](auto inputs, const num::Format &from) {
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i] = i;
    for (unsigned lanes : {1, 4}) {
      auto name = std::string(from.name) + "_" + std::to_string(lanes);
      auto results = run<uint32_t>(name, lanes, inputs);
      for (size_t i = 0; i < inputs.size(); ++i)
        ASSERT_TRUE(num::sameValue(num::kF32, results[i],
                                   num::round(from, i, num::kF32)))
            << name << " " << i;
    }
  };
  checkFormat(std::vector<uint16_t>(65536), num::kBF16);
  checkFormat(std::vector<uint16_t>(65536), num::kF16);
  checkFormat(std::vector<uint8_t>(256), num::kF8E4M3FN);
  checkFormat(std::vector<uint8_t>(256), num::kF8E5M2);
}

INSTANTIATE_TEST_SUITE_P(Chips, RoundingPTXTest,
                         testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
