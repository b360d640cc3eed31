// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps, memory and control; the memory checker and other errors of a run.
#include "Snippet.h"

namespace {
std::vector<uint64_t> lanes() {
  std::vector<uint64_t> v(32);
  for (unsigned l = 0; l < 32; ++l)
    v[l] = l;
  return v;
}

/// A kernel with the given declarations and body; %t is the thread, [out] the
/// only tensor: 64 words of 32 bits, one block of `threads`.
struct Kernel {
  std::string body, outside;
  int64_t threads = 64, blocks = 1;
  std::vector<uint32_t> out = std::vector<uint32_t>(64);
  prec::ptx::RunReport report;

  explicit Kernel(std::string body, std::string outside = "")
      : body(std::move(body)), outside(std::move(outside)) {}

  std::string run(bool initialized = false) {
    Launch l(".version 8.6\n.target sm_90\n.address_size 64\n" + outside +
                 "\n.visible .entry k(.param .u64 po) {\n"
                 ".reg .b64 %out, %d<9>; .reg .b32 %t, %r<9>; .reg .f32 %f<9>; "
                 ".reg .b16 %h<9>; .reg .pred %p<9>;\n"
                 "ld.param.u64 %out, [po]; mov.u32 %t, %tid.x;\n" +
                 body + "\n}\n",
             "k");
    l.shape(blocks, threads).out(out);
    if (initialized)
      l.inputs["x"] = l.outputs["t0"];
    if (initialized)
      l.kernel().params[0].aliases = "t0", l.kernel().params[0].tensor = "x";
    l.options.instructionBudget = 100000;
    std::string error = l.error();
    report = l.report;
    return error;
  }
  void ok() { EXPECT_EQ(run(), ""); }
};

/// Stores %r0 to out[%t].
const char *store = "mad.wide.u32 %d0, %t, 4, %out; st.global.u32 [%d0], %r0; ";
} // namespace

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

TEST(PTXWarp, Shuffles) {
  auto run = [&](const std::string &mode, const std::string &b,
                 const std::string &c) {
    return Snippet("shfl.sync." + mode + ".b32 %r|%p, %ra, " + b + ", " + c +
                   ", -1; @!%p or.b32 %r, %r, 0x100;")
        .run(lanes());
  };
  auto up = run("up", "3", "0");
  EXPECT_EQ(up[2], 0x102u);
  EXPECT_EQ(up[3], 0u);
  auto down = run("down", "3", "31");
  EXPECT_EQ(down[28], 31u);
  EXPECT_EQ(down[29], 0x11du);
  EXPECT_EQ(run("bfly", "16", "31")[5], 21u);
  EXPECT_EQ(run("idx", "7", "31")[5], 7u);
  // Segments of 8: mask 0x18 in bits 8 to 12, clamp 0x1f (0 for up).
  auto segment = std::to_string(0x181f);
  EXPECT_EQ(run("idx", "10", segment)[20], 18u);
  EXPECT_EQ(run("down", "4", segment)[13], 0x10du);
  EXPECT_EQ(run("up", "4", std::to_string(0x1800))[19], 0x113u);
}

TEST(PTXWarp, VotesAndMatches) {
  auto in = lanes();
  Snippet ballot("setp.lt.u32 %p, %ra, 3; "
                 "vote.sync.ballot.b32 %r, %p, 0xffffffff;");
  EXPECT_EQ(ballot.run(in)[9], 7u);
  EXPECT_EQ(
      Snippet("setp.lt.u32 %q, %ra, 3; vote.sync.any.pred %p, %q, -1;", 'p')
          .run(in)[9],
      1u);
  EXPECT_EQ(
      Snippet("setp.lt.u32 %q, %ra, 3; vote.sync.all.pred %p, !%q, -1;", 'p')
          .run(in)[9],
      0u);
  EXPECT_EQ(Snippet("shr.u32 %y0, %ra, 3; match.any.sync.b32 %r, %y0, -1;")
                .run(in)[9],
            0xff00u);
  EXPECT_EQ(Snippet("match.all.sync.b32 %r|%p, %rb, -1;").run(in)[9], ~0u);
  EXPECT_EQ(Snippet("redux.sync.add.u32 %r, %ra, -1;").run(in)[9], 496u);
  EXPECT_EQ(Snippet("redux.sync.max.s32 %r, %ra, -1;").run(in)[9], 31u);
  EXPECT_EQ(Snippet("mov.u32 %r, %lanemask_lt;").run(in)[9], 0x1ffu);
  EXPECT_EQ(Snippet("setp.lt.u32 %p, %ra, 3; mov.u32 %r, 0; "
                    "@%p activemask.b32 %r;")
                .run(in)[1],
            7u);
}

TEST(PTXWarp, DivergenceAndReconvergence) {
  // An if in a loop; threads leave the loop one by one, then all shuffle.
  Snippet s("mov.u32 %r, 0; mov.u32 %y0, 0;\n"
            "LOOP: setp.ge.u32 %p, %y0, %ra; @%p bra DONE;\n"
            "and.b32 %y1, %y0, 1; setp.eq.u32 %q, %y1, 0; @%q bra EVEN;\n"
            "add.u32 %r, %r, 100; bra NEXT;\n"
            "EVEN: add.u32 %r, %r, 1;\n"
            "NEXT: add.u32 %y0, %y0, 1; bra.uni LOOP;\n"
            "DONE: shfl.sync.bfly.b32 %r, %r, 1, 31, -1;");
  auto out = s.run(lanes());
  auto value = [](unsigned n) { return (n + 1) / 2 + n / 2 * 100; };
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(out[l], value(l ^ 1));
}

