// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels over symbols. That their expressions evaluate to what a run gives is
// tested with the formulas (FormulaTest.cpp); here is what they look like.
#include "Kernels.h"

using namespace prec;

namespace {
/// One thread: x, y (f32) and i (i32) in %f0, %f1, %r0; the result is %f9.
struct Kernel {
  std::vector<float> x{1, 2, 3, 4}, out = std::vector<float>(2);
  std::vector<int32_t> i{3};
  sym::Graph graph;
  std::string body, outside;

  explicit Kernel(std::string body, std::string outside = "")
      : body(std::move(body)), outside(std::move(outside)) {}

  Launch launch() {
    Launch l(
        std::string(".version 8.6\n.target sm_90\n.address_size 64\n") +
            outside +
            ".visible .entry k(.param .u64 px, .param .u64 pi, .param .u64 "
            "po) {\n.reg .b64 %x, %i, %o, %d<9>; .reg .b32 %r<9>; .reg .f32 "
            "%f<10>; .reg .b16 %h<9>; .reg .pred %p<9>; .local .align 4 .b8 "
            "l[16];\n"
            "ld.param.u64 %x, [px]; ld.param.u64 %i, [pi]; ld.param.u64 %o, "
            "[po]; ld.global.f32 %f0, [%x]; ld.global.f32 %f1, [%x+4]; "
            "ld.global.u32 %r0, [%i];\n" +
            body + "\nst.global.f32 [%o], %f9; ret;\n}\n",
        "k");
    l.shape(1, 1).in(x).in(i).out(out);
    l.options.instructionBudget = 100000;
    return l;
  }
  std::string text() {
    Launch l = launch();
    ptx::Diagnostic error;
    auto result = ptx::runSymbolic(l.module, l.description, l.inputs, l.outputs,
                                   {}, l.options, graph, error);
    if (!result)
      return std::to_string(error.location.line) + ": " + error.message;
    return graph.text(result->outputs.at("t2")[0]);
  }
  /// Its expression evaluates to what it computes, for several inputs.
  void check() {
    for (float a : {1.0f, -3.0f, 0.5f, 100.0f})
      for (float b : {2.0f, -0.0f, 0.25f}) {
        x[0] = a;
        x[1] = b;
        Launch l = launch();
        l.run();
        l.outputs.at("t2").shape = {1};
        l.checkSymbolic(1);
      }
  }
};
} // namespace

TEST(PTXSymbolic, Arithmetic) {
  EXPECT_EQ(Kernel("add.rn.f32 %f9, %f0, %f1;").text(),
            "add.f32(t0[0], t0[1])");
  EXPECT_EQ(Kernel("mul.f32 %f9, %f0, %f1;").text(),
            "mul.contractible.f32(t0[0], t0[1])");
  EXPECT_EQ(Kernel("fma.rn.ftz.f32 %f9, %f0, %f1, %f1;").text(),
            "flush.f32(fma.f32(flush.f32(t0[0]), flush.f32(t0[1]), "
            "flush.f32(t0[1])))");
  EXPECT_EQ(Kernel("div.full.f32 %f9, %f0, %f1;").text(),
            "div.full.f32(t0[0], t0[1])");
  EXPECT_EQ(Kernel("div.approx.f32 %f9, %f0, %f1;").text(),
            "div.approx.f32(t0[0], t0[1])");
  EXPECT_EQ(Kernel("rcp.approx.ftz.f32 %f9, %f0;").text(),
            "flush.f32(div.rcp.approx.f32(0x3f800000, flush.f32(t0[0])))");
  EXPECT_EQ(Kernel("cvt.rz.bf16.f32 %h0, %f0; cvt.f32.bf16 %f9, %h0;").text(),
            "convert.bf16.f32(convert.rz.f32.bf16(t0[0]))");
  // By halves and shifts, the same.
  EXPECT_EQ(Kernel("cvt.rz.bf16x2.f32 %r1, %f1, %f0; shl.b32 %r2, %r1, 16; "
                   "mov.b32 %f9, %r2;")
                .text(),
            "convert.bf16.f32(convert.rz.f32.bf16(t0[0]))");
  EXPECT_EQ(Kernel("mov.b32 %r1, %f0; xor.b32 %r1, %r1, 0x80000000; "
                   "mov.b32 %f9, %r1;")
                .text(),
            "neg(t0[0])");
  // A value narrower than its register is zero-extended when it is loaded.
  EXPECT_EQ(Kernel("ld.global.b16 %r1, [%x+2]; shl.b32 %r2, %r1, 16; "
                   "mov.b32 %f9, %r2;")
                .text(),
            "convert.bf16.f32(extract.16.16(t0[0]))");
  // A half that was never set does not spoil the other.
  EXPECT_EQ(Kernel("mov.b32 %r1, %f0; mov.b64 %d1, {%r1, %r7}; "
                   "mov.b64 {%r2, _}, %d1; mov.b32 %f9, %r2;")
                .text(),
            "t0[0]");
  // What does not depend on a symbol is a number.
  EXPECT_EQ(Kernel("mov.f32 %f2, 0f3F800000; add.rn.f32 %f9, %f2, %f2;").text(),
            "0x40000000");
}

