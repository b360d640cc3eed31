// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one 16-bit value with a 16-bit result, run as machine code on
// all 65,536 inputs, against the same formula with correctly rounded functions.
// Most become f32 sequences; the others have to be as right.
#include "../ElementwiseJIT.h"

#include "prec/Numerics/Functions.h"
#include "prec/Numerics/Rounding.h"
#include "prec/Target/Host/HostTarget.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace prec;

namespace {

namespace cr = num::cr;

struct Formula {
  const char *name;
  /// Defines %y from %x, both of type $f; %one, %half, %limit are 1, 0.5, 20.
  const char *text;
  float (*reference)(float);
};

constexpr Formula kFormulas[] = {
    {"exp", "%y = math.exp %x : $f", cr::exp},
    {"exp2", "%y = math.exp2 %x : $f", cr::exp2},
    {"expm1", "%y = math.expm1 %x : $f", cr::expm1},
    {"log", "%y = math.log %x : $f", cr::log},
    {"log1p", "%y = math.log1p %x : $f", cr::log1p},
    {"tanh", "%y = math.tanh %x : $f", cr::tanh},
    {"erf", "%y = math.erf %x : $f", cr::erf},
    {"rsqrt", "%y = math.rsqrt %x : $f", cr::rsqrt},
    {"sigmoid",
     "%n = arith.negf %x : $f\n"
     "%e = math.exp %n : $f\n"
     "%d = arith.addf %e, %one : $f\n"
     "%y = arith.divf %one, %d : $f",
     [](float x) { return 1.0f / (cr::exp(-x) + 1.0f); }},
    {"silu",
     "%n = arith.negf %x : $f\n"
     "%e = math.exp %n : $f\n"
     "%d = arith.addf %e, %one : $f\n"
     "%y = arith.divf %x, %d : $f",
     [](float x) { return x / (cr::exp(-x) + 1.0f); }},
    {"softplus",
     "%e = math.exp %x : $f\n"
     "%l = math.log1p %e : $f\n"
     "%c = arith.cmpf ogt, %x, %limit : $f\n"
     "%y = arith.select %c, %x, %l : $b, $f",
     [](float x) { return x > 20.0f ? x : cr::log1p(cr::exp(x)); }},
    {"gelu",
     "%e = math.erf %x : $f\n"
     "%d = arith.addf %e, %one : $f\n"
     "%h = arith.mulf %x, %half : $f\n"
     "%y = arith.mulf %h, %d : $f",
     [](float x) { return x * 0.5f * (cr::erf(x) + 1.0f); }},
    {"mixed",
     "%a = math.absf %x : $f\n"
     "%n = arith.negf %a : $f\n"
     "%e = math.exp %n : $f\n"
     "%t = math.tanh %x : $f\n"
     "%m = arith.maximumf %e, %t : $f\n"
     "%y = math.fma %m, %half, %t : $f",
     [](float x) {
       float e = cr::exp(-std::fabs(x)), t = cr::tanh(x);
       return std::fma(x != x ? x : std::max(e, t), 0.5f, t);
     }},
};

struct Narrow {
  const char *name;
  const num::Format &format;
  float (*widen)(uint16_t);
  uint16_t (*round)(float);
};

const Narrow kNarrow[] = {
    {"bf16", num::kBF16, [](uint16_t x) { return num::widenBF16(x); },
     [](float x) { return num::roundToBF16(x); }},
    {"f16", num::kF16, [](uint16_t x) { return num::widenF16(x); },
     [](float x) { return num::roundToF16(x); }},
};

class NarrowFunctions : public ::testing::TestWithParam<const char *> {};

TEST_P(NarrowFunctions, AllSixteenBitInputs) {
  std::vector<uint16_t> inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    inputs.push_back(uint16_t(bits));
  ElementwiseJIT jit;
  for (const Narrow &narrow : kNarrow)
    for (const Formula &formula : kFormulas) {
      std::string text = "%x = arith.extf %x0 : $0 to $f\n";
      for (auto [name, value] :
           {std::pair("one", "1.0"), {"half", "0.5"}, {"limit", "20.0"}})
        text += std::string("%") + name + " = arith.constant dense<" + value +
                "> : $f\n";
      text += formula.text;
      text += "\n%r = prec.round %y : $f to $to";
      for (auto [what, with] : {std::pair("$f", "vector<16xf32>"),
                                std::pair("$b", "vector<16xi1>")})
        for (size_t at; (at = text.find(what)) != std::string::npos;)
          text.replace(at, 2, with);
      jit.add(std::string(formula.name) + "_" + narrow.name, {narrow.name},
              narrow.name, 16, text);
    }
  ASSERT_NO_FATAL_FAILURE(jit.compile(
      [](mlir::OpPassManager &passes) {
        passes.addPass(createExpandMathPass());
        passes.addPass(createConvertPrecToLLVMPass());
        passes.addPass(mlir::createCanonicalizerPass());
        passes.addPass(mlir::createCSEPass());
      },
      GetParam()));
  for (const Narrow &narrow : kNarrow)
    for (const Formula &formula : kFormulas) {
      std::string name = std::string(formula.name) + "_" + narrow.name;
      auto got = jit.run<uint16_t>(name, inputs);
      for (uint16_t x : inputs) {
        uint16_t want = narrow.round(formula.reference(narrow.widen(x)));
        ASSERT_TRUE(num::sameValue(narrow.format, got[x], want))
            << name << " of " << std::hex << x << ": got " << got[x]
            << ", expected " << want;
      }
    }
}

// A product with another number is computed again where the short sequence does
// not tell how it is rounded: all inputs times numbers of every kind. (Times
// all numbers, which takes minutes, there is no difference either.)
TEST_P(NarrowFunctions, GuardedProducts) {
  ElementwiseJIT jit;
  for (const Narrow &narrow : kNarrow)
    jit.add(narrow.name, {"bf16", narrow.name}, "bf16", 16,
            "%one = arith.constant dense<1.0> : vector<16xf32>\n"
            "%a = arith.extf %x0 : $0 to vector<16xf32>\n"
            "%x = arith.extf %x1 : $1 to vector<16xf32>\n"
            "%n = arith.negf %x : vector<16xf32>\n"
            "%e = math.exp %n : vector<16xf32>\n"
            "%d = arith.addf %e, %one : vector<16xf32>\n"
            "%y = arith.divf %x, %d : vector<16xf32>\n"
            "%p = arith.mulf %a, %y : vector<16xf32>\n"
            "%r = prec.round %p : vector<16xf32> to $to");
  ASSERT_NO_FATAL_FAILURE(jit.compile(
      [](mlir::OpPassManager &passes) {
        passes.addPass(createExpandMathPass());
        passes.addPass(createConvertPrecToLLVMPass());
        passes.addPass(mlir::createCanonicalizerPass());
        passes.addPass(mlir::createCSEPass());
      },
      GetParam()));
  std::vector<uint16_t> inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    inputs.push_back(uint16_t(bits));
  for (const Narrow &narrow : kNarrow) {
    std::vector<float> silu;
    for (uint16_t x : inputs) {
      float wide = narrow.widen(x);
      silu.push_back(wide / (cr::exp(-wide) + 1.0f));
    }
    // Odd, so that it meets all significands and exponents in turn.
    for (uint32_t factor = 0x7F; factor < 0x10000; factor += 991) {
      auto got = jit.run<uint16_t>(
          narrow.name, std::vector<uint16_t>(inputs.size(), uint16_t(factor)),
          inputs);
      for (uint16_t x : inputs) {
        uint16_t want =
            num::roundToBF16(num::widenBF16(uint16_t(factor)) * silu[x]);
        ASSERT_TRUE(num::sameValue(num::kBF16, got[x], want))
            << std::hex << factor << " times silu of " << narrow.name << " "
            << x << ": got " << got[x] << ", expected " << want;
      }
    }
  }
}

// By a table in registers: of numbers and of quarters of numbers, in scalars,
// part of a register, a register, and two in even and odd elements.
TEST(TableSilus, AllNumbers) {
  ElementwiseJIT jit;
  constexpr unsigned kLanes[] = {1, 8, 16, 32};
  constexpr float kScales[] = {1.0f, 0.25f};
  auto machine = createHostMachine("host");
  ASSERT_TRUE(bool(machine));
  if (getVectorBits(**machine) != 512)
    GTEST_SKIP() << "needs AVX-512";
  auto nameOf = [](const Narrow &narrow, unsigned lanes, float scale) {
    return std::string(narrow.name) + (scale == 1 ? "_silu" : "_quarter") +
           std::to_string(lanes);
  };
  for (const Narrow &narrow : kNarrow)
    for (unsigned lanes : kLanes)
      for (float scale : kScales) {
        std::string type =
            lanes == 1 ? "f32" : "vector<" + std::to_string(lanes) + "xf32>";
        auto constant = [&](float value) {
          std::string text = std::to_string(value);
          if (lanes > 1)
            text = "dense<" + text + ">";
          return " = arith.constant " + text + " : " + type + "\n";
        };
        std::string text = "%one" + constant(1) + "%scale" + constant(scale) +
                           "%a = arith.extf %x0 : $0 to $f\n"
                           "%p = arith.mulf %a, %scale : $f\n"
                           "%t = prec.round %p : $f to $0\n"
                           "%x = arith.extf %t : $0 to $f\n"
                           "%n = arith.negf %x : $f\n"
                           "%e = math.exp %n : $f\n"
                           "%d = arith.addf %e, %one : $f\n"
                           "%y = arith.divf %x, %d : $f\n"
                           "%r = prec.round %y : $f to $to";
        for (size_t at; (at = text.find("$f")) != std::string::npos;)
          text.replace(at, 2, type);
        jit.add(nameOf(narrow, lanes, scale), {narrow.name}, narrow.name, lanes,
                text);
      }
  ASSERT_NO_FATAL_FAILURE(jit.compile(
      [](mlir::OpPassManager &passes) {
        passes.addPass(
            createExpandMathPass({"host", /*slowF64=*/false, /*tables=*/true}));
        passes.addNestedPass<mlir::func::FuncOp>(createSplitVectorsPass({16}));
        passes.addPass(createConvertPrecToLLVMPass());
        passes.addPass(mlir::createCanonicalizerPass());
        passes.addPass(mlir::createCSEPass());
      },
      "host"));
  std::vector<uint16_t> inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    inputs.push_back(uint16_t(bits));
  for (const Narrow &narrow : kNarrow)
    for (unsigned lanes : kLanes)
      for (float scale : kScales) {
        std::string name = nameOf(narrow, lanes, scale);
        auto got = jit.run<uint16_t>(name, inputs);
        for (uint16_t bits : inputs) {
          float x = narrow.widen(narrow.round(narrow.widen(bits) * scale));
          uint16_t want = narrow.round(x / (cr::exp(-x) + 1.0f));
          ASSERT_TRUE(num::sameValue(narrow.format, got[bits], want))
              << name << " of " << std::hex << bits << ": got " << got[bits]
              << ", expected " << want;
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Machines, NarrowFunctions,
                         ::testing::Values("host", "x86-64-v3"));

} // namespace
