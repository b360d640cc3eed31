# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN DATA PASS...

Level R is one meaning: every imported file of DATA/index.json is lowered by the passes
(prec-opt PASS...) and what comes out is evaluated, operation by operation. No element may
differ from the expected bits. With prec-form-kernels among the passes this says that
forming kernels leaves level R unchanged.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

binaries, imports, passes = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
data = imports / "data"
index = json.loads((data / "index.json").read_text())


def run(name, folder):
    """Elements compared, kernels formed, and what went wrong."""
    entry, lowered = index[name], pathlib.Path(folder) / f"{name}.mlir"
    result = subprocess.run([binaries / "prec-opt", imports / f"{name}.mlir", *passes, "-o", lowered],
                            capture_output=True, text=True)
    if result.returncode:
        return 0, 0, f"exit {result.returncode}\n{result.stderr}"
    command = [binaries / "prec-run", lowered, f"--function={entry['func']}", "--engine=reference"]
    command += [f"--in={data / file}" for file, _, _ in entry["in"]]
    command += [f"--expect={data / file}" for file, _, _ in entry["out"]]
    result = subprocess.run(command, capture_output=True, text=True)
    counts = re.findall(r"(\d+) elements, (\d+) mismatches", result.stdout)
    good = result.returncode == 0 and len(counts) == len(entry["out"]) and all(bad == "0" for _, bad in counts)
    kernels = len(re.findall(r"= prec\.kernel ", lowered.read_text()))
    return sum(int(n) for n, _ in counts), kernels, "" if good else f"exit {result.returncode}\n{result.stdout}{result.stderr}"


with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = dict(zip(index, pool.map(lambda name: run(name, folder), index)))
failed = {name: text for name, (_, _, text) in results.items() if text}
formed = "--prec-form-kernels" in passes
failed.update({name: "no kernel was formed" for name, (_, kernels, _) in results.items() if formed and not kernels})
for name, text in failed.items():
    print(f"{name}: {text}")
print(f"{len(index)} files, {sum(n for n, _, _ in results.values())} elements, "
      f"{sum(k for _, k, _ in results.values())} kernels, {len(failed)} files failed")
sys.exit(bool(failed))
