# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN (host | ptx)

Runs the kernels of addresses.mlir for many sizes, and on the PTX evaluator with each tensor in turn one element behind an
aligned address, and compares every output with the reference evaluator, bit for bit; says which kernels a launch took.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

binaries, engine = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
here = pathlib.Path(__file__).resolve().parent

# Each tensor's shape for R rows of N elements.
KERNELS = {
    "scale": {"x": "R N", "p": "R", "w": "N", "y": "R N"},
    "add": {"x": "R N", "w": "R N", "y": "R N"},
    "interleaved": {"x": "R 2N", "y": "R N"},
    "norm": {"x": "R N", "w": "N", "y": "R N"},
}
INNER = (64, 2560, 2561, 4096)
SHAPES = [(rows, inner) for inner in INNER for rows in (0, 1, 17)] + [(256, 64), (3, 1), (3, 7), (5, 12)]


def run(function, element, rows, inner, moved, folder):
    """Nothing, or what is wrong."""
    sizes = {"R": rows, "N": inner, "2N": 2 * inner}
    shapes = [f"--shape={name}={'x'.join(str(sizes[size]) for size in text.split())}"
              for name, text in KERNELS[function].items() if name != "y" and (function, name) != ("norm", "w")]
    model = folder / f"{element}.{inner}.mlir"
    options = [f"--offset={moved}=1"] if moved else []
    done = subprocess.run([binaries / "prec-run", model, f"--function={function}", f"--engine={engine}", "--random=7", "--check",
                           *(["--counters"] if engine == "ptx" else []), *shapes, *options], capture_output=True, text=True)
    good = done.returncode == 0 and " 0 mismatches" in done.stdout
    # What can be read by 16 bytes is, and nothing else.
    took = re.findall(r"^kernel (\w+)", done.stdout, re.M)
    if engine == "ptx" and rows and inner in INNER:
        good &= ("loads.16 " in done.stdout) == ((inner % 8 == 0 or function == "add") and not moved)
    return "" if good else f"{function} {element} {rows} x {inner} {moved}: {took}\n{done.stdout}{done.stderr}"


with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder = pathlib.Path(folder)
    for element in ("bf16", "f16"):
        for _, inner in SHAPES:
            text = (here / "addresses.mlir").read_text()
            for name, value in {"TYPE": element, "TWICE": 2 * inner, "INNER": inner}.items():
                text = text.replace(name, str(value))
            (folder / f"{element}.{inner}.mlir").write_text(text)
    cases = [(function, "bf16", *shape, None) for function in KERNELS for shape in SHAPES]
    cases += [(function, "f16", *shape, None) for function in KERNELS for shape in ((17, 64), (3, 2561))]
    if engine == "ptx":
        cases += [(function, "bf16", rows, inner, name) for function, tensors in KERNELS.items() for name in tensors
                  for rows, inner in ((17, 64), (1, 2560), (3, 2561)) if (function, name) != ("scale", "p")]
    runs = [pool.submit(run, *case, folder) for case in cases]
    failures = [text for text in (future.result() for future in runs) if text]
print("".join(failures) + f"{len(runs)} runs, {len(failures)} failed")
sys.exit(bool(failures))
