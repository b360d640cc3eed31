// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of several compilers, run and compared with the formulas that they
// were written to compute (test/data/ptx/README.md): those that keep the
// rounding contract give its bits, those that lose a rounding do not.
#include "Kernels.h"

#include "prec/Numerics/Functions.h"

#include <cmath>
#include <functional>

using namespace prec;

namespace {

enum Contract { Kept, Lost };

struct Sample {
  const char *file;
  Contract contract;
};
// gtest's name. NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Sample &s, std::ostream *os) { *os << s.file; }

using Bits = std::vector<uint16_t>;

size_t mismatches(const Bits &a, const Bits &b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    count += !num::sameValue(num::kBF16, a[i], b[i]);
  return count;
}

void check(const Sample &s, const Bits &actual, const Bits &expected) {
  size_t count = mismatches(actual, expected);
  if (s.contract == Kept)
    EXPECT_EQ(count, 0u) << s.file;
  else
    EXPECT_GT(count, 0u) << s.file;
}

/// The largest difference relative to the largest value.
double distance(const std::vector<float> &a, const std::vector<float> &b) {
  double worst = 0, scale = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::fabs(double(a[i]) - b[i]));
    scale = std::max(scale, std::fabs(double(b[i])));
  }
  return worst / scale;
}

float sigmoid(float x) { return 1.0f / (1.0f + num::cr::exp(-x)); }
float silu(float x) { return x / (1.0f + num::cr::exp(-x)); }
float round16(float x) { return F(R(x)); }

/// Which compiler made a file: its first letter.
char origin(const Sample &s) { return s.file[0] == 'x' ? 't' : s.file[0]; }
bool contains(const Sample &s, const char *part) {
  return std::string(s.file).find(part) != std::string::npos;
}

/// The launch shapes of the CUDA (a block a row), Triton (several blocks a
/// row) and Inductor (flat) versions; call after the tensors are bound.
void shape(Launch &l, const Sample &s, int64_t rows, int64_t cudaThreads,
           int64_t tritonBlocks, int64_t tritonThreads, int64_t outputs) {
  if (origin(s) != 'c')
    l.kernel().dynamicShared = 16384;
  if (origin(s) == 'c') {
    l.shape(rows, cudaThreads);
    return;
  }
  if (origin(s) == 't') {
    l.shape(rows, tritonThreads).null(2);
    l.kernel().grid[1] = tritonBlocks;
    return;
  }
  bool second = contains(s, "cfg1");
  l.shape(outputs / (second ? 512 : 1024), second ? 256 : 128);
  l.scalar("i32", std::to_string(outputs)).null(2);
}

class PTXFormula : public testing::TestWithParam<Sample> {};
class MixForward : public PTXFormula {};
class MixBackward : public PTXFormula {};
class WriteBack : public PTXFormula {};
class MoeEager : public PTXFormula {};
class MoeF32 : public PTXFormula {};
class MoeBackward : public PTXFormula {};
class Combine : public PTXFormula {};
class RmsNorm : public PTXFormula {};
class GatedNorm : public PTXFormula {};
class DeltaStep : public PTXFormula {};

constexpr int columns = 2560;
} // namespace

TEST_P(MixForward, EqualsFormula) {
  const int rows = 2, n = columns;
  Random random(1);
  Bits u = random.bf16(rows * 4 * n, 2), xn = random.bf16(rows * 4 * n);
  Bits expected(rows * n), y(rows * n);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < n; ++k) {
      float acc = 0;
      for (int s = 0; s < 4; ++s) {
        int at = (r * 4 + s) * n + k;
        float p = round16(round16(sigmoid(F(u[at]))) * F(xn[at]));
        acc = s ? acc + p : p;
      }
      expected[r * n + k] = R(acc * 0.25f);
    }
  Launch l = Launch::file(GetParam().file);
  l.in(u).in(xn).out(y);
  if (contains(GetParam(), "flat"))
    l.scalar("i32", std::to_string(rows * n))
        .null(2)
        .shape(rows * n / 1024, 128);
  else
    shape(l, GetParam(), rows, 320, 5, 64, rows * n);
  l.run();
  l.checkSymbolic();
  check(GetParam(), y, expected);
}
INSTANTIATE_TEST_SUITE_P(
    PTX, MixForward,
    testing::Values(
        Sample{"c_a_mix_fwd", Kept}, Sample{"c_a_mix_fwd_pk", Kept},
        Sample{"c_a_mix_fwd_guard", Kept}, Sample{"c_a_mix_fwd_fast1", Kept},
        Sample{"c_a_mix_fwd_fast2", Kept}, Sample{"c100_a_mix_fwd_pk", Kept},
        Sample{"t_a_mix_fwd_strict", Kept},
        Sample{"x_a_mix_fwd_strict_ftz", Kept},
        Sample{"t_a_mix_fwd_loose", Lost},
        Sample{"t_a_mix_fwd_flat_loose", Lost}, Sample{"i_a_mix_fwd_emu", Kept},
        Sample{"i_a_mix_fwd_emu_eager", Kept},
        Sample{"i_a_mix_fwd_default", Lost},
        Sample{"i_a_mix_fwd_default_cfg1", Lost}));

