// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TargetTest.h"

#include "prec/Target/Host/HostJIT.h"
#include "prec/Target/Host/HostTarget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using prec::HostJIT;

namespace {
using HostTest = TargetTest;

// y[0] = s * x[0] + 1 where a contraction would show: the product rounds.
constexpr const char *kScaled = R"(
  llvm.func @scaled(%x: !llvm.ptr, %s: f32, %y: !llvm.ptr, %n: i64) -> i32
      attributes {prec.checks = ["n is zero"]} {
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1.0 : f32) : f32
    %ok = llvm.mlir.constant(0 : i32) : i32
    %bad = llvm.mlir.constant(1 : i32) : i32
    %empty = llvm.icmp "eq" %n, %c0 : i64
    llvm.cond_br %empty, ^fail, ^run
  ^fail:
    llvm.return %bad : i32
  ^run:
    %a = llvm.load %x : !llvm.ptr -> f32
    %p = llvm.fmul %a, %s : f32
    %r = llvm.fsub %p, %c1 : f32
    llvm.store %r, %y : f32, !llvm.ptr
    llvm.return %ok : i32
  })";

TEST_F(HostTest, CallsByTheCABI) {
  OwningOpRef<ModuleOp> module = parse(kScaled);
  auto jit = HostJIT::compile(*module);
  ASSERT_TRUE(succeeded(jit));
  auto *scaled =
      (*jit)->lookupAs<int(const float *, float, float *, int64_t)>("scaled");
  ASSERT_NE(scaled, nullptr);
  float x = 0x1.000002p0f, y = 0;
  EXPECT_EQ(scaled(&x, x, &y, 1), 0);
  EXPECT_EQ(y, 0x1p-22f); // 0x1.0000020000002p-22 if contracted
  EXPECT_EQ(scaled(&x, x, &y, 0), 1);
  EXPECT_EQ((*jit)->message("scaled", 1), "n is zero");
  EXPECT_EQ((*jit)->message("scaled", 2), "status 2");
}

TEST_F(HostTest, CallsWithArgumentsCountedAtRunTime) {
  OwningOpRef<ModuleOp> module = parse(kScaled);
  auto jit = HostJIT::compile(*module);
  ASSERT_TRUE(succeeded(jit));
  float x = 3, s = 2, y = 0;
  uint64_t bits = 0;
  std::memcpy(&bits, &s, sizeof s);
  llvm::Expected<int> status =
      (*jit)->call("scaled", {HostJIT::slot(&x), bits, HostJIT::slot(&y),
                              HostJIT::slot(int64_t(1))});
  ASSERT_TRUE(bool(status));
  EXPECT_EQ(*status, 0);
  EXPECT_EQ(y, 5);
  EXPECT_EQ(toString((*jit)->call("other", {}).takeError()),
            "no function 'other'");
  EXPECT_EQ(toString((*jit)->call("scaled", {0}).takeError()),
            "expected 4 arguments of 'scaled' but got 1");
}

/// The assembly of a vector function for `cpu`.
std::string assemblyFor(ModuleOp module, StringRef cpu) {
  FailureOr<prec::HostModule> host = prec::HostModule::create(module, cpu);
  if (failed(host))
    return "failed";
  SmallVector<char, 0> text;
  EXPECT_TRUE(
      succeeded(prec::generateCode(module, *host->module, *host->machine,
                                   llvm::CodeGenFileType::AssemblyFile, text)));
  return std::string(text.begin(), text.end());
}

constexpr const char *kVector = R"(
  llvm.func @add(%x: !llvm.ptr, %y: !llvm.ptr) -> i32 {
    %ok = llvm.mlir.constant(0 : i32) : i32
    %a = llvm.load %x {alignment = 4} : !llvm.ptr -> vector<16xf32>
    %s = llvm.fadd %a, %a : vector<16xf32>
    %p = llvm.fmul %s, %a : vector<16xf32>
    %q = llvm.fadd %p, %a : vector<16xf32>
    %r = llvm.fptrunc %q : vector<16xf32> to vector<16xbf16>
    llvm.store %r, %y {alignment = 2} : vector<16xbf16>, !llvm.ptr
    llvm.return %ok : i32
  })";

TEST_F(HostTest, VectorsKeepTheWidthOfTheProcessor) {
  OwningOpRef<ModuleOp> module = parse(kVector);
  // icelake-server is tuned for 256-bit vectors; the kernel chose 512.
  for (StringRef cpu : {"icelake-server", "sapphirerapids", "znver5"}) {
    std::string text = assemblyFor(*module, cpu);
    EXPECT_NE(text.find("%zmm"), std::string::npos) << cpu.str();
    // The processor's own conversion to bf16 takes subnormals as zero.
    EXPECT_EQ(text.find("vcvtneps2bf16"), std::string::npos) << cpu.str();
    EXPECT_EQ(text.find("vfmadd"), std::string::npos) << cpu.str();
  }
  std::string avx2 = assemblyFor(*module, "x86-64-v3");
  EXPECT_NE(avx2.find("%ymm"), std::string::npos);
  EXPECT_EQ(avx2.find("%zmm"), std::string::npos);
  EXPECT_EQ(avx2.find("vfmadd"), std::string::npos);
}

