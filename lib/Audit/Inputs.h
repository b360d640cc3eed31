// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Inputs to try expressions on.
#ifndef PREC_LIB_AUDIT_INPUTS_H
#define PREC_LIB_AUDIT_INPUTS_H

#include "prec/Audit/Audit.h"
#include "prec/Audit/Lanes.h"

namespace prec::audit {

class Inputs {
public:
  Inputs(const sym::Graph &graph, const std::vector<TensorInfo> &tensors,
         uint64_t seed);

  /// n lanes for each leaf. A leaf of at most 16 bits that is alone gets all
  /// its values. Else the first half of the lanes has numbers of ordinary
  /// size; then come any bits, and ordinary numbers among zeros, subnormals,
  /// numbers near the ends of the range, infinities and NaNs. Where there are
  /// `hints`, the last eighth has one of them each, among numbers of any size.
  using Hints = std::unordered_map<sym::Node, std::vector<uint64_t>>;
  std::vector<std::vector<uint64_t>> make(const std::vector<sym::Node> &leaves,
                                          size_t n, const Hints &hints = {});
  const num::Format &format(sym::Node leaf) const;
  /// All n elements of a tensor, for run `run` of `runs`: of ordinary size in
  /// the first half, then any bits, then with some special ones.
  std::vector<uint64_t> tensor(const num::Format &format, size_t n, size_t run,
                               size_t runs);

private:
  uint64_t next();
  uint64_t ordinary(const num::Format &f, unsigned spread);
  uint64_t special(const num::Format &f);

  const sym::Graph &graph;
  std::map<std::string, const num::Format *> formats;
  uint64_t state;
};

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_INPUTS_H
