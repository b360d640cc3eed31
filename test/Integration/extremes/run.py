# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN ENGINE...

The greater and the lesser of numbers of every type (arith.maximumf, minimumf, maxnumf, minnumf): of all pairs of zeros,
subnormals, infinities, quiet and signaling NaNs and others, of one of them and a constant, of constants, of rows and of columns,
on engines (reference, ptx, host, or host:CPU), with the bits that are computed here: -0 is less than +0; a NaN is
the result of maximumf and minimumf, and stands for no number in the others.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

binaries, engines = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
text = (pathlib.Path(__file__).resolve().parent / "extremes.mlir").read_text()
FRACTION = {"bf16": 7, "f16": 10, "f32": 23, "f64": 52}
WIDTH = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64}
ARRAYS = {"bf16": np.uint16, "f16": np.uint16, "f32": np.float32, "f64": np.float64}
SIGNALING = 18  # of special's numbers
OPERATIONS = ("maximumf", "minimumf", "maxnumf", "minnumf")


def special(element):
    """Bits: both zeros, ones, infinities, NaNs, ..."""
    unit, sign = 1 << FRACTION[element], 1 << (WIDTH[element] - 1)
    infinity = sign - unit
    one = infinity // unit // 2 * unit
    magnitudes = [0, one, infinity, infinity + unit // 2, 1, unit - 1, unit, one + 1, infinity - 1, infinity + 1, sign - 1]
    return [bits | with_sign for bits in magnitudes for with_sign in (0, sign)]


def extreme(operation, element, a, b):
    """The bits that an operation gives of two numbers."""
    sign = 1 << (WIDTH[element] - 1)
    infinity = sign - (1 << FRACTION[element])
    missing = [x for x in (a, b) if x & (sign - 1) > infinity]
    if missing and (len(missing) == 2 or operation in ("maximumf", "minimumf")):
        return missing[0]
    numbers = [x for x in (a, b) if x not in missing]
    # As integers: -0 is -1.
    return (max if operation.startswith("max") else min)(numbers, key=lambda x: x if x < sign else sign - 1 - x)


def reduced(operation, element, start, numbers):
    for number in numbers:
        start = extreme(operation, element, start, number)
    return start


def run(engine, element, function, model, folder, x, expected):
    """What went wrong; `expected`: bits by name."""
    def save(name, bits):
        bits = np.array(bits, f"u{WIDTH[element] // 8}")
        np.save(folder / f"{model.stem}.{function}.{engine}.{name}.npy", bits.view(ARRAYS[element]))
        return f"{name}={folder}/{model.stem}.{function}.{engine}.{name}.npy"
    name, _, cpu = engine.partition(":")
    done = subprocess.run([binaries / "prec-run", model, f"--function={function}", f"--engine={name}",
                           *([f"--cpu={cpu}"] if cpu else []), f"--in={save('x', x)}",
                           *(f"--expect={save(result, bits)}" for result, bits in expected.items())],
                          capture_output=True, text=True)
    good = done.returncode == 0 and done.stdout.count(" 0 mismatches") == len(expected)
    return "" if good else f"{engine} {element} {function} {model.stem}: exit {done.returncode}\n{done.stdout}{done.stderr}"


def zeros(numbers, ordinary):
    """Rows and columns of an ordinary zero, in most of them once the other one, and in a third other numbers."""
    draw = np.random.default_rng(1).integers(0, [[[1 << 20, 40]]], (35, 37, 2))
    return [[numbers[k % len(numbers)] if i % 3 == 2 == j % 3 else numbers[ordinary ^ (one == 0)] for j, (k, one) in enumerate(row)]
            for i, row in enumerate(draw)]


def cases(element, folder):
    """Function, program, argument and expected results."""
    numbers = special(element)
    for place in (0, 1, 2, 4, 5, 6, SIGNALING):
        constant = numbers[place]
        for operation in OPERATIONS:
            model = folder / f"{element}.{place}.{operation}.mlir"
            model.write_text(text.replace("TYPE", element).replace("CONSTANT", f"0x{constant:0{WIDTH[element] // 4}X}")
                             .replace("OPERATION", operation))
            # From the other infinity, and from the zero that is no extreme.
            if place in ((1, 5) if operation.startswith("max") else (0, 4)):
                matrix = zeros(numbers, place % 2)
                yield "reduced", model, matrix, {
                    "rows": [reduced(operation, element, constant, row) for row in matrix],
                    "columns": [reduced(operation, element, constant, column) for column in zip(*matrix)]}
        yield "constant", model, numbers, {
            **{name: [extreme(name, element, x, constant) for x in numbers] for name in OPERATIONS},
            **{f"{name}_of_constant": [extreme(name, element, constant, x) for x in numbers] for name in OPERATIONS[2:]},
            **{f"{name}_of_constants": [extreme(name, element, constant, numbers[2])] * 3 for name in OPERATIONS[2:]}}
    yield "pairs", model, numbers, {name: [[extreme(name, element, a, b) for b in numbers] for a in numbers]
                                    for name in OPERATIONS}


with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    runs = [pool.submit(run, engine, element, function, model, pathlib.Path(folder), *rest)
            for element in FRACTION for function, model, *rest in cases(element, pathlib.Path(folder)) for engine in engines]
    failures = [text for text in (future.result() for future in runs) if text]
print("".join(failures) + f"{len(runs)} runs, {len(failures)} failed")
sys.exit(bool(failures))
