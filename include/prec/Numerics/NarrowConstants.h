// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of NarrowExpansion.h and ExactExpansion.h, which bench/sweep/coefficients.py
// and exact-exp.py print.
#ifndef PREC_NUMERICS_NARROWCONSTANTS_H
#define PREC_NUMERICS_NARROWCONSTANTS_H

namespace prec::num::expand {

// clang-format off
/// (e^r - 1) / r on [-ln(2)/2, ln(2)/2]; the degree is that of e^r.
inline constexpr float kNarrowExp5[] = {0x1.000000p+0f, 0x1.fffe5ap-2f, 0x1.5554d4p-3f, 0x1.570b98p-5f, 0x1.120f56p-7f};
inline constexpr float kNarrowExp6[] = {0x1.000000p+0f, 0x1.000000p-1f, 0x1.55547cp-3f, 0x1.5554eap-5f, 0x1.123d82p-7f, 0x1.6d4316p-10f};
/// (2^r - 1) / r on [-1/2, 1/2].
inline constexpr float kNarrowExp2[] = {0x1.62e430p-1f, 0x1.ebfbe0p-3f, 0x1.c6af6cp-5f, 0x1.3b2a54p-7f, 0x1.5f0890p-10f, 0x1.44138ap-13f};
/// (e^r - 1 - r) / r^2 on [-ln(2)/2, ln(2)/2].
inline constexpr float kNarrowExpRest6[] = {0x1.000000p-1f, 0x1.5554dep-3f, 0x1.555514p-5f, 0x1.120b62p-7f, 0x1.6d1580p-10f};
inline constexpr float kNarrowExpRest7[] = {0x1.000000p-1f, 0x1.555556p-3f, 0x1.5554eap-5f, 0x1.1110e0p-7f, 0x1.6d4316p-10f, 0x1.a124e4p-13f};
/// (ln(1 + f) - f) / f^2 on [sqrt(1/2) - 1, sqrt(2) - 1].
inline constexpr float kNarrowLog6[] = {-0x1.00001ep-1f, 0x1.555760p-2f, -0x1.ffa3fep-3f, 0x1.9825a8p-3f, -0x1.5edf0cp-3f, 0x1.475ab2p-3f, -0x1.a15312p-4f};
inline constexpr float kNarrowLog8[] = {-0x1.fffffep-2f, 0x1.555554p-2f, -0x1.00020cp-2f, 0x1.99a012p-3f, -0x1.548382p-3f, 0x1.22ea5ap-3f, -0x1.0cda32p-3f, 0x1.048f72p-3f, -0x1.3a4ff6p-4f};
/// (tanh(r) / r - 1) / r^2 as a function of r^2, for r below kNarrowTanhSmall.
inline constexpr float kNarrowTanh[] = {-0x1.555506p-2f, 0x1.10b6dcp-3f, -0x1.9af02ep-5f};
inline constexpr float kNarrowTanhSmall = 0.35f;
inline constexpr float kNarrowLog2E = 0x1.715476p+0f;
inline constexpr float kNarrowLn2 = 0x1.62e430p-1f;
/// ln(2) as the sum of two; products of the first with integers below 2^9 are exact.
inline constexpr float kNarrowLn2High = 0x1.62e400p-1f;
inline constexpr float kNarrowLn2Low = 0x1.7f7d1cp-20f;
/// e^r a little beyond [-ln(2)/2, ln(2)/2], for arguments that are numbers of bf16 or f16: see bench/sweep/exact-exp.py.
inline constexpr double kExactExpBF16[] = {1, 1, 0.5, 0x1.5555555555555p-3, 0x1.555552a9fc4f9p-5, 0x1.11127p-7, 0x1.6ca7dp-10, 0x1.9aebfp-13};
inline constexpr double kExactExpF16[] = {1, 1, 0.5, 0x1.5555536d43474p-3, 0x1.55551f0589e89p-5, 0x1.11153f12e65c2p-7, 0x1.6d02e24c926b1p-10, 0x1.99a33928d40bcp-13};
inline constexpr double kExactLog2E = 0x1.71547p+0;
inline constexpr double kExactLn2 = 0x1.62e42fefa39efp-1;
// clang-format on

} // namespace prec::num::expand

#endif // PREC_NUMERICS_NARROWCONSTANTS_H
