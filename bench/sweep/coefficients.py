# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: coefficients.py [NAME...]

Prints the constants of include/prec/Numerics/MathConstants.h and, with f32
coefficients, those of NarrowConstants.h. A polynomial is interpolated at
Chebyshev nodes and its coefficients rounded to f64 or f32. The error with the
rounded coefficients is printed with each; needs mpmath.
"""
import struct
import sys
from mpmath import (mp, mpf, cos, erf, exp, lu_solve, log, log1p, matrix, pi,
                    polyval, sin, sqrt, tanh, taylor)

mp.prec = 250


def f32(value):
    return struct.unpack("f", struct.pack("f", float(value)))[0]


def fit(f, low, high, degree, rounded=float):
    """Coefficients, lowest first, of a polynomial close to f on [low, high]."""
    n = degree + 1
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle + half * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    # No node at 0, where some of the functions are quotients.
    nodes = [x if abs(x) > half / 2**60 else half / 2**10 for x in nodes]
    rows = matrix(n, n)
    values = matrix(n, 1)
    for i, x in enumerate(nodes):
        values[i] = f(x)
        for j in range(n):
            rows[i, j] = x**j
    return [mpf(rounded(c)) for c in lu_solve(rows, values)]


def error(f, low, high, coefficients, scale):
    """log2 of the largest error, in units that `scale` gives."""
    worst = mpf(0)
    for i in range(801):
        x = low + (high - low) * i / 800 + mpf(1) / 2**70
        worst = max(worst, abs((polyval(coefficients[::-1], x) - f(x)) * scale(x)))
    return float(log(worst, 2))


def show(name, f, low, high, degree, scale, rounded=float):
    c = fit(f, mpf(low), mpf(high), degree, rounded)
    print(f"// error 2^{error(f, mpf(low), mpf(high), c, scale):.1f}")
    kind, suffix = ("float", "f") if rounded is f32 else ("double", "")
    print(f"constexpr {kind} {name}[] = {{")
    print("    " + ", ".join(float(v).hex() + suffix for v in c) + "};")
    sys.stdout.flush()


ln2 = log(mpf(2))


def rest(g, first):
    """(g(x) - the terms before x^first) / x^first without cancellation at 0."""
    terms = taylor(g, 0, first + 60)
    return lambda x: polyval(terms[:first - 1:-1], x)


expRest = rest(exp, 2)
if __name__ == "__main__":
    which = sys.argv[1:]
    run = lambda n: not which or n in which
    if run("exp"):
        show("kExp", expRest, -ln2 / 2, ln2 / 2, 9, lambda x: abs(x))
    if run("exp2"):
        show("kExp2", lambda x: expRest(x * ln2) * ln2**2, -0.5, 0.5, 9, lambda x: abs(x))
    logTerms = [mpf((-1)**(k + 1)) / k for k in range(2, 500)]
    logRest = lambda x: (log1p(x) - x) / x**2 if abs(x) > 1e-6 else polyval(logTerms[30::-1], x)
    lo, hi = sqrt(mpf(0.5)) - 1, sqrt(mpf(2)) - 1
    if run("log"):
        show("kLog", logRest, lo, hi, 19, lambda x: abs(x))
    if run("log2"):
        show("kLog2", lambda x: logRest(x) / ln2, lo, hi, 19, lambda x: abs(x))
    if run("log10"):
        show("kLog10", lambda x: logRest(x) / log(mpf(10)), lo, hi, 19, lambda x: abs(x))
    if run("sin"):
        h = mpf(float(pi / 2))
        show("kSin", lambda z: (sin(pi / 2 * sqrt(z)) / sqrt(z) - pi / 2) / z, 0, 0.25, 6, lambda z: z)
        show("kCos", lambda z: (cos(pi / 2 * sqrt(z)) - 1) / z, 0, 0.25, 7, lambda z: z * 1.2)
    if run("erf"):
        two = 2 / sqrt(pi)

        def small(z):
            if abs(z) < 1e-9:
                return two * (-mpf(1) / 3 + z / 10 - z * z / 42)
            return (erf(sqrt(z)) / sqrt(z) - two) / z

        show("kErfSmall", small, 0, mpf(9) / 4, 15, lambda z: z)
        middle = mpf(87) / 32
        show("kErfLarge", lambda t: erf(t + middle), 1.5 - middle, middle - 1.5, 25, lambda t: mpf(1))
    if run("constants"):
        def split(name, value, bits=53):
            head = mpf(int(value * 2**200) >> (200 - bits)) / 2**bits if bits < 53 else mpf(float(value))
            print(f"constexpr double {name}High = {float(head).hex()}, {name}Low = {float(value - head).hex()};")

        split("kLn2", ln2, 40)
        split("kInvLn2", 1 / ln2)
        split("kInvLn10", 1 / log(mpf(10)))
        split("kLog10Of2", ln2 / log(mpf(10)))
        split("kHalfPi", pi / 2)
        split("kTwoOverRootPi", 2 / sqrt(pi))
        rest = 2 / pi
        for start in range(7):
            head = mpf(int(rest * mpf(2)**(26 * (start + 1)))) / mpf(2)**(26 * (start + 1))
            rest -= head
            print(f"// 2/pi, bits {26 * start}...: {float(head).hex()} rest {float(rest).hex()}")
    if run("narrow"):
        one = rest(exp, 1)
        for d in (4, 5, 6):
            show(f"kNarrowExp{d}", one, -ln2 / 2, ln2 / 2, d - 1, lambda x: abs(x), f32)
        show("kNarrowExp2", lambda x: one(x * ln2) * ln2, -0.5, 0.5, 5, lambda x: abs(x), f32)
        for d in (6, 7):
            show(f"kNarrowExpRest{d}", expRest, -ln2 / 2, ln2 / 2, d - 2, lambda x: x * x, f32)
        for d in (6, 8):
            show(f"kNarrowLog{d}", logRest, lo, hi, d, lambda x: abs(x), f32)
        edge = mpf(f32(0.35))
        tanhRest = lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z if z > 1e-9 else mpf(-1) / 3
        show("kNarrowTanh", tanhRest, 0, edge * edge, 2, lambda z: z, f32)
        head = mpf(int(ln2 * 2**15)) / 2**15
        for name, value in [("Log2E", 1 / ln2), ("Ln2", ln2), ("Ln2High", head), ("Ln2Low", ln2 - head)]:
            print(f"constexpr float kNarrow{name} = {f32(value).hex()}f;")
