# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN   prints the tables of results.md: what compiling to PTX takes

In one process, warm, the shortest of three, and as a process of its own, shortest and median of 40; and of graphs of 1000
and 10,000 operations, in a chain and side by side.
"""
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
sys.path.append(str(here.parent / "kernels"))
import programs

binaries = pathlib.Path(sys.argv[1]).resolve()

# The most that a kernel may take, in seconds; as a process, 0.10.
MOST = {"mix_forward": .0612, "mix_backward": .0612, "write_back": .0196, "swiglu": .0272, "swiglu_f32": .0280,
        "swiglu_backward": .0414, "combine": .0356, "rms_norm_two": .0296, "gated_norm": .0526, "gdn_step": .0450}


def graph(count, length):
    """A function of `count` operations in chains of `length`, each with a result of its own."""
    lines = [f"  %{i} = {'arith.addf' if i % 2 else 'arith.mulf'} {f'%{i - 1}' if i % length else '%x'}, %w : tensor<?x64xbf16>"
             for i in range(count)]
    results = ", ".join(f"%{i}" for i in range(length - 1, count, length))
    types = ", ".join(["tensor<?x64xbf16>"] * (count // length))
    return "\n".join([f"func.func @graph(%x: tensor<?x64xbf16>, %w: tensor<?x64xbf16>) -> ({types}) {{", *lines,
                      f"  return {results} : {types}", "}\n"])


def seconds_of(precc, source, output, *options):
    """What a process takes to compile `source` to PTX."""
    start = time.perf_counter()
    subprocess.run([precc, source, "--target=sm_90", "--emit=ptx", "-o", output, *options], check=True)
    return time.perf_counter() - start


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    # As installed: of a file that the linker wrote, the system maps small pieces at a time, which takes 4 ms.
    precc = shutil.copy2(binaries / "precc", folder)
    arguments = []
    for kernel in programs.KERNELS:
        source = folder / f"{kernel.name}.mlir"
        source.write_text(kernel.text)
        arguments += [source, kernel.name]
    print("| kernel | seconds | parsing | passes | LLVM | at most | process, shortest | median |\n|---|---|---|---|---|---|---|---|")
    done = subprocess.run([binaries / "prec-bench-compile", "3", *arguments], check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        name, *seconds = line.split()
        runs = [seconds_of(precc, folder / f"{name}.mlir", folder / "kernel.ptx", f"--function={name}") for _ in range(40)]
        print(f"| {name} | {' | '.join(seconds)} | {MOST.get(name, '')} | {min(runs):.4f} | {statistics.median(runs):.4f} |", flush=True)
    print("\n| graph | to PTX, s |\n|---|---|")
    for count in (1000, 10000):
        for length, what in ((count, "a chain"), (100, "chains of 100")):
            source = folder / "graph.mlir"
            source.write_text(graph(count, length))
            print(f"| {count} operations, {what} | {seconds_of(precc, source, folder / 'graph.ptx'):.2f} |", flush=True)