TEST(PTXWarp, BlocksOutOfOrder) {
  // The join stands before the branches to it.
  Snippet s("setp.lt.u32 %p, %ra, 16; bra START;\n"
            "JOIN: shfl.sync.bfly.b32 %r, %y0, 16, 31, -1; bra END;\n"
            "START: @%p bra LOW; mov.u32 %y0, 7; bra JOIN;\n"
            "LOW: mov.u32 %y0, 9; bra JOIN;\nEND:");
  auto out = s.run(lanes());
  EXPECT_EQ(out[0], 7u);
  EXPECT_EQ(out[31], 9u);
}

TEST(PTXWarp, IndexedBranch) {
  Snippet s("and.b32 %y0, %ra, 3;\nT: .branchtargets A, B, C, A;\n"
            "brx.idx %y0, T;\nA: mov.u32 %r, 1; bra END;\n"
            "B: mov.u32 %r, 2; bra END;\nC: mov.u32 %r, 3;\nEND:");
  auto out = s.run(lanes());
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[1], 2u);
  EXPECT_EQ(out[2], 3u);
  EXPECT_EQ(out[3], 1u);
  EXPECT_EQ(Snippet("T: .branchtargets A, B;\nmov.u32 %r, 5; brx.idx %r, T;\n"
                    "A: B:")
                .error(),
            "8: branch index 5 of 2 targets by thread (0, 0, 0) of block (0, "
            "0, 0) in instruction 'brx.idx'");
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

TEST(PTXBlock, SharedMemoryAndBarriers) {
  Kernel k(std::string("mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; "
                       "st.shared.u32 [%r2], %t; bar.sync 0; "
                       "xor.b32 %r3, %t, 63; mad.lo.u32 %r2, %r3, 4, %r1; "
                       "ld.shared.u32 %r0, [%r2]; ") +
               store,
           ".shared .align 4 .b8 s[256];");
  k.ok();
  for (unsigned t = 0; t < 64; ++t)
    EXPECT_EQ(k.out[t], t ^ 63);
  EXPECT_EQ(k.report.kernels[0].counters.barriers, 1u);
}

TEST(PTXBlock, BarrierReductions) {
  Kernel k(std::string("setp.lt.u32 %p0, %t, 5; "
                       "bar.red.popc.u32 %r0, 0, %p0; "
                       "bar.red.or.pred %p1, 0, %p0; "
                       "bar.red.and.pred %p2, 0, !%p0; "
                       "@%p1 add.u32 %r0, %r0, 100; "
                       "@%p2 add.u32 %r0, %r0, 1000; ") +
           store);
  k.ok();
  EXPECT_EQ(k.out[63], 105u);
}

TEST(PTXBlock, AtomicsGenericAndModuleVariables) {
  Kernel k(std::string("mov.u64 %d1, counter; cvta.global.u64 %d1, %d1; "
                       "atom.add.u32 %r1, [%d1], 2; "
                       "mov.u64 %d2, s; cvta.shared.u64 %d2, %d2; "
                       "setp.ne.u32 %p0, %t, 0; @%p0 bra SKIP; "
                       "mov.u32 %r2, 0; st.u32 [%d2], %r2;\nSKIP: "
                       "bar.sync 0; red.add.u32 [%d2], %t; bar.sync 0; "
                       "ld.u32 %r3, [%d2]; ld.volatile.global.u32 %r4, "
                       "[counter]; add.u32 %r0, %r3, %r4; ") +
               store,
           ".global .align 4 .u32 counter = 5;\n.shared .align 4 .b32 s;");
  k.ok();
  EXPECT_EQ(k.out[0], 2016u + 5 + 128);
}

TEST(PTXBlock, InitialValues) {
  Kernel k(std::string("and.b32 %r1, %t, 3; mov.u64 %d1, tab; "
                       "mad.wide.u32 %d1, %r1, 4, %d1; "
                       "ld.const.f32 %f0, [%d1]; "
                       "ld.global.u64 %d2, [self]; ld.u8 %r2, [%d2+1]; "
                       "ld.global.u64 %d3, [self+8]; ld.global.u8 %r3, [%d3]; "
                       "cvt.rzi.u32.f32 %r0, %f0; mad.lo.u32 %r0, %r2, 100, "
                       "%r0; mad.lo.u32 %r0, %r3, 1000, %r0; ") +
               store,
           ".const .align 4 .f32 tab[4] = {0f3F800000, 2.0, 0f40400000};\n"
           ".global .align 4 .b8 scratch[16] = {1, 2, 3, 4};\n"
           ".global .align 8 .u64 self[2] = {generic(scratch), scratch+3};");
  k.ok();
  EXPECT_EQ(k.out[0], 4201u);
  EXPECT_EQ(k.out[1], 4202u);
  EXPECT_EQ(k.out[3], 4200u); // what is not given is zero
}

