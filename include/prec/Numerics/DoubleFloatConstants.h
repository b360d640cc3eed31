// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of DoubleFloatExpansion.h: coefficients as sums of two f32, and of
// higher powers, called tails, as one. bench/sweep/coefficients.py prints them;
// bench/sweep/prec-sweep finds the exceptions.
#ifndef PREC_NUMERICS_DOUBLEFLOATCONSTANTS_H
#define PREC_NUMERICS_DOUBLEFLOATCONSTANTS_H

#include "prec/Numerics/MathConstants.h"

#include <cstdint>

namespace prec::num::expand {

// clang-format off
/// (e^r - 1 - r) / r^2 on [-ln(2)/2, ln(2)/2].
inline constexpr float kPairExp[][2] = {{0x1.000000p-1f, 0.0f}, {0x1.555556p-3f, -0x1.555556p-28f}, {0x1.555556p-5f, -0x1.5556fcp-30f}, {0x1.111112p-7f, -0x1.dddf50p-32f}, {0x1.6c16c2p-10f, -0x1.16e1dap-35f}, {0x1.a01a02p-13f, -0x1.5c0dc4p-39f}};
inline constexpr float kPairExpTail[] = {0x1.a019c8p-16f, 0x1.71de0cp-19f, 0x1.28803ap-22f, 0x1.af389ep-26f};
/// (2^r - 1 - r ln 2) / r^2 on [-1/2, 1/2].
inline constexpr float kPairExp2[][2] = {{0x1.ebfbe0p-3f, -0x1.f4e9c6p-33f}, {0x1.c6b08ep-5f, -0x1.1f6be8p-30f}, {0x1.3b2ab6p-7f, 0x1.f747dep-32f}, {0x1.5d87fep-10f, 0x1.e295cep-36f}, {0x1.430914p-13f, -0x1.febf32p-38f}, {0x1.ffcbfcp-17f, 0x1.8f44dcp-43f}};
inline constexpr float kPairExp2Tail[] = {0x1.62bff0p-20f, 0x1.b52506p-24f, 0x1.e5cdacp-28f, 0x1.e9bbdep-32f};
/// (2 atanh(s) - 2 s) / s^3 for s = f / (2 + f), in s^2.
inline constexpr float kPairLog[][2] = {{0x1.555556p-1f, -0x1.555556p-26f}, {0x1.99999ap-2f, -0x1.9999b8p-28f}, {0x1.24924ap-2f, -0x1.b6d24ap-27f}, {0x1.c71c72p-3f, -0x1.dc6298p-30f}};
inline constexpr float kPairLogTail[] = {0x1.745d18p-3f, 0x1.3b1378p-3f, 0x1.111d78p-3f, 0x1.deb8aap-4f, 0x1.e6afc6p-4f};
inline constexpr float kPairLn2[] = {0x1.62e430p-1f, -0x1.05c610p-29f};
/// Products of the first with integers below 2^9 are exact.
inline constexpr float kPairLn2Exact[] = {0x1.62e400p-1f, 0x1.7f7d1cp-20f, 0x1.ef357ap-45f};
inline constexpr float kPairInvLn2[] = {0x1.715476p+0f, 0x1.4ae0c0p-26f}, kPairInvLn10[] = {0x1.bcb7b2p-2f, -0x1.5b235ep-27f};
inline constexpr float kPairLog10Of2Exact[] = {0x1.344000p-2f, 0x1.3509f8p-18f, -0x1.80433cp-44f};
/// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 on [-pi/4, pi/4], in r^2.
inline constexpr float kPairSin[][2] = {{-0x1.555556p-3f, 0x1.555556p-28f}, {0x1.111112p-7f, -0x1.dddddep-32f}, {-0x1.a01a02p-13f, 0x1.7f9998p-39f}, {0x1.71de3ap-19f, 0x1.516082p-45f}};
inline constexpr float kPairSinTail[] = {-0x1.ae6454p-26f, 0x1.612176p-33f, -0x1.ab17d4p-41f};
inline constexpr float kPairCos[][2] = {{0x1.555556p-5f, -0x1.555556p-30f}, {-0x1.6c16c2p-10f, 0x1.27d27cp-35f}, {0x1.a01a02p-16f, -0x1.7f96e6p-42f}, {-0x1.27e4fcp-22f, 0x1.1153f0p-47f}};
inline constexpr float kPairCosTail[] = {0x1.1eed8ep-29f, -0x1.9394b2p-37f, 0x1.ab785ap-45f};
/// pi/2 by 2^-23.
inline constexpr float kPairHalfPi[] = {0x1.921fb6p-23f, -0x1.777a5cp-48f, -0x1.ee59dap-73f};
/// 2/pi by 2^230, its first word first.
inline constexpr uint32_t kTwoOverPiWords[] = {0x00000028, 0xBE60DB93, 0x91054A7F, 0x09D5F47D, 0x4D377036, 0xD8A5664F, 0x10E4107F, 0x9458EAF7};
/// Where the intervals after erf's first, [0, 1], begin, and the last ends.
inline constexpr float kPairErfCuts[] = {0x1.000000p+0f, 0x1.900000p+0f, 0x1.200000p+1f, 0x1.800000p+1f}, kPairErfEnd = 0x1.f80000p+1f;
inline constexpr float kPairErfMiddle[] = {0.0f, 0x1.480000p+0f, 0x1.e80000p+0f, 0x1.500000p+1f, 0x1.bc0000p+1f};
/// 2/sqrt(pi), and erf of the middles.
inline constexpr float kPairErfStart[][3] = {{0x1.20dd76p+0f, -0x1.f7ac92p-25f, -0x1.7728e2p-51f},
    {0x1.dc29fcp-1f, -0x1.3f1d4ap-26f, -0x1.2a7f90p-54f},
    {0x1.fc67bcp-1f, 0x1.e5af72p-26f, -0x1.4349cep-53f},
    {0x1.ffe514p-1f, 0x1.77b832p-26f, 0x1.bc64d4p-51f},
    {0x1.ffffe0p-1f, 0x1.7a7d0ap-26f, 0x1.f14098p-53f}};
/// (erf(x) / x - 2/sqrt(pi)) / x^2 in x^2, and (erf(m + t) - erf(m)) / t.
inline constexpr float kPairErf[][10][2] = {{{-0x1.812746p-2f, -0x1.606f3cp-27f}, {0x1.ce2f22p-4f, -0x1.7ef508p-30f}, {-0x1.b82ce4p-6f, 0x1.daee96p-31f}, {0x1.565bcep-8f, -0x1.e32b5ap-33f}, {-0x1.c02db4p-11f, -0x1.023c1ap-45f}, {0x1.f9a326p-14f, 0x1.f36090p-39f}, {-0x1.f4d25cp-17f, -0x1.e62346p-44f}, {0x1.b9e6cap-20f, -0x1.26d904p-46f}, {-0x1.5f742cp-23f, 0x1.127430p-48f}, {0x1.fcc506p-27f, -0x1.7901c2p-54f}},
    {{0x1.bf8e1cp-3f, -0x1.c6bbb0p-28f}, {-0x1.1eb70ap-2f, 0x1.43503ep-27f}, {0x1.549ea6p-3f, 0x1.ef4028p-28f}, {-0x1.b10f20p-7f, -0x1.a2564cp-32f}, {-0x1.61420cp-5f, 0x1.49b23ep-30f}, {0x1.677b80p-6f, -0x1.b68830p-31f}, {0x1.24f98cp-9f, 0x1.043be4p-35f}, {-0x1.630caep-8f, 0x1.58aa2ep-36f}, {0x1.226d64p-10f, -0x1.9ea15cp-40f}, {0x1.641de0p-11f, -0x1.6600b8p-37f}},
    {{0x1.e85c44p-6f, 0x1.3c6efep-31f}, {-0x1.d177f2p-5f, 0x1.326634p-30f}, {0x1.fe23b8p-5f, -0x1.4f7464p-30f}, {-0x1.4b1210p-5f, 0x1.888c46p-31f}, {0x1.8d9906p-7f, 0x1.a259f4p-32f}, {0x1.9201b8p-9f, -0x1.4fce5ep-35f}, {-0x1.2aceacp-8f, 0x1.fb4eeap-35f}, {0x1.8d501ap-10f, -0x1.7dda76p-35f}, {0x1.0065f2p-12f, 0x1.3f9452p-38f}, {-0x1.7c4a14p-12f, 0x1.d31b80p-38f}},
    {{0x1.2ce898p-10f, 0x1.01248ap-35f}, {-0x1.8af148p-9f, -0x1.45ff6ep-36f}, {0x1.407fbep-8f, -0x1.ce1dc4p-33f}, {-0x1.62d4c6p-8f, -0x1.a947a2p-33f}, {0x1.146c4cp-8f, -0x1.83aaeep-33f}, {-0x1.267f3cp-9f, 0x1.03e5c0p-35f}, {0x1.64f892p-11f, -0x1.4c2056p-37f}, {0x1.229ec4p-15f, -0x1.c4a68ep-40f}, {-0x1.4006bap-13f, 0x1.804484p-39f}, {0x1.363386p-14f, -0x1.dbacf8p-46f}},
    {{0x1.c282cep-18f, -0x1.8d501cp-43f}, {-0x1.86ad6ep-16f, 0x1.0787bcp-45f}, {0x1.b0f314p-15f, -0x1.141e30p-43f}, {-0x1.56e458p-14f, 0x1.1ad26ap-39f}, {0x1.9ad1f6p-14f, 0x1.632822p-40f}, {-0x1.7f92aep-14f, 0x1.8c51f4p-42f}, {0x1.1a557ap-14f, -0x1.987848p-39f}, {-0x1.4548bcp-15f, -0x1.9764f6p-40f}, {0x1.19e304p-16f, 0x1.e7d8fcp-41f}, {-0x1.3fa2fcp-18f, -0x1.95853ap-47f}}};
inline constexpr float kPairErfTail[][5] = {{-0x1.51d206p-30f, 0x1.9e12e6p-34f, -0x1.d41168p-38f, 0x1.d3d59ap-42f, -0x1.440e04p-46f},
    {-0x1.6403acp-12f, -0x1.ff0600p-16f, 0x1.c3d48cp-15f, -0x1.6bc4bap-18f, -0x1.74e3fap-18f},
    {0x1.676326p-14f, 0x1.d1f244p-16f, -0x1.530f3ap-16f, 0x1.a4f356p-20f, 0x1.0caa56p-19f},
    {-0x1.5a801cp-17f, -0x1.c1e088p-18f, 0x1.171fbep-18f, -0x1.3f6b94p-21f, -0x1.359d92p-22f},
    {0x1.113e36p-22f, 0x1.35daa6p-21f, -0x1.710028p-22f, 0x1.6ff32cp-24f, 0x1.55534ap-29f}};

/// Inputs that the sequences do not decide, and the results; cosine, log2 and
/// log10 have none.
inline constexpr Exception kPairExp2Exceptions[] = {{0xBCF3A937, 0x3F7AC6B1}};
inline constexpr Exception kPairLog1pExceptions[] = {{0x3EFD81AD, 0x3ECDEEE1}};
/// Of |x|; the sign follows.
inline constexpr Exception kPairSinExceptions[] = {{0x3EF3830F, 0x3EEA6F45}, {0x46199998, 0xBEB1FA5D}, {0x5F208D82, 0x3F2C7688}, {0x61DFC847, 0xBF0094DF}, {0x653CEE8F, 0x3F30DF39}, {0x7F2A2CA7, 0x3EFDC03D}};
inline constexpr Exception kPairTanhExceptions[] = {{0x3AC37DE2, 0x3AC37DD9}, {0x3D7C3055, 0x3D7BDEE1}};
/// Of a power's significand, with what the lower word is to be.
struct PowerException {
  int power;
  Exception significand;
};
inline constexpr PowerException kPairPowerExceptions[] = {
    {-2, {0x3F3A3BB6, 0xB3FFFFFF}}, {3, {0x3F938CCB, 0x33800001}}, {5, {0x3FA4724F, 0xB3FFFFFF}}, {6, {0x3FAA357B, 0x34800001}},
    {7, {0x3F8B60A6, 0xB43FFFFF}}, {-5, {0x3F9C884E, 0xB33FFFFE}}, {-6, {0x3F78ECF1, 0xB43FFFFF}},
    {-7, {0x3F4C3770, 0x34800001}}};
// clang-format on

} // namespace prec::num::expand

#endif // PREC_NUMERICS_DOUBLEFLOATCONSTANTS_H