TEST_P(MixBackward, EqualsFormula) {
  const int rows = 2, n = columns;
  Random random(2);
  Bits g = random.bf16(rows * n), u = random.bf16(rows * 4 * n, 2),
       xn = random.bf16(rows * 4 * n);
  Bits expectU(u.size()), expectX(u.size()), gu(u.size()), gxn(u.size());
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < n; ++k) {
      float gp = round16(F(g[r * n + k]) * 0.25f);
      for (int s = 0; s < 4; ++s) {
        int at = (r * 4 + s) * n + k;
        float w = round16(sigmoid(F(u[at])));
        float gw = round16(gp * F(xn[at]));
        expectX[at] = R(gp * w);
        expectU[at] = R(round16(gw * round16(1.0f - w)) * w);
      }
    }
  Launch l = Launch::file(GetParam().file);
  l.in(g).in(u).in(xn).out(gu).out(gxn);
  shape(l, GetParam(), rows, 320, 5, 64, 0);
  l.run();
  l.checkSymbolic();
  check(GetParam(), gu, expectU);
  check(GetParam(), gxn, expectX);
}
INSTANTIATE_TEST_SUITE_P(PTX, MixBackward,
                         testing::Values(Sample{"c_b_mix_bwd", Kept},
                                         Sample{"c_b_mix_bwd_pk", Kept},
                                         Sample{"c_b_mix_bwd_fast2", Kept},
                                         Sample{"c_b_mix_bwd_guard", Kept},
                                         Sample{"t_b_mix_bwd_strict", Kept},
                                         Sample{"t_b_mix_bwd_loose", Lost}));

TEST_P(WriteBack, EqualsFormula) {
  const int rows = 2, n = columns;
  Random random(3);
  Bits x = random.bf16(rows * 4 * n), h = random.bf16(rows * n),
       c = random.bf16(rows * 4);
  Bits expected(x.size()), out(x.size());
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s < 4; ++s)
      for (int k = 0; k < n; ++k) {
        int at = (r * 4 + s) * n + k;
        expected[at] = R(F(x[at]) + round16(F(h[r * n + k]) * F(c[r * 4 + s])));
      }
  Launch l = Launch::file(GetParam().file);
  l.in(x).in(h).in(c).out(out);
  shape(l, GetParam(), rows, 320, 5, 64, rows * 4 * n);
  l.run();
  l.checkSymbolic();
  check(GetParam(), out, expected);
}
INSTANTIATE_TEST_SUITE_P(
    PTX, WriteBack,
    testing::Values(Sample{"c_c_writeback", Kept},
                    Sample{"c_c_writeback_pk", Kept},
                    Sample{"t_c_writeback_strict", Kept},
                    Sample{"t_c_writeback_loose", Lost},
                    Sample{"t100_c_writeback_loose", Lost},
                    Sample{"x_c_writeback_strict_fused", Lost},
                    Sample{"i_c_writeback_emu", Kept},
                    Sample{"i_c_writeback_emu_eager", Kept},
                    Sample{"i_c_writeback_default", Lost},
                    Sample{"i_c_writeback_default_cfg1", Lost}));

