// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Snippet.h"

#include <set>

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
uint64_t p(const std::string &op, uint64_t a, uint64_t b = 0) {
  return Snippet(op, 'p')(a, b);
}
constexpr uint64_t one = 0x3f800000, two = 0x40000000, qnan = 0x7fc00000,
                   canonical = 0x7fffffff, inf = 0x7f800000,
                   negativeZero = 0x80000000, tiny = 0x00000001;
} // namespace

TEST(PTXFloat, F32) {
  EXPECT_EQ(r("add.f32 %r, %ra, %rb;", one, one), two);
  EXPECT_EQ(r("sub.rn.f32 %r, %ra, %rb;", one, two), 0xbf800000u);
  EXPECT_EQ(r("mul.rn.f32 %r, %ra, %rb;", 0x40400000, two), 0x40c00000u);
  EXPECT_EQ(r("add.f32 %r, %ra, %rb;", inf, 0xff800000), canonical);
  EXPECT_EQ(r("add.f32 %r, %ra, %rb;", qnan, one), canonical);
  // 1 + 2^-24 is a tie: the modes differ.
  uint64_t half = 0x33800000;
  EXPECT_EQ(r("add.rn.f32 %r, %ra, %rb;", one, half), one);
  EXPECT_EQ(r("add.rp.f32 %r, %ra, %rb;", one, half), one + 1);
  EXPECT_EQ(r("add.rm.f32 %r, %ra, %rb;", one, half), one);
  EXPECT_EQ(r("add.rz.f32 %r, %ra, %rb;", 0xbf800000, 0xb3800000), 0xbf800000u);
  EXPECT_EQ(r("add.rm.f32 %r, %ra, %rb;", 0xbf800000, 0xb3800000), 0xbf800001u);
  // Subnormals are kept unless flushed.
  EXPECT_EQ(r("add.f32 %r, %ra, %rb;", tiny, tiny), 2u);
  EXPECT_EQ(r("add.ftz.f32 %r, %ra, %rb;", tiny, 0x80000001), 0u);
  EXPECT_EQ(r("mul.ftz.f32 %r, %ra, %rb;", 0x80800000, 0x3f000000),
            negativeZero);
  EXPECT_EQ(r("add.sat.f32 %r, %ra, %rb;", one, one), one);
  EXPECT_EQ(r("sub.sat.f32 %r, %ra, %rb;", one, two), 0u);
  EXPECT_EQ(r("mul.sat.f32 %r, %ra, %rb;", qnan, two), 0u);
  // (1 + 2^-12)^2 - 1 needs the product's low bits.
  EXPECT_EQ(
      r("fma.rn.f32 %r, %ra, %rb, %rc;", 0x3f800800, 0x3f800800, 0xbf800000),
      0x3a000400u);
  EXPECT_EQ(r("fma.rz.f32 %r, %ra, %rb, %rc;", one, one, half), one);
  EXPECT_EQ(r("mad.rp.f32 %r, %ra, %rb, %rc;", one, one, half), one + 1);
  EXPECT_EQ(r("div.rn.f32 %r, %ra, %rb;", one, 0x40400000), 0x3eaaaaabu);
  EXPECT_EQ(r("div.rz.f32 %r, %ra, %rb;", one, 0x40400000), 0x3eaaaaaau);
  EXPECT_EQ(r("div.full.f32 %r, %ra, %rb;", one, 0x40400000), 0x3eaaaaabu);
  EXPECT_EQ(r("rcp.rn.f32 %r, %ra;", 0x40400000), 0x3eaaaaabu);
  EXPECT_EQ(r("rcp.approx.ftz.f32 %r, %ra;", tiny), inf);
  EXPECT_EQ(r("sqrt.rn.f32 %r, %ra;", two), 0x3fb504f3u);
  EXPECT_EQ(r("sqrt.rp.f32 %r, %ra;", two), 0x3fb504f4u);
  EXPECT_EQ(r("sqrt.rn.f32 %r, %ra;", 0xbf800000), canonical);
  EXPECT_EQ(r("neg.f32 %r, %ra;", one), 0xbf800000u);
  EXPECT_EQ(r("abs.ftz.f32 %r, %ra;", 0x80000001), 0u);
  EXPECT_EQ(r("copysign.f32 %r, %ra, %rb;", negativeZero, one), 0xbf800000u);
}

