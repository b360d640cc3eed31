// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of TableSilu.h, which bench/sweep/silu-table.py prints.
#ifndef PREC_NUMERICS_TABLESILUCONSTANTS_H
#define PREC_NUMERICS_TABLESILUCONSTANTS_H

#include <cstdint>

namespace prec::num::expand {

// clang-format off
/// ln(2) / 32, and below numbers near 32 / ln(2) and words of numbers near 2^(j/32), less j * 2^18.
inline constexpr float kTableLn2 = 0x1.62e430p-6f;

inline constexpr float kTableBF16Log2E = 0x1.71544ap+5f;
inline constexpr float kTableBF16One = 0x1.00c014p+0f;
inline constexpr uint32_t kTableBF16Powers[] = {
    0x3F7F415A, 0x3F7E6CD1, 0x3F7D4749, 0x3F7C345F, 0x3F7B2CF7, 0x3F7A389E, 0x3F795868, 0x3F7883E9,
    0x3F77C00A, 0x3F771948, 0x3F767DBE, 0x3F75F5AF, 0x3F75813F, 0x3F75220F, 0x3F74D6A1, 0x3F74A39D,
    0x3F747E73, 0x3F747216, 0x3F747F4C, 0x3F749291, 0x3F74DA97, 0x3F7527A7, 0x3F758D2E, 0x3F760BE9,
    0x3F76AF71, 0x3F775B68, 0x3F782A04, 0x3F791277, 0x3F7A1604, 0x3F7B2FD3, 0x3F7C7524, 0x3F7DC9E6};

inline constexpr float kTableF16Log2E = 0x1.7153ccp+5f;
inline constexpr float kTableF16Second = 0x1.ff9172p-2f;
inline constexpr uint32_t kTableF16Powers[] = {
    0x3F800000, 0x3F7ECD86, 0x3F7DAAC0, 0x3F7C980B, 0x3F7B95C6, 0x3F7AA442, 0x3F79C3E3, 0x3F78F4E9,
    0x3F7837C8, 0x3F778D39, 0x3F76F563, 0x3F767049, 0x3F75FEE9, 0x3F75A1A7, 0x3F755836, 0x3F7523FE,
    0x3F7504F3, 0x3F74FBA5, 0x3F7508A7, 0x3F752C54, 0x3F75672C, 0x3F75B9C8, 0x3F762471, 0x3F76A839,
    0x3F7744DD, 0x3F77FBDB, 0x3F78CCE2, 0x3F79B8FD, 0x3F7AC0D4, 0x3F7BE4A9, 0x3F7D258C, 0x3F7E83B5};
// clang-format on

} // namespace prec::num::expand

#endif // PREC_NUMERICS_TABLESILUCONSTANTS_H
