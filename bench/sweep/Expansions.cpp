// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expansions of functions on every f32 input, against the correctly rounded
// functions of the numerics library.
#include "Sweep.h"

#include "prec/Numerics/DoubleFloatExpansion.h"
#include "prec/Numerics/Functions.h"
#include "prec/Numerics/MathExpansion.h"
#include "prec/Numerics/NativeBuilder.h"

#include <algorithm>

using namespace prec::num;
using namespace prec::sweep;

namespace {

constexpr unsigned kBlock = 1024;

/// One block of an expansion; everything is inlined, so that it vectorises.
template <typename Functions, typename Expansion>
__attribute__((flatten)) void expandBlock(Expansion expansion, const float *in,
                                          float *out) {
  NativeBuilder builder;
  Functions functions(builder);
  for (unsigned i = 0; i < kBlock; ++i)
    out[i] = expansion(functions, in[i]);
}

template <typename Functions, typename Expansion>
Sweep expansionSweep(const std::string &name, Expansion expansion,
                     float (*reference)(float)) {
  auto check = [=](uint64_t begin, uint64_t end, Differences &differences) {
    float in[kBlock], out[kBlock];
    for (uint64_t first = begin; first < end; first += kBlock) {
      for (unsigned i = 0; i < kBlock; ++i)
        in[i] = bitCast<float>(uint32_t(first + i));
      expandBlock<Functions>(expansion, in, out);
      auto count = unsigned(std::min<uint64_t>(kBlock, end - first));
      for (unsigned i = 0; i < count; ++i) {
        float want = reference(in[i]);
        if (!sameValue(kF32, bitCast<uint32_t>(out[i]),
                       bitCast<uint32_t>(want)))
          differences.add(spell(in[i]) + ": got " + spell(out[i]) +
                          ", expected " + spell(want));
      }
    }
  };
  return {name, "the expansion is correctly rounded on every f32 input",
          uint64_t(1) << 32, check};
}

using Functions = expand::Functions<NativeBuilder>;
using DoubleFloat = expand::DoubleFloatFunctions<NativeBuilder>;

template <int N> Sweep powerSweep() {
  return expansionSweep<Functions>(
      "powi" + std::to_string(N),
      [](Functions &f, float x) { return f.powi(x, N); },
      [](float x) { return cr::powi(x, N); });
}

} // namespace

std::vector<Sweep> prec::sweep::expansionSweeps() {
#define EXPANSION(name)                                                        \
  expansionSweep<Functions>(                                                   \
      #name, [](Functions &f, float x) { return f.name(x); }, cr::name)
#define DOUBLE_FLOAT(name)                                                     \
  expansionSweep<DoubleFloat>(                                                 \
      "pair-" #name, [](DoubleFloat &f, float x) { return f.name(x); },        \
      cr::name)
  return {EXPANSION(exp),      EXPANSION(exp2),   EXPANSION(expm1),
          EXPANSION(log),      EXPANSION(log2),   EXPANSION(log10),
          EXPANSION(log1p),    EXPANSION(tanh),   EXPANSION(erf),
          EXPANSION(sin),      EXPANSION(cos),    EXPANSION(rsqrt),
          powerSweep<2>(),     powerSweep<3>(),   powerSweep<4>(),
          powerSweep<5>(),     powerSweep<6>(),   powerSweep<7>(),
          powerSweep<-1>(),    powerSweep<-2>(),  powerSweep<-3>(),
          powerSweep<-4>(),    powerSweep<-5>(),  powerSweep<-6>(),
          powerSweep<-7>(),    DOUBLE_FLOAT(exp), DOUBLE_FLOAT(exp2),
          DOUBLE_FLOAT(expm1), DOUBLE_FLOAT(log), DOUBLE_FLOAT(log1p),
          DOUBLE_FLOAT(tanh),  DOUBLE_FLOAT(erf), DOUBLE_FLOAT(rsqrt)};
#undef EXPANSION
#undef DOUBLE_FLOAT
}
