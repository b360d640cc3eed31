# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN DATA ENGINE   (reference, host, ptx, or compile-ptx)

Runs every imported file of DATA/index.json on the engine and compares every output with
its expected bits: no element may differ. `compile-ptx` compiles every file to PTX.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

binaries, imports, engine = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
data = imports / "data"
index = json.loads((data / "index.json").read_text())
assert len(index) == 96, f"expected 96 files but got {len(index)}"


def run(name):
    """Elements compared, and what went wrong."""
    entry, source = index[name], imports / f"{name}.mlir"
    if engine == "compile-ptx":
        result = subprocess.run([binaries / "precc", source, "--target=sm_90", "--emit=ptx"], capture_output=True, text=True)
        good = result.returncode == 0 and ".entry" in result.stdout
        return 0, "" if good else f"exit {result.returncode}\n{result.stderr}"
    command = [binaries / "prec-run", source, f"--function={entry['func']}", f"--engine={engine}"]
    command += [f"--in={data / file}" for file, _, _ in entry["in"]]
    command += [f"--expect={data / file}" for file, _, _ in entry["out"]]
    result = subprocess.run(command, capture_output=True, text=True)
    counts = re.findall(r"(\d+) elements, (\d+) mismatches", result.stdout)
    good = result.returncode == 0 and len(counts) == len(entry["out"]) and all(bad == "0" for _, bad in counts)
    return sum(int(n) for n, _ in counts), "" if good else f"exit {result.returncode}\n{result.stdout}{result.stderr}"


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = dict(zip(index, pool.map(run, index)))
failed = {name: text for name, (_, text) in results.items() if text}
for name, text in failed.items():
    print(f"{name}: {text}")
print(f"{len(index)} files on {engine}, {sum(n for n, _ in results.values())} elements, {len(failed)} files failed")
sys.exit(bool(failed))