TEST(PTXBlock, AtomicOperations) {
  auto atom = [](const std::string &op, uint32_t initial, uint32_t b) {
    Kernel k("mov.u32 %r1, " + std::to_string(b) +
             "; setp.ne.u32 %p0, %t, 0; "
             "mov.u32 %r2, 77; mov.b32 %f1, %r1; "
             "@%p0 ret; st.global.u32 [%out+4], %r2; atom.global." +
             op + "; st.global.u32 [%out], %r3; ret;");
    k.outside = "";
    k.out[8] = initial;
    EXPECT_EQ(k.run(true), "") << op;
    EXPECT_EQ(k.out[0], initial) << op;
    return k.out[8];
  };
  EXPECT_EQ(atom("add.u32 %r3, [%out+32], %r1", 3, 4), 7u);
  EXPECT_EQ(atom("min.s32 %r3, [%out+32], %r1", 3, ~0u), ~0u);
  EXPECT_EQ(atom("max.u32 %r3, [%out+32], %r1", 3, 4), 4u);
  EXPECT_EQ(atom("and.b32 %r3, [%out+32], %r1", 6, 3), 2u);
  EXPECT_EQ(atom("or.b32 %r3, [%out+32], %r1", 6, 3), 7u);
  EXPECT_EQ(atom("xor.b32 %r3, [%out+32], %r1", 6, 3), 5u);
  EXPECT_EQ(atom("exch.b32 %r3, [%out+32], %r1", 6, 3), 3u);
  EXPECT_EQ(atom("cas.b32 %r3, [%out+32], %r1, %r2", 6, 6), 77u);
  EXPECT_EQ(atom("cas.b32 %r3, [%out+32], %r1, %r2", 6, 5), 6u);
  EXPECT_EQ(atom("inc.u32 %r3, [%out+32], %r1", 6, 6), 0u);
  EXPECT_EQ(atom("dec.u32 %r3, [%out+32], %r1", 0, 6), 6u);
  EXPECT_EQ(atom("add.f32 %r3, [%out+32], %f1", 0x3f800000, 0x3f800000),
            0x40000000u);
  EXPECT_EQ(
      atom("add.noftz.bf16x2 %r3, [%out+32], %r1", 0x3f803f80, 0x3f804000),
      0x40004040u);
}

TEST(PTXBlock, CallsAndLocalMemory) {
  Kernel k(std::string("cvt.rn.f32.u32 %f1, %t; "
                       "{ .param .b32 a; .param .align 8 .b8 r[8]; "
                       "st.param.f32 [a], %f1; call (r), pair, (a); "
                       "ld.param.v2.f32 {%f2, %f3}, [r]; } "
                       "call (%f4), twice, (%f3); add.f32 %f2, %f2, %f4; "
                       "cvt.rzi.u32.f32 %r0, %f2; ") +
               store,
           ".func (.reg .f32 %y) twice(.reg .f32 %x) { .local .f32 l; "
           ".reg .b64 %a; .reg .f32 %v; add.f32 %v, %x, %x; mov.u64 %a, l; "
           "st.local.f32 [%a], %v; cvta.local.u64 %a, %a; ld.f32 %y, [%a]; "
           "ret; }\n"
           ".func (.param .align 8 .b8 r[8]) pair(.param .b32 a) {\n"
           ".reg .f32 %v<3>; .reg .pred %p; ld.param.f32 %v0, [a];\n"
           "setp.gt.f32 %p, %v0, 0f41200000; @%p bra BIG;\n"
           "add.f32 %v1, %v0, 0f3F800000; st.param.v2.f32 [r], {%v0, %v1}; "
           "ret;\nBIG: mov.f32 %v1, 0f00000000; call (%v1), twice, (%v0); "
           "st.param.v2.f32 [r], {%v0, %v1}; ret; }");
  k.ok();
  EXPECT_EQ(k.out[3], 3u + 2 * 4);
  EXPECT_EQ(k.out[20], 20u + 2 * 40);
}

TEST(PTXBlock, Recursion) {
  Kernel k(std::string("min.u32 %r1, %t, 20; call (%r0), fib, (%r1); ") + store,
           ".func (.reg .b32 %y) fib(.reg .b32 %n);\n"
           ".func (.reg .b32 %y) fib(.reg .b32 %n) { .reg .b32 %a, %b, %m; "
           ".reg .pred %p; mov.u32 %y, %n; setp.lt.u32 %p, %n, 2; @%p ret; "
           "sub.u32 %m, %n, 1; call (%a), fib, (%m); sub.u32 %m, %n, 2; "
           "call (%b), fib, (%m); add.u32 %y, %a, %b; ret; }");
  k.threads = 12;
  k.ok();
  EXPECT_EQ(k.out[10], 55u);
  EXPECT_EQ(k.out[11], 89u);
}

