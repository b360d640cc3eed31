// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TargetTest.h"

#include "prec/Target/PTX/PTXTarget.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace {
using PTXTest = TargetTest;

// Each arithmetic instruction in each type, in the shapes that contract.
constexpr const char *kArithmetic = R"(
  gpu.module @kernels {
    llvm.func @k(%x: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                 %y: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias})
        attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x {alignment = 16} : !llvm.ptr -> vector<4xf32>
      %i0 = llvm.mlir.constant(0 : i32) : i32
      %i1 = llvm.mlir.constant(1 : i32) : i32
      %i2 = llvm.mlir.constant(2 : i32) : i32
      %a = llvm.extractelement %v[%i0 : i32] : vector<4xf32>
      %b = llvm.extractelement %v[%i1 : i32] : vector<4xf32>
      %c = llvm.extractelement %v[%i2 : i32] : vector<4xf32>
      %p = llvm.fmul %a, %b : f32
      %s = llvm.fadd %p, %c : f32
      %d = llvm.fsub %s, %p : f32
      %q = llvm.fdiv %d, %b : f32
      %r = llvm.intr.sqrt(%q) : (f32) -> f32
      %f = llvm.intr.fma(%r, %a, %b) : (f32, f32, f32) -> f32
      %fd = llvm.fpext %f : f32 to f64
      %ad = llvm.fpext %a : f32 to f64
      %pd = llvm.fmul %fd, %ad : f64
      %sd = llvm.fadd %pd, %ad : f64
      %qd = llvm.fdiv %sd, %fd : f64
      %rd = llvm.intr.sqrt(%qd) : (f64) -> f64
      %ed = llvm.fptrunc %rd : f64 to f32
      %h = llvm.fptrunc %ed : f32 to f16
      %hp = llvm.fmul %h, %h : f16
      %hs = llvm.fadd %hp, %h : f16
      %g = llvm.fpext %hs : f16 to f32
      %bf = llvm.fptrunc %g : f32 to bf16
      %bp = llvm.fmul %bf, %bf : bf16
      %bs = llvm.fadd %bp, %bf : bf16
      %o = llvm.fpext %bs : bf16 to f32
      llvm.store %o, %y : f32, !llvm.ptr
      llvm.return
    }
  })";

gpu::GPUModuleOp gpuModule(ModuleOp module) {
  return *module.getOps<gpu::GPUModuleOp>().begin();
}

TEST_F(PTXTest, EveryInstructionNamesItsRounding) {
  OwningOpRef<ModuleOp> module = parse(kArithmetic);
  for (const prec::GPUTarget &target : prec::gpuTargets()) {
    FailureOr<std::string> ptx =
        prec::translateToPTX(gpuModule(*module), target);
    ASSERT_TRUE(succeeded(ptx)) << errors.front();
    EXPECT_NE(ptx->find((".target " + target.chip).str()), std::string::npos);
    for (const char *expected :
         {"mul.rn.f32", "add.rn.f32", "sub.rn.f32", "div.rn.f32", "sqrt.rn.f32",
          "fma.rn.f32", "mul.rn.f64", "add.rn.f64", "div.rn.f64", "sqrt.rn.f64",
          "mul.rn.f16", "add.rn.f16", "ld.global.nc.v4", "st.global"})
      EXPECT_NE(ptx->find(expected), std::string::npos)
          << target.chip.str() << " " << expected;
    for (const char *unexpected : {".approx", ".ftz", ".full"})
      EXPECT_EQ(ptx->find(unexpected), std::string::npos)
          << target.chip.str() << " " << unexpected;
  }
}

size_t countOf(StringRef text, StringRef what) { return text.count(what); }