TEST(PTXSymbolic, NodesKnowTheirLines) {
  Kernel k("add.rn.f32 %f2, %f0, %f1;\nmul.rn.f32 %f3, %f0, %f1;\n"
           "add.rn.f32 %f4, %f1, %f0;\nsub.rn.f32 %f9, %f3, %f4;");
  Launch l = k.launch();
  ptx::Diagnostic error;
  auto result = ptx::runSymbolic(l.module, l.description, l.inputs, l.outputs,
                                 {}, l.options, k.graph, error);
  ASSERT_TRUE(result);
  sym::Node difference = result->outputs.at("t2")[0];
  auto operands = k.graph[difference].operands;
  EXPECT_EQ(result->lines.at(difference), 10u);
  EXPECT_EQ(result->lines.at(operands[0]), 8u);
  // The same sum was built before.
  EXPECT_EQ(result->lines.at(operands[1]), 7u);
}

TEST(PTXSymbolic, IntegersStayConcrete) {
  EXPECT_EQ(
      Kernel("mad.wide.u32 %d0, %r0, 4, %x; ld.global.f32 %f9, [%d0];").text(),
      "t0[3]");
  EXPECT_EQ(Kernel("mov.f32 %f9, %f0;\nL: add.rn.f32 %f9, %f9, %f1; "
                   "sub.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;")
                .text(),
            "add.f32(t0[1], add.f32(t0[1], add.f32(t0[0], t0[1])))");
}

TEST(PTXSymbolic, Selections) {
  Kernel select("setp.lt.f32 %p0, %f0, %f1; selp.f32 %f9, %f0, %f1, %p0;");
  EXPECT_EQ(select.text(), "choice(compare.f32.1(t0[0], t0[1]), t0[0], t0[1])");
  Kernel guarded("setp.lt.f32 %p0, %f0, %f1; mov.f32 %f9, %f0; "
                 "@!%p0 add.rn.f32 %f9, %f1, %f1;");
  EXPECT_EQ(guarded.text(), "choice(compare.f32.1(t0[0], t0[1]), t0[0], "
                            "add.f32(t0[1], t0[1]))");
  guarded.check();
  Kernel both("setp.lt.f32 %p0, %f0, %f1; @%p0 mov.f32 %f9, %f0; "
              "@!%p0 mov.f32 %f9, %f1;");
  EXPECT_EQ(both.text(), select.text());
}

TEST(PTXSymbolic, EqualityOfBits) {
  Kernel same("mov.b32 %r1, %f0; mov.b32 %r2, %f1; xor.b32 %r1, %r1, %r2; "
              "setp.ne.b32 %p0, %r1, 0; selp.f32 %f9, %f0, 0f3F800000, %p0;");
  EXPECT_EQ(same.text(), "choice(equal(xor(t0[0], t0[1]), 0x00000000), "
                         "0x3f800000, t0[0])");
  same.check();
  // In any integer type; other orders have no operation of their own.
  Kernel narrow("mov.b32 {%h0, %h1}, %f0; mov.b32 {%h2, %h3}, %f1; "
                "setp.eq.s16 %p0, %h1, %h3; selp.f32 %f9, %f0, %f1, %p0;");
  EXPECT_EQ(narrow.text(), "choice(equal(extract.16.16(t0[0]), "
                           "extract.16.16(t0[1])), t0[0], t0[1])");
  narrow.check();
}

TEST(PTXSymbolic, LimitsOfMagnitudes) {
  Kernel limit("min.xorsign.abs.f32 %f9, %f0, 0f42b40000;");
  EXPECT_EQ(limit.text(), "copysign.f32(minnum.f32(0x42b40000, abs(t0[0])), "
                          "xor(t0[0], 0x42b40000))");
  limit.check();
}

