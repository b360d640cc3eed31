// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of TableSilu.h, which bench/sweep/silu-table.py prints.
#ifndef PREC_NUMERICS_TABLESILUCONSTANTS_H
#define PREC_NUMERICS_TABLESILUCONSTANTS_H

#include <cstdint>

namespace prec::num::expand {

// clang-format off
/// What stands for e^-r is this less r.
inline constexpr float kTableOne = 0x1.00ac80p+0f;
/// Near 32 / ln(2) and ln(2) / 32.
inline constexpr float kTableLog2E = 0x1.7153e0p+5f;
inline constexpr float kTableLn2 = 0x1.62e430p-6f;
/// Of numbers near 2^(j/32), less j * 2^18.
inline constexpr uint32_t kTablePowers[] = {
    0x3F7F54DC, 0x3F7E76D9, 0x3F7D5179, 0x3F7C3EB9, 0x3F7B379A, 0x3F7A4359, 0x3F79638C, 0x3F788F2C,
    0x3F77CB91, 0x3F77251A, 0x3F7689D8, 0x3F760200, 0x3F758DC5, 0x3F752F11, 0x3F74E3E3, 0x3F74B10A,
    0x3F748C4C, 0x3F748029, 0x3F748D8A, 0x3F74A136, 0x3F74E9A0, 0x3F7536FA, 0x3F759CEB, 0x3F761BF8,
    0x3F76BFD4, 0x3F776C17, 0x3F783AF7, 0x3F7923E2, 0x3F7A27AA, 0x3F7B421B, 0x3F7C87BE, 0x3F7DDD01};
// clang-format on

} // namespace prec::num::expand

#endif // PREC_NUMERICS_TABLESILUCONSTANTS_H
