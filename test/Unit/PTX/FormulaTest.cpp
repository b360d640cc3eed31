// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of several compilers, run and compared with the formulas that they
// were written to compute (test/data/ptx/README.md): those that keep the
// rounding contract give its bits, those that lose a rounding do not.
#include "Kernels.h"

#include "prec/Numerics/Functions.h"

using namespace prec;

namespace {
size_t mismatches(const std::vector<uint16_t> &a,
                  const std::vector<uint16_t> &b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    count += !num::sameValue(num::kBF16, a[i], b[i]);
  return count;
}
constexpr int columns = 2560;
} // namespace

TEST(PTXFormula, WriteBack) {
  Random random(1);
  const int rows = 2;
  auto x = random.bf16(rows * 4 * columns), h = random.bf16(rows * columns),
       c = random.bf16(rows * 4);
  std::vector<uint16_t> expected(x.size());
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s < 4; ++s)
      for (int k = 0; k < columns; ++k) {
        int at = (r * 4 + s) * columns + k;
        expected[at] =
            R(F(x[at]) + F(R(F(h[r * columns + k]) * F(c[r * 4 + s]))));
      }
  std::vector<uint16_t> out(x.size());
  auto l = Launch::file("c_c_writeback_pk");
  l.shape(rows, 320).in(x).in(h).in(c).out(out).run();
  EXPECT_EQ(mismatches(out, expected), 0u);
}
