# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: exact-exp.py (bf16 | f16)

Finds the coefficients of ExactExpansion.h's exponential (kExactExpBF16 and kExactExpF16 in NarrowConstants.h): a
polynomial of degree 7 that gives the correctly rounded f32 exponential of every number of the format. The rounding
interval of each result bounds the polynomial at one point, a linear program finds coefficients within all bounds, and
what comes out is run on every number, operation by operation. Coefficients of 21 bits are part of a GPU's
instructions, so as many as possible are rounded to that, one after another; needs numpy, scipy and mpmath.
"""
import itertools
import struct
import sys
from fractions import Fraction

import numpy
from mpmath import exp, floor, frexp, ldexp, log, mp, mpf, nint
from scipy.optimize import linprog
from scipy.sparse import bmat, eye

mp.prec = 140
LN2 = float(log(2))
LOG2E = float.fromhex("0x1.71547p+0")
SHIFT = 1.5 * 2.0**52
SCALE = 2.0**30  # of the linear program's bounds
# Coefficients to be rounded, in this order.
SHORT = {"bf16": [5, 7, 6], "f16": []}


def widen(name, bits):
    packed = struct.pack("<I", bits << 16) if name == "bf16" else struct.pack("<H", bits)
    return struct.unpack("<f" if name == "bf16" else "<e", packed)[0]


def fma(a, b, c):
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def short(value, step):
    """The number of 21 bits nearest to `value`, `step` numbers on."""
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    return struct.unpack("<d", struct.pack("<Q", (((bits + 2**31) >> 32) + step) << 32))[0]


class Point:
    """A number whose exponential is no power of two or constant all around."""

    def __init__(self, x):
        e = exp(mpf(x))
        unit = max(int(frexp(e)[1]) - 24, -149)
        nearest = nint(ldexp(e, -unit))
        self.value = ldexp(nearest, unit)
        shifted = fma(x, LOG2E, SHIFT)
        self.n = int(shifted - SHIFT)
        self.r = fma(float(self.n), -LN2, x)
        # The bounds of the polynomial relative to e^r, r being the exact rest, and e^r.
        self.low, self.high = ((ldexp(nearest + side, unit) - e) / e for side in (mpf(-0.5), mpf(0.5)))
        self.exact = exp(mpf(x) - self.n * log(2))

    def isRight(self, c):
        value = c[7]
        for coefficient in c[6::-1]:
            value = fma(value, self.r, coefficient)
        e = ldexp(mpf(value), self.n)
        unit = max(int(frexp(e)[1]) - 24, -149)
        return ldexp(nint(ldexp(e, -unit)), unit) == self.value


def solve(points, fixed):
    """Coefficients within as many bounds as possible; `fixed`: those that are known, by their number."""
    c = [fixed.get(i, float(1 / mp.factorial(i))) for i in range(8)]
    free = [i for i in range(8) if i not in fixed]
    if not free:
        return c
    rows, low, high = [], [], []
    for p in points:
        off = (mp.polyval([mpf(v) for v in c[::-1]], mpf(p.r)) - p.exact) / p.exact
        margin = mpf(2)**-50
        rows.append([float(mpf(p.r)**i / p.exact) / 0.35**i for i in free])
        low.append(float((p.low + margin - off) * SCALE))
        high.append(float((p.high - margin - off) * SCALE))
    rows, count = numpy.array(rows), len(rows)
    beyond = -eye(count)  # how far a bound is missed
    done = linprog([0] * len(free) + [1] * count, bmat([[rows, beyond], [-rows, beyond]]), high + [-v for v in low],
                   bounds=[(None, None)] * len(free) + [(0, None)] * count, method="highs")
    for i, value in zip(free, done.x):
        c[i] += value / 0.35**i / SCALE
    return c


def main(name):
    numbers = [widen(name, bits) for bits in range(2**16)]
    points = [Point(x) for x in numbers if 2.0**-26 <= abs(x) <= 105]
    # Wider bounds hold with these; next to 0 the first coefficients decide.
    tight = [p for p in points if min(-p.low, p.high) < mpf(2)**-26 and abs(p.r) > 2.0**-14]
    print(f"{len(points)} numbers, {len(tight)} near a tie", file=sys.stderr)
    for steps in itertools.product((0, 1, -1, 2, -2), repeat=len(SHORT[name])):
        fixed = {0: 1.0, 1: 1.0, 2: 0.5}
        for i, step in zip(SHORT[name], steps):
            fixed[i] = short(solve(tight, fixed)[i], step)
        c = solve(tight, fixed)
        wrong = sum(not p.isRight(c) for p in tight)
        if not wrong:
            wrong = sum(not p.isRight(c) for p in points)
        print(f"{steps}: {wrong} wrong", file=sys.stderr)
        if not wrong:
            print(", ".join(v.hex() for v in c))
            return


main(sys.argv[1])