TEST_P(MoeEager, EqualsFormula) {
  const int rows = 4, n = 1024;
  Random random(4);
  Bits gu = random.bf16(rows * 2 * n, 2), expected(rows * n), out(rows * n);
  std::vector<float> p = random.f32(rows);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < n; ++k) {
      float g = F(gu[r * 2 * n + k]), u = F(gu[r * 2 * n + n + k]);
      expected[r * n + k] = R(round16(round16(silu(g)) * u) * p[r]);
    }
  Launch l = Launch::file(GetParam().file);
  l.in(gu).in(p).out(out);
  shape(l, GetParam(), rows, 128, 1, 128, rows * n);
  l.run();
  l.checkSymbolic();
  check(GetParam(), out, expected);
}
INSTANTIATE_TEST_SUITE_P(
    PTX, MoeEager,
    testing::Values(Sample{"c_d1_moe_act_eager", Kept},
                    Sample{"c_d1_moe_act_eager_fast2", Kept},
                    Sample{"c_d1_moe_act_eager_guard", Kept},
                    Sample{"t_d1_moe_act_eager_strict", Kept},
                    Sample{"x_d1_moe_act_eager_strict_fused", Kept},
                    Sample{"t_d1_moe_act_eager_loose", Lost},
                    Sample{"i_d1_moe_act_eager_emu", Kept},
                    Sample{"i_d1_moe_act_eager_emu_eager", Kept},
                    Sample{"i_d1_moe_act_eager_default", Lost},
                    Sample{"i_d1_moe_act_eager_default_cfg1", Lost}));

/// One rounding at the end: also the loose versions keep it, but their f32
/// bits differ, which random data shows in one output of some thousands.
TEST_P(MoeF32, EqualsFormula) {
  const int rows = 4, n = 1024;
  Random random(5);
  Bits gu = random.bf16(rows * 2 * n, 2), expected(rows * n), out(rows * n);
  std::vector<float> p = random.f32(rows);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < n; ++k) {
      float g = F(gu[r * 2 * n + k]), u = F(gu[r * 2 * n + n + k]);
      expected[r * n + k] = R((silu(g) * u) * p[r]);
    }
  Launch l = Launch::file(GetParam().file);
  l.in(gu).in(p).out(out);
  shape(l, GetParam(), rows, 128, 1, 128, rows * n);
  l.run();
  l.checkSymbolic();
  EXPECT_LE(mismatches(out, expected), 2u);
}
INSTANTIATE_TEST_SUITE_P(
    PTX, MoeF32,
    testing::Values(Sample{"c_d2_moe_act_f32", Kept},
                    Sample{"t_d2_moe_act_f32_strict", Kept},
                    Sample{"t_d2_moe_act_f32_loose", Kept},
                    Sample{"i_d2_moe_act_f32_emu", Kept},
                    Sample{"i_d2_moe_act_f32_emu_eager", Kept},
                    Sample{"i_d2_moe_act_f32_default", Kept},
                    Sample{"i_d2_moe_act_f32_default_cfg1", Kept}));

TEST_P(MoeBackward, EqualsFormula) {
  const int rows = 4, n = 1024;
  Random random(6);
  Bits gu = random.bf16(rows * 2 * n, 2), grad = random.bf16(rows * n);
  std::vector<float> p = random.f32(rows), dp(rows), expectP(rows);
  Bits expected(gu.size()), dgu(gu.size());
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      float g = F(gu[r * 2 * n + k]), u = F(gu[r * 2 * n + n + k]),
            y = F(grad[r * n + k]);
      float s = sigmoid(g), si = g * s, go = y * p[r];
      expected[r * 2 * n + k] = R((go * u) * (s + si * (1.0f - s)));
      expected[r * 2 * n + n + k] = R(go * si);
      sum += double(y) * si * u;
    }
    expectP[r] = float(sum);
  }
  Launch l = Launch::file(GetParam().file);
  l.in(gu).in(p).in(grad).out(dgu).out(dp);
  shape(l, GetParam(), rows, 128, 1, 128, 0);
  l.run();
  l.checkSymbolic();
  EXPECT_LE(mismatches(dgu, expected), GetParam().contract == Kept ? 0u : 4u);
  EXPECT_LT(distance(dp, expectP), 1e-5);
}
INSTANTIATE_TEST_SUITE_P(
    PTX, MoeBackward,
    testing::Values(Sample{"c_d3_moe_act_f32_bwd", Kept},
                    Sample{"t_d3_moe_act_f32_bwd_strict", Kept},
                    Sample{"t_d3_moe_act_f32_bwd_loose", Lost}));

