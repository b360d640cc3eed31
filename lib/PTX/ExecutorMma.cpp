// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync: matrix products of a warp. The ISA leaves the order and the
// precision of the sum open; here every element is the sum of the exact
// products and the accumulator in f64, by ascending k, rounded once.
#include "DomainSymbolic.h"

using namespace prec;
using namespace prec::ptx;

template <class D>
void Executor<D>::mma(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  const unsigned k = i.imm;
  const unsigned accumulators = i.type == Ty::F32 ? 4 : 2;
  const int32_t *d = i.regs.data(), *a = d + accumulators, *b = a + k / 4,
                *c = b + k / 8;
  for (const int32_t *r = a; r != c + accumulators; ++r) {
    requireDefined(w, f, i, *r, active);
    if constexpr (D::symbolic)
      if (uint32_t unknown = f.data.symbolic[*r] & active)
        failOnData(w, i, __builtin_ctz(unknown), "matrix product of data");
  }
  const num::Format &in = *formatOf(i.sourceType), &out = *formatOf(i.type);
  auto half = [&](int32_t slot, unsigned lane, unsigned k) {
    return num::toDouble(in, f.lanes(slot)[lane] >> 16 * k & 0xffff);
  };
  // Thread l = 4g + t holds, in register r: a[g + 8(r % 2)][2t + 8(r / 2)...],
  // b[2t + 8r...][g], c and d[g + 8(r / 2)][2t + r % 2].
  double A[16][16], B[16][8], C[16][8];
  for (unsigned l = 0; l < warpSize; ++l) {
    unsigned g = l / 4, t = l % 4;
    for (unsigned r = 0; r < k / 4; ++r)
      for (unsigned e = 0; e < 2; ++e)
        A[g + 8 * (r % 2)][2 * t + e + 8 * (r / 2)] = half(a[r], l, e);
    for (unsigned r = 0; r < k / 8; ++r)
      for (unsigned e = 0; e < 2; ++e)
        B[2 * t + e + 8 * r][g] = half(b[r], l, e);
    for (unsigned r = 0; r < 4; ++r) {
      uint64_t bits = accumulators == 4
                          ? f.lanes(c[r])[l]
                          : f.lanes(c[r / 2])[l] >> 16 * (r % 2) & 0xffff;
      C[g + 8 * (r / 2)][2 * t + r % 2] = num::toDouble(out, bits);
    }
  }
  for (unsigned l = 0; l < warpSize; ++l) {
    unsigned g = l / 4, t = l % 4;
    uint64_t packed[2] = {0, 0};
    for (unsigned r = 0; r < 4; ++r) {
      unsigned row = g + 8 * (r / 2), column = 2 * t + r % 2;
      double sum = C[row][column];
      for (unsigned e = 0; e < k; ++e)
        sum += A[row][e] * B[e][column];
      uint64_t bits = num::round(num::kF64, num::bitCast<uint64_t>(sum), out);
      if (num::isNaN(out, bits))
        bits = out.absMask();
      if (accumulators == 4)
        setResult(f, d[r], l, bits);
      else
        packed[r / 2] |= bits << 16 * (r % 2);
    }
    if (accumulators == 2)
      for (unsigned r = 0; r < 2; ++r)
        setResult(f, d[r], l, packed[r]);
  }
}

template class prec::ptx::Executor<BitsDomain>;
template class prec::ptx::Executor<SymbolicDomain>;
