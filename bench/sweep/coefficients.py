# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: coefficients.py [NAME...]

Prints the constants of include/prec/Numerics/MathConstants.h and, with f32
coefficients, those of NarrowConstants.h and ("pairs") DoubleFloatConstants.h. A
polynomial is interpolated at Chebyshev nodes and its coefficients rounded to f64,
to f32 or to sums of two f32. The error with the rounded coefficients is printed
with each; needs mpmath.
"""
import struct
import sys
from mpmath import (mp, mpf, cos, erf, exp, factorial, lu_solve, log, log1p, matrix, pi,
                    polyval, sin, sqrt, tanh, taylor)

mp.prec = 300


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


def words(value, n):
    """The first n f32 of the sum that is close to value."""
    result = []
    for _ in range(n):
        result.append(mpf(f32(value)))
        value -= result[-1]
    return result


def spelled(values):
    return "{" + ", ".join(float(v).hex() + "f" for v in values) + "}"


def fit_pairs(f, low, high, degree, pairs):
    """Coefficients of which the first are sums of two f32, the others f32. Each
    is rounded before those of lower powers are fitted to what is left."""
    result = []
    for top in range(degree, -1, -1):
        left = lambda x: f(x) - sum(c * x**(degree - i) for i, c in enumerate(result))
        c = fit(left, low, high, top, mpf)[top]
        result.append(sum(words(c, 2)) if top < pairs else mpf(f32(c)))
    return result[::-1]


def pair(c):
    """The two f32 of a coefficient; the second is 0 if it does not matter."""
    high, low = words(c, 2)
    return [high, low if abs(low) > abs(high) / 2**52 else mpf(0)]


def show_pairs(name, f, low, high, degree, pairs, scale):
    c = fit_pairs(f, mpf(low), mpf(high), degree, pairs)
    print(f"// error 2^{error(f, mpf(low), mpf(high), c, scale):.1f}")
    print(f"constexpr float {name}[][2] = {{" + ", ".join(spelled(pair(v)) for v in c[:pairs]) + "};")
    print(f"constexpr float {name}Tail[] = {spelled(c[pairs:])};")
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
    head = mpf(int(ln2 * 2**15)) / 2**15
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
        for name, value in [("Log2E", 1 / ln2), ("Ln2", ln2), ("Ln2High", head), ("Ln2Low", ln2 - head)]:
            print(f"constexpr float kNarrow{name} = {f32(value).hex()}f;")
    if run("pairs"):
        show_pairs("kPairExp", expRest, -ln2 / 2, ln2 / 2, 9, 6, lambda x: x * x)
        show_pairs("kPairExp2", lambda x: expRest(x * ln2) * ln2**2, -0.5, 0.5, 9, 6, lambda x: x * x)
        edge = (hi / (2 + hi))**2
        series = [mpf(2) / (2 * n + 3) for n in range(60)]
        show_pairs("kPairLog", lambda z: polyval(series[::-1], z), 0, edge, 8, 4, lambda z: abs(z)**1.5)
        print(f"constexpr float kPairLn2[] = {spelled(words(ln2, 2))};")
        print(f"constexpr float kPairLn2Exact[] = {spelled([head] + words(ln2 - head, 2))};")
        for name, value in [("Ln2", 1 / ln2), ("Ln10", 1 / log(mpf(10)))]:
            print(f"constexpr float kPairInv{name}[] = {spelled(words(value, 2))};")
        log10Of2 = ln2 / log(mpf(10))
        start = mpf(int(log10Of2 * 2**15)) / 2**15
        print(f"constexpr float kPairLog10Of2Exact[] = {spelled([start] + words(log10Of2 - start, 2))};")
        edge = (pi / 4)**2 * (1 + mpf(2)**-20)
        sinRest = lambda z: sum((-1)**(n + 1) * z**n / factorial(2 * n + 3) for n in range(20))
        cosRest = lambda z: sum((-1)**n * z**n / factorial(2 * n + 4) for n in range(20))
        show_pairs("kPairSin", sinRest, 0, edge, 6, 4, lambda z: z)
        show_pairs("kPairCos", cosRest, 0, edge, 6, 4, lambda z: z * z)
        print(f"constexpr float kPairHalfPi[] = {spelled(words(pi / 2 / 2**23, 3))};")
        bits = int(2 / pi * mpf(2)**230)
        print("constexpr uint32_t kTwoOverPiWords[] = {" + ", ".join(f"0x{bits >> 32 * i & 0xFFFFFFFF:08X}" for i in range(7, -1, -1)) + "};")
        two = 2 / sqrt(pi)

        def small(z):
            if abs(z) < 1e-9:
                return two * (-mpf(1) / 3 + z / 10 - z * z / 42)
            return (erf(sqrt(z)) / sqrt(z) - two) / z

        cuts = [mpf(x) for x in (1, 1.5625, 2.25, 3, 3.9375)]
        middles, starts = [mpf(0)], [two]
        rows = [fit_pairs(small, mpf(0), mpf(1), 14, 10)]
        print(f"// error 2^{error(small, mpf(0), mpf(1), rows[0], lambda z: z):.1f}")
        for low, high in zip(cuts, cuts[1:]):
            m = (low + high) / 2
            middles.append(m)
            starts.append(erf(m))
            f = lambda t: (erf(m + t) - erf(m)) / t
            rows.append(fit_pairs(f, low - m, high - m, 14, 10))
            print(f"// error 2^{error(f, low - m, high - m, rows[-1], lambda t: t):.1f}")
        table = lambda rows: "{" + ",\n    ".join(rows) + "}"
        print(f"constexpr float kPairErfCuts[] = {spelled(cuts[:-1])}, kPairErfEnd = {float(cuts[-1]).hex()}f;")
        print(f"constexpr float kPairErfMiddle[] = {spelled(middles)};")
        print(f"constexpr float kPairErfStart[][3] = {table([spelled(words(s, 3)) for s in starts])};")
        print(f"constexpr float kPairErf[][10][2] = {table(['{' + ', '.join(spelled(pair(c)) for c in row[:10]) + '}' for row in rows])};")
        print(f"constexpr float kPairErfTail[][5] = {table([spelled(row[10:]) for row in rows])};")
