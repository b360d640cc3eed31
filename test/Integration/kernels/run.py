# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN (ENGINE [--all] | audit), ENGINE host, ptx, ... or host:CPU

Runs the kernels of this folder, for all element types and a range of shapes, on numbers that are
half random and half random bits (zeros, subnormals, infinities, NaNs, huge numbers), and compares
every output with the reference evaluator, bit for bit, for dynamic and a few static numbers of rows; --all runs all combinations.
With `audit`: audits the kernels for sm_90 at two shapes, with rows that vectors divide and that they do not; every 16-bit output must be proven.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np

from template import program, static

binaries, engine = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
# An engine, or what it compiles for besides.
ENGINE = ["--engine=host", f"--cpu={engine.removeprefix('host:')}"] if engine.startswith("host:") else [f"--engine={engine}"]

# By function: each tensor's shape for R rows of N elements; i: of integers, s: of f32.
KERNELS = {
    "mix_forward": {"u": "R 4 N", "xn": "R 4 N"},
    "mix_backward": {"g": "R N", "u": "R 4 N", "xn": "R 4 N"},
    "write_back": {"x": "R 4 N", "h": "R N", "c": "R 4"},
    "swiglu": {"gate_up": "R 2N", "p": "R s"},
    "swiglu_f32": {"gate_up": "R 2N", "p": "R s"},
    "combine": {"z": "16 N", "map": "R 8 i", "p": "R 8 s"},
    "rope": {"x": "2 R 2N", "cos": "R 2N", "sin": "R 2N"},
}
SHAPES = {64: (0, 1, 17, 256), 2560: (1, 17), 2561: (0, 1, 3), 4096: (1,)}
STATIC = ((1, 64), (3, 2561))  # slices of statically no rows are invalid
ROUNDED = ((0, 64), (1, 64), (17, 64), (3, 2561))  # f32: nothing is rounded, so less to go wrong


def numbers(element, shape, seed):
    """Normal numbers, every second replaced by random bits."""
    special = np.random.default_rng(zlib.crc32(seed.encode()))
    normal = special.standard_normal(shape).astype(np.float32)
    if element == "i32":
        return special.integers(0, 16, shape, np.int32)
    if element == "f32":
        bits = special.integers(0, 1 << 32, shape, np.uint32)
        return np.where(special.random(shape) < 0.5, normal.view(np.uint32), bits).view(np.float32)
    if element == "bf16":
        normal = (normal.view(np.uint32) >> 16).astype(np.uint16)
    else:
        normal = normal.astype(np.float16).view(np.uint16)
    bits = special.integers(0, 1 << 16, shape, np.uint16)
    return np.where(special.random(shape) < 0.5, normal, bits)


def tensors(function, element, rows, inner):
    """Name, element type and shape of each argument."""
    for name, text in KERNELS[function].items():
        *sizes, last = text.split()
        if last not in "is":
            sizes.append(last)
        known = {"R": rows, "N": inner, "2N": 2 * inner}
        yield name, {"i": "i32", "s": "f32"}.get(last, element), [known[size] if size in known else int(size) for size in sizes]


def check(function, element, rows, inner, folder, model):
    """What prec-run says, and whether it is good."""
    arguments = []
    for name, kind, shape in tensors(function, element, rows, inner):
        file = folder / f"{function}.{model.stem}.{rows}.{name}.npy"
        np.save(file, numbers(kind, shape, file.name))
        arguments.append(f"--in={name}={file}")
    done = subprocess.run([binaries / "prec-run", model, f"--function={function}", *ENGINE,
                           "--check", *arguments], capture_output=True, text=True)
    return done.stdout + done.stderr, done.returncode == 0 and "mismatches" in done.stdout


def audit(function, element, rows, inner, folder, model):
    """What prec-audit says, and whether it is good."""
    kernel, launch = (folder / f"{function}.{element}.{rows}.{inner}.{kind}" for kind in ("ptx", "json"))
    for emit, file in (("ptx", kernel), ("meta", launch)):
        subprocess.run([binaries / "precc", model, f"--function={function}", "--target=sm_90", f"--emit={emit}", "-o", file], check=True)
    shapes = [f"--shape={name}={'x'.join(map(str, shape))}" for name, _, shape in tensors(function, element, rows, inner)]
    done = subprocess.run([binaries / "prec-audit", kernel, f"--launch={launch}", f"--against={model}", f"--function={function}",
                           *shapes], capture_output=True, text=True)
    outputs = re.findall(r"^\w+: (\w+) \(", done.stdout, re.M)
    return done.stdout + done.stderr, done.returncode == 0 and set(outputs) == {"proven"}


def run(function, element, rows, inner, fixed, folder):
    """What went wrong; `fixed`: with a static number of rows."""
    model = folder / f"{element}.{inner}.{rows if fixed else 'any'}.mlir"
    text, good = (audit if engine == "audit" else check)(function, element, rows, inner, folder, model)
    return "" if good else f"{function} {element} {rows} x {inner}{' static' if fixed else ''}:\n{text}"


if engine == "audit":
    CASES = [(element, *shape, False) for element in ("bf16", "f16") for shape in ((17, 64), (1, 2561))]
else:
    CASES = [(element, rows, inner, False) for element in ("bf16", "f16", "f32") for inner, all_rows in SHAPES.items()
             for rows in ((0, 1, 17, 256) if "--all" in sys.argv else all_rows)
             if "--all" in sys.argv or element != "f32" or (rows, inner) in ROUNDED]
    CASES += [(element, *shape, True) for element in ("bf16", "f16", "f32") for shape in STATIC]
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder = pathlib.Path(folder)
    for element in ("bf16", "f16", "f32"):
        for inner in SHAPES:
            text = program("elementwise.mlir", element, inner)
            (folder / f"{element}.{inner}.any.mlir").write_text(text)
            for rows in {rows for rows, length in STATIC if length == inner}:
                (folder / f"{element}.{inner}.{rows}.mlir").write_text(static(text, rows))
    runs = [pool.submit(run, function, *case, folder) for function in KERNELS for case in CASES]
    failures = [text for text in (future.result() for future in runs) if text]
print("".join(failures) + f"{len(runs)} runs, {len(failures)} failed")
sys.exit(bool(failures))