TEST(PTXBlock, AsyncCopyAndMatrices) {
  // 16 bytes a thread to shared memory, then a transposed 8x8 matrix.
  Kernel k("mov.u32 %r1, s; setp.ge.u32 %p0, %t, 8; @%p0 bra LOADED; "
           "mad.lo.u32 %r2, %t, 16, %r1; mad.wide.u32 %d1, %t, 16, %out; "
           "cp.async.ca.shared.global [%r2], [%d1], 16; "
           "cp.async.commit_group; cp.async.wait_group 0;\nLOADED: "
           "bar.warp.sync -1; and.b32 %r3, %t, 7; mad.lo.u32 %r2, %r3, 16, "
           "%r1; ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r0}, [%r2]; "
           "mad.wide.u32 %d0, %t, 4, %out; st.global.u32 [%d0+128], %r0; ret;",
           ".shared .align 16 .b8 s[128];");
  k.threads = 32;
  for (unsigned e = 0; e < 64; e += 2)
    k.out[e / 2] = (e + 1) << 16 | e;
  EXPECT_EQ(k.run(true), "");
  // Thread l holds rows 2(l % 4) and the next of column l / 4.
  for (unsigned l = 0; l < 32; ++l) {
    unsigned row = l % 4 * 2, column = l / 4;
    EXPECT_EQ(k.out[32 + l],
              ((row + 1) * 8 + column) << 16 | (row * 8 + column));
  }
}

//===----------------------------------------------------------------------===//
// The memory checker
//===----------------------------------------------------------------------===//

TEST(PTXChecker, OutOfBoundsAndMisaligned) {
  EXPECT_EQ(Kernel("ld.global.u32 %r0, [%out+256]; ret;").run(true),
            "8: out-of-bounds read of 4 bytes at address 0x7f0000000100 (0 "
            "bytes behind the end of 't0', 256 bytes) by thread (0, 0, 0) of "
            "block (0, 0, 0) in instruction 'ld.global.u32'");
  EXPECT_EQ(Kernel("mad.wide.u32 %d0, %t, 4, %out; mov.u32 %r0, 1;\n"
                   "st.global.u32 [%d0+4], %r0; ret;")
                .run(),
            "9: out-of-bounds write of 4 bytes at address 0x7f0000000100 (0 "
            "bytes behind the end of 't0', 256 bytes) by thread (63, 0, 0) of "
            "block (0, 0, 0) in instruction 'st.global.u32'");
  EXPECT_EQ(Kernel("ld.global.v2.u32 {%r0, %r1}, [%out+4]; ret;").run(true),
            "8: misaligned read of 8 bytes at address 0x7f0000000004 ('t0' + "
            "4) by thread (0, 0, 0) of block (0, 0, 0) in instruction "
            "'ld.global.v2.u32'");
  EXPECT_EQ(Kernel("mov.u64 %d0, 0; ld.u32 %r0, [%d0]; ret;").run(),
            "8: out-of-bounds read of 4 bytes at address 0x0 by thread (0, 0, "
            "0) of block (0, 0, 0) in instruction 'ld.u32'");
  EXPECT_EQ(Kernel("mov.u32 %r1, s; ld.shared.u32 %r0, [%r1+8]; ret;",
                   ".shared .align 16 .b8 s[16];")
                .run()
                .substr(0, 60),
            "8: uninitialised read of 4 bytes at shared address 0x408 by ");
  EXPECT_EQ(Kernel("mov.u32 %r1, s; ld.shared.u32 %r0, [%r1+16]; ret;",
                   ".shared .align 16 .b8 s[16];")
                .run()
                .substr(0, 52),
            "8: out-of-bounds read of 4 bytes at shared address 0");
}

TEST(PTXChecker, Uninitialised) {
  EXPECT_EQ(Kernel("add.u32 %r0, %r1, 1; ret;").run(),
            "8: read of uninitialised register '%r1' by thread (0, 0, 0) of "
            "block (0, 0, 0) in instruction 'add.u32'");
  EXPECT_EQ(Kernel("ld.global.u32 %r0, [%out+8]; ret;").run(),
            "8: uninitialised read of 4 bytes at address 0x7f0000000008 ('t0' "
            "+ 8) by thread (0, 0, 0) of block (0, 0, 0) in instruction "
            "'ld.global.u32'");
  EXPECT_EQ(Kernel(".local .u32 l; ld.local.u32 %r0, [l]; ret;").run(),
            "8: uninitialised read of 4 bytes at local address 0x100 by thread "
            "(0, 0, 0) of block (0, 0, 0) in instruction 'ld.local.u32'");
  // Moving what is not there is no fault, as after inlining by a compiler.
  EXPECT_EQ(Kernel("mov.u32 %r0, %r1; ret;").run(), "");
  // Nor is a pair with one half that is never set.
  const std::string pair = "mov.u32 %r0, 1; mov.b64 %d0, {%r0, %r1}; "
                           "mov.b64 %d1, %d0; ";
  EXPECT_EQ(
      Kernel(pair + "mov.b64 {%r2, %r3}, %d1; add.u32 %r2, %r2, 1; ret;").run(),
      "");
  EXPECT_EQ(Kernel(pair + "and.b64 %d2, %d1, 0xffffffff; add.u64 %d2, %d2, 1; "
                          "ret;")
                .run(),
            "");
  const std::string halves = "cvt.u16.u32 %h0, %tid.x; mov.b32 %r0, {%h0, %h1};"
                             " add.rn.f16x2 %r1, %r0, %r0; ";
  EXPECT_EQ(
      Kernel(halves + "mov.b32 {%h2, %h3}, %r1; add.f16 %h2, %h2, %h2; ret;")
          .run(),
      "");
  // Using that half is.
  EXPECT_EQ(
      Kernel(pair + "mov.b64 {%r2, %r3}, %d1; add.u32 %r2, %r3, 1; ret;").run(),
      "8: read of uninitialised register '%r3' by thread (0, 0, 0) of "
      "block (0, 0, 0) in instruction 'add.u32'");
  EXPECT_EQ(
      Kernel(pair + "add.u64 %d2, %d1, 1; ret;").run(),
      "8: read of uninitialised bits 32 to 63 of register '%d1' by thread "
      "(0, 0, 0) of block (0, 0, 0) in instruction 'add.u64'");
  EXPECT_EQ(
      Kernel(halves + "mov.b32 {%h2, %h3}, %r1; add.f16 %h2, %h3, %h3; ret;")
          .run(),
      "8: read of uninitialised register '%h3' by thread (0, 0, 0) of block "
      "(0, "
      "0, 0) in instruction 'add.f16'");
  EXPECT_EQ(
      Kernel(halves + "st.global.u32 [%out], %r1; ret;").run(),
      "8: read of uninitialised bits 16 to 31 of register '%r1' by thread "
      "(0, 0, 0) of block (0, 0, 0) in instruction 'st.global.u32'");
  EXPECT_EQ(
      Kernel(halves + "shr.u32 %r2, %r1, 8; cvt.rn.f32.u32 %r3, %r2; ret;")
          .run(),
      "8: read of uninitialised bits 8 to 23 of register '%r2' by thread "
      "(0, 0, 0) of block (0, 0, 0) in instruction 'cvt.rn.f32.u32'");
  // A register that has all of its bits again.
  EXPECT_EQ(
      Kernel(halves + "mov.u32 %r1, 0; st.global.u32 [%out], %r1; ret;").run(),
      "");
}