TEST(PTXFloat, Functions) {
  EXPECT_EQ(r("ex2.approx.f32 %r, %ra;", one), two);
  EXPECT_EQ(r("ex2.approx.ftz.f32 %r, %ra;", 0xc3160000), 0u);      // 2^-150
  EXPECT_EQ(r("ex2.approx.f32 %r, %ra;", 0xc3140000), 0x00000002u); // 2^-148
  EXPECT_EQ(r("lg2.approx.f32 %r, %ra;", two), one);
  EXPECT_EQ(r("lg2.approx.f32 %r, %ra;", 0), 0xff800000u);
  EXPECT_EQ(r("rsqrt.approx.f32 %r, %ra;", 0x40800000), 0x3f000000u);
  EXPECT_EQ(r("tanh.approx.f32 %r, %ra;", inf), one);
  EXPECT_EQ(r("sin.approx.f32 %r, %ra;", negativeZero), negativeZero);
  EXPECT_EQ(r("cos.approx.f32 %r, %ra;", 0), one);
  EXPECT_EQ(r("tanh.approx.bf16x2 %r, %ra;", 0x7f80ff80), 0x3f80bf80u);
  EXPECT_EQ(r("ex2.approx.ftz.bf16x2 %r, %ra;", 0x3f804000), 0x40004080u);
}

TEST(PTXFloat, F64) {
  EXPECT_EQ(
      d("add.rn.f64 %d, %da, %db;", 0x3ff0000000000000, 0x3ff0000000000000),
      0x4000000000000000u);
  EXPECT_EQ(d("fma.rn.f64 %d, %da, %db, %dc;", 0x3ff0000000000001,
              0x3ff0000000000001, 0xbff0000000000000),
            0x3cc0000000000000u + 0); // 2^-51, the rest is below an ulp
  EXPECT_EQ(
      d("div.rn.f64 %d, %da, %db;", 0x3ff0000000000000, 0x4008000000000000),
      0x3fd5555555555555u);
  EXPECT_EQ(d("sqrt.rn.f64 %d, %da;", 0x4010000000000000), 0x4000000000000000u);
  EXPECT_EQ(d("max.f64 %d, %da, %db;", 0x3ff0000000000000, 0x7ff8000000000000),
            0x3ff0000000000000u);
}

TEST(PTXFloat, SixteenBits) {
  EXPECT_EQ(h("add.rn.bf16 %h, %ha, %hb;", 0x3f80, 0x3b80), 0x3f80u); // tie
  EXPECT_EQ(h("add.bf16 %h, %ha, %hb;", 0x3f81, 0x3b80),
            0x3f82u); // tie to even
  EXPECT_EQ(h("mul.rn.bf16 %h, %ha, %hb;", 0x3f81, 0x3f81), 0x3f82u);
  EXPECT_EQ(h("add.f16 %h, %ha, %hb;", 0x3c00, 0x3c00), 0x4000u);
  EXPECT_EQ(h("mul.f16 %h, %ha, %hb;", 0x7bff, 0x4000), 0x7c00u);
  EXPECT_EQ(h("add.sat.f16 %h, %ha, %hb;", 0x3c00, 0x3c00), 0x3c00u);
  EXPECT_EQ(h("add.f16 %h, %ha, %hb;", 0x0001, 0x0001), 0x0002u);
  EXPECT_EQ(h("add.ftz.f16 %h, %ha, %hb;", 0x0001, 0x0001), 0u);
  EXPECT_EQ(h("fma.rn.relu.bf16 %h, %ha, %hb, %hc;", 0x3f80, 0xbf80, 0), 0u);
  EXPECT_EQ(h("neg.bf16 %h, %ha;", 0x3f80), 0xbf80u);
  EXPECT_EQ(h("abs.f16 %h, %ha;", 0xbc00), 0x3c00u);
  // Packed: each half by itself.
  EXPECT_EQ(r("mul.rn.bf16x2 %r, %ra, %rb;", 0x40003f80, 0x40404040),
            0x40c04040u);
  EXPECT_EQ(r("sub.f16x2 %r, %ra, %rb;", 0x40003c00, 0x3c003c00), 0x3c000000u);
  EXPECT_EQ(
      r("fma.rn.f16x2 %r, %ra, %rb, %rc;", 0x3c014000, 0x3c014000, 0xbc003c00),
      0x18004500u); // 2^-9 + 2^-20 is a tie
  EXPECT_EQ(d("add.rn.f32x2 %d, %da, %db;", two << 32 | one, one << 32 | one),
            0x40400000ull << 32 | two);
}

