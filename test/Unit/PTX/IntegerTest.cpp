// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Snippet.h"

namespace {
uint64_t r(const std::string &op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return Snippet(op)(a, b, c);
}
uint64_t d(const std::string &op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return Snippet(op, 'd')(a, b, c);
}
uint64_t h(const std::string &op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return Snippet(op, 'h')(a, b, c);
}
} // namespace

TEST(PTXInteger, AddAndSubtract) {
  EXPECT_EQ(r("add.s32 %r, %ra, %rb;", 0xffffffff, 2), 1u);
  EXPECT_EQ(r("add.sat.s32 %r, %ra, %rb;", 0x7fffffff, 2), 0x7fffffffu);
  EXPECT_EQ(r("add.sat.s32 %r, %ra, %rb;", 0x80000000, 0xffffffff),
            0x80000000u);
  EXPECT_EQ(r("sub.u32 %r, %ra, %rb;", 1, 2), 0xffffffffu);
  EXPECT_EQ(r("sub.sat.s32 %r, %ra, %rb;", 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(d("add.s64 %d, %da, %db;", ~0ull, 2), 1u);
  EXPECT_EQ(h("add.s16 %h, %ha, %hb;", 0xffff, 2), 1u);
  EXPECT_EQ(r("neg.s32 %r, %ra;", 5), 0xfffffffbu);
  EXPECT_EQ(r("abs.s32 %r, %ra;", 0xfffffffb), 5u);
  EXPECT_EQ(h("abs.s16 %h, %ha;", 0xfffb), 5u);
  EXPECT_EQ(r("sad.s32 %r, %ra, %rb, %rc;", 0xfffffffe, 3, 10), 15u);
  EXPECT_EQ(r("sad.u32 %r, %ra, %rb, %rc;", 1, 4, 10), 13u);
  EXPECT_EQ(r("add.u16x2 %r, %ra, %rb;", 0x0001ffff, 0x00020001), 0x00030000u);
}

TEST(PTXInteger, Multiply) {
  EXPECT_EQ(r("mul.lo.s32 %r, %ra, %rb;", 0x10001, 0x10001), 0x20001u);
  EXPECT_EQ(r("mul.hi.u32 %r, %ra, %rb;", 0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(r("mul.hi.s32 %r, %ra, %rb;", 0xffffffff, 5), 0xffffffffu);
  EXPECT_EQ(d("mul.wide.s32 %d, %ra, %rb;", 0xffffffff, 5), uint64_t(-5));
  EXPECT_EQ(d("mul.wide.u32 %d, %ra, %rb;", 0xffffffff, 5), 0x4fffffffbu);
  EXPECT_EQ(r("mul.wide.s16 %r, %ha, %hb;", 0xffff, 5), 0xfffffffbu);
  EXPECT_EQ(d("mul.hi.s64 %d, %da, %db;", ~0ull, 5), ~0ull);
  EXPECT_EQ(d("mul.hi.u64 %d, %da, %db;", ~0ull, 5), 4u);
  EXPECT_EQ(r("mad.lo.s32 %r, %ra, %rb, %rc;", 3, 4, 5), 17u);
  EXPECT_EQ(r("mad.hi.u32 %r, %ra, %rb, %rc;", 0x80000000, 4, 5), 7u);
  EXPECT_EQ(d("mad.wide.s32 %d, %ra, %rb, %dc;", 0xffffffff, 5, 3),
            uint64_t(-2));
  EXPECT_EQ(r("mul24.lo.u32 %r, %ra, %rb;", 0xff000003, 4), 12u);
  EXPECT_EQ(r("mul24.hi.s32 %r, %ra, %rb;", 0x00ffffff, 0x10000), 0xffffffffu);
}

TEST(PTXInteger, Divide) {
  EXPECT_EQ(r("div.s32 %r, %ra, %rb;", uint32_t(-7), 2), 0xfffffffdu);
  EXPECT_EQ(r("rem.s32 %r, %ra, %rb;", uint32_t(-7), 2), 0xffffffffu);
  EXPECT_EQ(r("div.u32 %r, %ra, %rb;", uint32_t(-7), 2), 0x7ffffffcu);
  EXPECT_EQ(r("div.s32 %r, %ra, %rb;", 0x80000000, uint32_t(-1)), 0x80000000u);
  EXPECT_EQ(r("rem.s32 %r, %ra, %rb;", 0x80000000, uint32_t(-1)), 0u);
  EXPECT_EQ(r("div.u32 %r, %ra, %rb;", 7, 0), 0xffffffffu);
  EXPECT_EQ(r("rem.u32 %r, %ra, %rb;", 7, 0), 7u);
  EXPECT_EQ(d("div.u64 %d, %da, %db;", 1ull << 40, 3), 366503875925u);
}

TEST(PTXInteger, MinimumAndMaximum) {
  EXPECT_EQ(r("min.s32 %r, %ra, %rb;", uint32_t(-1), 1), 0xffffffffu);
  EXPECT_EQ(r("min.u32 %r, %ra, %rb;", uint32_t(-1), 1), 1u);
  EXPECT_EQ(r("max.s32 %r, %ra, %rb;", uint32_t(-1), 1), 1u);
  EXPECT_EQ(r("max.relu.s32 %r, %ra, %rb;", uint32_t(-1), uint32_t(-2)), 0u);
  EXPECT_EQ(r("min.s16x2 %r, %ra, %rb;", 0x0001ffff, 0x00020001), 0x0001ffffu);
  EXPECT_EQ(r("max.u16x2 %r, %ra, %rb;", 0x0001ffff, 0x00020001), 0x0002ffffu);
}

TEST(PTXInteger, CarryChain) {
  // 0xffffffff_ffffffff + 1 in two halves.
  EXPECT_EQ(d("add.cc.u32 %y0, %ra, %rb; mov.b64 {_, %y1}, %da; "
              "addc.u32 %y2, %y1, 0; mov.b64 %d, {%y0, %y2};",
              0x7fffffffffffffff, 1),
            0x8000000000000000u);
  EXPECT_EQ(d("sub.cc.u32 %y0, %ra, %rb; mov.b64 {_, %y1}, %da; "
              "subc.u32 %y2, %y1, 0; mov.b64 %d, {%y0, %y2};",
              0x100000000, 1),
            0xffffffffu);
  // 64-bit product of 32-bit numbers, plus carry.
  EXPECT_EQ(d("mad.lo.cc.u32 %y0, %ra, %rb, %rc; "
              "madc.hi.u32 %y1, %ra, %rb, 0; mov.b64 %d, {%y0, %y1};",
              0xffffffff, 0xffffffff, 0xffffffff),
            0xffffffffull * 0xffffffffull + 0xffffffffull);
}

TEST(PTXInteger, Shifts) {
  EXPECT_EQ(r("shl.b32 %r, %ra, %rb;", 3, 31), 0x80000000u);
  EXPECT_EQ(r("shl.b32 %r, %ra, %rb;", 3, 32), 0u);
  EXPECT_EQ(r("shr.u32 %r, %ra, %rb;", 0x80000000, 31), 1u);
  EXPECT_EQ(r("shr.u32 %r, %ra, %rb;", 0x80000000, 40), 0u);
  EXPECT_EQ(r("shr.s32 %r, %ra, %rb;", 0x80000000, 40), 0xffffffffu);
  EXPECT_EQ(d("shr.s64 %d, %da, %rb;", 1ull << 63, 63), ~0ull);
  EXPECT_EQ(h("shr.s16 %h, %ha, %rb;", 0x8000, 4), 0xf800u);
  EXPECT_EQ(r("shf.l.wrap.b32 %r, %ra, %rb, %rc;", 0x80000001, 0x12345678, 36),
            0x23456788u);
  EXPECT_EQ(r("shf.l.clamp.b32 %r, %ra, %rb, %rc;", 0x80000001, 7, 36),
            0x80000001u);
  EXPECT_EQ(r("shf.r.wrap.b32 %r, %ra, %rb, %rc;", 0x80000001, 0x12345678, 4),
            0x88000000u);
  EXPECT_EQ(r("shf.r.clamp.b32 %r, %ra, %rb, %rc;", 1, 0x12345678, 99),
            0x12345678u);
}

TEST(PTXInteger, Logic) {
  EXPECT_EQ(r("and.b32 %r, %ra, %rb;", 12, 10), 8u);
  EXPECT_EQ(r("or.b32 %r, %ra, %rb;", 12, 10), 14u);
  EXPECT_EQ(r("xor.b32 %r, %ra, %rb;", 12, 10), 6u);
  EXPECT_EQ(r("not.b32 %r, %ra;", 0), 0xffffffffu);
  EXPECT_EQ(h("not.b16 %h, %ha;", 0x00ff), 0xff00u);
  EXPECT_EQ(r("cnot.b32 %r, %ra;", 0), 1u);
  EXPECT_EQ(r("cnot.b32 %r, %ra;", 7), 0u);
  // (a & b) | (~a & c) is table 0xca with a the high index bit.
  EXPECT_EQ(r("lop3.b32 %r, %ra, %rb, %rc, 0xca;", 0xf0f0, 0xff00, 0x00ff),
            0xf00fu);
  EXPECT_EQ(r("lop3.b32 %r, %ra, %rb, %rc, 0x96;", 12, 10, 7), 12u ^ 10u ^ 7u);
}

TEST(PTXInteger, Bits) {
  EXPECT_EQ(r("popc.b32 %r, %ra;", 0xf0f1), 9u);
  EXPECT_EQ(r("popc.b64 %r, %da;", ~0ull), 64u);
  EXPECT_EQ(r("clz.b32 %r, %ra;", 0x00010000), 15u);
  EXPECT_EQ(r("clz.b32 %r, %ra;", 0), 32u);
  EXPECT_EQ(r("clz.b64 %r, %da;", 1), 63u);
  EXPECT_EQ(r("brev.b32 %r, %ra;", 0x80000003), 0xc0000001u);
  EXPECT_EQ(r("bfind.u32 %r, %ra;", 0x00010000), 16u);
  EXPECT_EQ(r("bfind.u32 %r, %ra;", 0), 0xffffffffu);
  EXPECT_EQ(r("bfind.s32 %r, %ra;", 0xfffffffd), 1u);
  EXPECT_EQ(r("bfind.shiftamt.u32 %r, %ra;", 0x00010000), 15u);
  EXPECT_EQ(r("bfe.u32 %r, %ra, 4, 8;", 0x12345678), 0x67u);
  EXPECT_EQ(r("bfe.s32 %r, %ra, 4, 8;", 0x12345878), 0xffffff87u);
  EXPECT_EQ(r("bfe.u32 %r, %ra, 28, 8;", 0x92345678), 9u);
  EXPECT_EQ(r("bfe.s32 %r, %ra, 28, 8;", 0x92345678), 0xfffffff9u);
  EXPECT_EQ(r("bfe.u32 %r, %ra, 4, 0;", 0x12345678), 0u);
  EXPECT_EQ(r("bfe.s32 %r, %ra, 40, 4;", 0x80000000), 0xffffffffu);
  EXPECT_EQ(r("bfi.b32 %r, %ra, %rb, 8, 4;", 0x5, 0xffffffff), 0xfffff5ffu);
  EXPECT_EQ(r("bfi.b32 %r, %ra, %rb, %rc, %rc;", 0xff, 0, 4), 0xf0u);
  EXPECT_EQ(d("bfi.b64 %d, %da, %db, 32, 32;", 7, 9), 0x700000009u);
  EXPECT_EQ(r("bmsk.clamp.b32 %r, %ra, %rb;", 4, 8), 0xff0u);
  EXPECT_EQ(r("bmsk.clamp.b32 %r, %ra, %rb;", 28, 32), 0xf0000000u);
}

TEST(PTXInteger, Permute) {
  // Bytes of b:a are 7 6 5 4 3 2 1 0.
  uint64_t a = 0x33221100, b = 0x77665584;
  EXPECT_EQ(r("prmt.b32 %r, %ra, %rb, 0x7531;", a, b), 0x77553311u);
  EXPECT_EQ(r("prmt.b32 %r, %ra, %rb, 0x000c;", a, b), 0x000000ffu);
  EXPECT_EQ(r("prmt.b32.f4e %r, %ra, %rb, %rc;", a, b, 1), 0x84332211u);
  EXPECT_EQ(r("prmt.b32.b4e %r, %ra, %rb, %rc;", a, b, 1), 0x66770011u);
  EXPECT_EQ(r("prmt.b32.rc8 %r, %ra, %rb, %rc;", a, b, 2), 0x22222222u);
  EXPECT_EQ(r("prmt.b32.ecl %r, %ra, %rb, %rc;", a, b, 2), 0x33222222u);
  EXPECT_EQ(r("prmt.b32.ecr %r, %ra, %rb, %rc;", a, b, 2), 0x22221100u);
  EXPECT_EQ(r("prmt.b32.rc16 %r, %ra, %rb, %rc;", a, b, 1), 0x33223322u);
}

TEST(PTXInteger, DotProducts) {
  EXPECT_EQ(r("dp4a.s32.s32 %r, %ra, %rb, %rc;", 0x01ff0203, 0x04050607, 10),
            10u + 4 - 5 + 12 + 21);
  EXPECT_EQ(r("dp4a.u32.u32 %r, %ra, %rb, %rc;", 0xff000000, 0xff000000, 0),
            65025u);
  EXPECT_EQ(r("dp2a.lo.s32.u32 %r, %ra, %rb, %rc;", 0xffff0002, 0x09080403, 1),
            1u + 2 * 3 - 4);
  EXPECT_EQ(r("dp2a.hi.s32.u32 %r, %ra, %rb, %rc;", 0xffff0002, 0x09080403, 1),
            1u + 2 * 8 - 9);
}

TEST(PTXInteger, Selection) {
  EXPECT_EQ(r("setp.lt.s32 %p, %ra, %rb; selp.b32 %r, 7, 9, %p;", ~0u, 0), 7u);
  EXPECT_EQ(r("slct.u32.s32 %r, %ra, %rb, %rc;", 7, 9, 0x80000000), 9u);
  EXPECT_EQ(r("slct.u32.s32 %r, %ra, %rb, %rc;", 7, 9, 0), 7u);
  EXPECT_EQ(r("slct.b32.f32 %r, %ra, %rb, %rc;", 7, 9, 0x80000000), 7u);
  EXPECT_EQ(r("slct.b32.f32 %r, %ra, %rb, %rc;", 7, 9, 0x7fc00000), 9u);
  EXPECT_EQ(r("slct.b32.f32 %r, %ra, %rb, %rc;", 7, 9, 0x80000001), 9u);
  EXPECT_EQ(r("slct.ftz.b32.f32 %r, %ra, %rb, %rc;", 7, 9, 0x80000001), 7u);
}

TEST(PTXInteger, Comparisons) {
  auto p = [](const std::string &op, uint64_t a, uint64_t b) {
    return Snippet(op, 'p')(a, b);
  };
  EXPECT_EQ(p("setp.lt.s32 %p, %ra, %rb;", ~0u, 0), 1u);
  EXPECT_EQ(p("setp.lt.u32 %p, %ra, %rb;", ~0u, 0), 0u);
  EXPECT_EQ(p("setp.lo.u32 %p, %ra, %rb;", 0, ~0u), 1u);
  EXPECT_EQ(p("setp.hs.u32 %p, %ra, %rb;", 0, 0), 1u);
  EXPECT_EQ(p("setp.ge.s16 %p, %ha, %hb;", 0x8000, 0), 0u);
  EXPECT_EQ(p("setp.ne.b64 %p, %da, %db;", 1ull << 40, 0), 1u);
  // p = compare and c; q = !compare and c.
  std::string both = "setp.eq.s32 %q, %rb, 1; "
                     "setp.eq.and.s32 %p|%q, %ra, 3, !%q; ";
  EXPECT_EQ(p(both, 3, 0), 1u);
  EXPECT_EQ(p(both, 3, 1), 0u);
  EXPECT_EQ(p(both + "mov.pred %p, %q;", 4, 0), 1u);
  EXPECT_EQ(p("setp.eq.s32 %q, %ra, 0; setp.gt.xor.s32 %p, %ra, 0, %q;", 1, 0),
            1u);
  EXPECT_EQ(r("set.lt.u32.s32 %r, %ra, %rb;", 1, 2), 0xffffffffu);
  EXPECT_EQ(r("set.lt.f32.s32 %r, %ra, %rb;", 1, 2), 0x3f800000u);
}

TEST(PTXInteger, MovesAndVectors) {
  EXPECT_EQ(d("mov.b64 %d, {%ra, %rb};", 1, 2), 0x200000001u);
  EXPECT_EQ(d("mov.b64 %d, {%ha, %hb, %hc, %ha};", 1, 2, 3),
            0x0001000300020001u);
  EXPECT_EQ(r("mov.b64 {_, %r}, %da;", 0x200000001), 2u);
  EXPECT_EQ(h("mov.b32 {%z0, %h}, %ra;", 0x12345678), 0x1234u);
  EXPECT_EQ(r("mov.b32 %r, {0, %ha};", 0x3f80), 0x3f800000u);
  EXPECT_EQ(r("mov.b32 %r, 0f3F800000;", 0), 0x3f800000u);
  EXPECT_EQ(r("mov.u32 %r, -2;", 0), 0xfffffffeu);
  // Swapping needs both halves read before either is written.
  EXPECT_EQ(r("mov.b32 {%ha, %hb}, %ra; mov.b32 %r, {%hb, %ha};", 0x12345678),
            0x56781234u);
}