TEST(PTXChecker, ReadOnly) {
  std::vector<uint32_t> x(4);
  Launch l(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry "
           "k(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p];\n"
           "st.global.u32 [%d], 1; ret; }",
           "k");
  l.shape(1, 1).in(x);
  EXPECT_EQ(l.error(), "5: read-only memory: write of 4 bytes at address "
                       "0x7f0000000000 ('t0' + 0) by thread (0, 0, 0) of "
                       "block (0, 0, 0) in instruction 'st.global.u32'");
}

TEST(PTXChecker, Races) {
  std::string shared = ".shared .align 4 .b8 s[256];";
  std::string own = "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; "
                    "xor.b32 %r3, %t, 63; mad.lo.u32 %r3, %r3, 4, %r1; ";
  EXPECT_EQ(Kernel(own + "add.u32 %r4, %t, 1; st.shared.u32 [%r2], %r4;\n"
                         "ld.shared.u32 %r0, [%r3]; ret;",
                   shared)
                .run(),
            // Warp 0 runs first, so it is warp 1 that comes too late: what
            // warp 0 reads is not there yet.
            "9: uninitialised read of 4 bytes at shared address 0x4fc by "
            "thread (0, 0, 0) of block (0, 0, 0) in instruction "
            "'ld.shared.u32'");
  std::string zero = "st.shared.u32 [%r2], 0; bar.sync 0; ";
  EXPECT_EQ(Kernel(own + zero +
                       "add.u32 %r4, %t, 1; setp.ge.u32 %p0, %t, 32; "
                       "@!%p0 ld.shared.u32 %r0, [%r3];\n"
                       "@%p0 st.shared.u32 [%r2], %r4; ret;",
                   shared)
                .run(),
            "9: race: write of 4 bytes at shared address 0x480, which thread "
            "(31, 0, 0) of block (0, 0, 0) accessed with no barrier between, "
            "by thread (32, 0, 0) of block (0, 0, 0) in instruction "
            "'st.shared.u32'");
  EXPECT_EQ(Kernel(own + zero +
                       "add.u32 %r4, %t, 1; setp.lt.u32 %p0, %t, 32; "
                       "@%p0 st.shared.u32 [%r2], %r4;\n"
                       "@!%p0 ld.shared.u32 %r0, [%r3]; ret;",
                   shared)
                .run()
                .substr(0, 61),
            "9: race: read of 4 bytes at shared address 0x47c, which threa");
  // With the barrier there is none.
  EXPECT_EQ(Kernel(own + zero +
                       "add.u32 %r4, %t, 1; ld.shared.u32 %r0, [%r3]; "
                       "bar.sync 0; st.shared.u32 [%r2], %r4; ret;",
                   shared)
                .run(),
            "");
  // Storing what is there already decides nothing.
  EXPECT_EQ(Kernel(own + zero + "st.shared.u32 [%r1], 0; ret;", shared).run(),
            "");
  // Threads of two blocks store different values to one place.
  Kernel blocks("mov.u32 %r0, %ctaid.x;\nst.global.u32 [%out], %r0; ret;");
  blocks.threads = 1;
  blocks.blocks = 2;
  EXPECT_EQ(blocks.run(),
            "9: race: write of 4 bytes at address 0x7f0000000000 ('t0' + 0), "
            "which thread (0, 0, 0) of block (0, 0, 0) accessed with no "
            "barrier between, by thread (0, 0, 0) of block (1, 0, 0) in "
            "instruction 'st.global.u32'");
  // One instruction, two lanes, two values.
  EXPECT_EQ(Kernel("st.global.u32 [%out], %t; ret;").run().substr(0, 46),
            "8: race: write of 4 bytes at address 0x7f00000");
}

