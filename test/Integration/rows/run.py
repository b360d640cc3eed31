# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN (ENGINE [--all] | audit), ENGINE host, ptx, ... or host:CPU

Runs the kernels of this folder on ordinary and special inputs and compares every output with the reference
evaluator's bits, for dynamic and static numbers of rows. The combinations of element type, number of rows, length of a row and order of sums are such
that any two values meet; --all runs all combinations. Beside these, lengths that the program does not know meet all
orders. With `audit`: audits kernels for sm_90 at two lengths of rows;
every output must be proven.
"""
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

from rowprogram import program

binaries, engine = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
# An engine, or what it compiles for besides.
ENGINE = ["--engine=host", f"--cpu={engine.removeprefix('host:')}"] if engine.startswith("host:") else [f"--engine={engine}"]
ORDERS = ["sequential", "lanes<8>", "lanes<256>", "aten_cpu",
          # PyTorch's CUDA kernels, and rows of four warps.
          "digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero",
          "digits [8, 128, *] steps [2 sequential, 0 sequential, 1 halving]"]
ROWS = [17, 256, 1]
HIDDEN = [64, 2560, 2561, 4096]
# Lengths that the program leaves open, with each order: one element, less than a block or a vector, more than both.
OPEN = ["rms_norm", "layer_norm", "softmax", "row_sum"]
OPEN_LENGTHS = [1, 7, 100, 2601]

KERNELS = {  # file, element types, lengths of rows, inputs with their shapes
    "rms_norm": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH", "w": "H"}),
    "rms_norm_two": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH", "w": "H"}),
    "residual_rms_norm": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH", "r": "RH", "w": "H"}),
    "layer_norm": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH", "w": "H", "b": "H"}),
    "softmax": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH"}),
    "row_sum": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH"}),
    "row_max": ("rows", ["bf16", "f16", "f32"], HIDDEN, {"x": "RH"}),
    "gated_norm": ("narrow", ["bf16", "f16", "f32"], [128, *HIDDEN], {"o": "RH", "z": "RH", "w": "H"}),
    "swiglu_backward": ("narrow", ["bf16", "f16", "f32"], [2816, *HIDDEN], {"d": "RH", "g": "RH", "u": "RH", "p": "R32"}),
    "gdn_step": ("gdn-step", ["bf16", "f16", "f32"], [128, 17, *HIDDEN],
                 {"s": "RKH32", "g": "R32", "beta": "R32", "k": "RK32", "q": "RK32", "v": "RH"}),
}
# Rows of gdn_step's state by their length, of the suite's size.
KEYS = {128: 128, 64: 32, 17: 64, 2560: 16, 2561: 5, 4096: 8}


def combinations(types, lengths):
    """(type, rows, length, order, whether the number of rows is static): all, or so many that any two values meet; a few
    static numbers of rows; and no rows at all."""
    every = "--all" in sys.argv
    static = itertools.product(types, [0, 1, 3], lengths, [ORDERS[0], ORDERS[4]]) if every else [
        (types[0], 1, lengths[0], ORDERS[4]), (types[1], 3, 2561, ORDERS[0]), (types[2], 3, 64, ORDERS[4])]
    none = itertools.product(types, [0], lengths, [ORDERS[0]]) if every else [(types[0], 0, lengths[0], ORDERS[0])]
    dynamic = [*none, *(itertools.product(types, ROWS, lengths, ORDERS) if every else pairwise(types, lengths))]
    return [(*c, False) for c in dynamic] + [(*c, True) for c in static]


def pairwise(types, lengths):
    """So many (type, rows, length, order) that any two values meet."""
    everything = list(itertools.product(types, ROWS, lengths, ORDERS))
    chosen, met = [], set()
    pairs = lambda c: {(i, j, c[i], c[j]) for i, j in itertools.combinations(range(4), 2)}
    cost = lambda c: c[1] * c[2]
    everything.sort(key=cost)
    while True:
        best = max(everything, key=lambda c: len(pairs(c) - met) - (c[1] >= 256 and c[2] > 64))
        if not pairs(best) - met or best[1] * best[2] > 400_000:
            return chosen
        chosen.append(best)
        met |= pairs(best)


def bits(generator, shape, element):
    """Numbers of ordinary size, with rows of special ones among them, as bit patterns."""
    count = int(numpy.prod(shape))
    exponent, fraction = {"bf16": (8, 7), "f16": (5, 10), "f32": (8, 23)}[element]
    values = (generator.standard_normal(count) * 2).astype(numpy.float32)
    if element == "bf16":
        result = values.view(numpy.uint32) >> 16
    elif element == "f16":
        result = values.astype(numpy.float16).view(numpy.uint16).astype(numpy.uint32)
    else:
        result = values.view(numpy.uint32).copy()
    width = 1 + exponent + fraction
    ones = (1 << exponent) - 1 << fraction
    special = numpy.array([0, 1 << width - 1, ones, ones | 1 << width - 1, ones | 1, 1, ones - 1,
                           (1 << fraction) - 1, 1 << fraction, ones - 1 | 1 << width - 1], dtype=numpy.uint32)
    result = result.reshape(shape)
    for row in range(1, shape[0] if len(shape) > 1 else 0, 3):
        kind = row // 3 % 4
        line = result[row].reshape(-1)
        if kind == 0:  # a few special numbers
            line[generator.integers(0, line.size, 3)] = generator.choice(special, 3)
        elif kind == 1:  # all bit patterns
            line[:] = generator.integers(0, 1 << width, line.size, dtype=numpy.uint64)
        elif kind == 2:  # nothing but -0
            line[:] = 1 << width - 1
        else:  # subnormal numbers
            line[:] = generator.integers(0, 1 << fraction, line.size)
    return result.astype(numpy.uint16) if width == 16 else result.astype(numpy.uint32).view(numpy.float32)


cases = [(name, *combination) for name, (_, types, lengths, _) in KERNELS.items()
         for combination in combinations(types, lengths)]
KNOWN = len(cases)
cases += [(name, KERNELS[name][1][number % 3], 4, OPEN_LENGTHS[(number + kernel) % 4], order, False)
          for kernel, name in enumerate(OPEN) for number, order in enumerate(ORDERS)]


def run(number, folder):
    """Elements compared, and what went wrong."""
    name, element, rows, length, order, static = cases[number]
    file, _, _, inputs = KERNELS[name]
    key = KEYS.get(length)
    model = folder / f"{number}.mlir"
    model.write_text(program(file, element, length if number < KNOWN else "?", order, key, rows if static else None))
    generator = numpy.random.default_rng(number)
    sizes = {"R": rows, "H": length, "K": key}
    arguments = []
    for tensor, shape in inputs.items():
        narrow = not shape.endswith("32")
        data = bits(generator, tuple(sizes[letter] for letter in shape.removesuffix("32")), element if narrow else "f32")
        numpy.save(folder / f"{number}.{tensor}.npy", data)
        arguments.append(f"--in={tensor}={folder / f'{number}.{tensor}.npy'}")
    result = subprocess.run([binaries / "prec-run", model, f"--function={name}", *ENGINE, "--check",
                             *arguments], capture_output=True, text=True)
    counts = re.findall(r"(\d+) elements, (\d+) mismatches", result.stdout)
    good = result.returncode == 0 and counts and all(wrong == "0" for _, wrong in counts)
    for path in folder.glob(f"{number}.*"):
        path.unlink()
    return sum(int(n) for n, _ in counts), "" if good else f"exit {result.returncode}\n{result.stdout}{result.stderr}"


def audit(name, element, length, folder):
    """What prec-audit says of two rows, or nothing if all outputs are proven."""
    file, _, _, inputs = KERNELS[name]
    sizes = {"R": 2, "H": length, "K": 16}
    stem = folder / f"{name}.{element}.{length}"
    model, kernel, launch = (stem.with_name(f"{stem.name}.{kind}") for kind in ("mlir", "ptx", "json"))
    model.write_text(program(file, element, length, ORDERS[4], sizes["K"]))
    for emit, output in (("ptx", kernel), ("meta", launch)):
        subprocess.run([binaries / "precc", model, f"--function={name}", "--target=sm_90", f"--emit={emit}", "-o", output], check=True)
    shapes = [f"--shape={tensor}={'x'.join(str(sizes[letter]) for letter in shape.removesuffix('32'))}"
              for tensor, shape in inputs.items() if shape != "H"]
    done = subprocess.run([binaries / "prec-audit", kernel, f"--launch={launch}", f"--against={model}", f"--function={name}", *shapes],
                          capture_output=True, text=True)
    outputs = re.findall(r"^\w+: (\w+) \(", done.stdout, re.M)
    good = done.returncode == 0 and set(outputs) == {"proven"}
    return "" if good else f"{name} {element} 2 x {length}:\n{done.stdout}{done.stderr}"


if engine == "audit":
    with tempfile.TemporaryDirectory() as folder:
        texts = [audit(name, element, length, pathlib.Path(folder))
                 for name in KERNELS for element in ("bf16", "f16") for length in (64, 192)]
    failures = [text for text in texts if text]
    print("".join(failures) + f"{len(texts)} audits, {len(failures)} not proven")
    sys.exit(bool(failures))

with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(run, range(len(cases)), [pathlib.Path(folder)] * len(cases)))
failed = [number for number, (_, text) in enumerate(results) if text]
for number in failed:
    print(f"{cases[number]}: {results[number][1]}")
print(f"{len(cases)} cases on {engine}, {sum(n for n, _ in results)} elements, {len(failed)} cases failed")
sys.exit(bool(failed) or not all(n for (n, _), case in zip(results, cases) if case[2]))