TEST_F(HostTest, FusedMultiplyAddIsExactWithoutHardware) {
  OwningOpRef<ModuleOp> module = parse(R"(
    llvm.func @f(%x: !llvm.ptr, %y: !llvm.ptr) -> i32 {
      %ok = llvm.mlir.constant(0 : i32) : i32
      %minus1 = llvm.mlir.constant(-1.0 : f32) : f32
      %a = llvm.load %x : !llvm.ptr -> f32
      %r = llvm.intr.fma(%a, %a, %minus1) : (f32, f32, f32) -> f32
      llvm.store %r, %y : f32, !llvm.ptr
      llvm.return %ok : i32
    })");
  for (StringRef cpu : {"x86-64", "host"}) {
    auto jit = HostJIT::compile(*module, cpu);
    ASSERT_TRUE(succeeded(jit));
    auto *f = (*jit)->lookupAs<int(const float *, float *)>("f");
    float x = 0x1.000002p0f, y = 0;
    EXPECT_EQ(f(&x, &y), 0);
    EXPECT_EQ(y, 0x1.000001p-22f) << cpu.str();
  }
}

TEST_F(HostTest, CodeThatCannotBeLoaded) {
  OwningOpRef<ModuleOp> module = parse(R"(
    llvm.mlir.global external @prec_nowhere() : i32
    llvm.func @f() -> i32 {
      %p = llvm.mlir.addressof @prec_nowhere : !llvm.ptr
      %r = llvm.load %p : !llvm.ptr -> i32
      llvm.return %r : i32
    })");
  EXPECT_TRUE(failed(HostJIT::compile(*module)));
  ASSERT_EQ(errors.size(), 1u);
  // What comes next names the functions, in any order.
  StringRef text =
      "cannot load the compiled code: Failed to materialize symbols: {";
  EXPECT_EQ(errors.front().substr(0, text.size()), text);
}

TEST_F(HostTest, FunctionsWithoutStatedBitsAreErrors) {
  OwningOpRef<ModuleOp> module = parse(R"(
    llvm.func @f(%x: f32) -> f32 {
      %r = llvm.intr.exp(%x) : (f32) -> f32
      llvm.return %r : f32
    })");
  EXPECT_TRUE(failed(prec::translateToObject(*module, "host")));
  OwningOpRef<ModuleOp> call = parse(R"(
    llvm.func @tanhf(f32) -> f32
    llvm.func @f(%x: f32) -> f32 {
      %r = llvm.call @tanhf(%x) : (f32) -> f32
      llvm.return %r : f32
    })");
  EXPECT_TRUE(failed(prec::translateToObject(*call, "host")));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0],
            "expected a function with stated bits but got 'llvm.exp.f32'");
  EXPECT_EQ(errors[1], "expected a function with stated bits but got 'tanhf'");
}

// y[i] = 1 for each i of the range that the marks stand for. It gives %RESULT.
constexpr const char *kRange = R"(
  llvm.func @prec.parallel.begin(i64) -> i64
  llvm.func @prec.parallel.end(i64, i64) -> i64
  llvm.func @prec.parallel.done(i64)
  llvm.func @range(%y: !llvm.ptr, %n: i64) -> i32 {
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %begin = llvm.call @prec.parallel.begin(%n) : (i64) -> i64
    %end = llvm.call @prec.parallel.end(%begin, %n) : (i64, i64) -> i64
    %count = llvm.sub %end, %begin : i64
    llvm.br ^loop(%c0 : i64)
  ^loop(%i: i64):
    %more = llvm.icmp "slt" %i, %count : i64
    llvm.cond_br %more, ^body, ^after
  ^body:
    %at = llvm.add %i, %begin : i64
    %p = llvm.getelementptr %y[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %c1, %p : i64, !llvm.ptr
    %next = llvm.add %i, %c1 : i64
    llvm.br ^loop(%next : i64)
  ^after:
    llvm.call @prec.parallel.done(%begin) : (i64) -> ()
    %status = llvm.trunc %RESULT : i64 to i32
    llvm.return %status : i32
  })";

/// Runs kRange for 5 iterations, each of which is a range. Gives the status and
/// how many ranges ran.
std::pair<int, int> runRange(ModuleOp module) {
  static int ranges;
  ranges = 0;
  auto jit = HostJIT::compile(
      module, "host",
      +[](void (*body)(void *, int64_t, int64_t), void *data, int64_t count) {
        for (int64_t i = 0; i < count; ++i, ++ranges)
          body(data, i, i + 1);
      });
  if (failed(jit))
    return {-1, -1};
  int64_t y[6] = {};
  int status = (*jit)->lookupAs<int(int64_t *, int64_t)>("range")(y, 5);
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ(y[i], i < 5);
  return {status, ranges};
}

TEST_F(HostTest, WhatStandsBetweenMarksRunsInRanges) {
  std::string text = kRange;
  text.replace(text.find("%RESULT"), 7, "%c0");
  OwningOpRef<ModuleOp> module = parse(text);
  EXPECT_EQ(runRange(*module), std::pair(0, 5));
}

TEST_F(HostTest, RangesThatGiveValuesStay) {
  std::string text = kRange;
  text.replace(text.find("%RESULT"), 7, "%i");
  OwningOpRef<ModuleOp> module = parse(text);
  EXPECT_EQ(runRange(*module), std::pair(5, 0));
}

TEST_F(HostTest, ObjectFile) {
  OwningOpRef<ModuleOp> module = parse(kVector);
  FailureOr<std::string> object = prec::translateToObject(*module, "x86-64-v3");
  ASSERT_TRUE(succeeded(object));
  EXPECT_EQ(object->substr(0, 4), "\x7f"
                                  "ELF");
}

TEST_F(HostTest, UnknownProcessor) {
  OwningOpRef<ModuleOp> module = parse(kVector);
  EXPECT_TRUE(failed(prec::translateToObject(*module, "pentium9")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "unknown processor 'pentium9'");
}

} // namespace
