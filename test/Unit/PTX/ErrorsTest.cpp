// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact text of what the decoder, the machine and the parser say, one case
// for each place that says it; the more common ones are in MachineTest and
// ParserTest.
#include "Kernels.h"

#include <cstdint>

namespace {
struct Case {
  const char *body;
  const char *message;
};

/// The error of a kernel with this body, its line left out.
std::string errorOf(const std::string &body, const std::string &outside = "",
                    int64_t threads = 64) {
  std::vector<uint32_t> out(64);
  Launch l(".version 8.6\n.target sm_100a\n.address_size 64\n" + outside +
               "\n.visible .entry k(.param .u64 po) {\n"
               ".reg .b64 %out, %d<9>; .reg .b32 %t, %r<9>; .reg .f32 %f<9>; "
               ".reg .b16 %h<9>; .reg .pred %p<9>; .shared .align 16 .b8 "
               "buffer[64];\n"
               "ld.param.u64 %out, [po]; mov.u32 %t, %tid.x;\n" +
               body + "\nret;\n}\n",
           "k");
  l.shape(1, threads).out(out);
  l.options.instructionBudget = 1000;
  std::string error = l.error();
  return error.substr(std::min(error.size(), error.find(": ") + 2));
}

/// ... in a decoder's message the instruction is named last.
void expectAll(const std::vector<Case> &cases) {
  for (const Case &c : cases) {
    std::string body = c.body;
    std::string name = body.substr(0, body.find(' '));
    std::string expected = std::string(c.message) + " in instruction '" +
                           name.substr(0, name.find(';')) + "'";
    EXPECT_EQ(errorOf(body), expected) << body;
  }
}
} // namespace

TEST(PTXErrors, ArithmeticForms) {
  expectAll({
      {"add.rn.s32 %r0, %r1, %r2;", "an integer instruction has no rounding"},
      {"max.xorsign.f32 %f0, %f1, %f2;", "expected '.abs' after '.xorsign'"},
      {"div.f32 %f0, %f1, %f2;", "expected either a rounding or '.approx'"},
      {"div.rn.approx.f32 %f0, %f1, %f2;",
       "expected either a rounding or '.approx'"},
      {"add.approx.f32 %f0, %f1, %f2;", "unsupported modifier '.approx'"},
      {"mad.f32 %f0, %f1, %f2, %f3;", "expected a rounding"},
      {"add.rni.f32 %f0, %f1, %f2;", "unexpected rounding"},
      {"add.rna.f32 %f0, %f1, %f2;", "unexpected rounding"},
      {"testp.f32 %p0, %f1;", "expected a test such as '.finite'"},
      {"tanh.approx.f64 %d0, %d1;", "unsupported type"},
      {"mul.wide.u64 %d0, %d1, %d2;", "unsupported type"},
      {"add.cc.lo.u32 %r0, %r1, %r2;", "expected '.lo' or '.hi' on mad only"},
      {"madc.u32 %r0, %r1, %r2, %r3;", "expected '.lo' or '.hi' on mad only"},
      {"add.cc.u16 %h0, %h1, %h2;", "unsupported type"},
      {"lop3.b32 %r0, %r1, %r2, %r3, 256;",
       "expected a constant table of 8 bits"},
      {"shf.l.b32 %r0, %r1, %r2, %r3;",
       "expected '.l' or '.r', and '.wrap' or '.clamp'"},
      {"and.u32 %r0, %r1, %r2;", "unsupported type"},
      {"dp2a.u32.u32 %r0, %r1, %r2, %r3;", "expected '.lo' or '.hi'"},
      {"bmsk.b32 %r0, %r1, %r2;", "expected '.clamp' or '.wrap'"},
      {"popc.f32 %r0, %f1;", "unsupported type"},
      {"slct.f32.u32 %f0, %f1, %f2, %r3;",
       "expected '.s32' or '.f32' as the selector's type"},
      {"setp.s32 %p0, %r1, %r2;", "expected a comparison such as '.eq'"},
      {"cvt.rn.f32.b32 %f0, %r1;", "unsupported type"},
      {"cvt.f16.f32 %h0, %f1;", "expected a rounding"},
      {"cvt.rn.s32.f32 %r0, %f1;", "unexpected rounding"},
      {"cvt.rni.bf16.f32 %h0, %f1;", "unexpected rounding"},
      {"cvta.param.u64 %d0, %d1;", "unsupported state space"},
      {"cvta.global.u32 %r0, %r1;", "unsupported type"},
      {"cvta.global.u64 %d0, buffer;", "'buffer' is in another state space"},
      {"mov.b32 {%r0, %r1, %r2}, %r3;", "unexpected vector"},
      {"mov.b32 %r3, {%r0};", "unexpected vector"},
      {"mov.pred %p0, !%p1;", "unexpected operand '!%p1'"},
  });
}