/// One rounding: the sum is a tie only if the product's low bits are lost.
TEST(PTXFloat, FmaOf16BitsRoundsOnce) {
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14; + 2^-8 is just above a tie.
  EXPECT_EQ(h("fma.rn.bf16 %h, %ha, %hb, %hc;", 0x3f81, 0x3f81, 0x3b80),
            0x3f83u);
  // The same with a tiny addend that f32 would lose: 1 + 2^-8 + 2^-120.
  EXPECT_EQ(h("fma.rn.bf16 %h, %ha, %hb, %hc;", 0x3f80, 0x3b80, 0x3f80),
            0x3f80u);
  EXPECT_EQ(h("fma.rn.bf16 %h, %ha, %hb, %hc;", 0x3f80, 0x0380, 0x3f80),
            0x3f80u);
}

/// The f64 way of fma agrees with exact arithmetic.
TEST(PTXFloat, FmaOf16BitsIsExact) {
  Random random(3);
  for (const auto &[type, format] :
       {std::pair<std::string, const prec::num::Format *>{"bf16",
                                                          &prec::num::kBF16},
        {"f16", &prec::num::kF16}}) {
    Snippet fma("fma.rn." + type + " %h, %ha, %hb, %hc;", 'h');
    for (int round = 0; round < 200; ++round) {
      std::vector<uint64_t> a(32), b(32), c(32);
      for (int t = 0; t < 32; ++t) {
        a[t] = random.bits() & 0xffff;
        b[t] = random.bits() & 0xffff;
        // Near the product, where cancellation and ties happen.
        uint64_t product = prec::num::mul(*format, a[t], b[t]);
        c[t] = round % 2 ? random.bits() & 0xffff
                         : (product ^ 0x8000) + random.bits() % 5 * 0x80;
        c[t] &= 0xffff;
      }
      auto result = fma.run(a, b, c);
      for (int t = 0; t < 32; ++t)
        EXPECT_TRUE(prec::num::sameValue(
            *format, result[t], prec::num::fma(*format, a[t], b[t], c[t])))
            << type << std::hex << " " << a[t] << " " << b[t] << " " << c[t];
    }
  }
}

TEST(PTXFloat, Mixed) {
  EXPECT_EQ(r("add.rn.f32.bf16 %r, %ha, %rb;", 0x3f80, tiny), one);
  EXPECT_EQ(r("sub.rn.f32.bf16 %r, %ha, %rb;", 0x3f80, two), 0xbf800000u);
  EXPECT_EQ(r("fma.rn.f32.f16 %r, %ha, %hb, %rc;", 0x3c01, 0x3c01, 0xbf800000),
            0x3b001000u);
}

TEST(PTXFloat, MinimumAndMaximum) {
  EXPECT_EQ(r("max.f32 %r, %ra, %rb;", one, qnan), one);
  EXPECT_EQ(r("max.NaN.f32 %r, %ra, %rb;", one, qnan), canonical);
  EXPECT_EQ(r("max.f32 %r, %ra, %rb;", qnan, qnan), canonical);
  EXPECT_EQ(r("max.f32 %r, %ra, %rb;", negativeZero, 0), 0u);
  EXPECT_EQ(r("min.f32 %r, %ra, %rb;", 0, negativeZero), negativeZero);
  EXPECT_EQ(r("min.f32 %r, %ra, %rb;", 0xbf800000, 0xc0000000), 0xc0000000u);
  EXPECT_EQ(r("max.ftz.f32 %r, %ra, %rb;", tiny, 0), 0u);
  EXPECT_EQ(h("min.NaN.f16 %h, %ha, %hb;", 0x7e00, 0), 0x7fffu);
  EXPECT_EQ(r("max.xorsign.abs.bf16x2 %r, %ra, %rb;", 0xbf80c000, 0xc0004040),
            0x4000c040u);
}

