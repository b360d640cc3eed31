# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: silu-table.py

Finds the constants of TableSilu.h (TableSiluConstants.h): for each format powers of two in a table of 32, and coefficients of
what stands for e^-r, so that x / (1 + e^-x) rounds to the right bits for every x. The rounding interval of each result bounds
what stands for e^-x at one number; all numbers of one entry together bound that entry. Random coefficients and lengths of an
entry are tried for the most room of the narrowest one. That the f32 operations give the right bits is shown by the sweep
over all numbers in test/Unit/Numerics/TableSiluTest.cpp.
"""
import numpy as np

ENTRIES = 32
LOG2E, LN2 = ENTRIES / np.log(2), np.float32(np.log(2) / ENTRIES)
random = np.random.default_rng(1)


def fma(a, b, c):
    return np.float32(np.float64(a) * np.float64(b) + np.float64(c))


def near(value, range):
    return np.float32(value + random.uniform(-range, range))


class BF16:
    """1 - r, good to 2^-14, and a result's half of the last place is added."""

    name, tries, fraction, subnormal = "BF16", 20000, 7, -126
    first = None
    x = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
    x = x[np.isfinite(x) & (np.abs(x) > 2.0**-12) & (np.abs(x) < 88.7)]

    def choose(self):
        self.log2e, self.one = near(LOG2E, 0.05), near(1, 0.01)

    def rest(self, k):
        return fma(k, -LN2, self.one - self.x)

    def constants(self):
        return {"One": self.one}


class F16:
    """1 - r + r^2 / 2. Halves of odd subnormal numbers are ties or next to them: there, e^-r is rounded as the formula's is."""

    name, tries, fraction, subnormal = "F16", 4000, 10, -14
    first = 1
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
    x = x[(np.abs(x) > 2.0**-11) & (x > -20.5) & (x < 17)]

    def choose(self):
        self.log2e, self.second = near(LOG2E, 0.01), near(0.5, 0.003)

    def rest(self, k):
        r = fma(k, LN2, self.x)
        return fma(fma(r, self.second, -1), r, 1)

    def constants(self):
        return {"Second": self.second}


def bounds(format):
    """Between which numbers a value for e^-x gives the right result."""
    def unit(y):
        exponent = np.maximum(np.floor(np.log2(np.maximum(y, 2.0**-1000))), format.subnormal)
        return 2.0 ** (exponent - format.fraction)

    # The formula's own roundings decide what is next to a tie.
    silu = np.abs(format.x / (np.float32(1) + np.exp(-format.x.astype(np.float64)).astype(np.float32))).astype(np.float64)
    x = format.x.astype(np.float64)
    result = np.round(silu / unit(silu)) * unit(silu)
    # Below a power of two the numbers are twice as dense.
    low = result - unit(result * (1 - 2.0**-20)) / 2
    high = result + unit(result) / 2
    return np.maximum(np.abs(x) / high - 1, 0), np.abs(x) / np.maximum(low, 2.0**-1000) - 1


def entries(format, low, high):
    """The bounds of each entry of the table."""
    k = fma(format.x, -format.log2e, 1.5 * 2.0**23) - np.float32(1.5 * 2.0**23)
    j = k.astype(int) % ENTRIES
    scale = np.exp2((k - j) / ENTRIES, dtype=np.float64) * format.rest(k)
    least, most = np.zeros(ENTRIES), np.full(ENTRIES, 4.0)
    np.maximum.at(least, j, low / scale)
    np.minimum.at(most, j, high / scale)
    return least, most


def text(number):
    mantissa, exponent = float(np.float32(number)).hex().split("p")
    return f"{mantissa[:mantissa.index('.') + 7]}p{exponent}f"


def find(format):
    low, high = bounds(format)
    room = 0
    for _ in range(format.tries):
        format.choose()
        least, most = entries(format, low, high)
        powers = (least + most) / 2
        if format.first and least[0] < format.first < most[0]:
            powers[0] = format.first
        elif format.first:
            continue
        found = (most - least).min()
        if found > room:
            room, log2e, constants, best = found, format.log2e, format.constants(), powers
    # An entry's place is subtracted from its exponent.
    words = np.float32(best).view(np.uint32) - (np.arange(ENTRIES, dtype=np.uint32) << (23 - 5))
    print(f"/// room 2^{np.log2(room):.1f}")
    print(f"inline constexpr float kTable{format.name}Log2E = {text(log2e)};")
    for name, value in constants.items():
        print(f"inline constexpr float kTable{format.name}{name} = {text(value)};")
    print(f"inline constexpr uint32_t kTable{format.name}Powers[] = {{")
    for i in range(0, ENTRIES, 8):
        print("    " + ", ".join(f"0x{word:08X}" for word in words[i:i + 8]) + ("," if i + 8 < ENTRIES else "};"))


if __name__ == "__main__":
    print(f"inline constexpr float kTableLn2 = {text(LN2)};")
    find(BF16())
    find(F16())
