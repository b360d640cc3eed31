// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of MathExpansion.h. bench/sweep/coefficients.py prints those of the
// polynomials; bench/sweep/prec-sweep finds the exceptions.
#ifndef PREC_NUMERICS_MATHCONSTANTS_H
#define PREC_NUMERICS_MATHCONSTANTS_H

namespace prec::num::expand {

// clang-format off
/// (e^r - 1 - r) / r^2 on [-ln(2)/2, ln(2)/2].
inline constexpr double kExp[] = {0x1.0000000000001p-1, 0x1.5555555555556p-3, 0x1.5555555553d68p-5, 0x1.11111111109b5p-7, 0x1.6c16c17889ef1p-10, 0x1.a01a01a7c2efep-13, 0x1.a019b9149a41cp-16, 0x1.71de0db2f6b19p-19, 0x1.28917c89a43a7p-22, 0x1.af389ecfc4b9cp-26};
/// (2^r - 1 - r ln 2) / r^2 on [-1/2, 1/2].
inline constexpr double kExp2[] = {0x1.ebfbdff82c590p-3, 0x1.c6b08d704a0c0p-5, 0x1.3b2ab6fba385fp-7, 0x1.5d87fe78a5dc5p-10, 0x1.4309130378460p-13, 0x1.ffcbfc61f6f47p-17, 0x1.62bfe46117445p-20, 0x1.b52508787c662p-24, 0x1.e5e9f548e5725p-28, 0x1.e9bbdd894b294p-32};
/// (ln(1 + f) - f) / f^2 on [sqrt(1/2) - 1, sqrt(2) - 1].
inline constexpr double kLog[] = {-0x1.0000000000000p-1, 0x1.5555555555548p-2, -0x1.ffffffffff607p-3, 0x1.999999999c6b5p-3, -0x1.5555555602023p-3, 0x1.2492492388170p-3, -0x1.ffffff6f60a91p-4, 0x1.c71c71c4bb249p-4, -0x1.9999b7df8ac3dp-4, 0x1.745d381f8b9fap-4, -0x1.5551d43abcc59p-4, 0x1.3b0cd8396ef66p-4, -0x1.24cc9f1cc2daap-4, 0x1.11b5ca2e8d528p-4, -0x1.fc1d1c7f36ff1p-5, 0x1.d1d857a2cf5e1p-5, -0x1.d0750c3a9ae34p-5, 0x1.07f6a730be813p-4, -0x1.e6e9eaf6d12bap-5, 0x1.ae3ddab18c15ep-6};
/// The same over ln 2.
inline constexpr double kLog2[] = {-0x1.71547652b82ffp-1, 0x1.ec709dc3a03eap-2, -0x1.71547652b7bcdp-2, 0x1.2776c50efbc88p-2, -0x1.ec709dc4995dfp-3, 0x1.a61762a62de38p-3, -0x1.715475ea657e2p-3, 0x1.484b13d608a5ep-3, -0x1.2776dae560877p-3, 0x1.0c9a9c4b961f1p-3, -0x1.ec6b8f844efa7p-4, 0x1.c685757f743d7p-4, -0x1.a66b8bd197d92p-4, 0x1.8ae15695ad546p-4, -0x1.6e86cd3d2906cp-4, 0x1.5009444f56973p-4, -0x1.4f08f9da41e42p-4, 0x1.7cd19ded1a936p-4, -0x1.5f3be8be02056p-4, 0x1.365a8db09aac3p-5};
/// The same over ln 10.
inline constexpr double kLog10[] = {-0x1.bcb7b1526e50fp-3, 0x1.287a7636f4353p-3, -0x1.bcb7b1526dc65p-4, 0x1.63c6277527806p-4, -0x1.287a76378a31cp-4, 0x1.fc3fa61341ee7p-5, -0x1.bcb7b0d4d0407p-5, 0x1.8b4df2f1df0c5p-5, -0x1.63c641c0a8abep-5, 0x1.436e6ef3176aap-5, -0x1.28776b000835ap-5, 0x1.11a62bb5c070dp-5, -0x1.fca4fd0b613ccp-6, 0x1.db7bb1331759bp-6, -0x1.b9578b17dfa77p-6, 0x1.94a0be28ccd5ap-6, -0x1.936c234beecf2p-6, 0x1.ca8d32209699ep-6, -0x1.a6ed8affc6b5cp-6, 0x1.75b3ffc348a63p-7};
/// (sin(pi/2 f) / f - pi/2) / f^2 on [-1/2, 1/2], in f^2.
inline constexpr double kSin[] = {-0x1.4abbce625be53p-1, 0x1.466bc6775aae1p-4, -0x1.32d2cce62b872p-8, 0x1.50783486facaap-13, -0x1.e3074d2614b2dp-19, 0x1.e8f036bcd3237p-25, -0x1.6cc577dadd922p-31};
/// (cos(pi/2 f) - 1) / f^2 on [-1/2, 1/2], in f^2.
inline constexpr double kCos[] = {-0x1.3bd3cc9be45dep+0, 0x1.03c1f081b5ac4p-2, -0x1.55d3c7e3cbff7p-6, 0x1.e1f506891ae95p-11, -0x1.a6d1f2a086c90p-16, 0x1.f9d3870871194p-22, -0x1.b6de8b8e9ba08p-28, 0x1.1e745e5e09f6dp-34};
/// (erf(x) / x - 2/sqrt(pi)) / x^2 on [0, 3/2], in x^2.
inline constexpr double kErfSmall[] = {-0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4, -0x1.b82ce31288b3fp-6, 0x1.565bcd0e6a112p-8, -0x1.c02db400304bap-11, 0x1.f9a326f746cf2p-14, -0x1.f4d25c00d54b8p-17, 0x1.b9e6c5b79419bp-20, -0x1.5f73fb6766db6p-23, 0x1.fcc1d0b3c3290p-27, -0x1.51bee0e27069bp-30, 0x1.9d7c50e4f6d93p-34, -0x1.d18cc72000babp-38, 0x1.d3b3287aa9e57p-42, -0x1.785ba5c0406edp-46, 0x1.6178d6f1abab2p-51};
/// erf(87/32 + t) for 3/2 <= 87/32 + t <= 63/16.
inline constexpr double kErfLarge[] = {0x1.fff0312b010b5p-1, 0x1.6caa0d3582fe4p-11, -0x1.efb729f4be426p-10, 0x1.a2da7cec01681p-9, -0x1.e6c27ad2ae95cp-9, 0x1.93b1f34b1ea2ap-9, -0x1.d8179ccc7a7f0p-10, 0x1.5cf51ca6de474p-11, -0x1.16dab1feb93cfp-14, -0x1.7659282b8c5a9p-14, 0x1.fa407ca79a8a3p-15, -0x1.fef12fc9e5c15p-17, -0x1.2d3180a2880fap-19, 0x1.9e340949fc4f6p-19, -0x1.e4a23ffc32b0ap-21, -0x1.d72147c22fe67p-25, 0x1.0a3f6653d82bep-23, -0x1.20c50f4535cfap-25, -0x1.85a3a15f3d32ap-29, 0x1.1e27438762fb8p-28, -0x1.d230e908b348cp-31, -0x1.69222c8b8b889p-33, 0x1.d9e05ea0b6d38p-34, -0x1.38822e4eaa511p-37, -0x1.6759b819120b9p-38, 0x1.2e4cf7efcede2p-40};
inline constexpr double kLn2High = 0x1.62e42fefa2000p-1, kLn2Low = 0x1.9ef35793c7673p-41;
inline constexpr double kInvLn2High = 0x1.71547652b82fep+0, kInvLn2Low = 0x1.777d0ffda0d24p-56;
inline constexpr double kInvLn10High = 0x1.bcb7b1526e50ep-2, kInvLn10Low = 0x1.95355baaafad3p-57;
inline constexpr double kLog10Of2High = 0x1.34413509f79ffp-2, kLog10Of2Low = -0x1.9dc1da994fd21p-59;
inline constexpr double kHalfPiHigh = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;
inline constexpr double kTwoOverRootPiHigh = 0x1.20dd750429b6dp+0, kTwoOverRootPiLow = 0x1.1ae3a914fed80p-56;
/// 2/pi in pieces of 26 bits, and from each piece on what is left of it.
inline constexpr double kTwoOverPi[] = {0x1.45f3068000000p-1, 0x1.7272208000000p-27, 0x1.4a7f090000000p-54, 0x1.abe8fa8000000p-79, 0x1.a6ee060000000p-107, 0x1.b629590000000p-132, 0x1.2788720000000p-157};
inline constexpr double kTwoOverPiRest[] = {0x1.727220a94fe14p-27, 0x1.4a7f09d5f47d5p-54, 0x1.abe8fa9a6ee07p-79, 0x1.a6ee06db14acdp-107, 0x1.b6295993c4390p-132, 0x1.278872083fca3p-157, 0x1.07f9458eaf7afp-186};

/// Inputs whose exact value is closer to a tie between two f32 numbers than the
/// sequence is to the exact value, and the nearest f32 number; found by sweeping
/// all inputs.
struct Exception {
  unsigned input, result;
};
inline constexpr Exception kExp2Exceptions[] = {
    {0x3B429D37, 0x3F804385}, {0xBCF3A937, 0x3F7AC6B1}};
inline constexpr Exception kLogExceptions[] = {
    {0x3C413D3A, 0xC08E158F}, {0x41178FEB, 0x400FE5E7}, {0x4C5D65A5, 0x418F034B},
    {0x65D890D3, 0x4254D1F9}, {0x6F31A8EC, 0x42845A89}};
inline constexpr Exception kLog1pExceptions[] = {
    {0x35400003, 0x353FFFFF}, {0x3710001B, 0x370FFFF3}, {0x3EFD81AD, 0x3ECDEEE1},
    {0x41078FEB, 0x400FE5E7}, {0x65D890D3, 0x4254D1F9}, {0x6F31A8EC, 0x42845A89},
    {0xB53FFFFD, 0xB5400001}, {0xB70FFFE5, 0xB710000D}, {0xBB0EC8C4, 0xBB0EF0A5}};
inline constexpr Exception kLog10Exceptions[] = {{0x0EFEEE7A, 0xC1E99D23}};
/// Of |x|; the sign follows.
inline constexpr Exception kSinExceptions[] = {{0x46199998, 0xBEB1FA5D}};
/// Of |x|.
inline constexpr Exception kCosExceptions[] = {{0x5F18B878, 0x3F7F14BB},
                                               {0x6115CB11, 0x3F78142F}};
// clang-format on

} // namespace prec::num::expand

#endif // PREC_NUMERICS_MATHCONSTANTS_H