TEST(PTXChecker, WarpSynchronizationOrders) {
  std::string shared = ".shared .align 4 .b8 s[256];";
  std::string start = "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; "
                      "xor.b32 %r3, %t, 1; mad.lo.u32 %r3, %r3, 4, %r1; "
                      "add.u32 %r4, %t, 1; st.shared.u32 [%r2], %r4;\n";
  EXPECT_EQ(Kernel(start + "bar.warp.sync -1; ld.shared.u32 %r0, [%r3]; "
                           "bar.warp.sync -1; st.shared.u32 [%r2], 9; ret;",
                   shared)
                .run(),
            "");
  EXPECT_EQ(
      Kernel(start + "ld.shared.u32 %r0, [%r3]; ret;", shared).run(),
      "9: race: read of 4 bytes at shared address 0x404, which thread (1, 0, "
      "0) of block (0, 0, 0) wrote with no barrier between, by thread (0, 0, "
      "0) of block (0, 0, 0) in instruction 'ld.shared.u32'");
}

TEST(PTXChecker, BarrierDivergence) {
  EXPECT_EQ(
      Kernel("setp.lt.u32 %p0, %t, 32; @%p0 bra A;\nbar.sync 1; ret;\nA:\n"
             "bar.sync 0; ret;")
          .run(),
      "11: barrier divergence: wait that thread (32, 0, 0) of block (0, 0, 0) "
      "does not join, which waits in 'bar.sync' at line 9, by thread (0, 0, 0) "
      "of block (0, 0, 0) in instruction 'bar.sync'");
  EXPECT_EQ(Kernel("setp.lt.u32 %p0, %t, 7; @%p0 bra A;\n"
                   "shfl.sync.idx.b32 %r0, %t, 0, 31, -1; ret;\nA:\n"
                   "bar.sync 0; ret;")
                .run()
                .substr(0, 109),
            "9: barrier divergence: wait that thread (0, 0, 0) of block (0, 0, "
            "0) does not join, which waits in 'bar.sync'");
  EXPECT_EQ(Kernel("setp.lt.u32 %p0, %t, 7;\n"
                   "@%p0 shfl.sync.idx.b32 %r0, %t, 9, 31, 0x7f; ret;")
                .run(),
            "9: shuffle from lane 9, which does not take part, by thread (0, "
            "0, 0) of block (0, 0, 0) in instruction 'shfl.sync.idx.b32'");
  EXPECT_EQ(Kernel("shfl.sync.idx.b32 %r0, %t, 0, 31, 1; ret;").run(),
            "8: member mask without the executing thread by thread (1, 0, 0) "
            "of block (0, 0, 0) in instruction 'shfl.sync.idx.b32'");
}

TEST(PTXChecker, InstructionBudget) {
  EXPECT_EQ(Kernel("L: bra L;").run(),
            "8: instruction budget of 100000 instructions exhausted by thread "
            "(0, 0, 0) of block (0, 0, 0) in instruction 'bra'");
  EXPECT_EQ(Kernel("call f; ret;", ".func f() { call f; ret; }").run(),
            "4: call nested deeper than 200 by thread (0, 0, 0) of block (0, "
            "0, 0) in instruction 'call'");
  EXPECT_EQ(Kernel("trap;").run(), "8: trap by thread (0, 0, 0) of block (0, "
                                   "0, 0) in instruction 'trap'");
}

//===----------------------------------------------------------------------===//
// Errors before the run
//===----------------------------------------------------------------------===//

