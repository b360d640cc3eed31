// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The identities that the audit rewrites with. Each holds for every bit
/// pattern (NaN being equal to NaN) under its condition, and has a test that
/// tries it: on all inputs where they are few, against exact arithmetic where
/// not.
#ifndef PREC_AUDIT_IDENTITIES_H
#define PREC_AUDIT_IDENTITIES_H

#include <cstddef>
#include <cstdint>

namespace prec::audit {

enum class Identity : uint8_t {
  Commute,
  SubIsAddNeg,
  NegOfProduct,
  RoundOfNeg,
  DivByPowerOfTwo,
  ScaleTwice,
  Double,
  TimesOne,
  PlusMinusZero,
  PlusZero,
  PlusZeroLast,
  PlusNegOfSum,
  FmaMinusZero,
  FmaOfExactProduct,
  Native16,
  RoundOfRepresentable,
  WidenTwice,
  FlushOfNormal,
  MinMaxWithoutNaN,
  MinMaxOfSame,
  MinMaxOrder,
  MinMaxOfInfinity,
  CompareForms,
  SelectForms,
  SweptFunction,
  Evaluated,
  GuardedRounding,
};
inline constexpr size_t identities = size_t(Identity::GuardedRounding) + 1;

struct IdentityInfo {
  const char *name;
  const char *statement;
  const char *condition;
};
const IdentityInfo &info(Identity identity);

} // namespace prec::audit

#endif // PREC_AUDIT_IDENTITIES_H