/// Kernels: two that share a variable, one with a loop between them, and two
/// that are long. `rest`: what else is in their module.
std::string manyKernels(StringRef rest = "") {
  std::string text = R"(
  gpu.module @kernels {
    llvm.mlir.global private constant @table(dense<[1.0, 2.0]> : tensor<2xf32>) {addr_space = 1 : i32} : !llvm.array<2 x f32>
    llvm.func @first(%x: !llvm.ptr, %i: i64) attributes {gpu.kernel, nvvm.kernel} {
      %t = llvm.mlir.addressof @table : !llvm.ptr<1>
      %a = llvm.getelementptr %t[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v = llvm.load %a : !llvm.ptr<1> -> f32
      llvm.store %v, %x : f32, !llvm.ptr
      llvm.return
    }
    llvm.func @loop(%x: !llvm.ptr, %n: i64) attributes {gpu.kernel, nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i64) : i64
      %one = llvm.mlir.constant(1 : i64) : i64
      llvm.br ^next(%zero : i64)
    ^next(%i: i64):
      %a = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %w = llvm.fmul %v, %v : f32
      llvm.store %w, %a : f32, !llvm.ptr
      %j = llvm.add %i, %one : i64
      %more = llvm.icmp "slt" %j, %n : i64
      llvm.cond_br %more, ^next(%j : i64), ^end
    ^end:
      llvm.return
    }
    llvm.func @last(%x: !llvm.ptr, %i: i64) attributes {gpu.kernel, nvvm.kernel} {
      %t = llvm.mlir.addressof @table : !llvm.ptr<1>
      %a = llvm.getelementptr %t[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v = llvm.load %a : !llvm.ptr<1> -> f32
      %w = llvm.fadd %v, %v : f32
      llvm.store %w, %x : f32, !llvm.ptr
      llvm.return
    })";
  for (StringRef name : {"long1", "long2"}) {
    text += "llvm.func @" + name.str() +
            "(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {\n"
            "  %v0 = llvm.load %x : !llvm.ptr -> f32\n";
    for (int i = 0; i < 600; ++i)
      text += llvm::formatv("  %v{0} = llvm.fmul %v{1}, %v0 : f32\n", i + 1, i);
    text += "  llvm.store %v600, %x : f32, !llvm.ptr\n  llvm.return\n}\n";
  }
  return text + rest.str() + "}";
}

TEST_F(PTXTest, KernelsAreCompiledSideBySide) {
  OwningOpRef<ModuleOp> module = parse(manyKernels());
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  };
  const std::string before = print();
  const prec::GPUTarget target = prec::gpuTargets()[0];
  FailureOr<std::string> ptx = prec::translateToPTX(gpuModule(*module), target);
  ASSERT_TRUE(succeeded(ptx)) << errors.front();
  EXPECT_EQ(print(), before);
  EXPECT_EQ(countOf(*ptx, ".version"), 1u);
  EXPECT_EQ(countOf(*ptx, ".address_size"), 1u);
  EXPECT_EQ(countOf(*ptx, " table[8] ="), 1u);
  size_t last = 0;
  for (StringRef name : {"first", "last", "long1", "loop", "long2"}) {
    const std::string entry = (".entry " + name + "(").str();
    EXPECT_EQ(countOf(*ptx, entry), 1u) << entry;
    EXPECT_GT(ptx->find(entry), last) << entry;
    last = ptx->find(entry);
  }
  // Without threads, and another time with them.
  context.disableMultithreading();
  EXPECT_EQ(*prec::translateToPTX(gpuModule(*module), target), *ptx);
  context.enableMultithreading();
  EXPECT_EQ(*prec::translateToPTX(gpuModule(*module), target), *ptx);
  // As one module.
  FailureOr<std::string> ir =
      prec::translateToGPUIR(gpuModule(*module), target);
  ASSERT_TRUE(succeeded(ir));
  for (StringRef name : {"first", "last", "long1", "loop", "long2"})
    EXPECT_EQ(countOf(*ir, ("void @" + name + "(").str()), 1u) << name.str();
  EXPECT_EQ(countOf(*ir, "target triple"), 1u);
}