TEST(PTXErrors, MemoryForms) {
  expectAll({
      {"ld.global.pred %p0, [%out];", "unsupported type"},
      {"ld.global.v2.u32 %r0, [%out];", "expected a vector of registers"},
      {"st.global.v4.u32 [%out], {%r0, %r1};",
       "expected 4 registers but got 2"},
      {"red.global.u32 [%out], %r0;", "expected an operation such as '.add'"},
      {"red.const.add.u32 [%out], %r0;", "unsupported state space"},
      {"red.global.add.v2.f32 [%out], {%f0};",
       "expected 2 registers but got 1"},
      {"red.global.and.f32 [%out], %f0;", "unsupported type"},
      {"cp.reduce.bulk [%out], [%out];", "unsupported form"},
      {"cp.async.ca.shared.local [buffer], [%out], 4;", "unsupported form"},
      {"cp.async.ca.shared.global [buffer], [%out], 5;",
       "expected a size of 4, 8 or 16 bytes"},
      {"ldmatrix.sync.m8n8.x1.shared.b16 {%r0}, [buffer];", "unsupported form"},
      {"ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r0}, [buffer];",
       "unsupported shape"},
      {"ldmatrix.sync.aligned.m8n8.shared.b16 {%r0}, [buffer];",
       "expected '.x1', '.x2' or '.x4'"},
      {"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r0}, [buffer];",
       "unsupported state space"},
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b32 {%r0}, [buffer];",
       "unsupported type"},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [buffer];",
       "expected 2 registers but got 1"},
      {"mma.sync.aligned.m8n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, "
       "{%f1};",
       "unsupported shape"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f0}, {%r0}, "
       "{%r1}, {%f1};",
       "unsupported type"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, "
       "{%f1};",
       "expected 4 registers but got 1"},
  });
}

TEST(PTXErrors, ControlForms) {
  expectAll({
      {"bra 7;", "expected a label"},
      {"brx.x %r0, T;", "unsupported form"},
      {"call 7;", "expected a function"},
      {"call %d0, (%r0);", "unsupported indirect call"},
      {"bar.warp.arrive -1;", "unsupported form"},
      {"bar.arrive 0, 64;", "unsupported form"},
      {"bar.red.u32 %r0, 0, %p0;", "expected a mode such as '.popc'"},
      {"shfl.sync.b32 %r0, %t, 0, 31, -1;", "expected a mode such as '.up'"},
      {"vote.any.pred %p0, %p1;", "unsupported form"},
      {"vote.sync.ballot.pred %p0, %p1, -1;", "unsupported type"},
      {"match.any.b32 %r0, %r1, -1;", "unsupported form"},
      {"redux.sync.add.f32 %f0, %f1, -1;", "unsupported type"},
      {"elect.all %r0|%p0, -1;", "unsupported form"},
      {"elect.sync %r0, -1;", "expected two destinations"},
      {"createpolicy.fractional.L2::evict_first.b64;",
       "expected a destination"},
      {"trap 7;", "expected 0 operands but got 1"},
      {"bar.sync;", "expected 1 to 2 operands but got 0"},
  });
  EXPECT_EQ(errorOf("brx.idx %r0, T;"), "unknown list of branch targets 'T'");
  EXPECT_EQ(errorOf("T: .branchtargets A; T: .branchtargets A; A:"),
            "label 'T' is defined twice");
}

TEST(PTXErrors, Operands) {
  EXPECT_EQ(errorOf("add.s32 %r0, [%d1], %r2;"),
            "unexpected operand '[%d1]' in instruction 'add.s32'");
  EXPECT_EQ(errorOf("add.s32 %r0, x, %r2;"),
            "expected a register or a constant but got 'x' in instruction "
            "'add.s32'");
  EXPECT_EQ(errorOf("add.s32 %x, %r1, %r2;"), "unknown register '%x'");
  EXPECT_EQ(errorOf("ld.global.u32 %r0, %d1;"),
            "expected an address but got '%d1' in instruction "
            "'ld.global.u32'");
  EXPECT_EQ(errorOf("selp.b32 %r0, %r1, %r2, %r3;"),
            "expected a predicate register but '%r3' is a 32-bit one in "
            "instruction 'selp.b32'");
}