TEST(PTXErrors, Instructions) {
  auto error = [](const std::string &body) { return Kernel(body).run(); };
  EXPECT_EQ(error("wgmma.fence.sync.aligned;"),
            "8: unsupported instruction 'wgmma.fence.sync.aligned'");
  EXPECT_EQ(error("add.s32.sat %r0, %r1, %r2, %r3;"),
            "8: expected 3 operands but got 4 in instruction 'add.s32.sat'");
  EXPECT_EQ(error("add.foo.s32 %r0, %r1, %r2;"),
            "8: unsupported modifier '.foo' in instruction 'add.foo.s32'");
  EXPECT_EQ(error("add.s33 %r0, %r1, %r2;"),
            "8: expected a type that the evaluator knows in instruction "
            "'add.s33'");
  EXPECT_EQ(error("add.s32 %r0, %d1, %r2;"),
            "8: expected a 32-bit register but '%d1' is a 64-bit one in "
            "instruction 'add.s32'");
  EXPECT_EQ(error("add.s32 %r0, %x, %r2;"), "8: unknown register '%x'");
  EXPECT_EQ(error("add.s32 %r0, 0f3F800000, %r2;"),
            "8: unexpected operand '0f3F800000' in instruction 'add.s32'");
  EXPECT_EQ(error("add.s32 7, %r1, %r2;"),
            "8: expected a register as destination but got '7' in instruction "
            "'add.s32'");
  EXPECT_EQ(error("fma.f32 %f0, %f1, %f2, %f3;"),
            "8: expected a rounding in instruction 'fma.f32'");
  EXPECT_EQ(error("fma.rz.bf16 %h0, %h1, %h2, %h3;"),
            "8: unexpected rounding in instruction 'fma.rz.bf16'");
  EXPECT_EQ(error("cvt.bf16.f32 %h0, %f1;"),
            "8: expected a rounding in instruction 'cvt.bf16.f32'");
  EXPECT_EQ(error("ex2.f32 %f0, %f1;"),
            "8: expected either a rounding or '.approx' in instruction "
            "'ex2.f32'");
  EXPECT_EQ(error("mul.s32 %r0, %r1, %r2;"),
            "8: expected '.lo', '.hi' or '.wide' in instruction 'mul.s32'");
  EXPECT_EQ(error("bra NOWHERE;"), "8: unknown label 'NOWHERE'");
  EXPECT_EQ(error("L: L: ret;"), "8: label 'L' is defined twice");
  EXPECT_EQ(error(".reg .b32 %x; .reg .b32 %x;"), "8: '%x' is declared twice");
  EXPECT_EQ(error("ld.shared.u32 %r0, [po];"),
            "8: 'po' is not in the state space of 'ld.shared.u32'");
  EXPECT_EQ(error("ld.global.u32 %r0, [nothing];"),
            "8: unknown symbol 'nothing'");
  EXPECT_EQ(error("ld.global.u32 %r0, [%r1];"),
            "8: expected a 64-bit address but '%r1' is a 32-bit register");
  EXPECT_EQ(error("ld.global.v2.u32 {%r0, %r1, %r2}, [%d1];"),
            "8: expected 2 registers but got 3 in instruction "
            "'ld.global.v2.u32'");
  EXPECT_EQ(error("call f;"), "8: unknown function 'f'");
  EXPECT_EQ(error("shfl.idx.b32 %r0, %t, 0, 31;"),
            "8: unsupported form in instruction 'shfl.idx.b32'");
  EXPECT_EQ(error("mov.u64 %d0, %clock64;"), "8: unknown register '%clock64'");
  auto outside = [](const std::string &variable) {
    return Kernel("ret;", variable).run();
  };
  EXPECT_EQ(outside(".extern .global .b32 x;"),
            "4: variable 'x' is external: nothing defines it");
  EXPECT_EQ(outside(".global .b8 x[1] = {1, 2};"),
            "4: too many initial values for 'x'");
  EXPECT_EQ(outside(".global .u64 x = nothing;"),
            "4: unknown symbol 'nothing'");
  EXPECT_EQ(outside(".shared .b32 x = 1;"),
            "4: shared variable 'x' has an initial value");
  EXPECT_EQ(outside(".shared .b8 x[99999999];"),
            "4: shared memory is larger than 1 MiB");
  EXPECT_EQ(outside(".global .b128 x;"),
            "4: variable 'x' has an unsupported type or size");
  EXPECT_EQ(Kernel("call f; ret;", ".func f();").run(),
            "8: function 'f' is declared but not defined");
  EXPECT_EQ(Kernel("call f, (%r0); ret;", ".func f() { ret; }").run(),
            "8: function 'f' has 0 parameters but the call 1");
}

TEST(PTXErrors, Launches) {
  std::vector<uint32_t> x(4);
  auto launch = [&](const std::string &params = ".param .u64 p") {
    Launch l(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry "
             "k(" +
                 params + ") .reqntid 32 { ret; }",
             "k");
    l.shape(1, 32);
    return l;
  };
  auto l = launch();
  l.kernel().entry = "other";
  EXPECT_EQ(l.error(), "0: no kernel 'other' in the module");
  EXPECT_EQ(launch().error(), "0: kernel 'k' has 1 parameters but the launch "
                              "description 0");
  EXPECT_EQ(launch().scalar("i32", "1").error(),
            "0: parameter 0 of kernel 'k' has 8 bytes but the launch "
            "description gives 4");
  EXPECT_EQ(launch().scalar("i64", "n").error(),
            "0: parameter 0 of kernel 'k': unknown name 'n'");
  EXPECT_EQ(launch().null().shape(1, 64).error(),
            "0: kernel 'k': blocks of 64 threads, but the kernel says .reqntid "
            "32");
  EXPECT_EQ(launch().null().shape(1, 2000).error(),
            "0: kernel 'k': block: expected 0 to 1024 but got 2000");
  EXPECT_EQ(launch().null().shape(-1, 32).error(),
            "0: kernel 'k': grid: expected 0 to 2147483647 but got -1");
  auto wide = launch();
  wide.null().shape(1, 1024);
  wide.kernel().block[1] = 2;
  EXPECT_EQ(wide.error(), "0: kernel 'k': expected blocks of 1 to 1024 threads "
                          "but got 2048");
  auto missing = launch();
  missing.kernel().params.push_back(
      prec::launch::Parameter::makeTensor("nothing"));
  EXPECT_EQ(missing.error(), "0: parameter 0 of kernel 'k': no tensor "
                             "'nothing' is given");
  EXPECT_EQ(launch().null().run().report.kernels[0].entry, "k");
}

//===----------------------------------------------------------------------===//
// Counters and the report
//===----------------------------------------------------------------------===//

