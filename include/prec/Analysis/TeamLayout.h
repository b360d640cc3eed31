// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an order's digits fall on the threads of a team that has a row in its
// registers.
#ifndef PREC_ANALYSIS_TEAMLAYOUT_H
#define PREC_ANALYSIS_TEAMLAYOUT_H

#include "prec/Numerics/SumOrder.h"

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace prec {

/// Threads that exchange values without shared memory.
inline constexpr int64_t kWarp = 32;

/// Elements of a row that a thread keeps in registers, at most: a processor's
/// registers, dealt over the threads of a large team, are fewer for each.
inline int64_t mostElements(int64_t team) { return team <= 128 ? 128 : 64; }

/// What is left of an order: digits, innermost first, and their steps.
struct OrderDigits {
  llvm::SmallVector<int64_t> radices;
  llvm::SmallVector<num::SumStep> steps;

  /// The digits of a row of `count` elements; nothing where the order is not
  /// one of plain steps over digits.
  static std::optional<OrderDigits> get(const num::SumOrder &order,
                                        int64_t count);

  int64_t count() const { return stride(radices.size()); }
  int64_t stride(unsigned digit) const {
    int64_t product = 1;
    for (unsigned d = 0; d < digit; ++d)
      product *= radices[d];
    return product;
  }
  /// A step is done.
  void pop() {
    radices[steps.front().digit] = 1;
    steps.erase(steps.begin());
  }
  /// Makes two of a digit that a boundary falls into, where its step goes level
  /// by level and so can be done in two parts.
  void splitAt(int64_t boundary);
};

/// A row in the registers of a team: element i is lane i % width of vector
/// i / width, and thread t has the vectors t, t + team, ...
struct TeamLayout {
  enum Place { Lane, Thread, Vector };
  OrderDigits digits;
  llvm::SmallVector<Place> places; ///< where each digit lies
  int64_t numVectors = 1;          ///< of a thread, absent ones counted
  size_t local = 0;                ///< that many steps come before threads meet

  /// Nothing where the digits do not fit the layout, or where threads would
  /// meet before each has but one value left.
  static std::optional<TeamLayout> get(const OrderDigits &digits, int64_t width,
                                       int64_t team);
};

} // namespace prec

#endif // PREC_ANALYSIS_TEAMLAYOUT_H