TEST_P(Combine, EqualsFormula) {
  const int tokens = 4, experts = 8, rows = 16, n = 2048;
  Random random(7);
  Bits z = random.bf16(rows * n), expected(tokens * n), out(tokens * n);
  std::vector<float> p = random.f32(tokens * experts);
  std::vector<int32_t> map(tokens * experts);
  for (int32_t &m : map)
    m = int32_t(random.bits() % rows);
  for (int t = 0; t < tokens; ++t)
    for (int k = 0; k < n; ++k) {
      float acc = 0;
      for (int e = 0; e < experts; ++e)
        acc += F(z[map[t * experts + e] * n + k]) * p[t * experts + e];
      expected[t * n + k] = R(acc);
    }
  Launch l = Launch::file(GetParam().file);
  l.in(z).in(map).in(p).out(out);
  shape(l, GetParam(), tokens, 256, 2, 128, 0);
  l.run();
  l.checkSymbolic();
  // The loose versions lose roundings in f32, which bf16 seldom shows.
  EXPECT_LE(mismatches(out, expected), GetParam().contract == Kept ? 0u : 8u);
}
INSTANTIATE_TEST_SUITE_P(PTX, Combine,
                         testing::Values(Sample{"c_e_combine", Kept},
                                         Sample{"t_e_combine_strict", Kept},
                                         Sample{"t100_e_combine_strict", Kept},
                                         Sample{"t_e_combine_loose", Lost},
                                         Sample{"x_e_combine_strict_fused",
                                                Lost}));

namespace {
/// Sums of 32 lanes by exchanging with lane ^ 16, 8, ... 1 (or fewer lanes).
float butterfly(std::vector<float> lanes) {
  for (size_t o = lanes.size() / 2; o; o /= 2) {
    std::vector<float> next(lanes.size());
    for (size_t l = 0; l < lanes.size(); ++l)
      next[l] = lanes[l] + lanes[l ^ o];
    lanes = next;
  }
  return lanes[0];
}
float balanced(const float *v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/// The sum of squares of a row of 4096 in each version's own order.
float sumOfSquares(const Sample &s, const uint16_t *x) {
  std::vector<float> sq(4096);
  for (int k = 0; k < 4096; ++k)
    sq[k] = F(x[k]) * F(x[k]);
  if (contains(s, "eagertree")) {
    float lanes[32];
    for (int l = 0; l < 32; ++l) {
      float a[4] = {0, 0, 0, 0};
      for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 4; ++j)
          a[j] += sq[128 * i + 4 * l + j];
      lanes[l] = ((a[0] + a[1]) + a[2]) + a[3];
    }
    for (int o = 1; o < 32; o *= 2)
      for (int l = 0; l + o < 32; ++l)
        lanes[l] = lanes[l] + lanes[l + o];
    return lanes[0];
  }
  std::vector<float> warps;
  for (int w = 0; w < 8; ++w) {
    std::vector<float> lanes(32);
    for (int l = 0; l < 32; ++l) {
      const float *low = &sq[8 * (32 * w + l)], *high = low + 2048;
      float a = 0;
      for (int k = 0; k < 16; ++k)
        a += k < 8 ? low[k] : high[k - 8];
      lanes[l] = origin(s) == 'c' ? a : balanced(low) + balanced(high);
    }
    warps.push_back(butterfly(lanes));
  }
  if (origin(s) != 'c')
    return butterfly(warps);
  float a = warps[0];
  for (int w = 1; w < 8; ++w)
    a += warps[w];
  return a;
}
} // namespace

TEST_P(RmsNorm, EqualsFormula) {
  const Sample &s = GetParam();
  const int rows = 4, n = 4096;
  Random random(8);
  Bits x = random.bf16(rows * n), w = random.bf16(n), expected(rows * n),
       y(rows * n);
  for (int r = 0; r < rows; ++r) {
    float mean = sumOfSquares(s, &x[r * n]) * 0x1p-12f;
    float rs = num::cr::rsqrt(mean + 1e-6f);
    for (int k = 0; k < n; ++k)
      expected[r * n + k] = R(F(w[k]) * round16(F(x[r * n + k]) * rs));
  }
  Launch l = Launch::file(s.file);
  l.in(x).in(w).out(y);
  if (origin(s) == 'i') {
    l.scalar("i32", std::to_string(rows)).scalar("i32", "4096").null(2);
    l.shape(rows, 512).kernel().dynamicShared = 16384;
  } else {
    l.scalar("f32", "1e-6");
    if (contains(s, "eagertree")) {
      l.shape(rows / 4, 32);
      l.kernel().block[1] = 4;
    } else {
      shape(l, s, rows, 256, 1, 256, 0);
    }
  }
  l.run();
  l.checkSymbolic();
  check(s, y, expected);
}
INSTANTIATE_TEST_SUITE_P(PTX, RmsNorm,
                         testing::Values(Sample{"c_f_rmsnorm", Kept},
                                         Sample{"c_f_rmsnorm_eagertree", Kept},
                                         Sample{"c_f_rmsnorm_pk", Kept},
                                         Sample{"t_f_rmsnorm_strict", Kept},
                                         Sample{"t_f_rmsnorm_loose", Lost},
                                         Sample{"i_f_rmsnorm_emu", Kept},
                                         Sample{"i_f_rmsnorm_emu_eager", Kept},
                                         Sample{"i_f_rmsnorm_default", Lost},
                                         Sample{"i_f_rmsnorm_default_cfg1",
                                                Lost}));