TEST(PTXFloat, Comparisons) {
  EXPECT_EQ(p("setp.eq.f32 %p, %ra, %rb;", negativeZero, 0), 1u);
  EXPECT_EQ(p("setp.lt.f32 %p, %ra, %rb;", qnan, one), 0u);
  EXPECT_EQ(p("setp.ltu.f32 %p, %ra, %rb;", qnan, one), 1u);
  EXPECT_EQ(p("setp.ne.f32 %p, %ra, %rb;", qnan, qnan), 0u);
  EXPECT_EQ(p("setp.neu.f32 %p, %ra, %rb;", qnan, qnan), 1u);
  EXPECT_EQ(p("setp.num.f32 %p, %ra, %rb;", one, one), 1u);
  EXPECT_EQ(p("setp.nan.f32 %p, %ra, %rb;", one, qnan), 1u);
  EXPECT_EQ(p("setp.gt.ftz.f32 %p, %ra, %rb;", tiny, 0), 0u);
  EXPECT_EQ(p("setp.gt.bf16 %p, %ha, %hb;", 0x4000, 0x3f80), 1u);
  EXPECT_EQ(
      p("setp.gt.f64 %p, %da, %db;", 0x4000000000000000, 0x3ff0000000000000),
      1u);
  // Packed: p is the low half's result, q the high half's.
  EXPECT_EQ(p("setp.lt.f16x2 %p|%q, %ra, %rb;", 0x3c003c00, 0x3c004000), 1u);
  EXPECT_EQ(p("setp.lt.f16x2 %q|%p, %ra, %rb;", 0x3c003c00, 0x3c004000), 0u);
  EXPECT_EQ(r("set.lt.f16x2.f16x2 %r, %ra, %rb;", 0x3c003c00, 0x3c004000),
            0x00003c00u);
  EXPECT_EQ(h("set.nan.bf16.bf16 %h, %ha, %hb;", 0x7fc0, 0), 0x3f80u);
  EXPECT_EQ(p("testp.finite.f32 %p, %ra;", inf), 0u);
  EXPECT_EQ(p("testp.infinite.f32 %p, %ra;", inf), 1u);
  EXPECT_EQ(p("testp.notanumber.f32 %p, %ra;", qnan), 1u);
  EXPECT_EQ(p("testp.number.f32 %p, %ra;", qnan), 0u);
  EXPECT_EQ(p("testp.normal.f32 %p, %ra;", tiny), 0u);
  EXPECT_EQ(p("testp.subnormal.f32 %p, %ra;", tiny), 1u);
}