TEST(PTXErrors, Declarations) {
  EXPECT_EQ(errorOf(".reg .v2 .b32 %x;"),
            "register '%x' has unsupported type '.b32'");
  EXPECT_EQ(errorOf(".reg .b32 %x<1048576>;"), "too many registers");
  EXPECT_EQ(errorOf(".local .b8 x[99999999];"), "variable 'x' is too large");
  EXPECT_EQ(errorOf(".local .b8 x[4][4294967296][4294967296];"),
            "variable 'x' has an unsupported type or size");
  EXPECT_EQ(errorOf(".local .b8 x[4]; .local .b8 x[4];"),
            "'x' is declared twice");
  EXPECT_EQ(errorOf("", ".global .b8 x[2147483648];"),
            "variable 'x' is too large");
  const char *function = ".func (.reg .b32 %r) f(.param .b8 a[8]) { ret; }";
  EXPECT_EQ(errorOf("call (%r0), f, (%d0);", function),
            "expected a parameter variable for 'a'");
  EXPECT_EQ(errorOf(".param .b8 x[4]; call (%r0), f, (x);", function),
            "'x' has 4 bytes but 'a' has 8");
  EXPECT_EQ(errorOf(".param .b8 x[8]; call f, (x);", function),
            "function 'f' has 1 results but the call 0");
  EXPECT_EQ(errorOf("call f, (%d0);", ".func f(.param .b128 a) { ret; }"),
            "unsupported type of 'a'");
  Launch l(".version 8.0\n.target sm_90\n.address_size 32\n.visible .entry k() "
           "{ ret; }",
           "k");
  l.shape(1, 1);
  EXPECT_EQ(l.error(), "0: expected 64-bit addresses but got 32-bit ones");
}

//===----------------------------------------------------------------------===//
// While running
//===----------------------------------------------------------------------===//

TEST(PTXErrors, Barriers) {
  const std::string by = " by thread (0, 0, 0) of block (0, 0, 0) in "
                         "instruction '";
  EXPECT_EQ(errorOf("bar.sync %t;"),
            "barrier or thread count that differs within a warp by thread (1, "
            "0, 0) of block (0, 0, 0) in instruction 'bar.sync'");
  EXPECT_EQ(errorOf("bar.sync 16;"),
            "barrier 16, expected 0 to 15," + by + "bar.sync'");
  EXPECT_EQ(errorOf("bar.sync 0, 33;"),
            "barrier for 33 threads, expected a multiple of 32," + by +
                "bar.sync'");
  EXPECT_EQ(errorOf("bar.sync 0, 96;"),
            "barrier divergence: wait for threads that never come" + by +
                "bar.sync'");
  EXPECT_EQ(errorOf("add.u32 %r0, %t, 1; bar.warp.sync %r0;"),
            "member mask that differs within a warp by thread (1, 0, 0) of "
            "block (0, 0, 0) in instruction 'bar.warp.sync'");
}

TEST(PTXErrors, Branches) {
  EXPECT_EQ(errorOf("mov.u32 %r0, 2; T: .branchtargets A, A; brx.idx %r0, T; "
                    "A: ret;"),
            "branch index 2 of 2 targets by thread (0, 0, 0) of block (0, 0, "
            "0) in instruction 'brx.idx'");
  const std::string product =
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, "
      "{%r0, %r1}, {%r2}, {%f4, %f5, %f6, %f7};";
  EXPECT_EQ(errorOf(product, "", 16),
            "warp instruction with 16 of 32 threads by thread (0, 0, 0) of "
            "block (0, 0, 0) in instruction "
            "'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32'");
  EXPECT_EQ(errorOf("setp.lt.u32 %p0, %t, 7; @%p0 " + product),
            "barrier divergence: wait for threads that never come by thread "
            "(0, 0, 0) of block (0, 0, 0) in instruction "
            "'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32'");
}

TEST(PTXErrors, AsyncCopies) {
  EXPECT_EQ(errorOf("mov.u32 %r0, 8; cp.async.ca.shared.global [buffer], "
                    "[%out], 4, %r0;"),
            "source size 8 larger than the copy's 4 by thread (0, 0, 0) of "
            "block (0, 0, 0) in instruction 'cp.async.ca.shared.global'");
  EXPECT_EQ(errorOf("mov.u32 %r0, 0; cp.async.ca.shared.global [buffer], "
                    "[%out+2], 4, %r0;"),
            "misaligned read of 4 bytes at address 0x7f0000000002 ('t0' + 2) "
            "by thread (0, 0, 0) of block (0, 0, 0) in instruction "
            "'cp.async.ca.shared.global'");
}