TEST(PTXSymbolic, BranchesAreFollowedBothWays) {
  Kernel branch("setp.lt.f32 %p0, %f0, %f1; @%p0 bra THEN; "
                "mul.rn.f32 %f9, %f0, %f1; bra DONE;\nTHEN: "
                "add.rn.f32 %f9, %f0, %f1;\nDONE:");
  EXPECT_EQ(branch.text(), "choice(compare.f32.1(t0[0], t0[1]), "
                           "add.f32(t0[0], t0[1]), mul.f32(t0[0], t0[1]))");
  branch.check();
  // One within the other, with stores and a return.
  Kernel nested("setp.lt.f32 %p0, %f0, %f1; mov.f32 %f9, %f0; "
                "st.local.f32 [l], %f1; @%p0 bra A; neg.f32 %f9, %f9; "
                "setp.gt.f32 %p1, %f1, 0f00000000; @!%p1 bra A; "
                "add.rn.f32 %f9, %f9, %f1; st.local.f32 [l], %f9; "
                "setp.gt.f32 %p1, %f0, 0f41200000; @!%p1 bra A; "
                "st.global.f32 [%o], %f0; ret;\n"
                "A: ld.local.f32 %f2, [l]; add.rn.f32 %f9, %f9, %f2;");
  nested.check();
  // Calls too.
  Kernel loop("mov.f32 %f9, %f0; mov.u32 %r1, 0;\n"
              "L: setp.lt.f32 %p0, %f9, 0f3F800000; @%p0 bra DONE; "
              "mul.rn.f32 %f9, %f9, 0f3F000000; add.u32 %r1, %r1, 1; "
              "setp.lt.u32 %p1, %r1, 5; @%p1 bra L;\nDONE:");
  loop.check();
}

TEST(PTXSymbolic, WhatCanOnlyBeTested) {
  EXPECT_EQ(Kernel("cvt.rzi.u32.f32 %r1, %f0; mad.wide.u32 %d0, %r1, 4, %x; "
                   "ld.global.f32 %f9, [%d0];")
                .text(),
            "7: address that depends on data by thread (0, 0, 0) of block (0, "
            "0, 0) in instruction 'ld.global.f32'");
  EXPECT_EQ(Kernel("mov.f32 %f9, %f0;\nL: mul.rn.f32 %f9, %f9, %f1; "
                   "setp.lt.f32 %p0, %f9, %f0; @%p0 bra L;")
                .text(),
            "8: too many branches that depend on data: the last one taken by "
            "thread (0, 0, 0) of block (0, 0, 0) in instruction 'bra'");
  EXPECT_EQ(Kernel("setp.lt.f32 %p0, %f0, %f1; @%p0 bra A; bar.sync 0;\nA: "
                   "mov.f32 %f9, %f0;")
                .text(),
            "7: barrier under a condition that depends on data by thread (0, "
            "0, 0) of block (0, 0, 0) in instruction 'bar.sync'");
  EXPECT_EQ(Kernel("mov.f32 %f9, %f0; red.global.add.f32 [%o+4], %f0;").text(),
            "7: atomic operation on data by thread (0, 0, 0) of block (0, 0, "
            "0) in instruction 'red.global.add.f32'");
  EXPECT_EQ(Kernel("setp.lt.f32 %p0, %f0, %f1; "
                   "vote.sync.any.pred %p1, %p0, 1; mov.f32 %f9, %f0;")
                .text(),
            "7: control that depends on data by thread (0, 0, 0) of block (0, "
            "0, 0) in instruction 'vote.sync.any.pred'");
  // One message for each way in which the machine needs a number.
  const std::string by = " by thread (0, 0, 0) of block (0, 0, 0) in "
                         "instruction '";
  const std::string bits = "mov.f32 %f9, %f0; mov.b32 %r1, %f0;\n";
  const std::pair<const char *, const char *> cases[] = {
      {"add.cc.u32 %r2, %r1, %r1;", "carry that depends on data"},
      {"match.any.sync.b32 %r2, %r1, 1;", "match that depends on data"},
      {"redux.sync.add.u32 %r2, %r1, 1;", "reduction that depends on data"},
  };
  for (auto &[instruction, message] : cases) {
    std::string name = instruction;
    EXPECT_EQ(Kernel(bits + instruction).text(),
              "8: " + (message + by) + name.substr(0, name.find(' ')) + "'");
  }
  EXPECT_EQ(Kernel("mov.f32 %f9, %f0; call g, (%f0, %f1);",
                   ".func g(.reg .f32 %a, .reg .f32 %b) { .reg .pred %p; "
                   "setp.lt.f32 %p, %a, %b; @%p bra A; exit; A: ret; }\n")
                .text(),
            "4: exit that depends on data" + by + "exit'");
}