TEST_P(GatedNorm, EqualsFormula) {
  const Sample &s = GetParam();
  const int rows = 24, n = 128;
  Random random(9);
  Bits o = random.bf16(rows * n), z = random.bf16(rows * n, 2),
       w = random.bf16(n), expected(rows * n), out(rows * n);
  for (int r = 0; r < rows; ++r) {
    std::vector<float> lanes(16);
    for (int l = 0; l < 16; ++l) {
      float sq[8], a = 0;
      for (int k = 0; k < 8; ++k) {
        float v = F(o[r * n + 8 * l + k]);
        sq[k] = v * v;
        a += sq[k];
      }
      lanes[l] = origin(s) == 'c' || contains(s, "_rz") ? a : balanced(sq);
    }
    float rs = num::cr::rsqrt(butterfly(lanes) * 0x1p-7f + 1e-6f);
    for (int k = 0; k < n; ++k) {
      int at = r * n + k;
      float yw = round16(F(w[k]) * round16(F(o[at]) * rs));
      expected[at] = R(yw * silu(F(z[at])));
    }
  }
  Launch l = Launch::file(s.file);
  l.in(o).in(z).in(w).out(out).scalar("f32", "1e-6").shape(rows / 8, 128);
  if (s.file[0] == 't')
    l.null(2).kernel().dynamicShared = 16384;
  l.run();
  l.checkSymbolic();
  check(s, out, expected);
}
INSTANTIATE_TEST_SUITE_P(PTX, GatedNorm,
                         testing::Values(Sample{"c_g_gdn_norm", Kept},
                                         Sample{"c_g_gdn_norm_pk", Kept},
                                         Sample{"t_g_gdn_norm_strict", Kept},
                                         Sample{"t_g_gdn_norm_loose", Lost},
                                         Sample{"x_gdn_norm_rz", Lost}));

TEST_P(DeltaStep, EqualsFormula) {
  const Sample &s = GetParam();
  const int heads = 2, n = 128;
  Random random(10);
  std::vector<float> state = random.f32(heads * n * n),
                     q = random.f32(heads * n), k = random.f32(heads * n),
                     g = random.f32(heads, 0.1f);
  Bits v = random.bf16(heads * n), beta = random.bf16(heads), o(heads * n),
       expectO(heads * n);
  std::vector<float> expected(state);
  // Each column is summed by 8 warps, every 8th row in order, then the warps.
  auto sum = [&](const std::function<float(int)> &term) {
    float total = 0;
    for (int w = 0; w < 8; ++w) {
      float a = 0;
      for (int i = 0; i < 16; ++i)
        a += term(w + 8 * i);
      total = w ? total + a : a;
    }
    return total;
  };
  for (int h = 0; h < heads; ++h)
    for (int c = 0; c < n; ++c) {
      float *column = &expected[h * n * n + c];
      float decay = num::cr::exp(g[h]);
      for (int r = 0; r < n; ++r)
        column[r * n] *= decay;
      float kv = sum([&](int r) { return column[r * n] * k[h * n + r]; });
      float d = (F(v[h * n + c]) - kv) * F(beta[h]);
      for (int r = 0; r < n; ++r)
        column[r * n] += k[h * n + r] * d;
      expectO[h * n + c] =
          R(sum([&](int r) { return column[r * n] * q[h * n + r]; }));
    }
  Launch l = Launch::file(s.file);
  l.inOut(state).in(q).in(k).in(v).in(g).in(beta).out(o);
  shape(l, s, heads, 256, 4, 128, 0);
  l.run();
  l.checkSymbolic();
  if (origin(s) == 'c') {
    EXPECT_EQ(state, expected);
    EXPECT_EQ(o, expectO);
  } else {
    // Another order of the sums.
    EXPECT_LT(distance(state, expected), 1e-6);
    EXPECT_LT(mismatches(o, expectO), 8u);
  }
}
INSTANTIATE_TEST_SUITE_P(PTX, DeltaStep,
                         testing::Values(Sample{"c_h_gdn_step", Kept},
                                         Sample{"t_h_gdn_step_strict", Kept},
                                         Sample{"t100_h_gdn_step_strict", Kept},
                                         Sample{"t_h_gdn_step_loose", Lost}));