TEST(PTXErrors, Tensors) {
  std::vector<uint32_t> x(4), y(3);
  auto launch = [&] {
    Launch l(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry "
             "k(.param .u64 p) .maxntid 32 { ret; }",
             "k");
    l.shape(1, 32);
    return l;
  };
  Launch twice = launch();
  twice.in(x);
  twice.outputs["t0"] = twice.inputs["t0"];
  EXPECT_EQ(twice.error(), "0: tensor 't0' is given twice");
  Launch none = launch();
  none.inOut(x);
  none.outputs.clear();
  EXPECT_EQ(none.error(), "0: tensor 't0' is worked on in place, but its "
                          "result 't0_out' is not given");
  Launch size = launch();
  size.inOut(x);
  size.outputs["t0_out"].shape = {3};
  EXPECT_EQ(size.error(),
            "0: tensor 't0' has 16 bytes but its result 't0_out' has 12");
  Launch expression = launch();
  expression.in(x);
  expression.kernel().grid[0] = prec::launch::Expression::name("n");
  EXPECT_EQ(expression.error(), "0: kernel 'k': grid: unknown name 'n'");
  Launch huge = launch();
  huge.in(x).shape(INT32_MAX, 32);
  EXPECT_EQ(huge.error(), "0: kernel 'k': more than 2^30 threads");
  Launch most = launch();
  most.in(x).shape(1, 64);
  EXPECT_EQ(most.error(), "0: kernel 'k': blocks of 64 threads, but the kernel "
                          "says .maxntid 32");
  Launch shared = launch();
  shared.in(x).kernel().dynamicShared = (1 << 20) + 1;
  EXPECT_EQ(shared.error(), "0: kernel 'k': dynamic_shared: expected 0 to "
                            "1048576 but got 1048577");
  Launch large = launch();
  large.in(x);
  large.description.temporaries.push_back({"w", "f32", {1 << 30, 1 << 10}});
  EXPECT_EQ(large.error(), "0: tensor 'w' is larger than 2^40 bytes");
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "its allocator ends the process";
#endif
#endif
  large.description.temporaries[0].shape = {1 << 30, 1 << 7};
  EXPECT_EQ(large.error(), "0: out of memory");
}

//===----------------------------------------------------------------------===//
// Before that
//===----------------------------------------------------------------------===//

TEST(PTXErrors, Syntax) {
  const std::string head = ".version 8.0\n.target sm_90\n";
  const std::string body = head + ".visible .entry k() {\n";
  const std::pair<std::string, const char *> cases[] = {
      {".version 8.0 x", "1:14: expected '.target' but got 'x'"},
      {".version 8.0\n.target ;", "2:9: expected a target but got ';'"},
      {head + ".address_size x", "3:15: expected an integer but got 'x'"},
      {head + ".address_size 65", "3:15: address size 65 is larger than 64"},
      {head + ".pragma 1;", "3:9: expected a string but got '1'"},
      {head + ".pragma \"x\"",
       "3:12: expected ';' but got the end of the file"},
      {head + ".section .x {",
       "3:14: expected '}' but got the end of the file"},
      {head + "x", "3:1: expected a directive but got 'x'"},
      {head + ".global x;", "3:9: expected a type but got 'x'"},
      {head + ".global .b32 ;", "3:14: expected a name but got ';'"},
      {head + ".global .b32 x",
       "3:15: expected ';' but got the end of the file"},
      {head + ".entry k(x)", "3:10: expected '.param' or '.reg' but got 'x'"},
      {head + ".entry (", "3:8: expected a name but got '('"},
      {head + ".entry k() .x", "3:12: unsupported directive '.x'"},
      {body + ".reg .b32 %r<1048577>;",
       "4:14: register count 1048577 is larger than 1048576"},
      {body + ".x 7;", "4:1: unsupported directive '.x'"},
      {body + "@7 ret;", "4:2: expected a predicate but got '7'"},
      {body + "ld.global.u32 %r0, [];",
       "4:21: expected an address but got ']' in instruction 'ld.global.u32'"},
  };
  for (auto &[text, message] : cases) {
    std::vector<prec::ptx::Diagnostic> diagnostics;
    EXPECT_FALSE(prec::ptx::parse(text, diagnostics));
    ASSERT_EQ(diagnostics.size(), 1u) << text;
    const auto &d = diagnostics[0];
    EXPECT_EQ(std::to_string(d.location.line) + ":" +
                  std::to_string(d.location.column) + ": " + d.message,
              message)
        << text;
  }
}
