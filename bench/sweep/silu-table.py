# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: silu-table.py

Finds the constants of TableSilu.h (TableSiluConstants.h): powers of two in a table of 32, and 1 + r for the rest of the
exponential, so that x / (1 + e^-x) rounds to the right bf16 for every bf16 x. The rounding interval of each result bounds
what stands for e^-x at one number; all numbers of one entry together bound that entry. Tried are slopes of the rest
(kTableOne) and widths of the intervals of one entry (kTableLog2E) until every entry has room, then more for the most room.
That the f32 operations give the right bits is shown by the sweep over all numbers in test/Unit/Numerics/TableSiluTest.cpp.
"""
import numpy as np

ENTRIES = 32
TRIES = 20000


def text(number):
    sign, exponent = float(np.float32(number)).hex().split("p")
    return f"{sign[:10]}p{exponent}f"


def numbers():
    """The bf16 numbers whose exponential is neither 1 nor out of range."""
    x = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
    x = x[np.isfinite(x)].astype(np.float64)
    return x[(np.abs(x) > 2.0**-12) & (np.abs(x) < 88.7)]


def bounds(x):
    """Between which numbers a value for e^-x gives the right bf16."""
    def unit(y):
        return 2.0 ** (np.maximum(np.floor(np.log2(y)), -126) - 7)

    silu = np.abs(x) / (1 + np.exp(-x))
    result = np.round(silu / unit(silu)) * unit(silu)
    # Below a power of two the numbers are twice as dense.
    low = result - unit(result * (1 - 2.0**-20)) / 2
    high = result + unit(result) / 2
    return np.abs(x) / high - 1, np.abs(x) / low - 1


def entries(x, low, high, one, log2e):
    """The bounds of each entry of the table."""
    k = np.round(x * -log2e)
    rest = one - x - k * (np.log(2) / ENTRIES)
    j = k.astype(int) % ENTRIES
    scale = np.exp2((k - j) / ENTRIES) * rest
    least, most = np.zeros(ENTRIES), np.full(ENTRIES, 4.0)
    np.maximum.at(least, j, low / scale)
    np.minimum.at(most, j, high / scale)
    return least, most


def main():
    x = numbers()
    low, high = bounds(x)
    e = np.exp(-x)
    tight = (low > e * (1 - 2.0**-11)) | (high < e * (1 + 2.0**-11))
    x, low, high = x[tight], np.maximum(low[tight], 0), high[tight]
    random = np.random.default_rng(1)
    room, best = 0, None
    for _ in range(TRIES):
        one = float(np.float32(1 + random.uniform(-0.01, 0.01)))
        log2e = float(np.float32(ENTRIES / np.log(2) * (1 + random.uniform(-1e-3, 1e-3))))
        least, most = entries(x, low, high, one, log2e)
        found = ((most - least) / most).min()
        if found > room:
            room, best = found, (one, log2e, (least + most) / 2)
    one, log2e, powers = best
    # An entry's place is subtracted from its exponent.
    words = np.float32(powers).view(np.uint32) - (np.arange(ENTRIES, dtype=np.uint32) << (23 - 5))
    print(f"// room 2^{np.log2(room):.1f}")
    print(f"inline constexpr float kTableOne = {text(one)};")
    print(f"inline constexpr float kTableLog2E = {text(log2e)};")
    print(f"inline constexpr float kTableLn2 = {text(np.log(2) / ENTRIES)};")
    print("inline constexpr uint32_t kTablePowers[] = {")
    for i in range(0, ENTRIES, 8):
        print("    " + ", ".join(f"0x{word:08X}" for word in words[i:i + 8]) + ("," if i + 8 < ENTRIES else "};"))


if __name__ == "__main__":
    main()
