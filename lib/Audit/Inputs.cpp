// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Inputs.h"

#include "prec/Audit/Tables.h"

using namespace prec;
using namespace prec::audit;
using num::Format;

Inputs::Inputs(const sym::Graph &graph, const std::vector<TensorInfo> &tensors,
               uint64_t seed)
    : graph(graph), state(seed) {
  for (const TensorInfo &tensor : tensors)
    if (tensor.isSymbolic())
      formats[tensor.name] = tensor.format();
}

/// SplitMix64.
uint64_t Inputs::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

const Format &Inputs::format(sym::Node leaf) const {
  return *formats.at(graph.tensorName(graph[leaf].index));
}

/// Random sign and fraction; the exponent is that of 1 or up to `spread` away.
uint64_t Inputs::ordinary(const Format &f, unsigned spread) {
  uint64_t r = next();
  uint64_t fraction = r & f.fracMask();
  int exponent = f.bias + int((r >> 52) % (2 * spread + 1)) - int(spread);
  exponent = std::min(std::max(exponent, 1), (1 << f.expBits) - 2);
  return (r >> 63 ? f.signMask() : 0) | uint64_t(exponent) << f.fracBits |
         fraction;
}

uint64_t Inputs::special(const Format &f) {
  const uint64_t one = uint64_t(f.bias) << f.fracBits;
  const uint64_t values[] = {0,
                             1,
                             f.minNormal() - 1,
                             f.minNormal() / 2 + 1,
                             f.minNormal(),
                             f.minNormal() + 1,
                             one,
                             one + 1,
                             f.maxFinite(),
                             f.infOrNaN(),
                             f.quietNaN()};
  uint64_t r = next();
  return values[(r >> 8) % std::size(values)] | (r & 1 ? f.signMask() : 0);
}

std::vector<std::vector<uint64_t>>
Inputs::make(const std::vector<sym::Node> &leaves, size_t n,
             const Hints &hints) {
  std::vector<std::vector<uint64_t>> out(leaves.size());
  if (leaves.size() == 1 && graph.width(leaves[0]) <= Tables::maxWidth) {
    for (uint64_t x = 0; x < uint64_t(1) << graph.width(leaves[0]); ++x)
      out[0].push_back(x);
    return out;
  }
  std::vector<const Format *> formatOf;
  for (sym::Node leaf : leaves)
    formatOf.push_back(&format(leaf));
  for (std::vector<uint64_t> &values : out)
    values.reserve(n);
  std::vector<size_t> hinted;
  for (size_t k = 0; k < leaves.size(); ++k)
    if (hints.count(leaves[k]))
      hinted.push_back(k);
  for (size_t lane = 0; lane < n; ++lane) {
    if (!hinted.empty() && lane * 8 / n == 7) {
      const size_t which = hinted[next() % hinted.size()];
      const std::vector<uint64_t> &values = hints.at(leaves[which]);
      const unsigned spread = next() & 1 ? 8 : 120;
      for (size_t k = 0; k < leaves.size(); ++k)
        out[k].push_back(k == which ? values[next() % values.size()]
                                    : ordinary(*formatOf[k], spread));
      continue;
    }
    const unsigned kind = unsigned(lane * 8 / n);
    const unsigned spread = 1 + unsigned(next() % 8);
    // One special among a few leaves, few among many: else all is NaN.
    const uint64_t oneIn = std::max<uint64_t>(2, leaves.size() / 2);
    for (size_t k = 0; k < leaves.size(); ++k) {
      const Format &f = *formatOf[k];
      uint64_t bits = 0;
      if (kind < 4 || (kind >= 6 && next() % oneIn))
        bits = ordinary(f, spread);
      else if (kind < 6)
        bits = next() & (f.absMask() | f.signMask());
      else
        bits = special(f);
      out[k].push_back(bits);
    }
  }
  return out;
}

std::vector<uint64_t> Inputs::tensor(const Format &f, size_t n, size_t run,
                                     size_t runs) {
  std::vector<uint64_t> out(n);
  const unsigned kind = unsigned(run * 4 / runs);
  const unsigned spread = 1 + unsigned(run % 8);
  // A few specials, and sometimes many.
  const uint64_t oneIn = run % 4 == 3 ? 2 : std::max<uint64_t>(2, n / 2);
  for (uint64_t &bits : out) {
    if (kind == 2)
      bits = next() & (f.absMask() | f.signMask());
    else if (kind == 3 && next() % oneIn == 0)
      bits = special(f);
    else
      bits = ordinary(f, spread);
  }
  return out;
}