TEST_F(PTXTest, UnknownMembersKeepKernelsTogether) {
  OwningOpRef<ModuleOp> module =
      parse(manyKernels("llvm.comdat @any { llvm.comdat_selector @c any }"));
  FailureOr<std::string> ptx =
      prec::translateToPTX(gpuModule(*module), prec::gpuTargets()[0]);
  ASSERT_TRUE(succeeded(ptx)) << errors.front();
  EXPECT_EQ(countOf(*ptx, ".entry"), 5u);
  EXPECT_LT(ptx->find(".entry loop("), ptx->find(".entry last("));
}

TEST_F(PTXTest, NoKernelsAreAHead) {
  OwningOpRef<ModuleOp> module = parse("gpu.module @kernels {}");
  FailureOr<std::string> ptx =
      prec::translateToPTX(gpuModule(*module), prec::gpuTargets()[0]);
  ASSERT_TRUE(succeeded(ptx));
  EXPECT_EQ(countOf(*ptx, ".version"), 1u);
  EXPECT_EQ(countOf(*ptx, ".entry"), 0u);
}

TEST_F(PTXTest, FindsWhatAnAssemblerMayContract) {
  for (const char *line :
       {"mul.f32 \t%f1, %f2, %f3;", "add.ftz.f32 %f1, %f2, %f3;",
        "@%p1 sub.f64 %d1, %d2, %d3;", "add.bf16x2 %r1, %r2, %r3;",
        "mul.f16 %h1, %h2, %h3;", "mad.f32 %f1, %f2, %f3, %f4;"})
    EXPECT_EQ(prec::findContractible((std::string("\tret;\n\t") + line + "\n")),
              line);
  for (const char *line :
       {"mul.rn.f32 %f1, %f2, %f3;", "mul.wide.u32 %rd1, %r1, 2;",
        "add.s64 %rd1, %rd2, %rd3;", "ex2.approx.f32 %f1, %f2;",
        "fma.rn.bf16x2 %r1, %r2, %r3, %r4;", "// mul.f32",
        "min.f32 %f1, %f2, %f3;", "cvt.rn.bf16.f32 %h1, %f1;",
        "div.full.f32 %f1, %f2, %f3;"})
    EXPECT_EQ(prec::findContractible(line), "") << line;
}

TEST_F(PTXTest, Targets) {
  Location loc = UnknownLoc::get(&context);
  EXPECT_TRUE(succeeded(prec::findGPUTarget("sm_90", loc)));
  EXPECT_TRUE(failed(prec::findGPUTarget("sm_70", loc)));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "unknown GPU 'sm_70'; known are sm_80, sm_86, sm_89, "
                       "sm_90, sm_100, sm_120");
}

TEST_F(PTXTest, Assembles) {
  OwningOpRef<ModuleOp> module = parse(kArithmetic);
  for (const prec::GPUTarget &target : prec::gpuTargets()) {
    FailureOr<std::string> ptx =
        prec::translateToPTX(gpuModule(*module), target);
    ASSERT_TRUE(succeeded(ptx));
    llvm::Expected<std::string> cubin = prec::assembleCubin(*ptx, target);
    if (!cubin) {
      std::string reason = toString(cubin.takeError());
      if (reason.find("install the CUDA toolkit") != std::string::npos)
        GTEST_SKIP() << reason;
      FAIL() << reason;
    }
    EXPECT_EQ(cubin->substr(0, 4), "\x7f"
                                   "ELF");
    llvm::Expected<std::string> fatbin = prec::assembleFatbin(*ptx, target);
    ASSERT_TRUE(bool(fatbin)) << toString(fatbin.takeError());
    EXPECT_GT(fatbin->size(), cubin->size() / 4);
  }
  EXPECT_NE(
      toString(
          prec::assembleCubin("nonsense", prec::gpuTargets()[0]).takeError())
          .find("ptxas failed: ptxas"),
      std::string::npos);
}

} // namespace