TEST(PTXConvert, BetweenFloats) {
  EXPECT_EQ(h("cvt.rn.bf16.f32 %h, %ra;", 0x3f808000), 0x3f80u);
  EXPECT_EQ(h("cvt.rn.bf16.f32 %h, %ra;", 0x3f818000), 0x3f82u);
  EXPECT_EQ(h("cvt.rz.bf16.f32 %h, %ra;", 0x3f81ffff), 0x3f81u);
  EXPECT_EQ(h("cvt.rn.bf16.f32 %h, %ra;", 0x7f7fffff), 0x7f80u);
  EXPECT_EQ(h("cvt.rz.bf16.f32 %h, %ra;", 0x7f7fffff), 0x7f7fu);
  EXPECT_EQ(h("cvt.rn.bf16.f32 %h, %ra;", qnan), 0x7fffu);
  EXPECT_EQ(h("cvt.rn.bf16.f32 %h, %ra;", 0x00400000), 0x0040u);
  EXPECT_EQ(h("cvt.rn.relu.bf16.f32 %h, %ra;", 0xbf800000), 0u);
  EXPECT_EQ(h("cvt.rn.satfinite.f16.f32 %h, %ra;", 0x7f000000), 0x7bffu);
  EXPECT_EQ(h("cvt.rp.f16.f32 %h, %ra;", 0x33000000), 0x0001u);
  EXPECT_EQ(r("cvt.f32.bf16 %r, %ha;", 0xbf80), 0xbf800000u);
  EXPECT_EQ(r("cvt.f32.f16 %r, %ha;", 0x0001), 0x33800000u);
  EXPECT_EQ(d("cvt.f64.f32 %d, %ra;", tiny), 0x36a0000000000000u);
  EXPECT_EQ(r("cvt.rn.f32.f64 %r, %da;", 0x3ff0000010000000), one);
  EXPECT_EQ(r("cvt.rp.f32.f64 %r, %da;", 0x3ff0000010000000), one + 1);
  EXPECT_EQ(r("cvt.rn.ftz.f32.f64 %r, %da;", 0x36a0000000000000), 0u);
  EXPECT_EQ(r("cvt.sat.f32.f32 %r, %ra;", two), one);
  EXPECT_EQ(r("cvt.sat.f32.f32 %r, %ra;", qnan), 0u);
  EXPECT_EQ(r("cvt.ftz.f32.f32 %r, %ra;", 0x80000001), negativeZero);
  EXPECT_EQ(r("cvt.rni.f32.f32 %r, %ra;", 0x40200000), two);         // 2.5
  EXPECT_EQ(r("cvt.rmi.f32.f32 %r, %ra;", 0xbf000000), 0xbf800000u); // -0.5
  EXPECT_EQ(r("cvt.rzi.f32.f32 %r, %ra;", 0xbf000000), negativeZero);
  EXPECT_EQ(r("cvt.rpi.f32.f32 %r, %ra;", 0x40200000), 0x40400000u);
}

TEST(PTXConvert, Packed) {
  // The first operand is the high half.
  EXPECT_EQ(r("cvt.rn.bf16x2.f32 %r, %ra, %rb;", one, two), 0x3f804000u);
  EXPECT_EQ(r("cvt.rz.bf16x2.f32 %r, %ra, %rb;", 0x3f81ffff, 0xbf81ffff),
            0x3f81bf81u);
  EXPECT_EQ(r("cvt.rn.relu.f16x2.f32 %r, %ra, %rb;", 0xbf800000, one), 0x3c00u);
  EXPECT_EQ(h("cvt.rn.satfinite.e4m3x2.f32 %h, %ra, %rb;", one, 0x44000000),
            0x387eu);
  EXPECT_EQ(h("cvt.rn.satfinite.e5m2x2.f32 %h, %ra, %rb;", 0xbf800000, qnan),
            0xbc7fu);
  EXPECT_EQ(r("cvt.rn.f16x2.e4m3x2 %r, %ha;", 0x387e), 0x3c005f00u);
  EXPECT_EQ(r("cvt.rn.f16x2.e5m2x2 %r, %ha;", 0x3c7b), 0x3c007b00u);
  EXPECT_EQ(h("cvt.rn.satfinite.e4m3x2.f16x2 %h, %ra;", 0x3c005f00), 0x387eu);
  EXPECT_EQ(r("cvt.rna.tf32.f32 %r, %ra;", 0x3f801000), 0x3f802000u);
}

TEST(PTXConvert, IntegersAndFloats) {
  EXPECT_EQ(r("cvt.rn.f32.s32 %r, %ra;", 0xffffffff), 0xbf800000u);
  EXPECT_EQ(r("cvt.rn.f32.u32 %r, %ra;", 0xffffffff), 0x4f800000u);
  EXPECT_EQ(r("cvt.rz.f32.u32 %r, %ra;", 0xffffffff), 0x4f7fffffu);
  EXPECT_EQ(r("cvt.rn.f32.s16 %r, %ha;", 0xffff), 0xbf800000u);
  EXPECT_EQ(h("cvt.rn.bf16.s32 %h, %ra;", 257), 0x4380u);
  EXPECT_EQ(d("cvt.rn.f64.u64 %d, %da;", 1), 0x3ff0000000000000u);
  EXPECT_EQ(r("cvt.rni.s32.f32 %r, %ra;", 0xc0200000), uint32_t(-2)); // -2.5
  EXPECT_EQ(r("cvt.rzi.s32.f32 %r, %ra;", 0xc0200000), uint32_t(-2));
  EXPECT_EQ(r("cvt.rmi.s32.f32 %r, %ra;", 0xc0200000), uint32_t(-3));
  EXPECT_EQ(r("cvt.rzi.u32.f32 %r, %ra;", 0xc0200000), 0u);
  EXPECT_EQ(r("cvt.rzi.s32.f32 %r, %ra;", 0x7f000000), 0x7fffffffu);
  EXPECT_EQ(r("cvt.rzi.s32.f32 %r, %ra;", 0xff000000), 0x80000000u);
  EXPECT_EQ(r("cvt.rzi.s32.f32 %r, %ra;", qnan), 0u);
  EXPECT_EQ(d("cvt.rzi.u64.f32 %d, %ra;", 0x5f800000), ~0ull);      // 2^64
  EXPECT_EQ(r("cvt.rzi.s8.f32 %r, %ra;", 0xc3800000), 0xffffff80u); // -256
}