TEST(PTXCounters, SectorsAndBankConflicts) {
  // Neighbours share sectors; a stride of 2 wastes half of each.
  Kernel k("and.b32 %r1, %t, 31; mad.wide.u32 %d0, %r1, 4, %out; "
           "ld.global.u32 %r0, [%d0]; mad.wide.u32 %d0, %r1, 8, %out; "
           "ld.global.u32 %r0, [%d0]; ret;");
  k.threads = 32;
  EXPECT_EQ(k.run(true), "");
  auto &c = k.report.kernels[0].counters;
  EXPECT_EQ(c.loadSectors, 4u + 8u);
  EXPECT_EQ(c.loadSectorsMinimum, 4u + 4u);
  EXPECT_EQ(c.loadsByWidth.at(4), 64u);
  EXPECT_EQ(c.globalBytesLoaded, 256u);

  Kernel s("mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; "
           "st.shared.u32 [%r2], %t; mad.lo.u32 %r2, %t, 128, %r1; "
           "st.shared.u32 [%r2], %t; ret;",
           ".shared .align 4 .b8 s[4096];");
  s.threads = 32;
  s.ok();
  EXPECT_EQ(s.report.kernels[0].counters.bankConflicts, 31u);
}

/// What a kernel executes is exact: a thread has 8 elements of 4 streams, so 16
/// packed multiplies and as many adds, and reads 16 bytes of h, 4 times 16 of
/// x, and 8 of c. 320 threads a row, 2 rows.
TEST(PTXCounters, WriteBack) {
  Random random(1);
  const int rows = 2, threads = 320 * rows;
  auto x = random.bf16(rows * 4 * 2560), h = random.bf16(rows * 2560),
       c = random.bf16(rows * 4);
  std::vector<uint16_t> out(x.size());
  Launch l = Launch::file("c_c_writeback_pk");
  l.shape(rows, 320).in(x).in(h).in(c).out(out).run();
  using Class = prec::ptx::Counters::Class;
  auto &k = l.report.kernels[0].counters;
  EXPECT_EQ(k.threads, uint64_t(threads));
  EXPECT_EQ(k.instructions[unsigned(Class::Packed16)], 32u * threads);
  EXPECT_EQ(k.instructions[unsigned(Class::GlobalLoad)], 6u * threads);
  EXPECT_EQ(k.instructions[unsigned(Class::GlobalStore)], 4u * threads);
  EXPECT_EQ(k.instructions[unsigned(Class::F32)], 0u);
  EXPECT_EQ(k.loadsByWidth.at(16), 5u * threads);
  EXPECT_EQ(k.loadsByWidth.at(8), 1u * threads);
  EXPECT_EQ(k.storesByWidth.at(16), 4u * threads);
  EXPECT_EQ(k.globalBytesLoaded, 88u * threads);
  EXPECT_EQ(k.storeSectors, uint64_t(rows) * 4 * 2560 * 2 / 32);
  EXPECT_EQ(k.storeSectorsMinimum, k.storeSectors);
  EXPECT_EQ(k.loadSectors, k.loadSectorsMinimum);
  EXPECT_EQ(k.divergentBranches, 0u);
}

/// Bytes of a tensor that are read again, and such that are added to.
TEST(PTXCounters, Tensors) {
  Kernel k("ld.global.u32 %r0, [%out]; mad.wide.u32 %d0, %t, 4, %out; "
           "ld.global.u32 %r1, [%d0]; red.global.add.u32 [%d0+128], %r1; "
           "ret;");
  k.threads = 32;
  EXPECT_EQ(k.run(true), "");
  ASSERT_EQ(k.report.tensors.size(), 1u);
  const prec::ptx::TensorCounters &c = k.report.tensors[0];
  EXPECT_EQ(c.name, "t0");
  EXPECT_EQ(c.loaded, 3u * 128);
  EXPECT_EQ(c.distinctLoaded, 2u * 128);
  EXPECT_EQ(c.stored, 128u);
  EXPECT_EQ(c.distinctStored, 128u);
}

TEST(PTXCounters, Text) {
  Kernel k("setp.lt.u32 %p0, %t, 7; @%p0 bra A; add.u32 %r0, %t, 1;\nA: ret;");
  k.threads = 32;
  k.ok();
  auto &c = k.report.kernels[0].counters;
  EXPECT_EQ(c.divergentBranches, 1u);
  EXPECT_EQ(c.instructions[unsigned(prec::ptx::Counters::Class::Integer)],
            32u + 25u);
  EXPECT_EQ(c.json().substr(0, 69),
            "{\"blocks\": 1, \"threads\": 32, \"thread_instructions\": 185, "
            "\"warp_instru");
  EXPECT_EQ(c.text().substr(0, 21), "blocks 1\nthreads 32\nt");
}

TEST(PTXReport, Lists) {
  Kernel k("cvt.rn.f32.u32 %f0, %t; ex2.approx.ftz.f32 %f1, %f0;\n"
           "mul.f32 %f2, %f1, %f0; add.rn.f32 %f2, %f2, %f2;\n"
           "red.global.add.f32 [%out], %f2; ret; div.full.f32 %f1, %f2, %f2;");
  EXPECT_EQ(k.run(true), "");
  EXPECT_EQ(k.report.approximations,
            (std::vector<std::string>{"8: ex2.approx.ftz.f32"}));
  EXPECT_EQ(k.report.contractible, (std::vector<std::string>{"9: mul.f32"}));
  EXPECT_EQ(k.report.unordered,
            (std::vector<std::string>{"10: red.global.add.f32"}));
}
