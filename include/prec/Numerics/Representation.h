// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a set of floating-point numbers: how many significant bits
// they have, how small and how large they are, and which special values are
// among them; and what an operation's results are like, given its operands'.
#ifndef PREC_NUMERICS_REPRESENTATION_H
#define PREC_NUMERICS_REPRESENTATION_H

#include "prec/Numerics/Format.h"

namespace prec::num {

/// Which NaNs are in a set.
enum class NaNs {
  None,
  Short, ///< payloads that fit into bf16, all lower bits being zero
  Any,
};

/// A set of numbers. Sets are larger than they need be, never smaller.
struct Representation {
  /// Finite numbers other than 0 have at most so many significant bits, are
  /// multiples of 2^unit, and are smaller in magnitude than 2^bound.
  /// `precision` 0: there are none.
  int precision = 0;
  int unit = 0;
  int bound = 0;
  bool hasZero = false;
  /// Whether anything has its sign bit set (-0 and -infinity too; a NaN's sign
  /// does not count).
  bool hasNegative = false;
  bool hasInfinity = false;
  NaNs nans = NaNs::None;

  /// All numbers of a format.
  static Representation all(const Format &format);
  /// The set of one number.
  static Representation of(const Format &format, uint64_t bits);
  /// +0, and -0 as well.
  static Representation zeros();

  /// Whether every number, NaN being as good as another, is one of `format`:
  /// then rounding to the format changes nothing.
  bool fits(const Format &format) const;
  /// Whether the set is {2^k}, {-2^k} or both, and its k.
  bool isPowerOfTwo(int &exponent) const;
  /// Whether `format` has a number of the set that is subnormal.
  bool hasSubnormal(const Format &format) const {
    return precision != 0 && unit < format.minExp();
  }
  bool contains(const Format &format, uint64_t bits) const;

  bool operator==(const Representation &other) const {
    return precision == other.precision &&
           (precision == 0 || (unit == other.unit && bound == other.bound)) &&
           hasZero == other.hasZero && hasNegative == other.hasNegative &&
           hasInfinity == other.hasInfinity && nans == other.nans;
  }
  bool operator!=(const Representation &other) const {
    return !(*this == other);
  }
};

/// Numbers of either set.
Representation hull(const Representation &a, const Representation &b);

Representation negate(Representation a);
Representation absolute(Representation a);
/// The magnitudes of `a` with any signs.
Representation anySign(Representation a);

// The exact results, before any rounding. NaN that an operation makes of
// numbers is short.
Representation exactAdd(const Representation &a, const Representation &b);
Representation exactMultiply(const Representation &a, const Representation &b);

/// Rounded to `format` in any mode, infinities staying infinite.
Representation rounded(Representation a, const Format &format);

// One operation of `format`: exact, then rounded.
Representation divide(const Representation &a, const Representation &b,
                      const Format &format);
Representation squareRoot(const Representation &a, const Format &format);

// NaN if either operand is; -0 is below +0.
Representation maximum(const Representation &a, const Representation &b);
Representation minimum(const Representation &a, const Representation &b);

/// Integers of `width` bits, as a number each.
Representation integers(unsigned width, bool isSigned);

} // namespace prec::num

#endif // PREC_NUMERICS_REPRESENTATION_H
