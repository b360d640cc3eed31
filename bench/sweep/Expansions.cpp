// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expansions of functions on every f32 input, against the correctly rounded
// functions of the numerics library.
#include "Sweep.h"

#include "prec/Numerics/DoubleFloatExpansion.h"
#include "prec/Numerics/Functions.h"
#include "prec/Numerics/MathExpansion.h"
#include "prec/Numerics/NativeBuilder.h"

#include <algorithm>
#include <cstring>

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

/// `reference` is of a block as well.
template <typename Functions, typename Expansion, typename Reference>
Sweep expansionSweep(const std::string &name, Expansion expansion,
                     Reference reference) {
  auto check = [=](uint64_t begin, uint64_t end, Differences &differences) {
    float in[kBlock], out[kBlock], want[kBlock];
    for (uint64_t first = begin; first < end; first += kBlock) {
      for (unsigned i = 0; i < kBlock; ++i)
        in[i] = bitCast<float>(uint32_t(first + i));
      expandBlock<Functions>(expansion, in, out);
      reference(in, want);
      if (std::memcmp(out, want, sizeof out) == 0)
        continue;
      auto count = unsigned(std::min<uint64_t>(kBlock, end - first));
      for (unsigned i = 0; i < count; ++i) {
        if (!sameValue(kF32, bitCast<uint32_t>(out[i]),
                       bitCast<uint32_t>(want[i])))
          differences.add(spell(in[i]) + ": got " + spell(out[i]) +
                          ", expected " + spell(want[i]));
      }
    }
  };
  return {name, "the expansion is correctly rounded on every f32 input",
          uint64_t(1) << 32, check};
}

template <float (*function)(float)> void eachOf(const float *in, float *want) {
  for (unsigned i = 0; i < kBlock; ++i)
    want[i] = function(in[i]);
}

using Functions = expand::Functions<NativeBuilder>;
using DoubleFloat = expand::DoubleFloatFunctions<NativeBuilder>;

/// cr::powi; as it is slow, only where f64 does not decide the result: the
/// error of at most seven operations.
template <int N> void powers(const float *in, float *want) {
  float other[kBlock];
  for (unsigned i = 0; i < kBlock; ++i) {
    double x = in[i], product = x;
    for (int j = 1; j < (N < 0 ? -N : N); ++j)
      product *= x;
    double value = N < 0 ? 1 / product : product;
    want[i] = float(value * (1 - 0x1p-49));
    other[i] = float(value * (1 + 0x1p-49));
  }
  for (unsigned i = 0; i < kBlock; ++i) {
    if (want[i] != other[i])
      want[i] = cr::powi(in[i], N);
  }
}

template <typename Functions, int N> Sweep powerSweep(const char *name) {
  return expansionSweep<Functions>(
      name + std::to_string(N),
      [](Functions &f, float x) { return f.powi(x, N); }, powers<N>);
}

/// Sweeps of every power that takes more than one operation.
template <typename Functions>
void addPowers(std::vector<Sweep> &sweeps, const char *name) {
  sweeps.insert(
      sweeps.end(),
      {powerSweep<Functions, 2>(name), powerSweep<Functions, 3>(name),
       powerSweep<Functions, 4>(name), powerSweep<Functions, 5>(name),
       powerSweep<Functions, 6>(name), powerSweep<Functions, 7>(name),
       powerSweep<Functions, -2>(name), powerSweep<Functions, -3>(name),
       powerSweep<Functions, -4>(name), powerSweep<Functions, -5>(name),
       powerSweep<Functions, -6>(name), powerSweep<Functions, -7>(name)});
}

} // namespace

std::vector<Sweep> prec::sweep::expansionSweeps() {
#define EXPANSION(name)                                                        \
  expansionSweep<Functions>(                                                   \
      #name, [](Functions &f, float x) { return f.name(x); },                  \
      eachOf<cr::name>)
#define DOUBLE_FLOAT(name)                                                     \
  expansionSweep<DoubleFloat>(                                                 \
      "pair-" #name, [](DoubleFloat &f, float x) { return f.name(x); },        \
      eachOf<cr::name>)
  std::vector<Sweep> sweeps = {
      EXPANSION(exp),      EXPANSION(exp2),    EXPANSION(expm1),
      EXPANSION(log),      EXPANSION(log2),    EXPANSION(log10),
      EXPANSION(log1p),    EXPANSION(tanh),    EXPANSION(erf),
      EXPANSION(sin),      EXPANSION(cos),     EXPANSION(rsqrt),
      DOUBLE_FLOAT(exp),   DOUBLE_FLOAT(exp2), DOUBLE_FLOAT(expm1),
      DOUBLE_FLOAT(log),   DOUBLE_FLOAT(log2), DOUBLE_FLOAT(log10),
      DOUBLE_FLOAT(log1p), DOUBLE_FLOAT(tanh), DOUBLE_FLOAT(erf),
      DOUBLE_FLOAT(sin),   DOUBLE_FLOAT(cos),  DOUBLE_FLOAT(rsqrt)};
  addPowers<Functions>(sweeps, "powi");
  addPowers<DoubleFloat>(sweeps, "pair-powi");
  return sweeps;
#undef EXPANSION
#undef DOUBLE_FLOAT
}