TEST(PTXConvert, Integers) {
  EXPECT_EQ(d("cvt.s64.s32 %d, %ra;", 0xffffffff), ~0ull);
  EXPECT_EQ(d("cvt.u64.u32 %d, %ra;", 0xffffffff), 0xffffffffu);
  EXPECT_EQ(d("cvt.u64.s32 %d, %ra;", 0xffffffff), ~0ull);
  EXPECT_EQ(r("cvt.u32.u64 %r, %da;", 0x100000002), 2u);
  EXPECT_EQ(r("cvt.s32.s8 %r, %ra;", 0x1ff), 0xffffffffu);
  EXPECT_EQ(r("cvt.u32.u8 %r, %ra;", 0x1ff), 0xffu);
  EXPECT_EQ(r("cvt.sat.u8.s32 %r, %ra;", 300), 255u);
  EXPECT_EQ(r("cvt.sat.u32.s32 %r, %ra;", 0xffffffff), 0u);
  EXPECT_EQ(r("cvt.sat.s8.s32 %r, %ra;", uint32_t(-300)), 0xffffff80u);
  EXPECT_EQ(h("cvt.s16.s32 %h, %ra;", 0x12345678), 0x5678u);
}

// Other outcomes of approximate instructions: the ends of the ISA's bounds and
// numbers between, by a seed.
TEST(PTXFloat, OutcomesOfApproximations) {
  auto bits = [](float x) { return uint64_t(prec::num::bitCast<uint32_t>(x)); };
  Snippet reciprocal("rcp.approx.f32 %r, %ra;");
  const uint64_t third = bits(1.0f / 3);
  EXPECT_EQ(reciprocal.within(0, bits(3)), third);
  const uint64_t low = reciprocal.within(1, bits(3)),
                 high = reciprocal.within(2, bits(3));
  EXPECT_LE(low, third - 1);
  EXPECT_GE(high, third + 1);
  EXPECT_LE(high - low, 5u);
  std::set<uint64_t> seen;
  for (uint64_t outcome = 3; outcome < 40; ++outcome) {
    const uint64_t other = reciprocal.within(outcome, bits(3));
    EXPECT_EQ(other, reciprocal.within(outcome, bits(3)));
    EXPECT_TRUE(low <= other && other <= high) << other;
    seen.insert(other);
  }
  EXPECT_GT(seen.size(), 2u);
  // What the ISA's tables list is exact, flushing is part of the instruction,
  // and halves have bounds of their own.
  EXPECT_EQ(reciprocal.within(1, bits(-INFINITY)), negativeZero);
  EXPECT_EQ(Snippet("rcp.approx.ftz.f32 %r, %ra;").within(2, tiny), inf);
  Snippet halves("tanh.approx.bf16x2 %r, %ra;");
  EXPECT_EQ(halves(0x3f803f80), 0x3f433f43u);
  EXPECT_EQ(halves.within(1, 0x3f803f80), 0x3f423f42u);
  // An exact instruction has one outcome.
  EXPECT_EQ(Snippet("sqrt.rn.f32 %r, %ra;").within(1, two),
            r("sqrt.rn.f32 %r, %ra;", two));
}
