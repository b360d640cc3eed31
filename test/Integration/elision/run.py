# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN

Runs what prec-elide-rounding rewrites, as PTX with 16-bit arithmetic (sm_90) and with fma in its
place (sm_80), and on the host, and compares with the reference evaluator: divisions on all 65,536
numbers, operations on two numbers on all pairs of N special ones (all exponents, zeros, infinities,
NaNs, fractions near 0, near a half and near 1). All pairs of numbers: prec-sweep.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

binaries = pathlib.Path(sys.argv[1]).resolve()
text = (pathlib.Path(__file__).resolve().parent / "elision.mlir").read_text()
PAIRS = ("sum", "difference", "product", "larger", "smaller", "multiply_add")
ALL = ("quarter", "third", "tenth", "by_root")
FRACTIONS = {"bf16": (7, (0, 0x35, 0x7F)), "f16": (10, (0, 1, 0x155, 0x1FF, 0x200, 0x3FF))}


def special(element):
    bits, fractions = FRACTIONS[element]
    step = 5 if element == "bf16" else 1
    exponents = sorted({*range(0, 1 << (15 - bits), step), 1, 2, (1 << (15 - bits)) - 2, (1 << (15 - bits)) - 1})
    return np.array([sign << 15 | exponent << bits | fraction for sign in (0, 1) for exponent in exponents
                     for fraction in fractions], np.uint16)


def run(element, function, engine, folder):
    inputs = [folder / f"{element}.all.npy"] if function in ALL else [folder / f"{element}.npy"] * 2
    done = subprocess.run([binaries / "prec-run", folder / f"{element}.mlir", f"--function={function}", "--check", *engine,
                           *(f"--in=arg{i}={file}" for i, file in enumerate(inputs))], capture_output=True, text=True)
    good = done.returncode == 0 and " 0 mismatches" in done.stdout
    return "" if good else f"{function} {element} {engine}: exit {done.returncode}\n{done.stdout}{done.stderr}"


with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder = pathlib.Path(folder)
    for element in FRACTIONS:
        numbers = special(element)
        np.save(folder / f"{element}.npy", numbers)
        np.save(folder / f"{element}.all.npy", np.arange(1 << 16).astype(np.uint16))
        (folder / f"{element}.mlir").write_text(text.replace("TYPE", element).replace("NxN", f"{len(numbers)}x{len(numbers)}")
                                                .replace("<Nx", f"<{len(numbers)}x"))
    runs = [pool.submit(run, element, function, engine, folder) for element in FRACTIONS for function in PAIRS + ALL
            for engine in (["--engine=ptx", "--chip=sm_80"], ["--engine=ptx", "--chip=sm_90"], ["--engine=host"])]
    failures = [text for text in (future.result() for future in runs) if text]
print("".join(failures) + f"{len(runs)} runs, {len(failures)} failed")
sys.exit(bool(failures))
