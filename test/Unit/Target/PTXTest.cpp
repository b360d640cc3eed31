// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TargetTest.h"

#include "prec/Target/PTX/PTXTarget.h"

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
