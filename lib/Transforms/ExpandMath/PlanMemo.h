// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What searches on all 65,536 inputs found, for as long as the process lives.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_PLANMEMO_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_PLANMEMO_H

#include "NarrowChain.h"

#include <functional>
#include <map>
#include <mutex>

namespace prec {

/// Plans of one kind of search, by everything that it depends on. A search is a
/// function of that alone, so that what was found for one module holds for
/// every other. Threads may share it.
class PlanMemo {
public:
  using Key = std::vector<uint64_t>;

  /// The plan that was found for `key`, or else that of `search`.
  std::optional<Plan> get(const Key &key,
                          const std::function<std::optional<Plan>()> &search);

  /// `chain` in numbers: equal ones compute the same.
  static Key keyOf(const Chain &chain);

private:
  std::mutex mutex;
  std::map<Key, std::optional<Plan>> plans;
};

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_PLANMEMO_H
